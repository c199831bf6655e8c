// The HTTP side: a Fastify plugin that can be registered anywhere under any prefix. It is not
// wrapped in fastify-plugin, which would throw the prefix away and let our hooks out. It relies on
// no setting of the host's server: paths, bodies, errors and ids are its own.
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify'
import type { Caller } from '../../domain/caller.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { Context } from '../../services/context.ts'
import { RequestProblem } from '../../services/problem.ts'
import { admission, refuseTwoCallers, type Admit, type Authenticate } from './authentication.ts'
import { refuseCrossSite } from './cross_site.ts'
import { addDashboard, type DashboardFiles } from './dashboard.ts'
import { addDocs, type DocsAccess } from './docs.ts'
import { readBody } from './json_body.ts'
import { LiveConnections, type LimitSettings } from './limits.ts'
import { withLinks } from './list.ts'
import { refuseOtherMethods, spellings, trimmed } from './paths.ts'
import { performRoute, requestIdOf, requireAccess } from './perform.ts'
import { requestLog, type RequestLog } from './refusals.ts'
import { BASE_HEADERS, followed, sendAnswer, sendError } from './replies.ts'
import type { Route } from './route.ts'
import { addSignIn, type SignInSettings } from './sign_in.ts'

export interface AppOptions {
  routes: readonly Route[]
  ctx: Context
  authenticate: Authenticate
  /** Awaited before each request: refuses a database that is not ours to write to. */
  ready: () => Promise<void>
  /** The request as the host knows it, behind Fastify's. */
  original?: (request: FastifyRequest) => OriginalRequest
  /** Whether the whole server is ours, so that unknown paths at its root are too. */
  owns_server?: boolean
  /** Who may read the interface document: callers by default (api-rules.md#authentication). */
  docs?: DocsAccess
  /** The staff's pages, if there are any (ADR 0024). */
  dashboard?: DashboardFiles
  /** How staff sign in here; absent where the host knows them (ADR 0033). */
  sign_in?: SignInSettings
  is_production?: boolean
  /** What one caller may take of this process. */
  limits?: LimitSettings
  /** Origins of other sites whose pages may send requests that change something. */
  allowed_origins?: readonly string[]
  /** Ends the connections that follow a route, so that the server can close. */
  stopping?: AbortSignal
  /** Where ended requests are counted and logged, if another way of serving shares it. */
  log?: RequestLog
  /** The time in milliseconds; only what is logged depends on it. */
  now?: () => number
}

export interface OriginalRequest {
  /** Path and query as the client sent them, with every prefix a host took off. */
  url: string
  native: unknown
  /** The client has gone, where closing the reply does not say it. */
  gone?: AbortSignal
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of routes that take a file. */
    body_bytes_max?: number
    /** The path of a route that answers other cells, without any prefix. */
    cells_path?: string
  }
}

/** What is known of a request before its route runs. */
interface Visit {
  request_id: string
  caller: Caller | null
  /** Why it was refused, by an error that has a code. */
  code?: string | null
}

/** The routes as a plugin: `app.register(plugin, { prefix: '/pay' })`. */
export function routesPlugin(options: AppOptions): FastifyPluginAsync {
  const visits = new WeakMap<FastifyRequest, Visit>()
  const visitOf = (request: FastifyRequest): Visit => {
    const known = visits.get(request)
    if (known !== undefined) return known
    const visit = { request_id: requestIdOf(request.headers['x-request-id']), caller: null }
    visits.set(request, visit)
    return visit
  }
  const { original = plainly, now = Date.now } = options
  const admit = admission({ ...options, original, now, cell: options.ctx.cell })
  const connections = new LiveConnections()
  return async (app) => {
    takeBodies(app)
    addHooks(app, options, visitOf)
    const live = { connections, stopping: stoppingOf(app, options) }
    for (const route of options.routes) addRoute(app, route, { ...options, admit, visitOf, live })
    for (const [path, methods] of methodsByPath(options.routes))
      refuseOtherMethods(app, path, methods)
    await addDocs(app, { ...options, original, admit })
    const { sign_in } = options
    if (sign_in !== undefined) addSignIn(app, { ...options, ...sign_in, original, now })
    addDashboard(app, { ...options, original })
    // At a host's root the answer to unknown paths is the host's.
    if (app.prefix === '' && options.owns_server !== true) return
    const listed = options.docs === 'off' ? '' : ' openapi.json under the mount prefix lists them.'
    app.setNotFoundHandler(() => {
      throw new RequestProblem('not_found', `Check the path: no route is there.${listed}`)
    })
  }
}

/** When the host closes its server, or the process says that it will. */
function stoppingOf(app: FastifyInstance, { stopping }: AppOptions): AbortSignal {
  const closing = new AbortController()
  app.addHook('preClose', async () => {
    closing.abort()
  })
  return stopping ? AbortSignal.any([stopping, closing.signal]) : closing.signal
}

function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = async ({ routeOptions }: FastifyRequest, stream: FastifyRequest['raw']) =>
    await readBody(stream, routeOptions.config.body_bytes_max)
  app.addContentTypeParser('application/json', parse)
}

