// Notifications that were authentic but for no order of ours (D-16). Each ends: applied after all,
// recognised as the dashboard's test, or handed to a person. None is forgotten.
import type { Evidence } from '../../domain/answer.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayNotification } from '../../domain/notification.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { factsOf } from '../../gateway/facts.ts'
import { parseNotification } from '../../gateway/wire/notifications.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { openAlarm } from '../../store/alarms.ts'
import { newId } from '../../store/ids.ts'
import { listUnmatched, resolveUnmatched, UNMATCHED_PAGE_MAX } from '../../store/notifications.ts'
import { deferPayments } from '../../store/payment_checks.ts'
import { lockPaymentByOrderId } from '../../store/payment_locks.ts'
import { readClock } from '../../store/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { lockMarked } from '../payments/marked_payment.ts'
import type { ReadBudget } from '../sweeps/read_budget.ts'
import { linkPayment } from './link_payment.ts'

/** Until then every run looks whether the payment is there by now; then the gateway is asked. */
const ASK_AFTER_MS = 10 * 60_000

/** What the gateway's dashboard sends when its test button is pressed (Wire 5.9). */
const TEST_ORDER = /^payment_notif_test_/

/** Brings each unmatched notification one step further, and returns how many ended. */
export async function matchUnmatched(ctx: Context, budget: ReadBudget): Promise<number> {
  const { unmatched, now } = await withReadTransaction(ctx.db, async (tx) => ({
    unmatched: await listUnmatched(tx, UNMATCHED_PAGE_MAX),
    now: await readClock(tx),
  }))
  let ended = 0
  for (const notification of unmatched) {
    const age_ms = now.getTime() - notification.received_at.getTime()
    try {
      if (await matchOne(ctx, notification, { age_ms, budget })) ended += 1
    } catch (error) {
      // One that cannot be matched must not keep the others waiting; the next run comes back.
      const name = error instanceof Error ? error.name : 'unknown'
      ctx.log.error({ notification_id: notification.id, error: name }, 'unmatched')
    }
  }
  return ended
}

async function matchOne(
  ctx: Context,
  notification: GatewayNotification,
  { age_ms, budget }: { age_ms: number; budget: ReadBudget },
): Promise<boolean> {
  if (TEST_ORDER.test(notification.order_id ?? '')) return await closeTest(ctx, notification)
  const late = await applyLate(ctx, notification)
  if (late === true) return true
  const due = late === 'ask' || age_ms >= ASK_AFTER_MS
  if (!due || !ctx.gateway.available) return false
  await budget.take()
  const known = await ask(ctx, notification)
  if (known === undefined) return false
  if (known !== null && (await applyAnswer(ctx, notification, known))) return true
  // Named by an object of ours, and not confirmed yet: another look before a person is told.
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

/** The payment is there by now: the report is weighed as if it came this moment. */
async function applyLate(ctx: Context, notification: GatewayNotification) {
  const parsed = parseNotification(notification.raw_payload)
  const payload = parsed?.shape === 'payment' ? parsed.payload : undefined
  return await applyTo(ctx, notification, { payload, evidence: 'report' })
}

/** What the gateway answers about the order names an object of ours: that much is certain then. */
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
    // What the gateway answers to our own question is the sweep's finding, not the report's.
    const source = evidence === 'report' ? 'notification' : 'sweep'
    const told = { source, evidence, evidence_id } as const
    const payment =
      (await lockNamed(tx, notification, payload)) ??
      (payload && (await linkPayment(tx, { ...told, payload })))
    if (payment === undefined) return false
    if (payment === 'ask') return 'ask'
    const facts = payload && factsOf(payload)
    const { effect, reason } =
      facts === undefined
        ? await deferUnknown(tx, payment)
        : await applyFacts(tx, payment, facts, {
            ...told,
            notification_id: notification.id,
            confirm_value: ctx.confirm_notifications && evidence === 'report',
          })
    const { id: payment_id, owner_id } = payment
    const about = { payment_id, owner_id }
    if (evidence === 'gateway_answer' && effect === 'applied') {
      const deferred = { effect: 'deferred', reason: 'asked_first' } as const
      return await resolveUnmatched(tx, notification, { ...deferred, ...about })
    }
    return await resolveUnmatched(tx, notification, { effect, reason, ...about })
  })

/** The payment a report is about: the one its mark names, or the one that has the order id. */
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

/** A status word this version does not know: only the gateway's answer can settle it. */
async function deferUnknown(tx: Tx, { id }: GatewayPayment) {
  await deferPayments(tx, [id])
  return { effect: 'deferred', reason: 'unknown_status' } as const
}

/** What the gateway has of such an order: null if nothing, undefined if it cannot be asked now. */
async function ask(ctx: Context, { order_id }: GatewayNotification) {
  if (order_id === null) return null
  try {
    return await ctx.gateway.getStatus(order_id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? null : undefined
  }
}

const handOver = async (
  ctx: Context,
  notification: GatewayNotification,
  known: boolean,
): Promise<boolean> =>
  await withTransaction(ctx.db, async (tx) => {
    const words = known ? 'has the order; it is not ours' : 'does not know the order'
    await openAlarm(tx, {
      id: newId(),
      kind: 'unmatched_notification',
      subject_kind: 'notification',
      subject_id: notification.id,
      owner_id: null,
      detail: `${notification.transaction_status ?? 'a report'}: the gateway ${words}`,
    })
    const reason = known ? 'order_of_another' : 'order_of_nobody'
    const nobody = { payment_id: null, owner_id: null }
    return await resolveUnmatched(tx, notification, { effect: 'unmatched', reason, ...nobody })
  })
