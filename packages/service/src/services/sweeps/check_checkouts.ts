import { isPageOver, nextCheckoutCheckAt, type GatewayCheckout } from '../../domain/checkout.ts'
import { GatewayError } from '../../domain/errors.ts'
import { isFailed, type GatewayPayment } from '../../domain/payment.ts'
import { factsOf } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import {
  claimDueCheckouts,
  listPaymentsOfCheckout,
  setNextCheckoutCheck,
} from '../../store/checkouts/checks.ts'
import { lockCheckout } from '../../store/checkouts/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { stepCheckout } from '../checkouts/step_checkout.ts'
import type { Context } from '../context.ts'
import { evidenceAbout, linkPayment } from '../linked_payments/link_payment.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import { DEFERRED_MS_MAX } from './check_payments.ts'
import { sweepPages, type SweepOptions } from './sweep_pages.ts'

const CHECKOUT_LOCK = { subject_kind: 'checkout', lock: lockCheckout } as const

/** How many checkouts a sweep asked about, by outcome. */
type CheckoutsSwept = Record<'found' | 'unchanged' | 'expired' | 'unreachable', number>

const LEASE_MS = 120_000
const UNREACHABLE_MS = 60_000

/**
 * Asks the gateway about the order of every checkout that is due, so that a payment is found whose
 * notifications were all lost, and ends pages that are over: the gateway sends nothing for them.
 */
export const checkDueCheckouts = async (
  ctx: Context,
  options: SweepOptions,
): Promise<CheckoutsSwept> =>
  await sweepPages<GatewayCheckout, keyof CheckoutsSwept>(
    ctx,
    options,
    {
      claim: claimDueCheckouts,
      lease_ms: LEASE_MS,
      check: async (checkout) => await check(ctx, checkout, options),
      name: ({ id }) => ({ checkout_id: id }),
    },
    { found: 0, unchanged: 0, expired: 0, unreachable: 0 },
  )

async function check(
  ctx: Context,
  checkout: GatewayCheckout,
  { budget }: SweepOptions,
): Promise<keyof CheckoutsSwept> {
  await budget.take()
  const asked_at = await withTransaction(ctx.db, readClock)
  const answer = await ask(ctx, checkout)
  const answered = answer !== 'unreachable'
  const found = typeof answer === 'object' && (await recordFound(ctx, checkout, answer))
  const expired = await withTransaction(
    ctx.db,
    async (tx) => await planNext(tx, checkout.id, answered ? asked_at : null),
  )
  if (expired) return 'expired'
  if (!answered) return 'unreachable'
  return found ? 'found' : 'unchanged'
}

/**
 * The newest transaction of the order. That there is none means that the payer has chosen no method
 * yet, never that there is no page.
 */
async function ask(
  ctx: Context,
  { order_id }: GatewayCheckout,
): Promise<TransactionReply | 'none' | 'unreachable'> {
  try {
    return await ctx.gateway.getStatus(order_id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? 'none' : 'unreachable'
  }
}

/** Creates the payment of a transaction that is not known here. A known one has checks of its own. */
const recordFound = async (
  ctx: Context,
  { order_id }: GatewayCheckout,
  payload: TransactionReply,
): Promise<boolean> =>
  await withTransaction(ctx.db, async (tx) => {
    if (payload.order_id !== order_id) return false
    const provenance = { source: 'sweep', evidence: 'gateway_answer', evidence_id: null } as const
    const live = await lockPaymentByOrderId(tx, order_id)
    const payment = await linkPayment(tx, { ...provenance, payload }, live)
    const facts = factsOf(payload)
    if (typeof payment !== 'object' || facts === undefined) return false
    if (payment.checkout_id === null || payment.transaction_status !== 'initiated') return false
    await applyFacts(new PaymentWriteBatch(tx, ctx), payment, facts, {
      ...provenance,
      evidence: evidenceAbout(payment),
      notification_id: null,
    })
    return true
  })

/**
 * Whether the page's order may still be paid by it, or a report that it was waits for a query; after
 * an hour an alarm says so.
 */
const mayBePaid = (payment: GatewayPayment, now: Date): boolean => {
  const { paid_at, transaction_status, deferred_since } = payment
  if (paid_at !== null) return false
  if (deferred_since !== null && now.getTime() - deferred_since.getTime() < DEFERRED_MS_MAX)
    return true
  return transaction_status !== 'initiated' && !isFailed(payment)
}

/**
 * Ends a page that is over, unless a payment made on it can still be paid, and plans the next check.
 * Only an answer to a query that was made after the end of the page counts. Returns whether it ended.
 */
async function planNext(tx: Tx, id: string, asked_at: Date | null): Promise<boolean> {
  const held = await lockExisting(tx, CHECKOUT_LOCK, id)
  const now = await readClock(tx)
  const page_over = isPageOver(held, now)
  if (asked_at === null) {
    const next_check_at = new Date(now.getTime() + UNREACHABLE_MS)
    await setNextCheckoutCheck(tx, id, { next_check_at, page_over })
    return false
  }
  const proven = isPageOver(held, asked_at)
  const payments = held.status === 'open' && proven ? await listPaymentsOfCheckout(tx, id) : null
  if (payments !== null && !payments.some((payment) => mayBePaid(payment, now))) {
    await stepCheckout(tx, held, { to: 'expired', because: { source: 'sweep' } })
    return true
  }
  const next_check_at = nextCheckoutCheckAt(held, now)
  await setNextCheckoutCheck(tx, id, { next_check_at, page_over })
  return false
}
