// A report about an order that we did not charge may be the payment of an invoice or a subscription
// cycle. It then becomes a payment of the owner of that object (ADR 0005).
import type { Evidence } from '../../domain/answer.ts'
import { parseCycleOrderId } from '../../domain/order_id.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPES, type PaymentType } from '../../domain/payment_type.ts'
import type { Source } from '../../domain/signals.ts'
import { invoiceNamedIn } from '../../gateway/invoice_facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { newId } from '../../store/sql/values.ts'
import { checkPaymentsNow } from '../../store/payments/checks.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { insertPayment, type NewPayment } from '../../store/payments/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { recordWritten } from '../object_step.ts'
import { linkInvoice } from './link_invoice.ts'
import { linkSubscription } from './link_subscription.ts'
import type { LinkedTo } from './linked_to.ts'

/**
 * The object that the order pays, `ask` if only the gateway's own answer can decide, or undefined.
 * A `report` is trusted in its signed fields, a `gateway_answer` in all fields. Takes no lock: the
 * payment is locked first.
 */
export type Linker = (
  tx: Tx,
  payload: TransactionReply,
  evidence: Evidence,
) => Promise<LinkedTo | 'ask' | undefined>

/** One for each kind of object that the gateway charges by itself. */
const LINKERS: readonly Linker[] = [linkInvoice, linkSubscription]

/** Whether any linker would look for an object. Reads nothing. */
export const mayBeLinked = (payload: TransactionReply): boolean =>
  invoiceNamedIn(payload) !== undefined || parseCycleOrderId(payload.order_id ?? '') !== undefined

interface Report {
  payload: TransactionReply
  evidence: Evidence
  source: Source
  /** The notification that reported it. */
  evidence_id: string | null
}

/**
 * The payment of this order, locked. It is created if the order pays an object of ours; of two
 * concurrent calls one creates it and the other waits and finds it. Otherwise what the linkers
 * return.
 */
export async function linkPayment(
  tx: Tx,
  { payload, evidence, source, evidence_id }: Report,
): Promise<GatewayPayment | 'ask' | undefined> {
  const { order_id } = payload
  const payment_type = PAYMENT_TYPES.find((known) => known === payload.payment_type)
  if (order_id === null || order_id === undefined || payment_type === undefined) return undefined
  const to = await linkedTo(tx, payload, evidence)
  if (to === undefined || to === 'ask') return to
  const payment = await insertPayment(tx, newPayment(payload, to, { order_id, payment_type }))
  if (payment === undefined) return await lockPaymentByOrderId(tx, order_id)
  const { transaction_status: to_status } = payment
  const written = { object_kind: 'payment', object: payment, to_status } as const
  await recordWritten(tx, written, { source, evidence_id, reason: 'linked' })
  // Whatever this report leads to, the gateway is queried until the payment ends.
  await checkPaymentsNow(tx, [payment.id])
  return payment
}

async function linkedTo(tx: Tx, payload: TransactionReply, evidence: Evidence) {
  let ask = false
  for (const linker of LINKERS) {
    const to = await linker(tx, payload, evidence)
    if (to === 'ask') ask = true
    else if (to !== undefined) return to
  }
  return ask ? 'ask' : undefined
}

const newPayment = (
  { transaction_id = null }: TransactionReply,
  to: LinkedTo,
  order: { order_id: string; payment_type: PaymentType },
): NewPayment => ({
  id: newId(),
  api_family: 'classic',
  bank: null,
  store: null,
  acquirer: null,
  currency: 'IDR',
  custom_field1: null,
  custom_field2: null,
  custom_field3: null,
  transaction_id,
  ...order,
  ...to,
})
