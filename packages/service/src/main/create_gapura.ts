import type { FastifyPluginAsync } from 'fastify'
import { gapuraRoutes } from '../http/app.ts'
import { bearerCallers, type JwtSettings } from '../http/bearer.ts'
import type { Authenticate } from '../http/caller.ts'
import { createOwnApp } from '../http/own_app.ts'
import { createApiKey, endApiKey, type ApiKeyOrder } from '../services/callers.ts'
import { migrate } from '../store/migrate.ts'
import { createApi, type GapuraApi } from './api.ts'
import { compose, type PartsOptions } from './compose.ts'
import { fetchHandlerOf, originalOf, type FetchHandler } from './fetch_handler.ts'
import { prefixOf } from './mount.ts'
import { nodeHandlerOf, type NodeHandler } from './node_handler.ts'

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
  return {
    plugin: async (host, settings) => {
      // A host of the wrong database should fail as it starts, not at the first payment.
      host.addHook('onReady', ready)
      await gapuraRoutes(routes)(host, settings)
    },
    nodeHandler: nodeHandlerOf(app, prefix),
    fetchHandler: fetchHandlerOf(app, prefix),
    api: createApi(parts),
    migrate: async () => await migrate(ctx.db),
    ready,
    createApiKey: async (order) => await createApiKey(ctx, order),
    revokeApiKey: async (id) => await endApiKey(ctx, id),
    close: async () => {
      await app.close()
      await parts.close()
    },
  }
}
