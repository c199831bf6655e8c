// The second transaction of every operation: what the gateway answered, fenced by the attempt.
import type { AlarmKind } from '../../domain/alarm.ts'
import type { Evidence } from '../../domain/answer.ts'
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import { isOpen, type GatewayOperation } from '../../domain/operation.ts'
import { closeAlarmAbout } from '../../store/staff/alarms.ts'
import {
  AttemptFenced,
  endOperation,
  findOperation,
  finishOperation,
  finishOperations,
  listOpenOperations,
  markOperationUnknown,
} from '../../store/operations/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { KeptAs } from '../../store/operations/intents.ts'
import { inOrder, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import { keepFailure, keepReply, type Outcome, type Reply } from '../requests.ts'
import { recordWithRetry } from './lease.ts'
import {
  lockExisting,
  type Applied,
  type Attempt,
  type Found,
  type OperationSubject,
  type OperationType,
  type Refusal,
  type StaffDecision,
} from './operation_type.ts'

/**
 * How far an answer of the gateway counts. If the object changed while the call was under way, or a
 * report about it was deferred, the answer may be older than the record: it counts as a report.
 */
export const evidenceOf = (
  asked: Pick<OperationSubject, 'version' | 'deferred_since'>,
  locked: Pick<OperationSubject, 'version' | 'deferred_since'>,
): Evidence =>
  locked.version === asked.version &&
  locked.deferred_since?.getTime() === asked.deferred_since?.getTime()
    ? 'gateway_answer'
    : 'report'

/** The outcome is unknown: query the gateway, and never start a second operation. */
export const unclearOutcome = ({ kind }: GatewayOperation, cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: kind, cause })

/** The reply of an operation that was carried out. */
export async function replyOf<Subject extends OperationSubject, Answer, Input>(
  tx: Tx,
  type: OperationType<Subject, Answer, Input>,
  operation: GatewayOperation,
  { after, represent }: Applied<Subject>,
): Promise<Reply> {
  const body =
    (await represent?.()) ??
    (await (type.represent?.(tx, after, operation) ?? type.access.represent(tx, after)))
  return { code: type.creates ? 201 : 200, body }
}

const replied = (reply: Reply): Outcome => ({ kind: 'reply', reply, replayed: false })

/** The gateway carried it out. If another attempt has recorded an outcome, that outcome counts. */
export async function recordDone<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  found: Found<Subject, Answer, Input>,
): Promise<Outcome> {
  const { operation, request } = found.attempt
  // Added after the reply was stored: a repeat of the request does not show it (ADR 0019).
  const revealed = request === null ? {} : type.reveal?.(found.answer)
  const shown = ({ code, body }: Reply): Outcome =>
    replied({ code, body: { ...body, ...revealed } })
  const alone = async (): Promise<Reply> =>
    await recordWithRetry(ctx, operation, async (tx) => await recordFirst(tx, ctx, type, found))
  try {
    return shown(await (type.together?.(ctx, found, alone) ?? alone()))
  } catch (error) {
    if (!(error instanceof AttemptFenced)) throw error
    const late = await recordWithRetry(
      ctx,
      operation,
      async (tx) => await recordLate(tx, ctx, type, found),
    )
    if (late !== undefined) return shown(late)
    throw unclearOutcome(operation)
  }
}

async function recordFirst<Subject extends OperationSubject, Answer, Input>(
  tx: Tx,
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  { attempt, answer, asked_at }: Found<Subject, Answer, Input>,
): Promise<Reply> {
  const { operation, by } = attempt
  // The clock is read under the lock, after any wait for it.
  const [locked, now] = await Promise.all([
    lockExisting(tx, type.access, operation.subject_id),
    readClock(tx),
  ])
  ctx.reached(`${type.flow}.locked`)
  const recording = { ctx, attempt, now, given_up: false, asked_at }
  const applied = await type.apply(tx, locked, answer, recording)
  ctx.reached(`${type.flow}.applied`)
  const outcome = { state: 'succeeded', reply: { ...type.keep(answer), ...by } } as const
  if (operation.attempt === 1 && applied.flush !== undefined) {
    const first = await replyOf(tx, type, operation, applied)
    await applied.flush(async () => {
      const ended = finishOperations(tx, [{ ...operation, reply: outcome.reply }], now)
      await inOrder([ended, keepReply(tx, operation.id, first, { now })])
    })
    ctx.reached(`${type.flow}.finished`)
    return first
  }
  // Nothing is read in between, so all statements are sent together.
  const [finished, reply] = await Promise.all([
    type.any_answer_ends === true
      ? endOperation(tx, operation.id, outcome)
      : finishOperation(tx, operation, outcome, now),
    keptReply(tx, type, { operation, applied, as: { now } }),
    applied.flush?.(),
  ])
  ctx.reached(`${type.flow}.finished`)
  if (finished === undefined) throw new AttemptFenced()
  await closeAlarms(tx, finished, by)
  return reply
}

