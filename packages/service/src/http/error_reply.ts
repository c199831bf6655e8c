import { GatewayError, gatewayError } from '../domain/errors.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { problemOf, problemOfError, RequestProblem, type Problem } from '../services/problem.ts'
import { storeTrouble } from '../services/store_trouble.ts'

/** Where a failure happened, as far as its answer depends on it. */
export interface FailurePlace {
  request_id: string
  /** On `POST /charge/` the catalogue has a status of its own (api-rules.md#errors). */
  on_charge: boolean
  /** The webhook's failures are the gateway's to repeat (ADR 0005). */
  on_notification: boolean
}

export interface ErrorReply {
  problem: Problem
  retry_after_s: number | null
  /** Whether it is ours to look at: logged as an error. */
  ours: boolean
}

/** Where nothing better is known. The advice of these codes promises the header. */
const RETRY_AFTER_S = 5

/** The one error body. Text of an unknown error never leaves: it may hold SQL or a secret. */
export function errorReply(error: unknown, place: FailurePlace): ErrorReply {
  const known = error instanceof GatewayError ? error : storeTrouble(error)
  if (known !== undefined && !(place.on_notification && known.code === 'store_unavailable')) {
    const problem = problemOfError(known, place)
    const again = problem.status === 503 ? RETRY_AFTER_S : null
    return { problem, retry_after_s: known.retry_after_s ?? again, ours: problem.status >= 500 }
  }
  if (error instanceof RequestProblem) {
    const reply = replyOf(problemOf(error.code, place.request_id, error.detail))
    return { ...reply, retry_after_s: error.retry_after_s ?? reply.retry_after_s }
  }
  const status = statusOf(error)
  const code = BY_STATUS[status]
  if (code !== undefined) return replyOf(problemOf(code, place.request_id))
  if (status === 400) return errorReply(gatewayError('invalid_request'), place)
  // The gateway repeats a 429 five times and a 500 once; nothing was stored, so it must come back.
  const last = place.on_notification ? 'too_many_requests' : 'internal_error'
  return { ...replyOf(problemOf(last, place.request_id)), ours: true }
}

export const replyOf = (problem: Problem): ErrorReply => ({
  problem,
  retry_after_s: problem.retryable ? RETRY_AFTER_S : null,
  ours: problem.status >= 500,
})

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
}

/** Errors of Fastify and of a host's hooks say their status; only the status is taken from them. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
