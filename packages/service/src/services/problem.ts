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
    ...(payment_id !== undefined && { payment_id }),
  }
}

/** The body of what is no failure of a kind: not found, in progress, and so on. */
export const problemOf = (code: ProblemCode, request_id: string): Problem => ({
  type: typeOf(code),
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail: PROBLEMS[code].advice,
  code,
  errors: [],
  retryable: false,
  request_id,
})
