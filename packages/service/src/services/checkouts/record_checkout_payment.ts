// Updates a checkout in the transaction in which a payment made on its page changed. Lock order
// everywhere: the payment's row first, then the checkout's.
import type { GatewayCheckout } from '../../domain/checkout.ts'
import { formatMoney } from '../../domain/money.ts'
import { isFailed, type GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPE } from '../../domain/payment_type.ts'
import { checkEndedPage } from '../../store/checkouts/checks.ts'
import { lockCheckout } from '../../store/checkouts/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { checkPaymentsNow } from '../../store/payments/checks.ts'
import { insertRefundRequest } from '../../store/refunds/requests.ts'
import { newId } from '../../store/sql/values.ts'
import type { LinkedStep } from '../object_step.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { alarmAbout } from '../payments/record_step.ts'
import { stepCheckout } from './step_checkout.ts'

const CHECKOUT_LOCK = { subject_kind: 'checkout', lock: lockCheckout } as const

/** How long staff can approve the proposed refund; the alarm stays open after that. */
const PROPOSED_FOR_MS = 30 * 24 * 3_600_000
const PROPOSED_BY = 'gapura'

/**
 * The first payment that is paid completes its checkout. A further one has the payer's money a second
 * time: it opens an alarm and proposes its refund.
 */
export async function recordCheckoutPayment(
  tx: Tx,
  checkout_id: string,
  { before, after, provenance }: Omit<LinkedStep, 'facts'>,
): Promise<void> {
  if (before.paid_at !== null || after.paid_at === null) {
    // The page may have waited for this payment alone.
    if (isFailed(after)) await checkEndedPage(tx, checkout_id)
    // A sweep that ends the page must see that it waits for this payment, or this waits for the sweep.
    else if (before.transaction_status === 'initiated' || isFailed(before))
      await lockExisting(tx, CHECKOUT_LOCK, checkout_id)
    return
  }
  const held = await lockExisting(tx, CHECKOUT_LOCK, checkout_id)
  if (held.payment_id !== null) {
    if (held.payment_id !== after.id) await alarmPaidTwice(tx, held, after)
    return
  }
  const change = { payment_id: after.id, completed_at: await readClock(tx) }
  await stepCheckout(tx, held, { to: 'completed', change, because: provenance })
}

async function alarmPaidTwice(
  tx: Tx,
  { order_id, payment_id }: GatewayCheckout,
  payment: GatewayPayment,
): Promise<void> {
  const { id, owner_id, captured_amount: amount, payment_type } = payment
  const paid = `order ${order_id} was already paid by payment ${payment_id}`
  const refundable = PAYMENT_TYPE[payment_type].refund !== null
  const remedy = refundable
    ? `approve the refund request over ${formatMoney(amount)}`
    : `${payment_type} has no refund at the gateway: pay ${formatMoney(amount)} back to the payer`
  await alarmAbout(tx, payment, 'paid_twice', `${paid}; ${remedy}`)
  // The signature covers no transaction id: the gateway is asked by it before staff act.
  await checkPaymentsNow(tx, [id])
  if (!refundable) return
  const request = {
    id: newId(),
    payment_id: id,
    owner_id,
    amount,
    reason: `Order ${order_id} was paid twice`,
    is_direct: false,
    requested_by: PROPOSED_BY,
    requested_by_staff: true,
    idempotency_key: null,
    fingerprint: null,
    outside: false,
    reference: null,
    evidence: null,
  }
  await insertRefundRequest(tx, request, PROPOSED_FOR_MS)
}
