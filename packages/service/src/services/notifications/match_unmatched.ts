// Authentic notifications for orders that we do not know (ADR 0005). Each one ends: it is applied
// later, recognised as the dashboard's test, or left to staff with an alarm.
import { FOREIGN_ORDERS_SUBJECT } from '../../domain/alarm.ts'
import type { Evidence } from '../../domain/answer.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayNotification } from '../../domain/notification.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { factsOf } from '../../gateway/facts.ts'
import { parseNotification } from '../../gateway/wire/notifications.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { readClock } from '../../store/connection/settings.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  findJudgedUnmatched,
  listUnmatched,
  resolveUnmatched,
  UNMATCHED_PAGE_MAX,
  type Place,
} from '../../store/notifications/rows.ts'
import { deferPayments } from '../../store/payments/checks.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { newId } from '../../store/sql/values.ts'
import { openAlarm } from '../../store/staff/alarms.ts'
import type { Context } from '../context.ts'
import { evidenceAbout, linkPayment } from '../linked_payments/link_payment.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { lockMarked } from '../payments/marked_payment.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import type { ReadBudget } from '../sweeps/sweep_pages.ts'

/** Until this age each run only looks for the payment here; then it queries the gateway. */
const ASK_AFTER_MS = 10 * 60_000

/** After this age staff are alarmed; the gateway may still answer later. */
const ALARM_AFTER_MS = 24 * 3_600_000

/**
 * What the gateway's dashboard sends when its test button is pressed
 * (gateway-protocol.md#test-notification).
 */
const TEST_ORDER = /^payment_notif_test_/

/** Pages of one run; the next run continues. */
const PAGES_MAX = 50

/** Why an unmatched notification is left to staff. */
const FOREIGN = 'order_of_another'
const UNKNOWN_AT_GATEWAY = 'order_unknown_at_gateway'

const ALARM = {
  kind: 'unmatched_notification',
  subject_kind: 'notification',
  owner_id: null,
} as const

/** A status that this version does not know: only the gateway's answer can settle it. */
const UNKNOWN_STATUS = { effect: 'deferred', reason: 'unknown_status' } as const
/** What an answer does to a payment that is known by now. */
const ANSWERED = new Set<string>(['applied', 'stale'])
const ASKED_FIRST = { effect: 'deferred', reason: 'asked_first' } as const

/** One run over what is unmatched. */
interface Run {
  budget: ReadBudget
  /** The gateway's answers of this run: several notifications of one order share one query. */
  answers: Map<string | null, Awaited<ReturnType<typeof ask>>>
}

/**
 * Advances each unmatched notification, and returns how many ended. Every run visits all of them,
 * because those that cannot end yet would otherwise hide later ones.
 */
export async function matchUnmatched(ctx: Context, budget: ReadBudget): Promise<number> {
  const run: Run = { budget, answers: new Map() }
  let ended = 0
  let after: Place | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const { unmatched, now } = await pageBehind(ctx, after)
    ended += await matchPage(ctx, unmatched, now, run)
    after = unmatched.at(-1) ?? null
    if (after === null || unmatched.length < UNMATCHED_PAGE_MAX) break
  }
  return ended
}

const pageBehind = async (ctx: Context, after: Place | null) =>
  await withReadTransaction(ctx.db, async (tx) => ({
    unmatched: await listUnmatched(tx, UNMATCHED_PAGE_MAX, after),
    now: await readClock(tx),
  }))

async function matchPage(
  ctx: Context,
  unmatched: readonly GatewayNotification[],
  now: Date,
  run: Run,
): Promise<number> {
  let ended = 0
  for (const notification of unmatched) {
    const age_ms = now.getTime() - notification.received_at.getTime()
    try {
      if (await matchOne(ctx, notification, age_ms, run)) ended += 1
    } catch (error) {
      // A notification that fails must not block the others; the next run tries it again.
      const name = error instanceof Error ? error.name : 'unknown'
      ctx.log.error(
        { notification_id: notification.id, error: name },
        'unmatched_notification_failed',
      )
    }
  }
  return ended
}

async function matchOne(
  ctx: Context,
  notification: GatewayNotification,
  age_ms: number,
  run: Run,
): Promise<boolean> {
  if (TEST_ORDER.test(notification.order_id ?? '')) return await closeTest(ctx, notification)
  const late = await applyLate(ctx, notification)
  if (late === true) return true
  const due = late === 'ask' || age_ms >= ASK_AFTER_MS
  if (!due) return false
  if (late !== 'ask' && (await endForeign(ctx, notification))) return true
  const known = await answerOf(ctx, notification, run)
  if (known === undefined) {
    if (age_ms >= ALARM_AFTER_MS) await alarmUnanswered(ctx, notification)
    return false
  }
  if (known !== null && (await applyAnswer(ctx, notification, known))) return true
  // An object of ours is named but not confirmed yet: query again before staff are alarmed.
  if (late === 'ask' && age_ms < ASK_AFTER_MS) return false
  return await handOver(ctx, notification, known !== null)
}

const closeTest = async (ctx: Context, notification: GatewayNotification): Promise<boolean> =>
  await withTransaction(
    ctx.db,
    async (tx) =>
      await resolveUnmatched(tx, notification, {
        effect: 'stale',
        payment_id: null,
        owner_id: null,
        reason: 'dashboard_test',
      }),
  )

/** The payment exists by now: the report is applied as if it arrived at this moment. */
async function applyLate(ctx: Context, notification: GatewayNotification) {
  const parsed = parseNotification(notification.raw_payload)
  const payload = parsed?.shape === 'payment' ? parsed.payload : undefined
  return await applyTo(ctx, notification, { payload, evidence: 'report' })
}

