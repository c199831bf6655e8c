import { nextCheckAt } from '../../domain/check_plan.ts'
import { errorName } from '../../domain/error_name.ts'
import { GatewayError } from '../../domain/errors.ts'
import { isExpired, type GatewayPayment } from '../../domain/payment.ts'
import type { PaymentStatus } from '../../domain/payment_status.ts'
import { isUnavailable } from '../../store/connection/errors.ts'
import { readClock } from '../../store/connection/settings.ts'
import {
  withTransaction,
  withReadTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  claimDueChecks,
  resumeDeferred,
  type DueCheck,
  checkPaymentsNow,
  listStalePayments,
  claimCheck,
  deferPayments,
  setNextCheck,
} from '../../store/payments/checks.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import type { Context } from '../context.ts'
import { refreshPayment } from '../payments/check_status.ts'
import { alarmAbout } from '../payments/record_step.ts'
import {
  inParallel,
  CHECKS_AT_ONCE_MAX,
  sweepPages,
  type SweepOptions,
  type ReadBudget,
} from './sweep_pages.ts'

/** How many payments a sweep queried, by outcome. */
export type Swept = Record<Checked['outcome'], number>

/** Queries the gateway about every payment that is due. */
export const checkPendingPayments = async (ctx: Context, options: SweepOptions): Promise<Swept> => {
  await withTransaction(ctx.db, resumeDeferred)
  return await sweepPages<DueCheck, keyof Swept>(
    ctx,
    options,
    {
      claim: claimDueChecks,
      lease_ms: CHECK_LEASE_MS,
      check: async (due) => (await checkPaymentStatus(ctx, due, options.budget)).outcome,
      name: ({ order_id }) => ({ order_id }),
    },
    { skipped: 0, moved: 0, unchanged: 0, not_found: 0, unreachable: 0 },
  )
}

/** Several at the same time. */
async function checkAll(
  ctx: Context,
  due: readonly Pick<DueCheck, 'id' | 'order_id'>[],
  { budget, aborted }: SweepOptions,
): Promise<Checked[]> {
  return await inParallel(due, async (one) => await checkPaymentStatus(ctx, one, budget), {
    at_once: CHECKS_AT_ONCE_MAX,
    aborted,
    log: ctx.log,
    name: ({ order_id }) => ({ order_id }),
  })
}

const STALE_PAGE_MAX = 50

/**
 * Queries pending payments that are past their expiry and not about to be checked. The gateway
 * decides whether they expired, never our clock (I-15). Returns how many changed.
 */
export async function expireStalePayments(ctx: Context, options: SweepOptions): Promise<number> {
  if (!ctx.gateway.available) return 0
  const stale = await withReadTransaction(
    ctx.db,
    async (tx) => await listStalePayments(tx, STALE_PAGE_MAX),
  )
  if (stale.length === 0) return 0
  await withTransaction(ctx.db, async (tx) => {
    // In the order of their ids, as every batch that locks payments.
    for (const { id } of stale.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await checkPaymentsNow(tx, [id])
    }
  })
  const checked = await checkAll(ctx, stale, options)
  return checked.filter(({ outcome }) => outcome === 'moved').length
}

/** The result of a check. `skipped`: nothing was left to query. */
export interface Checked {
  order_id: string
  outcome: 'skipped' | 'moved' | 'unchanged' | 'not_found' | 'unreachable'
  transaction_status: PaymentStatus | null
}

/**
 * Longer than the queries of one check; if the process dies, the payment is due again after this.
 */
const CHECK_LEASE_MS = 120_000

const SOON_MS = 10_000
const UNREACHABLE_MS = 30_000
const UNREACHABLE_MS_MAX = 15 * 60_000
const NOT_FOUND_MS = 60_000
const STALE_MS = 60_000
/** Less than the ten minutes after which expire_stale_payments treats a payment as forgotten. */
const STALE_MS_MAX = 9 * 60_000
const PUT_OFF_MS_MAX = 12 * 3_600_000
/** After this a deferred report is alarmed: at the next check, so within twice this. */
export const DEFERRED_MS_MAX = 3_600_000
/** An order that the gateway still does not know at the fourth query is left to staff. */
const NOT_FOUND_ATTEMPTS = 4

/**
 * Queries the gateway about one payment and applies its answer. The next check is always planned,
 * so that the checks alone bring the payment to its end without any notification (I-27). May be
 * repeated and run concurrently.
 */
