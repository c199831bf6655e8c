import type { Caller } from '../domain/caller.ts'
import { PROBLEMS } from '../domain/problems.ts'
import { NO_TELEMETRY } from '../domain/telemetry.ts'
import { contextFor, type Context } from '../services/context.ts'
import { RequestProblem } from '../services/problem.ts'
import { problem, type Answered } from '../services/requests.ts'
import { requireScope } from './caller.ts'
import { isUuid } from './cursors.ts'
import { idempotencyOf } from './idempotency.ts'
import type { Asked, Route } from './route.ts'

/** One request to one route, with nothing of HTTP left in it. */
export interface Performed extends Omit<Asked, 'request'> {
  request_id: string
  caller: Caller | null
  idempotency_key: unknown
  /** For the trace of the caller, if she has one. */
  headers?: Readonly<Record<string, unknown>>
}

/** Runs a route for whoever is known to call. HTTP and the in-process API both end here. */
export async function performRoute(
  ctx: Context,
  route: Route,
  { headers, ...performed }: Performed,
): Promise<Answered> {
  const { trace } = ctx.telemetry ?? NO_TELEMETRY
  const { method, path } = route
  const step = {
    name: `${method} ${path}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': path },
    marks: { request_id: performed.request_id },
    ...(headers && { headers }),
  } as const
  return await trace(step, async (learn) => {
    const outcome = await perform(ctx, route, performed)
    learn({ 'http.response.status_code': statusOf(outcome) })
    return outcome
  })
}

function statusOf(outcome: Answered): number {
  if (outcome.kind === 'stream') return 200
  return outcome.kind === 'reply' ? outcome.reply.code : PROBLEMS[outcome.code].status
}

async function perform(
  ctx: Context,
  route: Route,
  { request_id, caller, idempotency_key, ...asked }: Omit<Performed, 'headers'>,
): Promise<Answered> {
  if (route.access === 'public') return await route.run(ctx, asked.input)
  if (caller === null) throw new RequestProblem('unauthenticated')
  if (route.staff === true && !caller.staff) throw new RequestProblem('not_found')
  requireScope(caller, route.scope)
  const { method } = route
  // An action is part of what a key stands for, wherever in the request it is named.
  const pattern = route.path.replace('{action_name}', asked.action)
  const what = { method, pattern, id: asked.id, body: asked.input }
  const idempotency = method === 'POST' ? idempotencyOf(idempotency_key, what) : null
  // What is no UUID is no object of ours; the database would call it an error.
  if (pattern.includes('{pk}') && !isUuid(asked.id)) return problem('not_found')
  const request = { caller, request_id, idempotency }
  return await route.run(contextFor(ctx, caller.owner_id), { ...asked, request })
}
