import type { Caller } from '../domain/caller.ts'
import { ERRORS, type ErrorCode } from '../domain/error_catalogue.ts'
import { gatewayError, type GatewayError } from '../domain/errors.ts'
import type { Intent } from '../domain/intent.ts'
import { isOpen, type GatewayOperation } from '../domain/operation.ts'
import type { ProblemCode } from '../domain/problems.ts'
import {
  findIntent,
  keepOperationReply,
  type IntentRecord,
  type KeptAs,
} from '../store/operations/intents.ts'
import { withTransaction, type Tx } from '../store/connection/transaction.ts'
import type { Context } from './context.ts'
import { problemOfError } from './problem.ts'

/** The caller, and what distinguishes this request from others. */
export interface Request {
  caller: Caller
  request_id: string
  /**
   * From `Idempotency-Key`; the fingerprint covers method, route, object and body (ADR 0007).
   * Requests the service makes itself name the empty owner, so that no caller's key can be theirs.
   */
  idempotency: { key: string; fingerprint: string; owner_id?: '' } | null
}

/** A reply that is stored and repeated. From code 400 on its body is a problem. */
/** The reason that a staff member gave. */
export type Why = { reason?: string }

export interface Reply<Body extends object = object> {
  code: number
  body: Body
}

/** The result of a request. A problem is a returned value; an operation's failure is thrown. */
export type Outcome<Body extends object = object> =
  | { kind: 'reply'; reply: Reply<Body>; replayed: boolean }
  | ProblemOutcome

export interface ProblemOutcome {
  kind: 'problem'
  code: ProblemCode
}

/** A reply that is generated while it is sent: too long to hold in memory, and never stored. */
export interface Streamed<Chunk extends string | Uint8Array = string> {
  kind: 'stream'
  content_type: string
  /** The name to keep it under; what is followed live has none. */
  filename?: string
  chunks: AsyncIterable<Chunk>
}

export const replied = <Body extends object>(code: number, body: Body): Outcome<Body> => ({
  kind: 'reply',
  reply: { code, body },
  replayed: false,
})

export const problem = (code: ProblemCode): ProblemOutcome => ({ kind: 'problem', code })

/** The same value with the names of every object in order: the same body spelt otherwise. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, member]) => [name, canonical(member)])
}

/** The identity of what is requested, or null if the request has none. */
export const intentOf = ({ caller, idempotency }: Request): Intent | null =>
  idempotency && { owner_id: caller.owner_id, ...idempotency }

/**
 * The reply that describes an object as it is now, for a repeat whose stored reply was purged.
 * Undefined if the operation had no effect.
 */
export type Current = (tx: Tx, operation: GatewayOperation) => Promise<Reply | undefined>

/**
 * The reply to a repeated request: the first reply, the object as it is now if that reply was
 * purged, or the same refusal. `open`: the first has not ended. `retry`: the first had no effect,
 * and the same request may have one now.
 */
export async function answerRepeat<Body extends object>(
  ctx: Context,
  request: Request,
  record: IntentRecord,
  current: Current,
): Promise<Outcome<Body> | 'open' | 'retry'>
export async function answerRepeat(
  ctx: Context,
  request: Request,
  { operation, fingerprint, reply }: IntentRecord,
  current: Current,
): Promise<Outcome | 'open' | 'retry'> {
  if (fingerprint !== request.idempotency?.fingerprint) return problem('idempotency_key_reused')
  if (reply !== null) return { kind: 'reply', reply: parsed(reply), replayed: true }
  if (isOpen(operation)) return 'open'
  const standing = await withTransaction(ctx.db, async (tx) => await current(tx, operation))
  if (standing !== undefined) return { kind: 'reply', reply: standing, replayed: true }
  const error = refusalOf(operation)
  if (error.retryable) return 'retry'
  return {
    kind: 'reply',
    reply: failureReply(operation, error, request.request_id),
    replayed: true,
  }
}

function parsed({ code, body: text }: NonNullable<IntentRecord['reply']>): Reply {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null) throw new TypeError('a stored reply is no object')
  return { code, body }
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in ERRORS

/** The refusal an operation ended with, rebuilt from what is stored. */
function refusalOf({ kind, reply }: GatewayOperation): GatewayError {
  const code = isErrorCode(reply?.['error']) ? reply['error'] : 'gateway_refused'
  const text = (name: string): string | null =>
    typeof reply?.[name] === 'string' ? reply[name] : null
  const words = { status_code: text('status_code'), status_message: text('status_message') }
  const gateway = words.status_code === null ? null : { ...words, http_status: null }
  return gatewayError(code, { operation: kind, gateway })
}

/**
 * Stores a definite outcome for repeats, in the transaction that made it definite: that of the
 * request, of a repeat, or of the resolver.
 */
export const keepReply = async (
  tx: Tx,
  operation_id: string,
  { code, body }: Reply,
  as: KeptAs = {},
): Promise<void> => {
  await keepOperationReply(tx, operation_id, { code, body: JSON.stringify(body) }, as)
}

/**
 * The same for a definite failure: a repeat gets the same refusal and sends nothing. If a retry
 * could help, nothing is stored: the operation had no effect, and a repeat may have one.
 */
export async function keepFailure(
  tx: Tx,
  operation: GatewayOperation,
  error: GatewayError,
  request: Request | null,
): Promise<void> {
  if (error.retryable) return
  const request_id = request?.request_id ?? `operation-${operation.id}`
  await keepReply(tx, operation.id, failureReply(operation, error, request_id))
}

function failureReply(operation: GatewayOperation, error: GatewayError, request_id: string): Reply {
  const { kind, subject_kind, subject_id } = operation
  const subject = { kind: subject_kind, id: subject_id }
  const body = problemOfError(error, { request_id, on_charge: kind === 'charge', subject })
  return { code: body.status, body }
}

/** The reply of an intent that was already carried out, for when nothing new can be done anyway. */
export const answerEnded = async (
  ctx: Context,
  request: Request,
  current: Current,
  /** Whether the caller may see an object that belongs to another owner. */
  visible: (tx: Tx) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Outcome | undefined> => {
  const intent = intentOf(request)
  if (intent === null) return undefined
  const record = await withTransaction(ctx.db, async (tx) =>
    (await visible(tx)) ? await findIntent(tx, intent) : 'hidden',
  )
  if (record === 'hidden') return problem('not_found')
  const answer = record && (await answerRepeat(ctx, request, record, current))
  return answer === 'open' || answer === 'retry' ? undefined : answer
}
