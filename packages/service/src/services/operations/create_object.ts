// Creating what the gateway has no way to look up (ADR 0008): an invoice, a subscription. It is
// written down, sent, and after an unclear answer only ever sent again under the same wire key while
// the gateway still knows that key. Never a second one.
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { OperationKind } from '../../domain/operation.ts'
import type { IntentRecord } from '../../store/intents.ts'
import type { Tx } from '../../store/transaction.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import { answerEnded, answerRepeat, problem, type Outcome, type Request } from '../requests.ts'
import { writeSend } from './fenced.ts'
import { currentOf, type ObjectAccess, type OperationSubject } from './object_access.ts'
import {
  recordRefused,
  recordSucceeded,
  recordUnclear,
  unclearOutcome,
  type Attempt,
} from './record_operation.ts'
import { CALL_DUE_MS, sendWritten } from './sending.ts'
import { takeOver, takingOver } from './take_over.ts'
import { writeCreation } from './write_operation.ts'

/** What one kind of object adds to the common way of creating one. */
export interface Creation<Subject extends OperationSubject, Answer> {
  access: ObjectAccess<Subject>
  kind: OperationKind
  /** How long the gateway surely remembers the wire key: past this nothing is sent again. */
  replay_within_ms: number
  /** Writes the row, its parts and its first transition; throws where it cannot be. */
  insert: (tx: Tx) => Promise<Subject>
  /** What is kept of the call. Without secrets: no token is ever on disk. */
  requestOf: (subject: Subject) => Readonly<Record<string, unknown>>
  /** The call. A reply about something else is to be thrown as an unclear outcome. */
  send: (subject: Subject, idempotency_key: string) => Promise<Answer>
  saidBy: (answer: Answer) => Readonly<Record<string, unknown>>
  /** Whether the row has the id the gateway gave it. */
  isKnown: (held: Subject) => boolean
  /** Moves the row to what the gateway made of it. */
  made: (tx: Tx, held: Subject, answer: Answer, attempt: Attempt) => Promise<Subject>
  /** Moves the row to `failure`. */
  refused: (tx: Tx, held: Subject, error: GatewayError, attempt: Attempt) => Promise<void>
}

/** What a resolver or a repeat needs of it: the row is there already. */
export type OpenCreation<Subject extends OperationSubject, Answer> = Omit<
  Creation<Subject, Answer>,
  'insert' | 'requestOf'
>

/** Creates an object at the gateway and keeps its record. Of one key, at most one is made. */
export async function createObject<Subject extends OperationSubject, Answer>(
  ctx: Context,
  request: Request,
  creation: Creation<Subject, Answer>,
): Promise<Outcome> {
  const { access, kind } = creation
  // Nothing is written down that could not be sent.
  if (!ctx.gateway.available) {
    const ended = await answerEnded(ctx, request, currentOf(access, 201))
    if (ended !== undefined) return ended
    throw gatewayError('gateway_unavailable', { operation: kind })
  }
  return await ctx.gateway.withSlot(async () => await writeAndSend(ctx, request, creation))
}

async function writeAndSend<Subject extends OperationSubject, Answer>(
  ctx: Context,
  request: Request,
  creation: Creation<Subject, Answer>,
  instead_of?: IntentRecord,
): Promise<Outcome> {
  const { access } = creation
  const begun_at = performance.now()
  const written = await writeCreation(ctx, request, access, { ...creation, instead_of })
  if ('kind' in written) return written
  if ('taken' in written) {
    const answer = await answerRepeat(ctx, request, written.taken, currentOf(access, 201))
    if (answer === 'open') return await repeatCreation(ctx, request, creation, written.taken)
    if (answer !== 'retry') return answer
    if (instead_of !== undefined) return problem('request_in_progress')
    return await writeAndSend(ctx, request, creation, written.taken)
  }
  const { subject, operation } = written
  return await afterWritten(aboutOf(creation, subject), async () => {
    ctx.reached('create.written_down')
    const attempt = { operation, source: 'action' as const, request, asked: subject }
    return await sendCreation(ctx, creation, { subject, attempt, begun_at })
  })
}

const aboutOf = <Subject extends OperationSubject>(
  { access, kind }: { access: ObjectAccess<Subject>; kind: OperationKind },
  { id }: Subject,
) => ({ subject_kind: access.subject_kind, subject_id: id, operation: kind })

interface Sending<Subject> {
  subject: Subject
  attempt: Attempt
  /** Before it was written down, by the process's own clock: pauses count. */
  begun_at: number
}

/** Sends what is written down; if the answer is unclear, once more under the same key. */
async function sendCreation<Subject extends OperationSubject, Answer>(
  ctx: Context,
  creation: OpenCreation<Subject, Answer>,
  { subject, attempt, begun_at }: Sending<Subject>,
): Promise<Outcome> {
  const { operation } = attempt
  ctx.reached('create.before_send')
  let answer: Answer
  try {
    answer = await sendWritten(
      { operation, begun_at },
      async () => await creation.send(subject, operation.id),
    )
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return await afterFailure(ctx, creation, { subject, attempt }, error)
  }
  ctx.reached('create.answered')
  const outcome = await recordMade(ctx, creation, attempt, answer)
  ctx.reached('create.recorded')
  return outcome
}

