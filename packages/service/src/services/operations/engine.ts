// The life of every call that changes something at the gateway: it is written down (prepare.ts),
// sent, and its answer recorded (record.ts). After an unclear answer the engine looks, then acts.
import type { AlarmKind } from '../../domain/alarm.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { SendPlan } from '../../store/operations/claims.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../requests.ts'
import { heldOf, sendWritten, writeSend, type WrittenSend } from './lease.ts'
import type {
  Attempt,
  Found,
  Held,
  NextStep,
  OperationSubject,
  OperationType,
  Seen,
} from './operation_type.ts'
import { recordDone, recordRefused, recordUnclear, unclearOutcome } from './record.ts'

/** A send may take effect for this long: until then an empty result of a query proves nothing. */
export const BELIEVED_AFTER_MS = 60_000
/** After this staff are alarmed; the resolver goes on. */
const ALARM_AFTER_MS = 24 * 3_600_000
/** The lease of a further send. */
const SEND_LEASE_MS = 30_000
/** While the wire key of an unclear creation is still valid, the next attempt is soon. */
const RESEND_DUE_MS = 10_000

const FIRST_LOOK_MS = 5_000
/** The longest delay until a gateway that is back is queried again. */
const UNREACHABLE_MS_MAX = 30_000
const BACK_OFF_MS_MAX = 3_600_000

const backOff = (age_ms: number): number =>
  Math.min(Math.max(age_ms, FIRST_LOOK_MS), BACK_OFF_MS_MAX)

/**
 * When to advance an operation again that could not end now. If the gateway's answer was too early
 * to count, the next query is at the earliest time at which it counts.
 */
export function lookAgainIn(
  { quiet_ms, age_ms }: Pick<Held, 'quiet_ms' | 'age_ms'>,
  answered: boolean,
): number {
  if (!answered) return Math.min(backOff(age_ms), UNREACHABLE_MS_MAX)
  return quiet_ms < BELIEVED_AFTER_MS
    ? Math.min(backOff(age_ms), BELIEVED_AFTER_MS - quiet_ms)
    : backOff(age_ms)
}

/** Sends a stored operation and records the answer. Throws a refusal and an unclear outcome. */
export async function sendAndRecord<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
  send: WrittenSend,
): Promise<Outcome> {
  ctx.reached(`${type.flow}.before_send`)
  const asked_at = performance.now()
  let answer: Answer
  try {
    answer = await sendWritten(send, async () => await type.send(ctx, attempt))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return await afterFailure(ctx, type, attempt, error)
  }
  ctx.reached(`${type.flow}.answered`)
  const outcome = await recordDone(ctx, type, { attempt, answer, asked_at })
  ctx.reached(`${type.flow}.recorded`)
  return outcome
}

/**
 * A send failed: refused, or unclear. A state conflict, and any refusal of a further send, may be the
 * effect of our own earlier send: the engine looks first.
 */
async function afterFailure<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
  error: GatewayError,
): Promise<Outcome> {
  const { operation, subject } = attempt
  const refused = type.isRefusal(operation, error)
  const may_be_ours = error.code === 'gateway_state_conflict' || operation.sends > 1
  if (refused && (type.creates || !may_be_ours)) {
    ctx.reached(`${type.flow}.refused`)
    return await recordRefused(ctx, type, { attempt, error })
  }
  // No connection was made: this send had no effect, but an earlier one may have had.
  if (error.code === 'gateway_unavailable') {
    await leaveUnclear(ctx, type, attempt, { due_in_ms: BELIEVED_AFTER_MS })
    throw error
  }
  ctx.reached(`${type.flow}.unclear`)
  if (type.after_unclear === 'resend') return await resendAtOnce(ctx, type, attempt, error)
  const asked_at = performance.now()
  const seen = await type.inspect(ctx, subject)
  if (seen.kind === 'seen' && type.isDone(operation, seen.answer, subject)) {
    return await recordFound(ctx, type, { attempt, answer: seen.answer, asked_at })
  }
  if (refused && seen.kind !== 'unknown') {
    return await recordRefused(ctx, type, { attempt, error, seen })
  }
  await leaveUnclear(ctx, type, attempt, { seen })
  throw unclearOutcome(operation, error)
}

/** The second send of a creation whose first was unclear; a later one is left to the resolver. */
async function resendAtOnce<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
  error: GatewayError,
): Promise<Outcome> {
  const again = attempt.operation.sends === 1 && (await resend(ctx, type, attempt))
  if (typeof again === 'object') return again
  await leaveUnclear(ctx, type, attempt, { due_in_ms: RESEND_DUE_MS })
  throw unclearOutcome(attempt.operation, error)
}

/**
 * The outcome of a send is unknown. If the gateway could not be queried, the resolver acts at once.
 */
