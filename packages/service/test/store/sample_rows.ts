import type { Caller } from '../../src/domain/caller.ts'
import type { Money } from '../../src/domain/money.ts'
import type { GatewayPayment } from '../../src/domain/payment.ts'
import { newId } from '../../src/store/sql/values.ts'
import type { NewNotification } from '../../src/store/notifications/rows.ts'
import type { NewOperation } from '../../src/store/operations/rows.ts'
import { changePayment } from '../../src/store/payments/transitions.ts'
import { insertPayment, type NewPayment } from '../../src/store/payments/rows.ts'
import type { NewSubscription } from '../../src/store/subscriptions/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'

export const ownerOf = (owner_id: string): Caller => ({ owner_id, staff: false, scopes: [] })
export const STAFF: Caller = {
  owner_id: 'staff',
  staff: true,
  scopes: ['staff:read', 'staff:act'],
}

export const newPayment = (given: Partial<NewPayment> = {}): NewPayment => {
  const id = given.id ?? newId()
  return {
    id,
    owner_id: 'owner-1',
    order_id: `order-${id}`,
    api_family: 'classic',
    payment_type: 'bank_transfer',
    bank: 'bca',
    store: null,
    acquirer: null,
    gross_amount: 10_000_00n,
    currency: 'IDR',
    customer_first_name: 'Budi',
    customer_last_name: null,
    customer_email: 'budi@example.com',
    customer_phone: null,
    metadata: {},
    custom_field1: null,
    custom_field2: null,
    custom_field3: null,
    transaction_id: null,
    subscription_id: null,
    invoice_id: null,
    ...given,
  }
}

export const there = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('expected a value')
  return value
}

export const addPayment = async (
  tx: Tx,
  given: Partial<NewPayment> = {},
): Promise<GatewayPayment> => there(await insertPayment(tx, newPayment(given)))

/** A payment with this amount captured, as refunds need it. */
export async function addPaidPayment(tx: Tx, amount: Money): Promise<GatewayPayment> {
  const payment = await addPayment(tx, { gross_amount: amount, payment_type: 'gopay', bank: null })
  return there(
    await changePayment(tx, payment, {
      transaction_status: 'settlement',
      authorized_amount: amount,
      captured_amount: amount,
    }),
  )
}

export const newOperation = (
  subject_id: string,
  given: Partial<NewOperation> = {},
): NewOperation => ({
  id: newId(),
  owner_id: 'owner-1',
  kind: 'charge',
  subject_kind: 'payment',
  subject_id,
  refund_id: null,
  request: {},
  ...given,
})

export const newNotification = (given: Partial<NewNotification> = {}): NewNotification => ({
  id: newId(),
  payment_id: null,
  owner_id: null,
  order_id: 'order-1',
  transaction_id: 'transaction-1',
  transaction_status: 'settlement',
  fraud_status: null,
  payment_type: 'bank_transfer',
  status_code: '200',
  gross_amount: '10000.00',
  effect: 'applied',
  reason: null,
  verified_with: 'current',
  raw_payload: { order_id: 'order-1', transaction_status: 'settlement' },
  ...given,
})

export const newSubscription = (given: Partial<NewSubscription> = {}): NewSubscription => {
  const id = given.id ?? newId()
  return {
    id,
    owner_id: 'owner-1',
    name: 'Monthly',
    gateway_name: `monthly-${id}`,
    payment_type: 'credit_card',
    amount: 50_000_00n,
    currency: 'IDR',
    interval: 1,
    interval_unit: 'month',
    max_interval: 12,
    start_time: null,
    retry_interval: 1,
    retry_interval_unit: 'day',
    retry_max_interval: 3,
    customer_first_name: 'Siti',
    customer_last_name: null,
    customer_email: 'siti@example.com',
    customer_phone: null,
    metadata: { plan: 'gold' },
    ...given,
  }
}