/**
 * Whether a refusal ends the creation. It speaks for the send it answers (ADR 0008): after an
 * unclear one only a fault of the request itself, which the first send had too, proves that nothing
 * is there.
 */
const isLastWord = ({ operation }: Attempt, error: GatewayError): boolean =>
  operation.sends === 1
    ? error.definite || error.code === 'gateway_duplicate'
    : error.code === 'gateway_rejected'

/** How long until the resolver sends it again, while the wire key still holds. */
const REPLAY_AGAIN_MS = 10_000

async function afterFailure<Subject extends OperationSubject, Answer>(
  ctx: Context,
  creation: OpenCreation<Subject, Answer>,
  { subject, attempt }: Omit<Sending<Subject>, 'begun_at'>,
  error: GatewayError,
): Promise<Outcome> {
  const { operation } = attempt
  if (isLastWord(attempt, error)) {
    ctx.reached('create.refused')
    await recordRefused(ctx, creation.access, attempt, {
      error,
      apply: async (tx, held) => await creation.refused(tx, held, error, attempt),
    })
    throw error
  }
  ctx.reached('create.unclear')
  const again = operation.sends === 1 ? await sendAgain(ctx, creation, { subject, attempt }) : null
  if (again === null) {
    await recordUnclear(ctx, operation, REPLAY_AGAIN_MS)
    throw unclearOutcome(operation, error)
  }
  return again
}

/** A further send, on disk before it leaves. Null if it may not be made: taken over, or too old. */
async function sendAgain<Subject extends OperationSubject, Answer>(
  ctx: Context,
  creation: OpenCreation<Subject, Answer>,
  { subject, attempt }: Omit<Sending<Subject>, 'begun_at'>,
): Promise<Outcome | null> {
  const { replay_within_ms: within_ms } = creation
  const again = await writeSend(ctx, attempt.operation, { lease_ms: CALL_DUE_MS, within_ms })
  if (again === undefined) return null
  const { operation, begun_at } = again
  return await sendCreation(ctx, creation, {
    subject,
    attempt: { ...attempt, operation },
    begun_at,
  })
}

/** The gateway has it: the row moves, the operation ends, the reply is kept. */
export async function recordMade<Subject extends OperationSubject, Answer>(
  ctx: Context,
  creation: Pick<OpenCreation<Subject, Answer>, 'access' | 'saidBy' | 'isKnown' | 'made'>,
  attempt: Attempt,
  answer: Answer,
): Promise<Outcome> {
  const reply = await recordSucceeded(ctx, creation.access, attempt, {
    code: 201,
    said: creation.saidBy(answer),
    apply: async (tx, held) => await creation.made(tx, held, answer, attempt),
    // Nobody could look it up again: an answer that comes late is the only one there will be.
    isKnown: creation.isKnown,
    points: { locked: 'create.locked', applied: 'create.applied' },
  })
  return { kind: 'reply', reply, replayed: false }
}

/** Sends an open creation once more, if its wire key surely holds. False: it may not be sent. */
export async function replayCreation<Subject extends OperationSubject, Answer>(
  ctx: Context,
  creation: OpenCreation<Subject, Answer>,
  { subject, attempt, age_ms }: { subject: Subject; attempt: Attempt; age_ms: number },
): Promise<Outcome | undefined> {
  if (age_ms >= creation.replay_within_ms) return undefined
  const outcome = await sendAgain(ctx, creation, { subject, attempt })
  if (outcome === null) throw unclearOutcome(attempt.operation)
  return outcome
}

/** Past its window, how long until the resolver looks again for what may name it. */
const LOOK_AGAIN_MS = 60_000

/** A repeated request whose first has no definite outcome: the same key and body, once more. */
async function repeatCreation<Subject extends OperationSubject, Answer>(
  ctx: Context,
  request: Request,
  creation: Creation<Subject, Answer>,
  record: IntentRecord,
): Promise<Outcome> {
  const found = await takingOver(ctx, async (tx) => {
    const taken = await takeOver(tx, request, record)
    if (taken.kind !== 'taken') return taken
    const subject = await creation.access.findById(tx, taken.operation.subject_id)
    return subject === undefined ? problem('request_in_progress') : { ...taken, subject }
  })
  if (found.kind !== 'taken') return found
  const { subject, operation, age_ms } = found
  return await afterWritten(aboutOf(creation, subject), async () => {
    const attempt = { operation, source: 'action' as const, request, asked: subject }
    const outcome = await replayCreation(ctx, creation, { subject, attempt, age_ms })
    if (outcome !== undefined) return outcome
    await recordUnclear(ctx, operation, LOOK_AGAIN_MS)
    throw unclearOutcome(operation)
  })
}
