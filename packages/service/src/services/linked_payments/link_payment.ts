// A report about an order that we did not charge may be the payment of an invoice, a subscription
// cycle or a payment made on a checkout's page. It then becomes a payment of the owner of that object
// (ADR 0005).
import type { Evidence } from '../../domain/answer.ts'
import type { GatewayCheckout } from '../../domain/checkout.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { parseMoney } from '../../domain/money.ts'
import { parseCycleOrderId, isCycleOf } from '../../domain/order_id.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPES, type PaymentType } from '../../domain/payment_type.ts'
import type { Source } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { factsOf } from '../../gateway/facts.ts'
import { invoiceNamedIn } from '../../gateway/invoice_facts.ts'
import { isObject } from '../../gateway/json.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { lockAttempt } from '../../store/checkouts/checks.ts'
import { findCheckoutByOrderId } from '../../store/checkouts/rows.ts'
import { findInvoiceByGatewayId, findInvoicesByOrderIds } from '../../store/invoices/lookups.ts'
import { checkPaymentsNow } from '../../store/payments/checks.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { insertPayment, type NewLinkedPayment } from '../../store/payments/rows.ts'
import { newId } from '../../store/sql/values.ts'
import { findSubscriptionById } from '../../store/subscriptions/rows.ts'
import { recordWritten } from '../object_step.ts'

/**
 * The object that the order pays, `ask` if only the gateway's own answer can decide, or undefined.
 * A `report` is trusted in its signed fields, a `gateway_answer` in all fields. Takes no lock: the
 * payment is locked first.
 */
type Linker = (
  tx: Tx,
  payload: TransactionReply,
  evidence: Evidence,
) => Promise<LinkedTo | 'ask' | undefined>

/** One for each kind of object that the gateway charges by itself. */
const LINKERS: readonly Linker[] = [linkInvoice, linkSubscription, linkCheckout]

/** Whether any linker would look for an object. Reads nothing. */
export const mayBeLinked = (payload: TransactionReply): boolean =>
  invoiceNamedIn(payload) !== undefined ||
  checkoutNamedIn(payload) !== undefined ||
  parseCycleOrderId(payload.order_id ?? '') !== undefined

interface Report {
  payload: TransactionReply
  evidence: Evidence
  source: Source
  /** The notification that reported it. */
  evidence_id: string | null
}

/**
 * The payment of this transaction, locked. It is created if its order pays an object of ours; of two
 * concurrent calls one creates it and the other waits and finds it. Otherwise what the linkers
 * return. `live`: the payment that has the order id, locked, if it is known.
 */
export async function linkPayment(
  tx: Tx,
  report: Report,
  live?: GatewayPayment,
): Promise<GatewayPayment | 'ask' | undefined> {
  const { payload, evidence } = report
  if (live !== undefined && !isOfAnotherAttempt(live, payload)) return live
  const { order_id } = payload
  const payment_type = PAYMENT_TYPES.find((known) => known === payload.payment_type)
  if (order_id === null || order_id === undefined || payment_type === undefined) return undefined
  const to = await linkedTo(tx, payload, evidence)
  if (to === undefined || to === 'ask') return live ?? to
  const fresh = newPayment(payload, to, { order_id, payment_type })
  const payment = live === undefined ? await insertPayment(tx, fresh) : undefined
  if (payment !== undefined) return await recordLinked(tx, payment, report)
  const holder = live ?? (await lockPaymentByOrderId(tx, order_id))
  if (holder === undefined || !isOfAnotherAttempt(holder, payload)) return holder
  return await linkAttempt(tx, fresh, report)
}

/**
 * How far the answer to a query about an order counts: fully for a payment of which nothing is known
 * yet. Any other may have changed since the query, so that for it the answer is a report.
 */
export const evidenceAbout = ({ transaction_status, deferred_since }: GatewayPayment): Evidence =>
  transaction_status === 'initiated' && deferred_since === null ? 'gateway_answer' : 'report'

/**
 * Whether the report is about another transaction than this payment of a checkout: the payer chose
 * again on the page, or another payer opened it.
 */
export const isOfAnotherAttempt = (
  { checkout_id, transaction_id }: GatewayPayment,
  payload: TransactionReply,
): boolean =>
  checkout_id !== null &&
  typeof payload.transaction_id === 'string' &&
  payload.transaction_id !== transaction_id

/** A further transaction of a checkout's order: a payment of its own, found by its transaction id. */
async function linkAttempt(
  tx: Tx,
  fresh: NewLinkedPayment,
  report: Report,
): Promise<GatewayPayment | undefined> {
  const find = async () =>
    await lockAttempt(tx, fresh.checkout_id ?? '', fresh.transaction_id ?? '')
  const known = await find()
  if (known !== undefined) return known
  const payment = await insertPayment(tx, { ...fresh, refused: true })
  return payment === undefined ? await find() : await recordLinked(tx, payment, report)
}

async function recordLinked(
  tx: Tx,
  payment: GatewayPayment,
  { source, evidence_id }: Report,
): Promise<GatewayPayment> {
  const { transaction_status: to_status } = payment
  const written = { object_kind: 'payment', object: payment, to_status } as const
  await recordWritten(tx, written, { source, evidence_id, reason: 'linked' })
  // Whatever this report leads to, the gateway is queried until the payment ends.
  await checkPaymentsNow(tx, [payment.id])
  return payment
}

