import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { AlarmKind } from '../../domain/alarm.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { recordUnclear } from './record_operation.ts'
import { recordDone, recordRefusal } from '../payments/action_recorded.ts'
import { isDone, isActionKind, type ActionKind } from '../payments/operation_calls.ts'
import { alarmAbout } from '../payments/payment_alarm.ts'
import { attemptAction, lookAt } from '../payments/perform_action.ts'
import { representationOf } from '../payments/simple_action.ts'
import type { Due } from './due.ts'
import { writeSend } from './fenced.ts'
import { ALARM_AFTER_MS, BELIEVED_AFTER_MS, lookAgainIn } from './look_again.ts'

/** The gateway takes a refund key again for seven days (gateway-protocol.md#refunds). */
const REFUND_RETRY_MS_MAX = 6 * 86_400_000
const BACK_OFF_MS_MAX = 3_600_000
const SEND_LEASE_MS = 30_000

/** The first send, and one more by the resolver. */
const SENDS_MAX = 2

/** Ends an unclear action: done if the gateway shows it, sent again where that is allowed. */
export async function resolveAction(ctx: Context, due: Due): Promise<void> {
  const { payment, operation: claimed, quiet_ms, age_ms } = due
  if (!isActionKind(claimed.kind)) return
  const operation = { ...claimed, kind: claimed.kind }
  const attempt = { operation, source: 'resolver' as const, request: null, asked: payment }
  const seen = await lookAt(ctx, payment)
  if (seen !== undefined && isDone(operation, seen)) {
    await recordDone(ctx, attempt, seen, representationOf(operation))
    return
  }
  if (seen === undefined || quiet_ms < BELIEVED_AFTER_MS) {
    await recordUnclear(ctx, attempt.operation, lookAgainIn(due, seen !== undefined))
    if (age_ms > ALARM_AFTER_MS) await tell(ctx, due, 'outcome_unknown')
    return
  }
  if (!maySendAgain(operation, age_ms)) {
    await end(ctx, due, operation)
    return
  }
  await sendAgain(ctx, due, operation)
}

/** Written down as a further send before it leaves. */
async function sendAgain(
  ctx: Context,
  due: Due,
  operation: GatewayOperation & { kind: ActionKind },
): Promise<void> {
  const { payment, age_ms } = due
  const again = await writeSend(ctx, operation, { lease_ms: SEND_LEASE_MS })
  if (again === undefined) return
  const attempt = { ...again, source: 'resolver' as const, request: null, asked: payment }
  try {
    await attemptAction(ctx, payment, { attempt, represent: representationOf(operation) })
  } catch (error) {
    // Refused or still unclear: either is on record already.
    if (!(error instanceof GatewayError)) throw error
    if (isRefund(again.operation))
      await recordUnclear(ctx, again.operation, Math.min(age_ms, BACK_OFF_MS_MAX))
    const unclear = error.code === 'outcome_unknown' && age_ms > ALARM_AFTER_MS
    if (unclear) await tell(ctx, due, 'outcome_unknown')
  }
}

const isRefund = ({ kind }: GatewayOperation): boolean =>
  kind === 'refund' || kind === 'direct_refund'

/** A capture never: a second one could take the money twice. A refund is safe under its own key. */
function maySendAgain(operation: GatewayOperation & { kind: ActionKind }, age_ms: number): boolean {
  if (isRefund(operation)) return age_ms < REFUND_RETRY_MS_MAX
  return operation.kind !== 'capture' && operation.sends < SENDS_MAX
}

async function end(
  ctx: Context,
  due: Due,
  operation: GatewayOperation & { kind: ActionKind },
): Promise<void> {
  const asked = due.payment
  const attempt = { operation, source: 'resolver' as const, request: null, asked }
  if (!isRefund(operation)) {
    const error = gatewayError('gateway_state_conflict', { operation: operation.kind })
    await recordRefusal(ctx, attempt, error)
    return
  }
  // Past the gateway's window only a person may say whether the money went back.
  await recordUnclear(ctx, attempt.operation, BACK_OFF_MS_MAX)
  await tell(ctx, due, 'refund_overdue')
}

const tell = async (ctx: Context, { payment, operation }: Due, kind: AlarmKind): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    await alarmAbout(tx, payment, kind, `${operation.kind} of ${payment.order_id}`)
  })
}
