import type { FastifyInstance, HTTPMethods } from 'fastify'
import { RequestProblem } from '../../services/problem.ts'

export const trimmed = (path: string): string => path.replace(/\/$/, '')

/** Both forms of a path, in the router's spelling; one where the host's router folds them. */
export function spellings(app: FastifyInstance, path: string): string[] {
  const url = path.replace(/\{(\w+)\}/g, ':$1')
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig
  const folded = ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true
  return folded || !url.endsWith('/') ? [url] : [url, trimmed(url)]
}

/** 405 with Allow on a path we know (api-rules.md#errors). */
export function refuseOtherMethods(app: FastifyInstance, path: string, taken: HTTPMethods[]): void {
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
