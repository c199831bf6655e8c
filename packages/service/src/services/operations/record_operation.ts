// Transaction 2 of a creation or a change: what came of it, fenced by the attempt that asked.
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Source } from '../../domain/signals.ts'
import type { Evidence } from '../../domain/answer.ts'
import { closeAlarmAbout } from '../../store/alarms.ts'
import {
  endOperation,
  findOperation,
  finishOperation,
  markOperationUnknown,
} from '../../store/operations.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context, CrashPoint } from '../context.ts'
import { keepFailure, keepReply, type Reply, type Request } from '../requests.ts'
import { alarmAboutObject } from '../object_alarm.ts'
import type { ByHand } from './by_hand.ts'
import { fencedTransaction } from './fenced.ts'
import { locked, type ObjectAccess, type OperationSubject } from './object_access.ts'

/** An operation that was sent, by whom, and for which request if one waits. */
export interface Attempt {
  operation: GatewayOperation
  source: Source
  request: Request | null
  /** Who ended it by hand, and why. */
  by?: ByHand
  /** The object as it was when the gateway was asked about it. */
  asked: Asked
}

/** What of an object tells whether an answer is about it as it is now. */
export interface Asked {
  version: number
  /** Of a payment: a report that was deferred since then is newer than the answer. */
  deferred_since?: Date | null
}

/**
 * What an answer of the gateway is worth when it is recorded. If the object changed while it was under
 * way, or a report about it was deferred, it may be older than what is known: it counts as a report.
 */
export const evidenceOf = (asked: Asked, held: Asked): Evidence =>
  held.version === asked.version &&
  held.deferred_since?.getTime() === asked.deferred_since?.getTime()
    ? 'gateway_answer'
    : 'report'

interface Ending<Subject> {
  /** The status of the reply that is kept. */
  code: 200 | 201
  /** What the gateway said, to be kept with the operation: a few words without secrets. */
  said: Readonly<Record<string, unknown>>
  apply: (tx: Tx, held: Subject) => Promise<Subject>
  /**
   * Of an answer that holds for every attempt, since what was made once is what all of them made:
   * whether the object has it already. It may have ended without, by a sign of life (ADR 0008).
   */
  isKnown?: (held: Subject) => boolean
  points: { locked: CrashPoint; applied?: CrashPoint }
}

/** The gateway did it. The reply is built in the same transaction and kept under the key. */
export const recordSucceeded = async <Subject extends OperationSubject>(
  ctx: Context,
  access: ObjectAccess<Subject>,
  { operation, by }: Attempt,
  { code, said, apply, isKnown, points }: Ending<Subject>,
): Promise<Reply> =>
  await fencedTransaction(ctx, operation, async (tx) => {
    const held = await locked(tx, access, operation.subject_id)
    ctx.reached(points.locked)
    const outcome = { state: 'succeeded', reply: { ...said, ...by } } as const
    const finished =
      isKnown === undefined
        ? await finishOperation(tx, operation, outcome)
        : await endOperation(tx, operation.id, outcome)
    if (finished !== undefined) await closeUnclear(tx, finished, by)
    const ended = finished ?? (await endedByAnother(tx, operation))
    if (ended.state === 'refused') {
      // It had been given up, and wrongly: here is the gateway's answer.
      const about = { subject_kind: access.subject_kind, id: held.id, owner_id: held.owner_id }
      await alarmAboutObject(tx, about, 'outcome_unknown', `${operation.kind} was given up`)
    }
    const known = isKnown === undefined || isKnown(held)
    const stands = known && finished === undefined && ended.state === 'succeeded'
    const after = stands ? held : await apply(tx, held)
    if (points.applied !== undefined) ctx.reached(points.applied)
    const reply = { code, body: JSON.stringify(await access.represent(tx, after)) }
    await keepReply(tx, operation.id, reply)
    return reply
  })

/** Only a later attempt than the first can have left an alarm; now the outcome is known. */
async function closeUnclear(
  tx: Tx,
  { attempt, subject_id }: GatewayOperation,
  by: ByHand | undefined,
): Promise<void> {
  if (attempt === 1) return
  const known = {
    closed_by: by?.resolved_by ?? 'gapura',
    note: by?.reason ?? 'the outcome is known',
  }
  await closeAlarmAbout(tx, { kind: 'outcome_unknown', subject_id }, known)
}

/** Taken over by another attempt: while that one is at work, it has the word. */
async function endedByAnother(tx: Tx, { id, kind }: GatewayOperation): Promise<GatewayOperation> {
  const other = await findOperation(tx, id)
  if (other?.state === 'succeeded' || other?.state === 'refused') return other
  throw gatewayError('outcome_unknown', { operation: kind })
}

interface Refusal<Subject> {
  error: GatewayError
  /** What else the refusal teaches about the object. */
  apply: (tx: Tx, held: Subject) => Promise<unknown>
}

/** The gateway refused for good. What another attempt has ended, it ended for all. */
export const recordRefused = async <Subject extends OperationSubject>(
  ctx: Context,
  access: ObjectAccess<Subject>,
  { operation, request, by }: Attempt,
  { error, apply }: Refusal<Subject>,
): Promise<void> => {
  await fencedTransaction(ctx, operation, async (tx) => {
    const held = await locked(tx, access, operation.subject_id)
    const reply = { error: error.code, ...error.gateway, ...by }
    const finished = await finishOperation(tx, operation, { state: 'refused', reply })
    if (finished === undefined) return
    await closeUnclear(tx, finished, by)
    await apply(tx, held)
    await keepFailure(tx, operation, error, request)
  })
}

/** No clear answer: somebody looks after this time. */
export const recordUnclear = async (
  ctx: Context,
  operation: GatewayOperation,
  due_in_ms: number,
): Promise<void> => {
  await fencedTransaction(ctx, operation, async (tx) => {
    await markOperationUnknown(tx, operation, due_in_ms)
  })
}

/** Nobody knows yet: look, and never start a second one. */
export const unclearOutcome = ({ kind }: GatewayOperation, cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: kind, cause })