/** The object that the order pays, and so its owner; `ask` as of a linker. */
export async function linkedTo(tx: Tx, payload: TransactionReply, evidence: Evidence) {
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
): NewLinkedPayment => ({
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

/** What a payment inherits from the object it pays. */
type LinkedTo = Pick<
  NewLinkedPayment,
  | 'owner_id'
  | 'invoice_id'
  | 'subscription_id'
  | 'checkout_id'
  | 'gross_amount'
  | 'customer_first_name'
  | 'customer_last_name'
  | 'customer_email'
  | 'customer_phone'
  | 'metadata'
>

/** What the gateway appends to an invoice's order id for each payment of it. */
const SUFFIX = /-\d{6,20}$/

/**
 * The invoice a payment is for. The gateway names it in a field that its signature does not cover
 * (gateway-protocol.md#invoice-notifications), so a report is accepted only if its signed order id
 * begins with that of the invoice.
 */
async function linkInvoice(
  tx: Tx,
  payload: TransactionReply,
  evidence: Evidence,
): Promise<LinkedTo | 'ask' | undefined> {
  const named = invoiceNamedIn(payload)
  if (named === undefined) return undefined
  const stem = await invoiceOfOrder(tx, payload.order_id ?? '')
  if (stem !== undefined && (stem.gateway_invoice_id ?? named) === named) {
    return ofInvoice(stem, named)
  }
  const known = await findInvoiceByGatewayId(tx, named)
  if (known === undefined) return undefined
  return evidence === 'gateway_answer' ? ofInvoice(known, named) : 'ask'
}

async function invoiceOfOrder(tx: Tx, order_id: string): Promise<GatewayInvoice | undefined> {
  const stems = [order_id, order_id.replace(SUFFIX, '')]
  const [first, second] = await findInvoicesByOrderIds(tx, stems)
  // Ambiguous: one invoice's order id equals another's with a number appended. Do not guess.
  return second === undefined ? first : undefined
}

const ofInvoice = (invoice: GatewayInvoice, midtrans_invoice_id: string): LinkedTo => ({
  owner_id: invoice.owner_id,
  invoice_id: invoice.id,
  subscription_id: null,
  gross_amount: invoice.total_amount,
  customer_first_name: invoice.customer_name,
  customer_last_name: null,
  customer_email: invoice.customer_email,
  customer_phone: invoice.customer_phone,
  metadata: { midtrans_invoice_id },
})

/**
 * The subscription a payment is a cycle of: its signed order id begins with the name that we
 * generated, so a report is proof enough (ADR 0012). The charged amount is a fact, even if
 * unexpected.
 */
async function linkSubscription(tx: Tx, payload: TransactionReply): Promise<LinkedTo | undefined> {
  const { order_id } = payload
  const id = parseCycleOrderId(order_id ?? '')
  const subscription = id === undefined ? undefined : await findSubscriptionById(tx, id)
  if (subscription === undefined || !isCycleOf(order_id ?? '', subscription.gateway_name)) {
    return undefined
  }
  const gross_amount = amountOf(subscription, payload)
  return gross_amount === undefined ? undefined : ofSubscription(subscription, gross_amount)
}

/** Ours, if only a fee that the payer bears was added; `applyFacts` confirms that. */
function amountOf({ amount }: GatewaySubscription, payload: TransactionReply) {
  const charged = parseMoney(payload.gross_amount)
  if (charged === undefined || charged <= 0n) return undefined
  const fee = factsOf(payload)?.imposed_fee ?? 0n
  return charged === amount + fee ? amount : charged
}

const ofSubscription = (subscription: GatewaySubscription, gross_amount: bigint): LinkedTo => ({
  owner_id: subscription.owner_id,
  invoice_id: null,
  subscription_id: subscription.id,
  gross_amount,
  customer_first_name: subscription.customer_first_name,
  customer_last_name: subscription.customer_last_name,
  customer_email: subscription.customer_email,
  customer_phone: subscription.customer_phone,
  metadata: subscription.metadata,
})

/** The checkout id that a report carries, as it was sent with the page. */
export const checkoutNamedIn = ({ metadata }: TransactionReply): string | undefined => {
  const mark = isObject(metadata) ? metadata['gapura_checkout_id'] : undefined
  return typeof mark === 'string' ? mark : undefined
}

/**
 * The checkout whose page a payment was made on: its signed order id is the checkout's. Before the
 * gateway has answered its creation, another system may have used the order id: then only our mark
 * proves it (ADR 0030).
 */
async function linkCheckout(tx: Tx, payload: TransactionReply): Promise<LinkedTo | undefined> {
  if (typeof payload.transaction_id !== 'string') return undefined
  const checkout = await findCheckoutByOrderId(tx, payload.order_id ?? '')
  if (checkout === undefined) return undefined
  const mark = checkoutNamedIn(payload) ?? (checkout.status === 'initiated' ? '' : checkout.id)
  return mark === checkout.id ? ofCheckout(checkout) : undefined
}

const ofCheckout = (checkout: GatewayCheckout): LinkedTo => ({
  owner_id: checkout.owner_id,
  invoice_id: null,
  subscription_id: null,
  checkout_id: checkout.id,
  gross_amount: checkout.amount,
  customer_first_name: checkout.customer_first_name,
  customer_last_name: checkout.customer_last_name,
  customer_email: checkout.customer_email,
  customer_phone: checkout.customer_phone,
  metadata: checkout.metadata,
})
