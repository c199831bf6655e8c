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
import type { Context } from '../services/context.ts'
import { RequestProblem } from '../services/problem.ts'
import { authenticated, requireScope, type Authenticate } from './caller.ts'
import { performRoute } from './perform_route.ts'
import { readBody } from './json_body.ts'
import { sendError, sendOutcome } from './replies.ts'
import { requestIdOf } from './request_id.ts'
import { notificationRoute, createChargeRoute, ROUTES, type Route } from './routes.ts'

export interface AppOptions {
  ctx: Context
  authenticate: Authenticate
  /** Awaited before each request: refuses a database that is not ours to write to. */
  ready: () => Promise<void>
  /** The request as the host knows it, behind Fastify's. */
  original?: (request: FastifyRequest) => OriginalRequest
  /** Whether the whole server is ours, so that unknown paths at its root are too. */
  owns_server?: boolean
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
  return async (app) => {
    takeBodies(app)
    addHooks(app, options, visitOf)
    for (const route of ROUTES) addRoute(app, route, { ...options, visitOf })
    for (const [path, methods] of methodsByPath()) refuseOtherMethods(app, path, methods)
    // At a host's root the answer to unknown paths is the host's.
    if (app.prefix === '' && options.owns_server !== true) return
    app.setNotFoundHandler(() => {
      throw new RequestProblem('not_found')
    })
  }
}

function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', readBody)
}

function addHooks(
  app: FastifyInstance,
  { ctx, ready }: AppOptions,
  visitOf: (request: FastifyRequest) => Visit,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': visitOf(request).request_id, 'cache-control': 'no-store' })
    await ready()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const line = {
      request_id: visitOf(request).request_id,
      method,
      route: routeOptions.url ?? null,
    }
    const duration_ms = Math.round(reply.elapsedTime)
    ctx.log.info({ ...line, status: reply.statusCode, duration_ms }, 'request')
  })
  app.setErrorHandler((error, request, reply) => {
    const { url = '' } = request.routeOptions
    const at = (route: Route): boolean => trimmed(url).endsWith(trimmed(route.path))
    const place = {
      request_id: visitOf(request).request_id,
      on_charge: at(createChargeRoute),
      on_notification: at(notificationRoute),
    }
    sendError(reply, ctx.log, error, place)
  })
}

const trimmed = (path: string): string => path.replace(/\/$/, '')

type Wiring = AppOptions & { visitOf: (request: FastifyRequest) => Visit }

function addRoute(app: FastifyInstance, route: Route, wiring: Wiring): void {
  const { ctx, authenticate, visitOf, original = plainly } = wiring
  for (const url of spellings(app, route.path)) {
    app.route<{ Params: { pk?: string } }>({
      method: route.method,
      url,
      ...(route.method === 'GET' && { exposeHeadRoute: true }),
      // Before the body is read: who is not known need not be listened to.
      onRequest: async (request) => {
        if (route.access === 'public') return
        const { method, headers } = request
        const caller = await authenticated(authenticate, { method, headers, ...original(request) })
        requireScope(caller, route.scope)
        visitOf(request).caller = caller
      },
      handler: async (request, reply: FastifyReply) => {
        const [path = '', search = ''] = original(request).url.split('?', 2)
        const outcome = await performRoute(ctx, route, {
          ...visitOf(request),
          id: request.params.pk ?? '',
          input: request.body,
          query: queryOf(search),
          path,
          idempotency_key: request.headers['idempotency-key'],
        })
        await sendOutcome(reply, outcome, visitOf(request).request_id)
      },
    })
  }
}

const plainly = (request: FastifyRequest): OriginalRequest => ({
  url: request.originalUrl,
  native: request,
})

/** Our own reading: a host's parser may make objects of brackets. A repeated name is an array. */
function queryOf(search: string): Record<string, unknown> {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

/** Both forms of a path, in the router's spelling; one where the host's router folds them. */
function spellings(app: FastifyInstance, path: string): string[] {
  const url = path.replace('{pk}', ':pk')
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  const folded = ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true
  return folded ? [url] : [url, trimmed(url)]
}

function methodsByPath(): Map<string, HTTPMethods[]> {
  const methods = new Map<string, HTTPMethods[]>()
  for (const { path, method } of ROUTES) {
    const taken = method === 'GET' ? ['GET', 'HEAD'] : [method]
    methods.set(path, [...(methods.get(path) ?? []), ...taken])
  }
  return methods
}

/** 405 with Allow on a path we know (D-14). */
function refuseOtherMethods(app: FastifyInstance, path: string, taken: HTTPMethods[]): void {
  const others = app.supportedMethods.filter((method) => !taken.includes(method))
  for (const url of spellings(app, path)) {
    app.route({
      method: others,
      url,
      onRequest: async (_request, reply) => {
        reply.header('allow', taken.join(', '))
        throw new RequestProblem('method_not_allowed')
      },
      handler: () => undefined,
    })
  }
}
