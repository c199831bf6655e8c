// The one door in: a Fastify plugin that can be registered anywhere under any prefix. It is not
// wrapped in fastify-plugin, which would throw the prefix away and let our hooks out. It relies on
// no setting of the host's server: paths, bodies, errors and ids are its own.
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify'
import type { Caller } from '../domain/caller.ts'
import { GatewayError } from '../domain/errors.ts'
import { isOrderId } from '../domain/order_id.ts'
import type { Context } from '../services/context.ts'
import { RequestProblem } from '../services/problem.ts'
import { admission, type Admit } from './admission.ts'
import { refuseTwoCallers, requireScope, type Authenticate } from './caller.ts'
import { performRoute } from './perform_route.ts'
import { refuseCrossSite } from './cross_site.ts'
import { readBody } from './json_body.ts'
import type { LimitSettings } from './limits.ts'
import { BASE_HEADERS, sendError, sendOutcome } from './replies.ts'
import { addDashboard, type DashboardFiles } from './dashboard.ts'
import { addDocs, type DocsAccess } from './docs.ts'
import { refuseOtherMethods, spellings, trimmed } from './paths.ts'
import { refusalsOf } from './refusals.ts'
import { requestIdOf } from './request_id.ts'
import type { Route } from './route.ts'
import { notificationRoute, createChargeRoute, ROUTES } from './routes.ts'

export interface AppOptions {
  ctx: Context
  authenticate: Authenticate
  /** Awaited before each request: refuses a database that is not ours to write to. */
  ready: () => Promise<void>
  /** The request as the host knows it, behind Fastify's. */
  original?: (request: FastifyRequest) => OriginalRequest
  /** Whether the whole server is ours, so that unknown paths at its root are too. */
  owns_server?: boolean
  /** Who may read the interface document: callers, unless told (api-rules.md#authentication). */
  docs?: DocsAccess
  /** The staff's pages, if there are any (ADR 0024). */
  dashboard?: DashboardFiles
  is_production?: boolean
  /** What one caller may take of this process. */
  limits?: LimitSettings
  /** Origins of other sites whose pages may send requests that change something. */
  allowed_origins?: readonly string[]
  /** The time in milliseconds; only what is logged depends on it. */
  now?: () => number
}

export interface OriginalRequest {
  /** Path and query as the client sent them, with every prefix a host took off. */
  url: string
  native: unknown
}

/** What is known of a request before its route runs. */
interface Visit {
  request_id: string
  caller: Caller | null
  /** Why it was refused, by an error that has a code. */
  code?: string
}

/** The routes of the service as a plugin: `app.register(plugin, { prefix: '/pay' })`. */
export function gapuraRoutes(options: AppOptions): FastifyPluginAsync {
  const visits = new WeakMap<FastifyRequest, Visit>()
  const visitOf = (request: FastifyRequest): Visit => {
    const known = visits.get(request)
    if (known !== undefined) return known
    const visit = { request_id: requestIdOf(request.headers['x-request-id']), caller: null }
    visits.set(request, visit)
    return visit
  }
  const { original = plainly, now = Date.now } = options
  const admit = admission({ ...options, original, now })
  return async (app) => {
    takeBodies(app)
    addHooks(app, options, visitOf)
    for (const route of ROUTES) addRoute(app, route, { ...options, admit, visitOf })
    for (const [path, methods] of methodsByPath()) refuseOtherMethods(app, path, methods)
    await addDocs(app, { ...options, original, admit })
    addDashboard(app, { ...options, original })
    // At a host's root the answer to unknown paths is the host's.
    if (app.prefix === '' && options.owns_server !== true) return
    const listed = options.docs === 'off' ? '' : ' openapi.json under the mount prefix lists them.'
    app.setNotFoundHandler(() => {
      throw new RequestProblem('not_found', `Check the path: no route is there.${listed}`)
    })
  }
}

function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', readBody)
}

