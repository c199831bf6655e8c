import { ERRORS, type ErrorCode } from '../domain/error_catalogue.ts'
import type { GatewayError, Subject } from '../domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'

type AnyCode = ErrorCode | ProblemCode

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS
const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS

/** Every `code` a problem body can carry, in the order of the two catalogues. */
export const PROBLEM_CODES: readonly AnyCode[] = [
  ...Object.keys(ERRORS).filter(isErrorCode),
  ...Object.keys(PROBLEMS).filter(isProblemCode),
]

/** RFC 9457, with what a caller needs to decide what to do next (api-rules.md#errors). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: AnyCode
  errors: readonly { field: string; message: string }[]
  retryable: boolean
  request_id: string
  gateway?: { status_code: string | null; status_message: string | null }
  /** What it is about, under the name of its kind. */
  payment_id?: string
  invoice_id?: string
  subscription_id?: string
  checkout_id?: string
}

const typeOf = (code: string): string => `urn:gapura:problem:${code}`

/** The body of a failure. On a charge the catalogue may give another status. */
export function problemOfError(
  error: GatewayError,
  {
    request_id,
    on_charge = false,
    subject,
  }: { request_id: string; on_charge?: boolean; subject?: Subject },
): Problem {
  const row = ERRORS[error.code]
  const { gateway } = error
  const about = subject ?? error.subject
  return {
    type: typeOf(error.code),
    title: row.title,
    status: on_charge ? row.status_on_charge : row.status,
    detail: error.advice,
    code: error.code,
    errors: error.errors,
    retryable: row.retryable,
    request_id,
    ...(gateway && {
      gateway: { status_code: gateway.status_code, status_message: gateway.status_message },
    }),
    ...(about && { [`${about.kind}_id`]: about.id }),
  }
}

/** The body of a problem that is not an operation's failure: not found, in progress, and so on. */
export const problemOf = (
  code: ProblemCode,
  request_id: string,
  detail: string = PROBLEMS[code].advice,
): Problem => ({
  type: typeOf(code),
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail,
  code,
  errors: [],
  retryable: PROBLEMS[code].status === 429 || code === 'request_in_progress',
  request_id,
})

/**
 * A problem that is thrown: in HTTP hooks, and for in-process callers, which get no status line.
 */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem'
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  /** When to retry, if that is known. */
  readonly retry_after_s: number | null

  constructor(
    code: ProblemCode,
    detail: string = PROBLEMS[code].advice,
    { retry_after_s = null }: { retry_after_s?: number | null } = {},
  ) {
    super(PROBLEMS[code].title)
    this.code = code
    this.status = PROBLEMS[code].status
    this.detail = detail
    this.retry_after_s = retry_after_s
  }
}
