// How a call of the in-process API runs a route, whatever the route is.
import { ERRORS, type ErrorCode } from '../domain/error_catalogue.ts'
import { gatewayError, type Subject } from '../domain/errors.ts'
import type { Caller } from '../domain/caller.ts'
import { PROBLEMS, type ProblemCode } from '../domain/problems.ts'
import { OBJECT_KINDS } from '../domain/signals.ts'
import { checkedCaller } from '../http/caller.ts'
import { refuseValue } from '../http/json_body.ts'
import { performRoute } from '../http/perform_route.ts'
import { requestIdOf } from '../http/request_id.ts'
import type { CallerRoute } from '../http/route.ts'
import { contextFor, type Context } from '../services/context.ts'
import { RequestProblem, type Problem } from '../services/problem.ts'
import type { Reply } from '../services/requests.ts'
import { storeTrouble } from '../services/store_trouble.ts'
import type { Parts } from './compose.ts'

export interface CallWith {
  idempotencyKey?: string
}

export interface Call {
  caller: Caller
  id?: string
  /** Which action, where the route takes one. */
  action?: string
  input?: unknown
  options?: CallWith | undefined
}

/** Runs a route for a named caller and gives its body, or throws what HTTP would answer. */
export type Perform = <Body>(
  route: CallerRoute,
  is: (value: unknown) => value is Body,
  call: Call,
) => Promise<Body>

export const performer =
  ({ ctx, ready }: Pick<Parts, 'ctx' | 'ready'>): Perform =>
  async (route, is, { caller, id = '', action = '', input, options = {} }) =>
    await told(async () => {
      await ready()
      refuseValue(input)
      const outcome = await performRoute(ctx, route, {
        caller: checkedCaller(caller),
        request_id: requestIdOf(undefined),
        id,
        action,
        input,
        query: {},
        path: route.path,
        idempotency_key: options.idempotencyKey,
      })
      if (outcome.kind === 'problem') throw new RequestProblem(outcome.code)
      if (outcome.kind === 'stream') throw new TypeError('a reply of another route')
      return bodyOf(outcome.reply, is)
    })

type Query = Readonly<Record<string, unknown>>
export type List<Page> = (caller: Caller, query?: Query) => Promise<Page>

/** Makes the call of a list, whose neighbours are cursors here and not links. */
export type Lister = <Page>(
  list: (ctx: Context, caller: Caller, query: Query) => Promise<Page>,
) => List<Page>

export const lister =
  ({ ctx, ready }: Pick<Parts, 'ctx' | 'ready'>): Lister =>
  (list) =>
  async (caller, query = {}) =>
    await told(async () => {
      await ready()
      const checked = checkedCaller(caller)
      return await list(contextFor(ctx, checked.owner_id), checked, query)
    })

/** A database that is away is a failure of a kind here too, not the driver's. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw storeTrouble(error) ?? error
  }
}

/** Bodies of our own making, written a moment ago or kept since: one field tells them apart. */
export const has = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value
const isProblem = (value: unknown): value is Problem => has(value, 'code')

/** The body of a reply, or the failure it tells of, thrown. */
export function bodyOf<Body>({ code, body }: Reply, is: (value: unknown) => value is Body): Body {
  const value: unknown = JSON.parse(body)
  if (code >= 400 && isProblem(value)) throw failureOf(value)
  if (!is(value)) throw new TypeError('a reply of another route')
  return value
}

/** The failure a kept reply tells of, thrown as the first one was. */
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
