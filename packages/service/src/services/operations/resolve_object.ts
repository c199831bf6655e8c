// How the resolver ends an operation on an invoice or a subscription (ADR 0008).
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { markOperationUnknown } from '../../store/operations.ts'
import { withReadTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_alarm.ts'
import {
  attemptChange,
  lookAt,
  recordChanged,
  recordRefusedChange,
  type Change,
} from './change_object.ts'
import { recordMade, replayCreation, type OpenCreation } from './create_object.ts'
import type { DueOperation } from './due.ts'
import { fencedTransaction, writeSend } from './fenced.ts'
import { ALARM_AFTER_MS, BELIEVED_AFTER_MS, lookAgainIn } from './look_again.ts'
import type { ObjectAccess, OperationSubject } from './object_access.ts'

const SEND_LEASE_MS = 30_000
/** So often a change is sent in quick succession; then a person is told, and it goes on hourly. */
const SENDS_IN_A_ROW_MAX = 6
const BETWEEN_SENDS_MS = 3_600_000

/** The object of an operation, as it is now. */
export const subjectOf = async <Subject extends OperationSubject>(
  ctx: Context,
  access: ObjectAccess<Subject>,
  { operation }: DueOperation,
): Promise<Subject> => {
  const { subject_id } = operation
  const subject = await withReadTransaction(ctx.db, (tx) => access.findById(tx, subject_id))
  if (subject === undefined) throw new Error(`${access.subject_kind} ${subject_id} is gone`)
  return subject
}

interface Discovery<Subject extends OperationSubject, Answer> {
  creation: OpenCreation<Subject, Answer>
  /** Whether what is on disk is enough to send it again; a token never is. */
  can_replay: boolean
  /** Whether something that came later names it: then the gateway can be asked after all. */
  discover: (subject: Subject) => Promise<Answer | undefined>
}

/**
 * Ends an unclear creation: found under a name that came later, or sent again while the wire key
 * holds. Past that it stays open and a person is told: a second one is never made.
 */
export async function resolveCreation<Subject extends OperationSubject, Answer>(
  ctx: Context,
  due: DueOperation,
  { creation, can_replay, discover }: Discovery<Subject, Answer>,
): Promise<void> {
  const { operation, age_ms } = due
  const subject = await subjectOf(ctx, creation.access, due)
  const attempt = { operation, source: 'resolver' as const, request: null, asked: subject }
  const found = await unlessUnreachable(async () => await discover(subject))
  if (found !== undefined) {
    await recordMade(ctx, creation, attempt, found)
    return
  }
  if (can_replay && age_ms < creation.replay_within_ms) {
    // Refused or still unclear: either is on record already.
    await unlessUnreachable(
      async () => await replayCreation(ctx, creation, { subject, attempt, age_ms }),
    )
    return
  }
  // Nobody can be asked; only the hour between two looks is left.
  await leaveOpen(ctx, due, { access: creation.access, subject, alarm: true, answered: true })
}

async function unlessUnreachable<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/** Ends an unclear change: done if the gateway shows it, sent again where that is allowed. */
export async function resolveChange<Subject extends OperationSubject, Seen>(
  ctx: Context,
  due: DueOperation,
  change: Change<Subject, Seen>,
): Promise<void> {
  const { operation, quiet_ms, age_ms } = due
  const subject = await subjectOf(ctx, change.access, due)
  const attempt = { operation, source: 'resolver' as const, request: null, asked: subject }
  const seen = await lookAt(ctx, change, subject)
  if (seen !== undefined && change.isDone(operation, seen)) {
    await recordChanged(ctx, change, attempt, seen)
    return
  }
  // An operation that stays open is in the way of every other, so it is never left unsent for good.
  const tired = operation.sends >= SENDS_IN_A_ROW_MAX
  if (seen === undefined || quiet_ms < (tired ? BETWEEN_SENDS_MS : BELIEVED_AFTER_MS)) {
    const alarm = tired || age_ms > ALARM_AFTER_MS
    const answered = seen !== undefined
    await leaveOpen(ctx, due, { access: change.access, subject, alarm, answered })
    return
  }
  if (!change.maySend(operation, seen)) {
    const error = gatewayError('gateway_state_conflict', { operation: operation.kind })
    await recordRefusedChange(ctx, change, { attempt, error, seen })
    return
  }
  // Written down as a further send before it leaves.
  const again = await writeSend(ctx, operation, { lease_ms: SEND_LEASE_MS }, async (tx) => {
    if (tired) await tell(tx, change.access, subject, operation)
  })
  if (again === undefined) return
  const sent = { ...attempt, ...again }
  await unlessUnreachable(async () => await attemptChange(ctx, change, subject, sent))
}

interface LeftOpen<Subject extends OperationSubject> {
  access: ObjectAccess<Subject>
  subject: Subject
  alarm: boolean
  /** Whether the gateway said anything when it was asked. */
  answered: boolean
}

/** Still unclear. Whoever ended it meanwhile has ended it: nobody is told of what is over. */
const leaveOpen = async <Subject extends OperationSubject>(
  ctx: Context,
  due: DueOperation,
  { access, subject, alarm, answered }: LeftOpen<Subject>,
): Promise<void> => {
  await fencedTransaction(ctx, due.operation, async (tx) => {
    const open = await markOperationUnknown(tx, due.operation, lookAgainIn(due, answered))
    if (open !== undefined && alarm) await tell(tx, access, subject, due.operation)
  })
}

const tell = async <Subject extends OperationSubject>(
  tx: Tx,
  { subject_kind }: ObjectAccess<Subject>,
  { id, owner_id }: Subject,
  { kind }: GatewayOperation,
): Promise<void> => {
  const detail = `${kind}: the gateway never said whether it was done`
  await alarmAboutObject(tx, { subject_kind, id, owner_id }, 'outcome_unknown', detail)
}