export async function checkPaymentStatus(
  ctx: Context,
  which: { id: string; order_id: string } | { order_id: string },
  budget: ReadBudget,
): Promise<Checked> {
  const payment = await withTransaction(
    ctx.db,
    async (tx) => await claimCheck(tx, which, CHECK_LEASE_MS),
  )
  const { order_id } = which
  if (payment === undefined) return { order_id, outcome: 'skipped', transaction_status: null }
  await budget.take()
  const answer = await askOnce(ctx, payment)
  return await withTransaction(ctx.db, async (tx) => await planNext(tx, payment, answer))
}

type Answer = 'answered' | 'not_found' | 'unreachable'

async function askOnce(ctx: Context, payment: GatewayPayment): Promise<Answer> {
  try {
    await refreshPayment(ctx, payment, 'sweep')
    return 'answered'
  } catch (error) {
    if (error instanceof GatewayError) {
      return error.code === 'gateway_not_found' ? 'not_found' : 'unreachable'
    }
    if (isUnavailable(error)) throw error
    // A fault of ours must not end the checks; the payment is deferred, so that it ends in an
    // alarm.
    ctx.log.error({ payment_id: payment.id, error: errorName(error) }, 'payment_check_failed')
    await withTransaction(
      ctx.db,
      async (tx) => await deferPayments(tx, [payment.id], { now: await readClock(tx) }),
    )
    return 'unreachable'
  }
}

async function planNext(tx: Tx, asked: GatewayPayment, answer: Answer): Promise<Checked> {
  const held = await lockPayment(tx, asked.id)
  if (held === undefined) throw new Error(`payment ${asked.id} does not exist`)
  const { order_id, transaction_status } = held
  const now = await readClock(tx)
  await alarmAboutDeferral(tx, held, now)
  // A transition plans its own next check.
  if (held.version !== asked.version) return { order_id, outcome: 'moved', transaction_status }
  const attempts = held.check_attempts + 1
  const next = nextOf(held, answer, now)
  await setNextCheck(tx, held.id, next, next === null ? 0 : attempts)
  if (answer === 'not_found' && attempts >= NOT_FOUND_ATTEMPTS)
    await alarmAbout(tx, held, 'outcome_unknown', notFound(held))
  const outcome = answer === 'answered' ? 'unchanged' : answer
  return { order_id, outcome, transaction_status }
}

/** Opens the alarm about a report that stays unsettled. */
async function alarmAboutDeferral(tx: Tx, held: GatewayPayment, now: Date): Promise<void> {
  const { deferred_since: since } = held
  if (since === null || now.getTime() - since.getTime() < DEFERRED_MS_MAX) return
  const detail = `a report of ${since.toISOString()} is not settled by what the gateway answers`
  await alarmAbout(tx, held, 'report_unsettled', detail)
}

/** A deferred report is asked about again as soon as it is twice as old, whatever is planned. */
function nextOf(payment: GatewayPayment, answer: Answer, now: Date): Date | null {
  const planned = plannedAfter(payment, answer, now)
  if (payment.deferred_since === null) return planned
  const age_ms = now.getTime() - payment.deferred_since.getTime()
  const again = new Date(now.getTime() + Math.min(Math.max(age_ms, SOON_MS), PUT_OFF_MS_MAX))
  return planned !== null && planned < again ? planned : again
}

function plannedAfter(payment: GatewayPayment, answer: Answer, now: Date): Date | null {
  const after = (first_ms: number, max_ms: number): Date =>
    new Date(now.getTime() + Math.min(first_ms * 2 ** payment.check_attempts, max_ms))
  switch (answer) {
    case 'unreachable':
      return after(UNREACHABLE_MS, UNREACHABLE_MS_MAX)
    case 'not_found':
      return after(NOT_FOUND_MS, PUT_OFF_MS_MAX)
    case 'answered': {
      const { transaction_status: status, fraud_status: fraud } = payment
      const planned = nextCheckAt({ ...payment, status, fraud }, now)
      const sooner = soonOf(payment, now)
      if (sooner === null) return planned
      const soon = after(...sooner)
      return planned !== null && planned < soon ? planned : soon
    }
  }
}

/** The delays that replace the plan's longer ones: first and longest delay, or null. */
function soonOf(payment: GatewayPayment, now: Date): [number, number] | null {
  // Our check set this time, unless a report or this answer was deferred meanwhile.
  if (payment.next_check_at !== null && payment.next_check_at <= now)
    return [SOON_MS, PUT_OFF_MS_MAX]
  // Past its expiry and still pending: the gateway is about to expire it, or the payer was in time.
  return isExpired(payment, now) && payment.transaction_status === 'pending'
    ? [STALE_MS, STALE_MS_MAX]
    : null
}

const notFound = ({ transaction_status }: GatewayPayment): string =>
  `the gateway does not know the order of a ${transaction_status} payment`
