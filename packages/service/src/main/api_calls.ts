// The in-process API: every route as a function, with the types of its schemas.
import type { Static, TObject, TSchema } from 'typebox'
import type { GivenCaller } from '../domain/caller.ts'
import { ERRORS, type ErrorCode } from '../domain/error_catalogue.ts'
import { gatewayError, type Subject } from '../domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'
import { OBJECT_KINDS } from '../domain/signals.ts'
import { checkedCaller } from '../http/platform/authentication.ts'
import { refuseValue } from '../http/platform/json_body.ts'
import { performRoute, requestIdOf } from '../http/platform/perform.ts'
import type { BodyOf, InProcessRoute } from '../http/platform/route.ts'
import { RequestProblem, type Problem } from '../services/problem.ts'
import type { Reply } from '../services/requests.ts'
import { storeTrouble } from '../services/store_trouble.ts'
import type { Parts } from './compose.ts'

export interface CallWith {
  idempotencyKey?: string
}

type IdOf<R> = R extends { path: `${string}{pk}${string}` } ? [id: string] : []

type InputOf<R> = R extends { input: infer Input extends TSchema }
  ? R extends { input_optional: true }
    ? [input?: Static<Input>]
    : [input: Static<Input>]
  : []

type QueryOf<R> = R extends { query: infer Filters extends TObject }
  ? Partial<Static<Filters>> extends Static<Filters>
    ? [query?: Static<Filters>]
    : [query: Static<Filters>]
  : []

/** A key is of use only where the reply is kept under it. */
type OptionsOf<R> = R extends { method: 'POST' }
  ? R extends { repeat: string }
    ? []
    : [options?: CallWith]
  : []

type CallOf<R extends InProcessRoute> = (
  ...given: [caller: GivenCaller, ...IdOf<R>, ...InputOf<R>, ...QueryOf<R>, ...OptionsOf<R>]
) => Promise<BodyOf<Awaited<ReturnType<R['run']>>>>

/** Routes as functions of the same names. */
export type CallsOf<Routes extends Record<keyof Routes, InProcessRoute>> = {
  [Name in keyof Routes]: CallOf<Routes[Name]>
}

export function callsOf<Routes extends Record<keyof Routes, InProcessRoute>>(
  parts: Pick<Parts, 'ctx' | 'ready'>,
  routes: Routes,
): CallsOf<Routes>
export function callsOf(
  parts: Pick<Parts, 'ctx' | 'ready'>,
  routes: Readonly<Record<string, InProcessRoute>>,
): object {
  const calls = Object.entries(routes).map(([name, route]) => [name, callOf(parts, route)] as const)
  return Object.fromEntries(calls)
}

/** A field given as `undefined` counts as left out, as in JSON. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutUndefined)
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(given.map(([name, member]) => [name, withoutUndefined(member)]))
}

/** What a caller gives, in the order of the function's parameters. */
function callOf(parts: Pick<Parts, 'ctx' | 'ready'>, route: InProcessRoute) {
  return async (caller: GivenCaller, ...given: unknown[]): Promise<object> => {
    const id = route.path.includes('{pk}') ? given.shift() : ''
    const input = route.input === undefined ? undefined : given.shift()
    const query = route.query === undefined ? {} : (given.shift() ?? {})
    const options = (given.shift() ?? {}) as CallWith
    try {
      return await call(parts, route, { caller, id: String(id), input, query, options })
    } catch (error) {
      // A database that is away is a failure of a kind here too, not the driver's.
      throw storeTrouble(error) ?? error
    }
  }
}

interface Given {
  caller: GivenCaller
  id: string
  input: unknown
  query: object
  options: CallWith
}

async function call(
  { ctx, ready }: Pick<Parts, 'ctx' | 'ready'>,
  route: InProcessRoute,
  { caller, id, input, query, options }: Given,
): Promise<object> {
  await ready()
  refuseValue(input)
  refuseValue(query)
  // Inside a step that has an id already, the log and the audit keep that one.
  const known = ctx.telemetry?.marks?.()['request_id']
  const answer = await performRoute(ctx, route, {
    caller: checkedCaller(caller),
    request_id: known ?? requestIdOf(undefined),
    id,
    action: '',
    input: withoutUndefined(input),
    query: { ...query },
    idempotency_key: options.idempotencyKey,
  })
  switch (answer.kind) {
    case 'problem':
      throw new RequestProblem(answer.code)
    case 'kept':
      return bodyOfKept(answer.reply)
    case 'body':
      return answer.body
    case 'stream':
      return answer
  }
}

/** The body of a kept reply; a kept refusal is thrown again as the failure it was. */
function bodyOfKept({ code, body }: Reply): object {
  if (code >= 400 && isProblem(body)) throw failureOf(body)
  return body
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