function addHooks(
  app: FastifyInstance,
  options: AppOptions,
  visitOf: (request: FastifyRequest) => Visit,
): void {
  const { routes, ctx, ready, original = plainly, now = Date.now } = options
  const { log = requestLog(ctx, now) } = options
  const routeOf = routesBelow(app.prefix, routes)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': visitOf(request).request_id, ...BASE_HEADERS })
    refuseTwoCallers(request.raw.rawHeaders)
    await ready()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { request_id, code = null } = visitOf(request)
    const { url: pattern = null } = request.routeOptions
    log.ended({
      request_id,
      method: request.method,
      route: routeOf(pattern),
      pattern,
      status: reply.statusCode,
      code,
      duration_ms: reply.elapsedTime,
      input: request.body,
      url: () => original(request).url,
    })
  })
  app.addHook('onClose', async () => {
    log.close()
  })
  app.setErrorHandler((error, request, reply) => {
    const visit = visitOf(request)
    visit.code = codeOf(error)
    const route = routeOf(request.routeOptions.url ?? null)
    const place = {
      request_id: visit.request_id,
      on_charge: route?.is_charge === true,
      on_notification: route?.access === 'public',
    }
    sendError(reply, ctx.log, error, place)
  })
}

/** The code of an error that has one. */
export const codeOf = (error: unknown): string | null =>
  error instanceof GatewayError || error instanceof RequestProblem ? error.code : null

/** The route of a router's pattern, wherever it is mounted. */
function routesBelow(
  prefix: string,
  routes: readonly Route[],
): (url: string | null) => Route | undefined {
  const patterns = new Map(
    routes.map((route) => [trimmed(route.path.replaceAll(/\{(\w+)\}/g, ':$1')), route]),
  )
  // By the router's own patterns, of which there are as many as routes.
  const known = new Map<string | null, Route | undefined>()
  return (url) => {
    if (!known.has(url)) known.set(url, patterns.get(trimmed((url ?? '').slice(prefix.length))))
    return known.get(url)
  }
}

type Wiring = AppOptions & {
  admit: Admit
  visitOf: (request: FastifyRequest) => Visit
  live: { connections: LiveConnections; stopping: AbortSignal }
}

function addRoute(app: FastifyInstance, route: Route, wiring: Wiring): void {
  const { ctx, admit, visitOf, original = plainly, allowed_origins = [], limits = {} } = wiring
  const { trusted_proxies = 0 } = limits
  for (const url of spellings(app, route.path)) {
    app.route<{ Params: { pk?: string; action_name?: string } }>({
      method: route.method,
      url,
      ...(route.method === 'GET' && { exposeHeadRoute: true }),
      ...(route.body_bytes_max !== undefined && { bodyLimit: route.body_bytes_max }),
      config: {
        ...(route.body_bytes_max !== undefined && { body_bytes_max: route.body_bytes_max }),
        ...(route.between_cells === true && { cells_path: route.path }),
      },
      // Before the body is read: who is not known need not be listened to.
      onRequest: async (request, reply) => {
        if (route.access === 'public') return
        refuseCrossSite(request.method, request.headers, { allowed_origins, trusted_proxies })
        const caller = await admit(request, reply)
        if (route.access === 'staff' && !caller.staff) return await notThere(reply)
        requireAccess(caller, route)
        visitOf(request).caller = caller
      },
      handler: async (request, reply: FastifyReply) => {
        const { url: whole, gone } = original(request)
        const [path = '', search = ''] = whole.split('?', 2)
        const query = queryOf(search)
        const live = followed(route, reply, { ...wiring.live, ...(gone && { gone }) })
        const answer = await performRoute(ctx, live ?? route, {
          ...visitOf(request),
          id: request.params.pk ?? '',
          action: request.params.action_name ?? '',
          input: request.body,
          query,
          idempotency_key: request.headers['idempotency-key'],
          headers: request.headers,
        })
        if (answer.kind === 'body' && route.is_list === true) {
          answer.body = withLinks(answer.body, path, query)
        }
        await sendAnswer(reply, answer, visitOf(request).request_id)
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

function methodsByPath(routes: readonly Route[]): Map<string, HTTPMethods[]> {
  const methods = new Map<string, HTTPMethods[]>()
  for (const { path, method } of routes) {
    const taken = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...taken])
  }
  return methods
}

const PARAMETER_LENGTH_MAX = 200

/** A Fastify of our own around the routes, for hosts that are not Fastify. It never listens. */
export function ownApp(options: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // Paths that cannot be decoded come here instead of to any route.
    frameworkErrors: (_error, request, reply) => {
      const request_id = requestIdOf(request.headers['x-request-id'])
      const place = { request_id, on_charge: false, on_notification: false }
      reply.headers({ 'x-request-id': request_id, ...BASE_HEADERS })
      sendError(reply, options.ctx.log, new RequestProblem('not_found'), place)
    },
  })
  app.register(routesPlugin({ ...options, owns_server: true }))
  return app
}