function addHooks(
  app: FastifyInstance,
  { ctx, ready, now = Date.now }: AppOptions,
  visitOf: (request: FastifyRequest) => Visit,
): void {
  const refusals = refusalsOf(ctx.log, now)
  const patternOf = patternsBelow(app.prefix)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': visitOf(request).request_id, ...BASE_HEADERS })
    refuseTwoCallers(request.raw.rawHeaders)
    await ready()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { request_id, code = null } = visitOf(request)
    const { statusCode: status } = reply
    const { method } = request
    const { url = null } = request.routeOptions
    const duration_ms = reply.elapsedTime
    const route = patternOf(url)
    ctx.telemetry?.record({ kind: 'request', method, route, status, duration_ms })
    refusals.tellDue()
    if (route === notificationRoute.path && status >= 400 && status < 429) {
      refusals.note({ request_id, status, code, order_id: claimedOrderId(request.body) })
      return
    }
    const line = { request_id, method, route: url, status, duration_ms: Math.round(duration_ms) }
    ctx.log.info(line, 'request')
  })
  app.addHook('onClose', async () => {
    refusals.tellAll()
  })
  app.setErrorHandler((error, request, reply) => {
    const visit = visitOf(request)
    if (error instanceof GatewayError || error instanceof RequestProblem) visit.code = error.code
    const route = patternOf(request.routeOptions.url ?? null)
    const place = {
      request_id: visit.request_id,
      on_charge: route === createChargeRoute.path,
      on_notification: route === notificationRoute.path,
    }
    sendError(reply, ctx.log, error, place)
  })
}

const PATTERNS = new Map(ROUTES.map(({ path }) => [trimmed(path.replace('{pk}', ':pk')), path]))

/** The route as we name it, wherever it is mounted; all other paths are one. */
function patternsBelow(prefix: string): (url: string | null) => string {
  // By the router's own patterns, of which there are as many as routes.
  const known = new Map<string | null, string>()
  return (url) => {
    const pattern =
      known.get(url) ?? PATTERNS.get(trimmed((url ?? '').slice(prefix.length))) ?? 'other'
    known.set(url, pattern)
    return pattern
  }
}

/** Of a body nobody has vouched for: nothing is logged but what could be an order id. */
function claimedOrderId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('order_id' in body)) return null
  return typeof body.order_id === 'string' && isOrderId(body.order_id) ? body.order_id : null
}

type Wiring = AppOptions & { admit: Admit; visitOf: (request: FastifyRequest) => Visit }

function addRoute(app: FastifyInstance, route: Route, wiring: Wiring): void {
  const { ctx, admit, visitOf, original = plainly, allowed_origins = [], limits = {} } = wiring
  const { trusted_proxies = 0 } = limits
  for (const url of spellings(app, route.path)) {
    app.route<{ Params: { pk?: string; action_name?: string } }>({
      method: route.method,
      url,
      ...(route.method === 'GET' && { exposeHeadRoute: true }),
      // Before the body is read: who is not known need not be listened to.
      onRequest: async (request, reply) => {
        if (route.access === 'public') return
        refuseCrossSite(request.method, request.headers, { allowed_origins, trusted_proxies })
        const caller = await admit(request, reply)
        if (route.staff === true && !caller.staff) return await notThere(reply)
        requireScope(caller, route.scope)
        visitOf(request).caller = caller
      },
      handler: async (request, reply: FastifyReply) => {
        const [path = '', search = ''] = original(request).url.split('?', 2)
        const outcome = await performRoute(ctx, route, {
          ...visitOf(request),
          id: request.params.pk ?? '',
          action: request.params.action_name ?? '',
          input: request.body,
          query: queryOf(search),
          path,
          idempotency_key: request.headers['idempotency-key'],
          headers: request.headers,
        })
        await sendOutcome(reply, outcome, visitOf(request).request_id)
      },
    })
  }
}

/** As no route at all answers: without what admitting a caller has said already (ADR 0020). */
async function notThere(reply: FastifyReply): Promise<void> {
  for (const name of Object.keys(reply.getHeaders())) {
    if (name.startsWith('ratelimit')) reply.removeHeader(name)
  }
  reply.callNotFound()
  await reply
}

const plainly = (request: FastifyRequest): OriginalRequest => ({
  url: request.originalUrl,
  native: request,
})

/** Our own reading: a host's parser may make objects of brackets. A repeated name is an array. */
function queryOf(search: string): Record<string, unknown> {
  if (search === '') return {}
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

function methodsByPath(): Map<string, HTTPMethods[]> {
  const methods = new Map<string, HTTPMethods[]>()
  for (const { path, method } of ROUTES) {
    const taken = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...taken])
  }
  return methods
}
