import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import type { Signal } from '../domain/signals.ts'
import type { GatewayClient } from '../gateway/client.ts'
import { subscribe, type Subscriber, type Subscription } from '../events/subscribers.ts'
import { ownCallers, type Authenticate, type JwtSettings } from '../http/platform/authentication.ts'
import { checkedOrigins } from '../http/platform/cross_site.ts'
import type { DocsAccess } from '../http/platform/docs.ts'
import type { LimitSettings } from '../http/platform/limits.ts'
import { requestLog } from '../http/platform/refusals.ts'
import { notification } from '../http/payments.ts'
import type { OidcSettings } from '../http/platform/oidc.ts'
import { createOwnApp, gapuraRoutes } from './routes.ts'
import { checkRetention, type Retention } from '../services/sweeps/run_maintenance.ts'
import {
  createApiKey,
  endApiKey,
  listApiKeys,
  type ApiKeyOrder,
  type KeyChange,
} from '../services/access/callers.ts'
import type { Context } from '../services/context.ts'
import type { ApiKey } from '../store/access/api_keys.ts'
import { withRemedies } from '../store/connection/errors.ts'
import { migrate } from '../store/schema/migrate.ts'
import { migrateJobs } from '../tasks/runner.ts'
import { createApi, createStaff, type GapuraApi, type GapuraStaff } from './api.ts'
import { compose, type PartsOptions } from './compose.ts'
import { fetchHandlerOf, originalOf, type FetchHandler } from './fetch_handler.ts'
import { dashboardFiles, type DashboardAccess } from './dashboard_files.ts'
import type { Health } from './health.ts'
import { prefixOf } from './mount.ts'
import { nodeHandlerOf, webhookRoute, type NodeHandler } from './node_handler.ts'
import type { NatsSettings } from './optional_packages.ts'
import { operate } from './operate.ts'
import { createTasks, type GapuraTasks } from './tasks.ts'
import { startWorker, type RunningWorker, type WorkerOptions } from './worker.ts'

export interface GapuraOptions extends PartsOptions {
  /** The host's own authentication function. Otherwise API keys, and JWTs if `jwt` is set. */
  authenticate?: Authenticate
  jwt?: JwtSettings
  /** Single sign-on for staff (staff-sign-in.md); not with the host's own authentication function. */
  oidc?: OidcSettings
  /**
   * Where `nodeHandler` and `fetchHandler` find our routes in the whole path. Not needed where a
   * host takes its mount path off first, as Express does; a Fastify takes it at `register`.
   */
  prefix?: string
  /** What the worker's maintenance may drop, and when; by default nothing (ADR 0018). */
  retention?: Retention
  /** Publishes every event to NATS JetStream, from the worker (event-feed.md#message-bus). */
  nats?: NatsSettings
  /**
   * Who may read the interface document at `openapi.json`, with the page at `docs/` to try it:
   * `callers` by default, everyone if `public`; if `off`, neither is served.
   */
  docs?: DocsAccess
  /**
   * The staff pages at `dashboard/`: served if `@gapura/dashboard` is installed (`auto`, the
   * default), or not at all (`off`).
   */
  dashboard?: DashboardAccess
  /** What one caller may use of this process over HTTP; by default 64 requests at once. */
  limits?: LimitSettings
  /**
   * Origins whose pages may change something without an `Authorization` header, as in
   * `https://shop.example`; the service's own origin needs no entry.
   */
  allowed_origins?: readonly string[]
}

export interface Gapura {
  /** For Fastify: `app.register(gapura.plugin, { prefix: '/pay' })`. */
  plugin: FastifyPluginAsync
  /** For bare `node:http`, Connect, Express, Nest: `app.use('/pay', gapura.nodeHandler)`. */
  nodeHandler: NodeHandler
  /** For Hono, Next and the like. */
  fetchHandler: FetchHandler
  api: GapuraApi
  tasks: GapuraTasks
  /**
   * The operations of the gateway, without our records: what a call changes there reaches the
   * payment by its notification or next check. Prefer `api`, which stores before it sends.
   */
  client: GatewayClient
  /** What staff do: the inbox, open operations, dead events, alarms, orders made elsewhere. */
  staff: GapuraStaff
  /** Registers an event handler; call it before `startWorker` in every process that has it. */
  subscribe: <const S extends Signal>(subscription: Subscription<S>) => void
  /** Delivers events, runs tasks and sweeps, resolves open operations; any number may run. */
  startWorker: (options?: Omit<WorkerOptions, 'subscribers'>) => Promise<RunningWorker>
  /** Brings the tables to this release's form; returns what it applied. */
  migrate: () => Promise<string[]>
  /** How this process is, for a host's own probes. */
  health: () => Promise<Health>
  /** All metrics in the Prometheus text format, for a host's own page of them. */
  metrics: () => Promise<string>
  /** Or both for a port of their own: `createServer(gapura.adminHandler).listen(9464)`. */
  adminHandler: (request: IncomingMessage, response: ServerResponse) => void
  /** Turns `/readyz` to 503 and ends what is followed live, so that a balancer sends elsewhere before the end begins. */
  stopping: () => void
  /** Checks the database now instead of at the first request. */
  ready: () => Promise<void>
  /** `by` and `reason` are for the audit. */
  createApiKey: (order: ApiKeyOrder & KeyChange) => Promise<{ id: string; key: string }>
  listApiKeys: (owner_id: string) => Promise<ApiKey[]>
  revokeApiKey: (id: string, change?: KeyChange) => Promise<boolean>
  close: () => Promise<void>
}

