// The one place that knows the replies of operations to be texts: an operation keeps its reply and
// repeats it byte for byte (ADR 0007), so HTTP sends the text and only the in-process API parses it.
import { ERRORS, type ErrorCode } from '../../domain/error_catalogue.ts'
import { gatewayError, type Subject } from '../../domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../../domain/problems.ts'
import { OBJECT_KINDS } from '../../domain/signals.ts'
import { RequestProblem, type Problem } from '../../services/problem.ts'
import type { Outcome, Reply } from '../../services/requests.ts'

/** What an operation came to, with the type of the body that its text holds. */
export class KeptReply<out Body extends object> {
  readonly outcome: Outcome
  declare protected readonly body: Body

  constructor(outcome: Outcome) {
    this.outcome = outcome
  }
}

/** The outcome of an operation whose reply is a `Body`; nothing where there was no such object. */
export const kept = <Body extends object>(outcome: Outcome | undefined) =>
  outcome === undefined ? undefined : new KeptReply<Body>(outcome)

/** The body of a kept reply; a kept refusal is thrown again as the failure it was. */
export function bodyOfKept({ code, body }: Reply): object {
  const value: unknown = JSON.parse(body)
  if (typeof value !== 'object' || value === null) throw new TypeError('a kept reply is no object')
  if (code >= 400 && isProblem(value)) throw failureOf(value)
  return value
}

const isProblem = (value: object): value is Problem => 'code' in value

function failureOf({ code, errors, gateway, detail, ...problem }: Problem): Error {
  if (isErrorCode(code)) {
    return gatewayError(code, {
      errors,
      ...subjectOf(problem),
      ...(gateway && { gateway: { ...gateway, http_status: null } }),
    })
  }
  return new RequestProblem(isProblemCode(code) ? code : 'internal_error', detail)
}

function subjectOf(problem: Partial<Problem>): { subject?: Subject } {
  for (const kind of OBJECT_KINDS) {
    const id = problem[`${kind}_id`]
    if (id !== undefined) return { subject: { kind, id } }
  }
  return {}
}

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS
const isProblemCode = (code: string): code is ProblemCode => code in PROBLEMS
