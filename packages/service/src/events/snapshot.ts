// The object of an event as subscribers get it: the representation that HTTP replies with. Events of
// before hold a copy of the object's row instead, and are converted when they are read.
import type { GatewayInvoice, GatewayInvoiceItem } from '../domain/invoice.ts'
import { representInvoice } from '../domain/invoice_representation.ts'
import { parseMoney, type Money } from '../domain/money.ts'
import type { GatewayPayment, GatewayPaymentItem, GatewayRefund } from '../domain/payment.ts'
import { representPayment } from '../domain/payment_representation.ts'
import type { ObjectKind } from '../domain/signals.ts'
import type { GatewaySubscription } from '../domain/subscription.ts'
import { representSubscription } from '../domain/subscription_representation.ts'
import type { Tx } from '../store/connection/transaction.ts'
import type { GatewayEvent } from '../store/events/outbox.ts'
import { listPaymentIdsOfInvoice } from '../store/invoices/lookups.ts'
import { listInvoiceItems } from '../store/invoices/rows.ts'
import { listItemsOfPayments } from '../store/payments/rows.ts'
import { listRefundsOfPayments } from '../store/refunds/rows.ts'

type Snapshot = Readonly<Record<string, unknown>>

/** What the copy of a row lacks of the representation, as it is now. */
interface LackingParts {
  payment: { items: GatewayPaymentItem[]; refunds: GatewayRefund[] }
  invoice: { items: GatewayInvoiceItem[]; payment_ids: string[] }
}

/** An event as it was read, with what it needs to be delivered. */
export interface OutboxEvent extends GatewayEvent {
  lacking?: LackingParts
  /** Which attempt this is; the first if it is not given. */
  attempt?: number
}

/** A representation does not name its owner; the copy of a row does. */
const isCopyOfRow = ({ object }: GatewayEvent): boolean => 'owner_id' in object

/** Reads what events of before lack. Nothing is read for the others. */
export async function withLackingParts(
  tx: Tx,
  events: readonly GatewayEvent[],
): Promise<OutboxEvent[]> {
  const copies = events.filter(isCopyOfRow)
  if (copies.length === 0) return [...events]
  const idsOf = (kind: ObjectKind): string[] => [
    ...new Set(copies.flatMap((one) => (one.object_kind === kind ? one.object_id : []))),
  ]
  const [items, refunds] = await Promise.all([
    listItemsOfPayments(tx, idsOf('payment')),
    listRefundsOfPayments(tx, idsOf('payment')),
  ])
  const invoices = new Map<string, LackingParts['invoice']>()
  for (const id of idsOf('invoice')) {
    const payment_ids = await listPaymentIdsOfInvoice(tx, id)
    invoices.set(id, { items: await listInvoiceItems(tx, id), payment_ids })
  }
  return events.map((event) => {
    if (!isCopyOfRow(event)) return event
    const { object_id: id } = event
    const payment = { items: items.get(id) ?? [], refunds: refunds.get(id) ?? [] }
    const invoice = invoices.get(id) ?? { items: [], payment_ids: [] }
    return { ...event, lacking: { payment, invoice } }
  })
}

/** The object, and the refund that the event is about. Throws if the row cannot be read. */
export function objectOf(event: OutboxEvent): { object: Snapshot; refund?: Snapshot } {
  if (!isCopyOfRow(event)) return withRefund(event.object, event.refund_id)
  const { object_kind, object: copy, occurred_at: now, lacking } = event
  if (object_kind === 'subscription') {
    return { object: representSubscription(restoreSnapshot('subscription', copy)) }
  }
  if (object_kind === 'invoice') {
    const parts = lacking?.invoice ?? { items: [], payment_ids: [] }
    const invoice = restoreSnapshot('invoice', copy)
    return { object: representInvoice({ invoice, ...parts }, now) }
  }
  const payment = restoreSnapshot('payment', copy)
  const { items = [], refunds = [] } = lacking?.payment ?? {}
  const made = refunds.filter(({ created_at }) => created_at <= now)
  const refunded = event.type === 'payment_refunded' ? lastOf(made, payment) : undefined
  return withRefund(representPayment({ payment, items, refunds: made }, now), refunded?.id)
}

/** The refund that brought the refunded amount to this sum. */
function lastOf(refunds: readonly GatewayRefund[], { refunded_amount }: GatewayPayment) {
  let sum = 0n
  return refunds
    .filter(({ status }) => status === 'succeeded')
    .find(({ amount }) => (sum += amount) >= refunded_amount)
}

function withRefund(object: Snapshot, refund_id: string | null | undefined) {
  const refunds: unknown = object['refunds']
  if (typeof refund_id !== 'string' || !Array.isArray(refunds)) return { object }
  const refund = refunds.filter(isSnapshot).find(({ id }) => id === refund_id)
  return { object, ...(refund && { refund }) }
}

const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null

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
  booked_received: 'money',
  booked_refunded: 'money',
  booked_charged_back: 'money',
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

/** The kinds of which an earlier release wrote copies of rows. */
const FIELDS: Readonly<Record<keyof Models, Readonly<Record<string, 'money' | 'time'>>>> = {
  payment: PAYMENT,
  invoice: INVOICE,
  subscription: SUBSCRIPTION,
}

interface Models {
  payment: GatewayPayment
  invoice: GatewayInvoice
  subscription: GatewaySubscription
}

/** The copied row as the model has it: money in hundredths, times as dates. */
export function restoreSnapshot<K extends keyof Models>(kind: K, snapshot: Snapshot): Models[K] {
  const restored: Record<string, unknown> = { ...snapshot }
  for (const [field, type] of Object.entries(FIELDS[kind])) {
    const text = snapshot[field]
    // Null is a value; a field that an older snapshot lacks stays absent.
    if (text === null || text === undefined) continue
    restored[field] = type === 'money' ? restoreMoney(text) : restoreTime(text)
  }
  if (!isModel(kind, restored)) throw new RangeError(`a snapshot is not of a ${kind}`)
  return restored
}

/** An earlier release wrote the whole row. */
const isModel = <K extends keyof Models>(
  kind: K,
  row: Record<string, unknown>,
): row is Record<string, unknown> & Models[K] =>
  typeof row['id'] === 'string' && 'transaction_status' in row === (kind === 'payment')

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
