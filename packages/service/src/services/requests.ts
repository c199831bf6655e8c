import type { Caller } from '../domain/caller.ts'
import type { GatewayError } from '../domain/errors.ts'
import type { ProblemCode } from '../domain/problems.ts'
import {
  claimIdempotencyKey,
  finishIdempotencyKey,
  forgetIdempotencyKey,
  type IdempotencyKey,
} from '../store/idempotency_keys.ts'
import type { Tx } from '../store/transaction.ts'
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

/** Keeps a definite outcome under the request's key, in the transaction that made it definite. */
export async function keepReply(tx: Tx, { caller, idempotency }: Request, reply: Reply) {
  if (idempotency === null) return
  await finishIdempotencyKey(tx, { owner_id: caller.owner_id, key: idempotency.key }, reply)
}

/**
 * The same for a definite failure: a repeat gets the same refusal, not a second try. Where trying
 * again could help, the key is freed instead: nothing happened, and the next one may fare better.
 */
export async function keepFailure(
  tx: Tx,
  request: Request,
  error: GatewayError,
  about: { on_charge?: boolean; payment_id?: string },
) {
  const { request_id, caller, idempotency } = request
  if (idempotency === null) return
  if (error.retryable) {
    await forgetIdempotencyKey(tx, { owner_id: caller.owner_id, key: idempotency.key })
    return
  }
  const body = problemOfError(error, { request_id, ...about })
  await keepReply(tx, request, { code: body.status, body: JSON.stringify(body) })
}