/** The gateway's answer about the order names an object of ours, which proves the link. */
async function applyAnswer(
  ctx: Context,
  notification: GatewayNotification,
  payload: TransactionReply,
): Promise<boolean> {
  if (payload.order_id !== notification.order_id) return false
  return (await applyTo(ctx, notification, { payload, evidence: 'gateway_answer' })) === true
}

interface Word {
  payload: TransactionReply | undefined
  evidence: Evidence
}

const applyTo = async (
  ctx: Context,
  notification: GatewayNotification,
  { payload, evidence }: Word,
): Promise<boolean | 'ask'> =>
  await withTransaction(ctx.db, async (tx) => {
    const { id: evidence_id } = notification
    // The gateway's answer to our own query is recorded as found by the sweep.
    const source = evidence === 'report' ? 'notification' : 'sweep'
    const provenance = { source, evidence, evidence_id } as const
    const named = await lockNamed(tx, notification, payload)
    const payment = payload ? await linkPayment(tx, { ...provenance, payload }, named) : named
    if (payment === undefined) return false
    if (payment === 'ask') return 'ask'
    const facts = payload && factsOf(payload)
    const entered = !facts
      ? UNKNOWN_STATUS
      : await applyFacts(new PaymentWriteBatch(tx, ctx), payment, facts, {
          ...provenance,
          evidence: evidence === 'report' ? evidence : evidenceAbout(payment),
          notification_id: notification.id,
          confirm_value: ctx.confirm_notifications && evidence === 'report',
        })
    const { id: payment_id, owner_id } = payment
    // The notification may be newer than the answer that led to its payment.
    const asked_first = evidence === 'gateway_answer' && ANSWERED.has(entered.effect)
    if (!facts || asked_first)
      await deferPayments(tx, [payment_id], { now: await readClock(tx), again: true })
    const { effect, reason } = asked_first ? ASKED_FIRST : entered
    return await resolveUnmatched(tx, notification, { effect, reason, payment_id, owner_id })
  })

/** The payment a report is about: by the payment id it carries, or else by its order id. */
async function lockNamed(
  tx: Tx,
  { order_id }: GatewayNotification,
  payload: TransactionReply | undefined,
): Promise<GatewayPayment | undefined> {
  const live = await lockPaymentByOrderId(tx, order_id ?? '')
  const known = new Map(live && [[live.order_id, live]])
  const marked = payload && (await lockMarked(tx, [payload], known))
  return [...(marked?.values() ?? [])][0] ?? live
}

/** A further notification of an order known to be foreign: no query and no alarm again. */
const endForeign = async (ctx: Context, notification: GatewayNotification): Promise<boolean> =>
  await withTransaction(ctx.db, async (tx) => {
    const { order_id } = notification
    const judged = order_id !== null && (await findJudgedUnmatched(tx, order_id, FOREIGN))
    return typeof judged === 'string' && (await leaveUnmatched(tx, notification, FOREIGN))
  })

/** One query for each order and run, also if it failed: the next run queries again. */
async function answerOf(ctx: Context, notification: GatewayNotification, run: Run) {
  const { order_id } = notification
  if (run.answers.has(order_id)) return run.answers.get(order_id)
  if (!ctx.gateway.available) return undefined
  await run.budget.take()
  const answer = await ask(ctx, notification)
  run.answers.set(order_id, answer)
  return answer
}

/** The gateway's state of the order: null if it has none, undefined if the query failed. */
async function ask(ctx: Context, { order_id }: GatewayNotification) {
  if (order_id === null) return null
  try {
    return await ctx.gateway.getStatus(order_id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? null : undefined
  }
}

const alarmUnanswered = async (ctx: Context, { id, transaction_status }: GatewayNotification) =>
  await withTransaction(ctx.db, async (tx) => {
    const detail = `${transaction_status ?? 'a report'}: the gateway could not be asked for a day`
    await openAlarm(tx, { ...ALARM, id: newId(), subject_id: id, detail })
  })

/**
 * Leaves it to staff: one alarm for all foreign orders, one for each order unknown at the gateway.
 */
const handOver = async (
  ctx: Context,
  notification: GatewayNotification,
  known: boolean,
): Promise<boolean> =>
  await withTransaction(ctx.db, async (tx) => {
    const { detail, subject_id } = known
      ? foreignAlarm(notification)
      : await unknownAlarm(tx, notification)
    await openAlarm(tx, { ...ALARM, id: newId(), subject_id, detail })
    return await leaveUnmatched(tx, notification, known ? FOREIGN : UNKNOWN_AT_GATEWAY)
  })

const foreignAlarm = ({ order_id, transaction_status }: GatewayNotification) => ({
  subject_id: FOREIGN_ORDERS_SUBJECT,
  detail:
    `${transaction_status ?? 'a report'} of order ${order_id ?? '-'}: the gateway has the order; ` +
    'it is not ours. More such orders open no further alarm: list notifications with the effect ' +
    'unmatched to see them all',
})

async function unknownAlarm(
  tx: Tx,
  { id, order_id, transaction_status }: GatewayNotification,
): Promise<{ subject_id: string; detail: string }> {
  const first = order_id && (await findJudgedUnmatched(tx, order_id, UNKNOWN_AT_GATEWAY))
  const detail = `${transaction_status ?? 'a report'}: the gateway does not know the order`
  return { subject_id: first || id, detail }
}

const leaveUnmatched = async (
  tx: Tx,
  notification: GatewayNotification,
  reason: string,
): Promise<boolean> =>
  await resolveUnmatched(tx, notification, {
    effect: 'unmatched',
    payment_id: null,
    owner_id: null,
    reason,
  })
