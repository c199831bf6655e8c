import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { RequestProblem } from '../services/problem.ts'
import { problem, type Outcome } from '../services/requests.ts'
import { requireScope } from './caller.ts'
import { isUuid } from './cursors.ts'
import { idempotencyOf } from './idempotency.ts'
import type { Asked, Route } from './routes.ts'

/** One request to one route, with nothing of HTTP left in it. */
export interface Performed extends Omit<Asked, 'request'> {
  request_id: string
  caller: Caller | null
  idempotency_key: unknown
}

/** Runs a route for whoever is known to call. HTTP and the in-process API both end here. */
export async function performRoute(
  ctx: Context,
  route: Route,
  { request_id, caller, idempotency_key, ...asked }: Performed,
): Promise<Outcome> {
  if (route.access === 'public') return await route.run(ctx, asked.input)
  if (caller === null) throw new RequestProblem('unauthenticated')
  requireScope(caller, route.scope)
  const { method, path: pattern } = route
  const what = { method, pattern, id: asked.id, body: asked.input }
  const idempotency = method === 'POST' ? idempotencyOf(idempotency_key, what) : null
  // What is no UUID is no object of ours; the database would call it an error.
  if (pattern.includes('{pk}') && !isUuid(asked.id)) return problem('not_found')
  return await route.run(ctx, { ...asked, request: { caller, request_id, idempotency } })
}
