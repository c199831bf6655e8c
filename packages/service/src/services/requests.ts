import type { Caller } from '../domain/caller.ts'
import type { GatewayError } from '../domain/errors.ts'
import type { GatewayOperation } from '../domain/operation.ts'
import type { ProblemCode } from '../domain/problems.ts'
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  finishIdempotencyKey,
  forgetIdempotencyKey,
  type IdempotencyKey,
} from '../store/idempotency_keys.ts'
import { withTransaction, type Tx } from '../store/transaction.ts'
import type { Context } from './context.ts'
import { problemOfError } from './problem.ts'

/** Who asks, and how the request is told apart from another. */
export interface Request {
  caller: Caller
  request_id: string
  /** From `Idempotency-Key`; the fingerprint covers method, route, object and body (D-19). */
  idempotency: { key: string; fingerprint: string } | null
}

/** A reply that is kept and replayed byte for byte. */
export interface Reply {
  code: number
  body: string
}

/** What a request came to. A problem is a returned value; a failure of a kind is thrown. */
export type Outcome =
  | { kind: 'reply'; reply: Reply; replayed: boolean }
  | { kind: 'problem'; code: ProblemCode }

/** A reply that is made while it is sent: too long to be held at once, and never kept. */
export interface Streamed {
  kind: 'stream'
  content_type: string
  filename: string
  chunks: AsyncIterable<string>
}

export type Answered = Outcome | Streamed

export const replied = (code: number, body: object, replayed = false): Outcome => ({
  kind: 'reply',
  reply: { code, body: JSON.stringify(body) },
  replayed,
})

export const problem = (code: ProblemCode): Outcome => ({ kind: 'problem', code })

/** Takes the request's key for an operation, or gives the row that has it. Nothing without a key. */
export async function claimKey(
  tx: Tx,
  { caller, idempotency }: Request,
  operation_id: string,
): Promise<IdempotencyKey | undefined> {
  if (idempotency === null) return undefined
  const { owner_id } = caller
  const { claimed, row } = await claimIdempotencyKey(tx, { owner_id, ...idempotency, operation_id })
  return claimed ? undefined : row
}

/** What an already taken key answers at once, or nothing if its request is still open. */
export function settledKey({ idempotency }: Request, row: IdempotencyKey): Outcome | undefined {
  if (row.fingerprint !== idempotency?.fingerprint) return problem('idempotency_key_reused')
  const { reply_code: code, reply_body: body } = row
  if (code === null || body === null) return undefined
  return { kind: 'reply', reply: { code, body }, replayed: true }
}

/**
 * Keeps a definite outcome under the key of its operation, in the transaction that made it
 * definite, whoever that was: the request, a repeat of it, or the resolver.
 */
export const keepReply = async (
  tx: Tx,
  operation_id: string,
  reply: Reply,
  now?: Date,
): Promise<void> => {
  await finishIdempotencyKey(tx, operation_id, reply, now)
}

/**
 * The same for a definite failure: a repeat gets the same refusal, not a second try. Where trying
 * again could help, the key is freed instead: nothing happened, and the next one may fare better.
 */
export async function keepFailure(
  tx: Tx,
  operation: Pick<GatewayOperation, 'id' | 'kind' | 'subject_kind' | 'subject_id'>,
  error: GatewayError,
  request: Request | null,
): Promise<void> {
  const { id, kind } = operation
  if (error.retryable) {
    await forgetIdempotencyKey(tx, id)
    return
  }
  const request_id = request?.request_id ?? `operation-${id}`
  const on_charge = kind === 'charge'
  const subject = { kind: operation.subject_kind, id: operation.subject_id }
  const body = problemOfError(error, { request_id, on_charge, subject })
  await keepReply(tx, id, { code: body.status, body: JSON.stringify(body) })
}

/** The kept reply of a key, for when nothing new could be done anyway. */
export const keptReply = async (ctx: Context, request: Request): Promise<Outcome | undefined> => {
  const { caller, idempotency } = request
  if (idempotency === null) return undefined
  const row = await withTransaction(
    ctx.db,
    async (tx) => await findIdempotencyKey(tx, caller.owner_id, idempotency.key),
  )
  return row && settledKey(request, row)
}
