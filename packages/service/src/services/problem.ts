import { ERRORS } from '../domain/error_catalogue.ts'
import type { GatewayError } from '../domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'

/** RFC 9457, with what a caller needs to decide what to do next (D-13). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  errors: readonly { field: string; message: string }[]
  retryable: boolean
  request_id: string
  gateway?: { status_code: string | null; status_message: string | null }
  payment_id?: string
}

const typeOf = (code: string): string => `urn:gapura:problem:${code}`

/** The body of a failure. On a charge the catalogue may give another status (D-14). */
export function problemOfError(
  error: GatewayError,
  {
    request_id,
    on_charge = false,
    payment_id,
  }: { request_id: string; on_charge?: boolean; payment_id?: string },
): Problem {
  const row = ERRORS[error.code]
  const { gateway } = error
  const about = payment_id ?? error.payment_id ?? undefined
  return {
    type: typeOf(error.code),
    title: row.title,
    status: on_charge ? row.status_on_charge : row.status,
    detail: row.advice,
    code: error.code,
    errors: error.errors,
    retryable: row.retryable,
    request_id,
    ...(gateway && {
      gateway: { status_code: gateway.status_code, status_message: gateway.status_message },
    }),
    ...(about !== undefined && { payment_id: about }),
  }
}

/** The body of what is no failure of a kind: not found, in progress, and so on. */
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

/** A problem as a throw: for hooks, and for in-process callers, who have no status line to read. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem'
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string

  constructor(code: ProblemCode, detail: string = PROBLEMS[code].advice) {
    super(PROBLEMS[code].title)
    this.code = code
    this.status = PROBLEMS[code].status
    this.detail = detail
  }
}