/** The service, to be mounted anywhere. Nothing is connected before it is used. */
export function createGapura(options: GapuraOptions): Gapura {
  const prefix = prefixOf(options.prefix)
  const { retention = {} } = options
  checkRetention(retention)
  const parts = compose(options)
  const { ctx, ready } = parts
  const authenticate = options.authenticate ?? ownCallers(ctx, options.jwt)
  const stopping = new AbortController()
  const routes = { ctx, authenticate, ready, stopping: stopping.signal, ...servedBy(options) }
  const log = requestLog(ctx, Date.now)
  const app = createOwnApp({ ...routes, original: originalOf, log })
  const webhook = webhookRoute(notification.receiveNotification, { ...routes, log })
  const subscribers: Subscriber[] = []
  const operated = operate(parts)
  return {
    plugin: async (host, settings) => {
      // A host of the wrong database should fail as it starts, not at the first payment.
      host.addHook('onReady', ready)
      await gapuraRoutes(routes)(host, settings)
    },
    nodeHandler: nodeHandlerOf(app, { prefix, log: ctx.log, webhook }),
    fetchHandler: fetchHandlerOf(app, prefix, ctx.log),
    api: createApi(parts),
    tasks: createTasks(parts),
    client: ctx.gateway,
    staff: createStaff(parts),
    subscribe: (subscription) => {
      subscribers.push(subscribe(subscription))
    },
    startWorker: async (settings = {}) => {
      await ready()
      const { nats, alerts, publicUrl: public_url, webhooks } = options
      const own = { retention, nats, alerts, public_url, webhooks, ...settings, subscribers }
      const started = async () => await startWorker(ctx, own)
      return operated.runs(await withRemedies(ctx.db.schema, started))
    },
    health: operated.health,
    metrics: operated.metrics,
    adminHandler: operated.adminHandler,
    stopping: () => stopAll(stopping, operated),
    ready,
    ...administer(ctx),
    close: async () => {
      stopAll(stopping, operated)
      await app.close()
      await parts.close()
    },
  }
}

/** Ends what is followed live, and reports the process as not ready. */
function stopAll(stopping: AbortController, { stops }: ReturnType<typeof operate>): void {
  stopping.abort()
  stops()
}

/** The calls of an administrator, whose failures name their remedy. */
function administer(
  ctx: Context,
): Pick<Gapura, 'migrate' | 'createApiKey' | 'listApiKeys' | 'revokeApiKey'> {
  const named = async <Result>(work: () => Promise<Result>): Promise<Result> =>
    await withRemedies(ctx.db.schema, work)
  return {
    migrate: async () =>
      await named(async () => {
        const applied = await migrate(ctx.db)
        await migrateJobs(ctx)
        return applied
      }),
    createApiKey: async (order) => await named(async () => await createApiKey(ctx, order)),
    listApiKeys: async (owner_id) => await named(async () => await listApiKeys(ctx, owner_id)),
    revokeApiKey: async (id, change) => await named(async () => await endApiKey(ctx, id, change)),
  }
}

/** What of the options is about serving, with what is taken where nothing is said. */
const servedBy = ({
  authenticate,
  oidc,
  publicUrl,
  docs = 'callers',
  dashboard = 'auto',
  limits = {},
  allowed_origins = [],
  gateway,
}: GapuraOptions) => ({
  docs,
  dashboard: dashboardFiles(dashboard),
  ...(authenticate === undefined && {
    sign_in: { ...(oidc && { oidc }), ...(publicUrl !== undefined && { public_url: publicUrl }) },
  }),
  limits,
  allowed_origins: checkedOrigins(allowed_origins),
  is_production: gateway.is_production === true,
})