async function keptReply<Subject extends OperationSubject, Answer, Input>(
  tx: Tx,
  type: OperationType<Subject, Answer, Input>,
  {
    operation,
    applied,
    as,
  }: { operation: GatewayOperation; applied: Applied<Subject>; as?: KeptAs },
): Promise<Reply> {
  const reply = await replyOf(tx, type, operation, applied)
  await keepReply(tx, operation.id, reply, as)
  return reply
}

/**
 * Another attempt has taken the operation over. While it works only that attempt may record:
 * undefined. If it ended the operation as failed, it was wrong, because here is the gateway's
 * answer.
 */
async function recordLate<Subject extends OperationSubject, Answer, Input>(
  tx: Tx,
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  { attempt, answer, asked_at }: Found<Subject, Answer, Input>,
): Promise<Reply | undefined> {
  const { operation } = attempt
  const locked = await lockExisting(tx, type.access, operation.subject_id)
  const ended = await findOperation(tx, operation.id)
  if (ended === undefined || isOpen(ended)) return undefined
  const isMade = (subject: Subject): boolean => type.isMade?.(subject) ?? true
  const given_up = ended.state === 'refused'
  // An operation may have succeeded by a notification that lacked what this answer has (ADR 0008).
  if (!given_up && isMade(locked)) {
    return await keptReply(tx, type, { operation, applied: { after: locked } })
  }
  const now = await readClock(tx)
  const recording = { ctx, attempt, now, given_up, asked_at }
  const applied = await type.apply(tx, locked, answer, recording)
  await applied.flush?.()
  if (!isMade(applied.after)) return undefined
  if (!given_up) await closeAlarms(tx, ended, attempt.by)
  // A repeat must not be answered that it was refused.
  return await keptReply(tx, type, { operation, applied, as: { replaces: given_up } })
}

/**
 * The gateway refused, or the operation ended as failed. Returns the reply if the object shows that
 * it was carried out all the same; otherwise throws the refusal.
 */
export async function recordRefused<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  type: OperationType<Subject, Answer, Input>,
  refusal: Refusal<Subject, Answer, Input>,
): Promise<Outcome> {
  const { attempt, error } = refusal
  const { operation, request, by } = attempt
  const made = await recordWithRetry(ctx, operation, async (tx) => {
    const locked = await lockExisting(tx, type.access, operation.subject_id)
    const is_made = type.isMade?.(locked) ?? false
    const state = is_made ? 'succeeded' : 'refused'
    const reply = { error: error.code, ...error.gateway, ...by }
    const finished = await finishOperation(tx, operation, { state, reply })
    // It ended before, perhaps by this transaction with the reply to its commit lost.
    const ended = finished ?? (await findOperation(tx, operation.id))
    if (finished !== undefined) await closeAlarms(tx, finished, by)
    if (ended?.state === 'succeeded') {
      return await keptReply(tx, type, { operation, applied: { after: locked } })
    }
    if (finished === undefined) return undefined
    await type.refuse(tx, locked, refusal)
    await keepFailure(tx, operation, error, request)
    return undefined
  })
  if (made !== undefined) return replied(made)
  throw error
}

/** No clear answer: the resolver queries after this time. Opens the alarm if it is still open. */
export const recordUnclear = async (
  ctx: Context,
  { operation, subject }: Attempt,
  { due_in_ms, alarm }: { due_in_ms: number; alarm?: AlarmKind | null },
): Promise<void> => {
  await recordWithRetry(ctx, operation, async (tx) => {
    const open = await markOperationUnknown(tx, operation, due_in_ms)
    if (open === undefined || alarm === undefined || alarm === null) return
    const { subject_kind, kind } = operation
    const detail = `${kind}: the gateway has not shown whether it was carried out`
    await alarmAboutObject(tx, { ...subject, subject_kind }, alarm, detail)
  })
}

const ENDED_ALARMS = ['outcome_unknown', 'refund_overdue'] as const
/** What `recordUnclear` says, of one operation or of several on one object. */
const ONLY_UNCLEAR = String.raw`^(\w+: the gateway has not shown whether it was carried out(; |$))+$`

/**
 * Closes the alarms of the operation: its outcome is known. Only a later attempt than the first can
 * have opened an alarm. One that another open operation on the object may have opened, such as a second
 * refund, stays, and one that says something else, such as a refund that was refused and exists.
 */
async function closeAlarms(
  tx: Tx,
  { attempt, subject_id }: GatewayOperation,
  by: StaffDecision | undefined,
): Promise<void> {
  if (attempt === 1) return
  const [other] = await listOpenOperations(tx, subject_id)
  const opened_before = other?.created_at ?? null
  const closed_by = by?.resolved_by ?? 'gapura'
  const note = by?.reason ?? 'the outcome is known'
  for (const kind of ENDED_ALARMS) {
    await closeAlarmAbout(
      tx,
      { kind, subject_id, says: ONLY_UNCLEAR, opened_before },
      { closed_by, note },
    )
  }
}
