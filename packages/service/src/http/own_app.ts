import Fastify, { type FastifyInstance } from 'fastify'
import { RequestProblem } from '../services/problem.ts'
import { gapuraRoutes, type AppOptions } from './app.ts'
import { BASE_HEADERS, sendError } from './replies.ts'
import { requestIdOf } from './request_id.ts'

const PARAMETER_LENGTH_MAX = 200

/** A Fastify of our own around the routes, for hosts that are not Fastify. It never listens. */
export function createOwnApp(options: AppOptions): FastifyInstance {
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
  app.register(gapuraRoutes({ ...options, owns_server: true }))
  return app
}
