// A change of what the gateway has (architecture.md#actions): the rule under the lock, the call on
// disk, then the gateway; after an unclear answer a look, before anyone acts again.
import type { ErrorCode } from '../../domain/error_catalogue.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Tx } from '../../store/transaction.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import {
  answerEnded,
  answerRepeat,
  problem,
  type Outcome,
  type Reply,
  type Request,
} from '../requests.ts'
import { currentOf, type ObjectAccess, type OperationSubject } from './object_access.ts'
import {
  recordRefused,
  recordSucceeded,
  recordUnclear,
  unclearOutcome,
  type Attempt,
} from './record_operation.ts'
import { sendWritten, type WrittenSend } from './sending.ts'
import { writeChange, type ChangePlan } from './write_operation.ts'

/** What one kind of change adds to the common way. `Seen` is what a look shows. */
export interface Change<Subject extends OperationSubject, Seen> {
  access: ObjectAccess<Subject>
  /** The call, made from the row and the written operation alone, so that it can be made again. */
  send: (ctx: Context, subject: Subject, operation: GatewayOperation) => Promise<Seen>
  /** What the gateway says of the object; throws a GatewayError if it cannot be asked now. */
  look: (ctx: Context, subject: Subject) => Promise<Seen>
  /** Whether what is seen shows that the change was carried out (ADR 0008). */
  isDone: (operation: GatewayOperation, seen: Seen) => boolean
  /** Whether, as it is seen, the change may be sent again. */
  maySend: (operation: GatewayOperation, seen: Seen) => boolean
  done: (tx: Tx, held: Subject, seen: Seen, attempt: Attempt) => Promise<Subject>
  /** What a refusal teaches; nothing was seen if the gateway could not be asked. */
  refused: (tx: Tx, held: Subject, seen: Seen | undefined, attempt: Attempt) => Promise<unknown>
}

interface Asked<Subject extends OperationSubject, Seen> {
  id: string
  plan: ChangePlan<Subject>
  change: Change<Subject, Seen>
}

/** Performs a change, or says why it cannot be: problems are returned, refusals thrown. */
export async function changeObject<Subject extends OperationSubject, Seen>(
  ctx: Context,
  request: Request,
  { id, plan, change }: Asked<Subject, Seen>,
): Promise<Outcome> {
  if (!ctx.gateway.available) {
    const visible = async (tx: Tx) =>
      (await change.access.find(tx, request.caller, id)) !== undefined
    const ended = await answerEnded(ctx, request, currentOf(change.access, 200), visible)
    if (ended !== undefined) return ended
    throw gatewayError('gateway_unavailable', { operation: plan.kind })
  }
  return await ctx.gateway.withSlot(
    async () => await writeAndSend(ctx, request, { id, plan, change }),
  )
}

async function writeAndSend<Subject extends OperationSubject, Seen>(
  ctx: Context,
  request: Request,
  { id, plan, change }: Asked<Subject, Seen>,
): Promise<Outcome> {
  const { access } = change
  const begun_at = performance.now()
  const written = await writeChange(ctx, request, { access, id }, plan)
  if ('kind' in written) return written
  if ('taken' in written) {
    const answer = await answerRepeat(ctx, request, written.taken, currentOf(access, 200))
    // The resolver is at work on it, or will be: the caller comes back.
    if (answer === 'open' || (answer === 'retry' && plan.instead_of !== undefined)) {
      return problem('request_in_progress')
    }
    if (answer !== 'retry') return answer
    const again = { ...plan, instead_of: written.taken }
    return await writeAndSend(ctx, request, { id, plan: again, change })
  }
  const { subject, operation } = written
  const about = { subject_kind: access.subject_kind, subject_id: id, operation: plan.kind }
  const reply = await afterWritten(about, async () => {
    ctx.reached('action.written_down')
    const attempt = { operation, source: 'action' as const, request, asked: subject }
    return await attemptChange(ctx, change, subject, { ...attempt, begun_at })
  })
  ctx.reached('action.recorded')
  return { kind: 'reply', reply, replayed: false }
}

/** Sends what is written down and records what came of it. */
export async function attemptChange<Subject extends OperationSubject, Seen>(
  ctx: Context,
  change: Change<Subject, Seen>,
  subject: Subject,
  attempt: Attempt & WrittenSend,
): Promise<Reply> {
  let seen: Seen
  try {
    seen = await sendWritten(
      attempt,
      async () => await change.send(ctx, subject, attempt.operation),
    )
    ctx.reached('action.answered')
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    seen = await afterFailure(ctx, change, { subject, attempt, error })
  }
  return await recordChanged(ctx, change, attempt, seen)
}

/** The gateway did it, or is seen to have. */
export const recordChanged = async <Subject extends OperationSubject, Seen>(
  ctx: Context,
  { access, done }: Change<Subject, Seen>,
  attempt: Attempt,
  seen: Seen,
): Promise<Reply> =>
  await recordSucceeded(ctx, access, attempt, {
    code: 200,
    said: { done: true },
    apply: async (tx, held) => await done(tx, held, seen, attempt),
    points: { locked: 'action.locked' },
  })

/** How long the resolver waits before it looks at what was sent just now. */
const LOOK_AGAIN_MS = 60_000

/**
 * A refusal speaks for the send it answers (ADR 0008). After an unclear one only these speak for
 * both: the request is faulty, or its object is not there or, when looked at, in no state for it.
 */
const SPEAKS_FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'gateway_rejected',
  'gateway_not_found',
  'gateway_state_conflict',
])

const isRefused = ({ operation }: Attempt, error: GatewayError): boolean =>
  error.definite && (operation.sends === 1 || SPEAKS_FOR_ALL.has(error.code))

interface Failed<Subject> {
  subject: Subject
  attempt: Attempt
  error: GatewayError
}

/** Looks before it believes that nothing was done: "not in this state" may be our own doing. */
async function afterFailure<Subject extends OperationSubject, Seen>(
  ctx: Context,
  change: Change<Subject, Seen>,
  { subject, attempt, error }: Failed<Subject>,
): Promise<Seen> {
  const conflict = error.code === 'gateway_state_conflict'
  const refused = isRefused(attempt, error)
  const seen = refused && !conflict ? undefined : await lookAt(ctx, change, subject)
  if (seen !== undefined && change.isDone(attempt.operation, seen)) return seen
  // A conflict that cannot be looked into may be our own first send, done.
  if (refused && !(conflict && seen === undefined)) {
    await recordRefusedChange(ctx, change, { attempt, error, seen })
    throw error
  }
  await recordUnclear(ctx, attempt.operation, seen === undefined ? 0 : LOOK_AGAIN_MS)
  throw unclearOutcome(attempt.operation, error)
}

export const recordRefusedChange = async <Subject extends OperationSubject, Seen>(
  ctx: Context,
  { access, refused }: Change<Subject, Seen>,
  { attempt, error, seen }: { attempt: Attempt; error: GatewayError; seen: Seen | undefined },
): Promise<void> => {
  const apply = async (tx: Tx, held: Subject) => await refused(tx, held, seen, attempt)
  await recordRefused(ctx, access, attempt, { error, apply })
}

/** What the gateway says of the object, or nothing if it cannot be asked now. */
export async function lookAt<Subject extends OperationSubject, Seen>(
  ctx: Context,
  { look }: Change<Subject, Seen>,
  subject: Subject,
): Promise<Seen | undefined> {
  try {
    return await look(ctx, subject)
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}
