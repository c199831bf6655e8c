import type { FastifyPluginAsync } from 'fastify'
import type { Signal } from '../domain/signals.ts'
import { subscribe, type Subscriber, type Subscription } from '../events/subscribers.ts'
import { gapuraRoutes } from '../http/app.ts'
import { bearerCallers, type JwtSettings } from '../http/bearer.ts'
import type { Authenticate } from '../http/caller.ts'
import { createOwnApp } from '../http/own_app.ts'
import { createApiKey, endApiKey, type ApiKeyOrder } from '../services/callers.ts'
import { migrate } from '../store/migrate.ts'
import { migrateJobs } from '../tasks/runner.ts'
import { createApi, type GapuraApi } from './api.ts'
import { compose, type PartsOptions } from './compose.ts'
import { fetchHandlerOf, originalOf, type FetchHandler } from './fetch_handler.ts'
import { prefixOf } from './mount.ts'
import { nodeHandlerOf, type NodeHandler } from './node_handler.ts'
import { startWorker, type RunningWorker, type WorkerOptions } from './worker.ts'

export interface GapuraOptions extends PartsOptions {
  /** Who is calling, by the host's own lights. Otherwise API keys, and JWTs if `jwt` is set. */
  authenticate?: Authenticate
  jwt?: JwtSettings
  /**
   * Where `nodeHandler` and `fetchHandler` find our routes in the whole path. Not needed where a
   * host takes its mount path off first, as Express does; a Fastify takes it at `register`.
   */
  prefix?: string
}

export interface Gapura {
  /** For Fastify: `app.register(gapura.plugin, { prefix: '/pay' })`. */
  plugin: FastifyPluginAsync
  /** For bare `node:http`, Connect, Express, Nest: `app.use('/pay', gapura.nodeHandler)`. */
  nodeHandler: NodeHandler
  /** For Hono, Next and the like. */
  fetchHandler: FetchHandler
  api: GapuraApi
  /** Says who is to be told of what. Before `startWorker`, in every process that has the handler. */
  subscribe: <const S extends Signal>(subscription: Subscription<S>) => void
  /** Tells events, runs tasks and sweeps, resolves what was left open. In as many processes as wanted. */
  startWorker: (options?: Omit<WorkerOptions, 'subscribers'>) => Promise<RunningWorker>
  /** Brings the tables to this release's form; returns what it applied. */
  migrate: () => Promise<string[]>
  /** Checks the database now instead of at the first request. */
  ready: () => Promise<void>
  createApiKey: (order: ApiKeyOrder) => Promise<{ id: string; key: string }>
  revokeApiKey: (id: string) => Promise<boolean>
  close: () => Promise<void>
}

/** The service, to be mounted anywhere. Nothing is connected before it is used. */
export function createGapura(options: GapuraOptions): Gapura {
  const prefix = prefixOf(options.prefix)
  const parts = compose(options)
  const { ctx, ready } = parts
  const authenticate = options.authenticate ?? bearerCallers(ctx, options.jwt)
  const routes = { ctx, authenticate, ready }
  const app = createOwnApp({ ...routes, original: originalOf })
  const subscribers: Subscriber[] = []
  return {
    plugin: async (host, settings) => {
      // A host of the wrong database should fail as it starts, not at the first payment.
      host.addHook('onReady', ready)
      await gapuraRoutes(routes)(host, settings)
    },
    nodeHandler: nodeHandlerOf(app, prefix),
    fetchHandler: fetchHandlerOf(app, prefix),
    api: createApi(parts),
    subscribe: (subscription) => {
      subscribers.push(subscribe(subscription))
    },
    startWorker: async (settings = {}) => {
      await ready()
      return await startWorker(ctx, { ...settings, subscribers })
    },
    migrate: async () => {
      const applied = await migrate(ctx.db)
      await migrateJobs(ctx)
      return applied
    },
    ready,
    createApiKey: async (order) => await createApiKey(ctx, order),
    revokeApiKey: async (id) => await endApiKey(ctx, id),
    close: async () => {
      await app.close()
      await parts.close()
    },
  }
}
