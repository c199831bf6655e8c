import type { Problem, ProblemCode } from './api/model.ts'

/** A code of this release, or one that a newer service has learnt since. */
export type AnyProblemCode = ProblemCode | 'unexpected_reply' | (string & Record<never, never>)

/** Why there is no reply to go by. */
export type NetworkReason =
  /** The connection could not be made, or broke. */
  | 'unreachable'
  /** `timeoutMs` or `deadlineMs` passed. */
  | 'timed_out'
  /** The caller's signal. */
  | 'aborted'
  /** It said that it succeeded, in a body that cannot be read. */
  | 'unreadable'
  /** The `token` function failed, so nothing was sent this time. */
  | 'no_token'

/** What is known of a logical call when it fails, over all its tries. */
export interface CallFacts {
  /**
   * False: it may have been done. Repeat with the same `idempotencyKey`, or read the object; never
   * start a second one under a new key.
   */
  definite: boolean
  /** How often it was sent. */
  attempts: number
  /** What every try carried; nothing for reads. Keep it to repeat the call later. */
  idempotencyKey: string | undefined
}

/** The service, or something in front of it, answered with a failure. */
export class GapuraError extends Error implements CallFacts {
  override readonly name = 'GapuraError'
  readonly code: AnyProblemCode
  readonly status: number
  readonly title: string
  /** What to do next, in words. */
  readonly detail: string
  /** Which fields were refused, and why. */
  readonly errors: Problem['errors']
  /** What the gateway said, where it was the gateway that refused. */
  readonly gateway: Problem['gateway']
  /** Names the entry in the service's log. */
  readonly requestId: string | undefined
  /** The payment it was about, where one is on record. */
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

/** No reply, or none that can be read. The message never holds the key: causes are not kept. */
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

/** A write of which nobody can say yet whether it was done. */
export type UnclearError = (GapuraError | GapuraNetworkError) & {
  readonly definite: false
  readonly idempotencyKey: string
}

/** Whether a failed write may have been done all the same: look, or repeat under its own key. */
export const isUnclear = (error: unknown): error is UnclearError =>
  (error instanceof GapuraError || error instanceof GapuraNetworkError) && !error.definite

/**
 * Codes after which the gateway, or a request of ours still running, may have acted. A test holds
 * this against the service's catalogue.
 */
export const UNCLEAR_CODES: readonly ProblemCode[] = [
  'outcome_unknown',
  'outcome_not_recorded',
  'gateway_failed',
  'gateway_duplicate',
  'request_in_progress',
  'internal_error',
]
