import type { Problem, ProblemCode } from './api/model.ts'

/** A code of this release, or one of a newer service. */
export type AnyProblemCode = ProblemCode | 'unexpected_reply' | (string & Record<never, never>)

/** Why there is no usable reply. */
export type NetworkReason =
  /** The connection could not be made, or broke. */
  | 'unreachable'
  /** `timeoutMs` or `deadlineMs` passed. */
  | 'timed_out'
  /** The caller's signal. */
  | 'aborted'
  /** A success status with a body that cannot be read. */
  | 'unreadable'
  /** The `token` function failed, so nothing was sent this time. */
  | 'no_token'

/** What is known of a failed call over all its tries. */
export interface CallFacts {
  /**
   * False: the write may have been done. Repeat it with the same `idempotencyKey`, or read the
   * object; never start a second call with a new key.
   */
  definite: boolean
  /** How often it was sent. */
  attempts: number
  /** The key of every try; absent for reads. Keep it to repeat the call later. */
  idempotencyKey: string | undefined
}

/** The service, or something in front of it, answered with a failure. */
export class GapuraError extends Error implements CallFacts {
  override readonly name = 'GapuraError'
  readonly code: AnyProblemCode
  readonly status: number
  readonly title: string
  /** What to do next. */
  readonly detail: string
  /** Which fields were refused, and why. */
  readonly errors: Problem['errors']
  /** The gateway's reply, if the gateway refused. */
  readonly gateway: Problem['gateway']
  /** Names the entry in the service's log. */
  readonly requestId: string | undefined
  /** The payment concerned, if one is recorded. */
  readonly paymentId: string | undefined
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly definite: boolean
  readonly attempts: number
  readonly idempotencyKey: string | undefined

  constructor(problem: ProblemFacts, facts: CallFacts) {
    const fields = problem.errors.map(({ field, message }) => ` ${field}: ${message}.`).join('')
    super(`${problem.code}: ${problem.title}. ${problem.detail}${fields}`)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.errors = problem.errors
    this.gateway = problem.gateway
    this.requestId = problem.request_id
    this.paymentId = problem.payment_id
    this.retryable = problem.retryable
    this.retryAfterMs = problem.retry_after_ms
    this.definite = facts.definite
    this.attempts = facts.attempts
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** A problem as far as it is known; a proxy's page has no request id. */
export interface ProblemFacts extends Omit<Problem, 'type' | 'code' | 'request_id'> {
  code: AnyProblemCode
  request_id?: string
  retry_after_ms?: number | undefined
}

/** No readable reply. The message never contains the key, because causes are dropped. */
export class GapuraNetworkError extends Error implements CallFacts {
  override readonly name = 'GapuraNetworkError'
  readonly reason: NetworkReason
  readonly definite: boolean
  readonly attempts: number
  readonly idempotencyKey: string | undefined

  constructor(reason: NetworkReason, detail: string, facts: CallFacts) {
    super(`${reason}: ${detail}`)
    this.reason = reason
    this.definite = facts.definite
    this.attempts = facts.attempts
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** A write whose outcome is unclear. */
export type UnclearError = (GapuraError | GapuraNetworkError) & {
  readonly definite: false
  readonly idempotencyKey: string
}

/** Whether a failed write may have been done: read the object, or repeat with the same key. */
export const isUnclear = (error: unknown): error is UnclearError =>
  (error instanceof GapuraError || error instanceof GapuraNetworkError) && !error.definite

/**
 * Codes after which the gateway, or a request still in progress, may have acted. A test compares
 * them with the service's catalogue.
 */
export const UNCLEAR_CODES: readonly ProblemCode[] = [
  'outcome_unknown',
  'outcome_not_recorded',
  'gateway_failed',
  'gateway_duplicate',
  'request_in_progress',
  'internal_error',
]