async function leaveUnclear<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
  unclear: { seen: Seen<unknown> } | { due_in_ms: number },
): Promise<void> {
  const held = heldOf(attempt.operation)
  const shown =
    'seen' in unclear && (unclear.seen.kind === 'seen' || unclear.seen.kind === 'absent')
  const first = 'due_in_ms' in unclear ? unclear.due_in_ms : shown ? BELIEVED_AFTER_MS : 0
  const resolving = attempt.source === 'resolver'
  await recordUnclear(ctx, attempt, {
    due_in_ms: resolving ? Math.max(first, backOff(held.age_ms)) : first,
    alarm: resolving ? alarmOf(type, held, attempt.subject) : null,
  })
}

const sendPlan = ({ resend_within_ms }: { resend_within_ms?: number }): SendPlan => ({
  lease_ms: SEND_LEASE_MS,
  ...(resend_within_ms !== undefined && { within_ms: resend_within_ms }),
})

/** Sends again with the same wire key; the send is stored first. False: it may not be sent. */
async function resend<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
): Promise<Outcome | false> {
  const send = await writeSend(ctx, attempt.operation, sendPlan(type))
  if (send === undefined) return false
  return await sendAndRecord(ctx, type, { ...attempt, operation: send.operation }, send)
}

/** The gateway shows that it was carried out. */
const recordFound = async <Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  found: Found<Subject, Answer, Input>,
): Promise<Outcome> => await recordDone(ctx, type, await withReply(ctx, type, found))

/**
 * Replays the wire key if a query shows less than the reply to the send. A replay is a send: it is
 * stored first, and not made once the key may have expired or another process has the operation.
 */
async function withReply<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  found: Found<Subject, Answer, Input>,
): Promise<Found<Subject, Answer, Input>> {
  const { attempt, answer } = found
  if (type.lacksReply?.(attempt.subject, answer) !== true) return found
  const input = attempt.input ?? type.storedInput?.(attempt.operation)
  const send = input && (await writeSend(ctx, attempt.operation, sendPlan(type)))
  if (send === undefined) return found
  const replaying = { ...attempt, operation: send.operation, input }
  const asked_at = performance.now()
  try {
    const replayed = await sendWritten(send, async () => await type.send(ctx, replaying))
    return { attempt: replaying, answer: replayed, asked_at }
  } catch (error) {
    // It was carried out either way.
    if (!(error instanceof GatewayError)) throw error
    return { ...found, attempt: replaying }
  }
}

/**
 * Advances an open operation as far as the gateway's answer allows, for the resolver and for a
 * repeated request. Throws a refusal and an unclear outcome; both are recorded.
 */
export async function advance<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  attempt: Attempt<Subject, Input>,
  held: Held,
): Promise<Outcome> {
  const { operation, subject, input } = attempt
  const asked_at = performance.now()
  const seen = await type.inspect(ctx, subject)
  if (seen.kind === 'seen' && type.isDone(operation, seen.answer, subject)) {
    return await recordFound(ctx, type, { attempt, answer: seen.answer, asked_at })
  }
  if (seen.kind === 'foreign') {
    const error = gatewayError('gateway_duplicate', { operation: operation.kind })
    return await recordRefused(ctx, type, { attempt, error, seen })
  }
  const step = nextStep(type, { ...held, subject, seen, input })
  if (step === 'send') {
    const sent = await resend(ctx, type, attempt)
    if (sent !== false) return sent
  }
  if (step === 'refuse') {
    const error = gatewayError(type.given_up_as, { operation: operation.kind })
    return await recordRefused(ctx, type, { attempt, error, seen })
  }
  const only_staff = type.needsStaff?.(held, subject) ?? null
  const answered = seen.kind !== 'unknown' || only_staff !== null
  const due_in_ms = typeof step === 'object' ? step.wait_ms : lookAgainIn(held, answered)
  await recordUnclear(ctx, attempt, { due_in_ms, alarm: alarmOf(type, held, subject) })
  throw unclearOutcome(operation)
}

/** Asks the operation type for the next step, unless an empty result does not count yet. */
function nextStep<Subject extends OperationSubject, Answer, Input>(
  type: OperationType<Subject, Answer, Input>,
  deciding: Parameters<OperationType<Subject, Answer, Input>['next']>[0],
): NextStep {
  const { seen, quiet_ms, input } = deciding
  // A repeated request brings its own input and may send at once: the wire key prevents a second
  // effect.
  const believed = seen.kind !== 'unknown' && (quiet_ms >= BELIEVED_AFTER_MS || input !== undefined)
  return believed || type.sends_unseen === true ? type.next(deciding) : 'wait'
}

/** The alarm about an operation that stays open, if staff should know about it. */
function alarmOf<Subject extends OperationSubject, Answer, Input>(
  type: OperationType<Subject, Answer, Input>,
  held: Held,
  subject: Subject,
): AlarmKind | null {
  const only_staff = type.needsStaff?.(held, subject) ?? null
  return only_staff ?? (held.age_ms > ALARM_AFTER_MS ? 'outcome_unknown' : null)
}
