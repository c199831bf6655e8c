// A caller's request for an operation: once per intent, however often the request is repeated.
import { gatewayError, GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { findIntent, type IntentRecord } from '../../store/operations/intents.ts'
import type { Context } from '../context.ts'
import {
  answerEnded,
  answerRepeat,
  intentOf,
  problem,
  type Current,
  type Outcome,
  type Request,
} from '../requests.ts'
import { advance, sendAndRecord } from './engine.ts'
import { takeOver } from './lease.ts'
import type { OperationSubject, OperationType } from './operation_type.ts'
import { replyOf } from './record.ts'

/** An object and the operation on it, stored and not yet sent. */
export interface Prepared<Subject, Input> {
  subject: Subject
  operation: GatewayOperation
  input?: Input
}

interface Performing<
  Subject extends OperationSubject,
  Answer,
  Input,
  Body extends object = object,
> {
  type: OperationType<Subject, Answer, Input, Body>
  /**
   * Stores the operation, or returns the operation that already carries the intent, or why not.
   * `instead_of`: the operation that carried the intent before and had no effect.
   */
  prepare: (
    instead_of: IntentRecord | undefined,
  ) => Promise<Prepared<Subject, Input> | { taken: IntentRecord } | Outcome>
  /** What a repeat of the request sends for an object that is already stored. */
  inputFor?: (subject: Subject) => Input
  /** Called before a failed operation is tried again. An outcome: it was carried out after all. */
  beforeRetry?: (operation: GatewayOperation) => Promise<Outcome | undefined>
  /** The object, if it may belong to another owner. */
  id?: string
}

/**
 * Performs an operation, or returns why not. Refusals and unclear outcomes are thrown. The body of
 * every reply is what the type represents, now or when the reply was stored.
 */
export async function performOperation<
  Subject extends OperationSubject,
  Answer,
  Input,
  Body extends object,
>(
  ctx: Context,
  request: Request,
  performing: Performing<Subject, Answer, Input, Body>,
): Promise<Outcome<Body>>
export async function performOperation<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  request: Request,
  performing: Performing<Subject, Answer, Input>,
): Promise<Outcome> {
  const { type, id } = performing
  // Nothing is stored that cannot be sent.
  if (!ctx.gateway.available) {
    const visible = async (tx: Tx): Promise<boolean> =>
      id === undefined || (await type.access.find(tx, request.caller, id)) !== undefined
    const ended = await answerEnded(ctx, request, currentOf(type), visible)
    if (ended !== undefined) return ended
    throw gatewayError('gateway_unavailable', { operation: type.kind })
  }
  return await ctx.gateway.withSlot(async () => await prepareAndSend(ctx, request, performing))
}

async function prepareAndSend<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  request: Request,
  performing: Performing<Subject, Answer, Input>,
  instead_of?: IntentRecord,
): Promise<Outcome> {
  const { type, prepare, beforeRetry } = performing
  const begun_at = performance.now()
  const prepared = await prepare(instead_of)
  if ('kind' in prepared) return prepared
  if ('taken' in prepared) {
    const { taken } = prepared
    const answer = await answerRepeat(ctx, request, taken, currentOf(type))
    if (answer === 'open') return await continueOpen(ctx, request, performing, taken)
    if (answer !== 'retry') return answer
    // The second try met a third request: that request or the resolver works on it.
    if (instead_of !== undefined) return problem('request_in_progress')
    const made = await beforeRetry?.(taken.operation)
    return made ?? (await prepareAndSend(ctx, request, performing, taken))
  }
  const { subject, operation, input } = prepared
  return await afterWritten(
    { subject_kind: type.access.subject_kind, subject_id: subject.id, operation: type.kind },
    async () => {
      ctx.reached(`${type.flow}.written_down`)
      const attempt = { operation, subject, input, source: type.source, request }
      return await sendAndRecord(ctx, type, attempt, { operation, begun_at })
    },
  )
}

/** The first request with this intent has no outcome yet. */
async function continueOpen<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  request: Request,
  { type, inputFor }: Performing<Subject, Answer, Input>,
  { operation: { id, subject_id } }: IntentRecord,
): Promise<Outcome> {
  if (!type.repeat_continues) return problem('request_in_progress')
  const taken = await takeOver(ctx, id, async (tx, of) => await type.access.findById(tx, of))
  if (taken === 'busy') return problem('request_in_progress')
  if (taken === 'ended') return await answerNow(ctx, request, type)
  const { operation, subject } = taken
  return await afterWritten(
    { subject_kind: type.access.subject_kind, subject_id, operation: type.kind },
    async () => {
      const input = inputFor?.(subject)
      return await advance(
        ctx,
        type,
        { operation, subject, source: type.source, request, input },
        taken,
      )
    },
  )
}

/** The operation ended while the request looked at it: its reply is stored, or will be. */
async function answerNow<Subject extends OperationSubject, Answer, Input>(
  ctx: Context,
  request: Request,
  type: OperationType<Subject, Answer, Input>,
): Promise<Outcome> {
  const intent = intentOf(request)
  const record = intent && (await withTransaction(ctx.db, (tx) => findIntent(tx, intent)))
  const answer = record && (await answerRepeat(ctx, request, record, currentOf(type)))
  return typeof answer === 'object' && answer !== null ? answer : problem('request_in_progress')
}

/**
 * The reply of an ended operation from the object as it is now, for a repeat whose reply was
 * purged.
 */
export const currentOf =
  <Subject extends OperationSubject, Answer, Input>(
    type: OperationType<Subject, Answer, Input>,
  ): Current =>
  async (tx, operation) => {
    const subject = await type.access.findById(tx, operation.subject_id)
    if (subject === undefined) return undefined
    const had_effect = type.hadEffect
      ? await type.hadEffect(tx, operation, subject)
      : operation.state === 'succeeded'
    return had_effect ? await replyOf(tx, type, operation, { after: subject }) : undefined
  }

interface WrittenDown {
  subject_kind: ObjectKind
  subject_id: string
  operation: string
}

/**
 * Runs what follows once an object is committed. Any failure from here on names the object, so that
 * the caller can look it up. An unclassified failure (the database went away) must not invite a
 * repeat: the gateway may have acted, and the resolver repairs the record.
 */
async function afterWritten<Result>(
  { subject_kind: kind, subject_id: id, operation }: WrittenDown,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const known =
      error instanceof GatewayError
        ? error
        : gatewayError('outcome_not_recorded', { operation, cause: error })
    throw known.about({ kind, id })
  }
}
