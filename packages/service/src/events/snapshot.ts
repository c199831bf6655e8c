import type { GatewayInvoice } from '../domain/invoice.ts'
import { parseMoney, type Money } from '../domain/money.ts'
import type { GatewayPayment } from '../domain/payment.ts'
import type { ObjectKind } from '../domain/signals.ts'
import type { GatewaySubscription } from '../domain/subscription.ts'

type Snapshot = Readonly<Record<string, unknown>>

type KeysOf<T, Value> = {
  [K in keyof T]-?: NonNullable<T[K]> extends Value ? K : never
}[keyof T]

/** Every property that JSON cannot hold. A missing or extra entry is a type error. */
type Fields<T> = Readonly<Record<KeysOf<T, Money>, 'money'> & Record<KeysOf<T, Date>, 'time'>>

const PAYMENT: Fields<GatewayPayment> = {
  gross_amount: 'money',
  authorized_amount: 'money',
  captured_amount: 'money',
  refunded_amount: 'money',
  refund_reserved_amount: 'money',
  transaction_time: 'time',
  settlement_time: 'time',
  expiry_time: 'time',
  paid_at: 'time',
  next_check_at: 'time',
  deferred_since: 'time',
  created_at: 'time',
  updated_at: 'time',
}

const INVOICE: Fields<GatewayInvoice> = {
  total_amount: 'money',
  paid_at: 'time',
  next_check_at: 'time',
  created_at: 'time',
  updated_at: 'time',
}

const SUBSCRIPTION: Fields<GatewaySubscription> = {
  amount: 'money',
  start_time: 'time',
  next_execution_at: 'time',
  next_check_at: 'time',
  created_at: 'time',
  updated_at: 'time',
}

const FIELDS: Readonly<Record<ObjectKind, Readonly<Record<string, 'money' | 'time'>>>> = {
  payment: PAYMENT,
  invoice: INVOICE,
  subscription: SUBSCRIPTION,
}

/** The object of an event as the model has it: money in hundredths, times as dates. */
export function restoreSnapshot(kind: ObjectKind, snapshot: Snapshot): Snapshot {
  const restored: Record<string, unknown> = { ...snapshot }
  for (const [field, type] of Object.entries(FIELDS[kind])) {
    const text = snapshot[field]
    // Null is a value; a field that an older snapshot lacks stays absent.
    if (text === null || text === undefined) continue
    restored[field] = type === 'money' ? restoreMoney(text) : restoreTime(text)
  }
  return restored
}

function restoreMoney(text: unknown): Money {
  const money = typeof text === 'string' ? parseMoney(text) : undefined
  if (money === undefined) throw new RangeError('a snapshot holds an invalid amount')
  return money
}

function restoreTime(text: unknown): Date {
  const time = new Date(typeof text === 'string' ? text : Number.NaN)
  if (Number.isNaN(time.getTime())) throw new RangeError('a snapshot holds an invalid time')
  return time
}
