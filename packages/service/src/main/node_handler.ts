import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { traceOf } from '../domain/error_trace.ts'
import type { Logger } from '../services/context.ts'
import { below } from './mount.ts'

/** A handler for bare `node:http`, Connect, Express and Nest. */
export type NodeHandler = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/**
 * Express takes the path it was mounted under off `url` and keeps the whole in `originalUrl`; under
 * a wildcard, as in a module of Nest, it takes everything off. Bare Node has `url` alone. We route
 * by what is left after our prefix, if one was set, and make links from the whole.
 */
export function nodeHandlerOf(app: FastifyInstance, prefix: string, log: Logger): NodeHandler {
  let is_ready = false
  return (request, response, next) => {
    const { url = '/', originalUrl = url } = request
    const mounted = originalUrl !== url
    const routed = below(prefix, url) ?? below(prefix, originalUrl) ?? (mounted ? url : undefined)
    if (routed === undefined && next !== undefined) {
      next()
      return
    }
    request.originalUrl = originalUrl
    // No route of ours is empty, so this is the 404 of every other unknown path.
    request.url = routed ?? '/'
    const route = (): void => {
      is_ready = true
      app.routing(request, response)
    }
    const fail = (error: unknown): void => {
      log.error({ error: traceOf(error) }, 'routes could not be set up')
      response.destroy(error instanceof Error ? error : undefined)
    }
    if (is_ready) route()
    else app.ready().then(route, fail)
  }
}
