import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OriginalRequest } from '../http/platform/app.ts'
import { BODY_BYTES_MAX } from '../http/platform/json_body.ts'
import { trimmed } from '../http/platform/paths.ts'
import { acceptsEvents } from '../http/platform/replies.ts'
import { requestIdOf } from '../http/platform/perform.ts'
import { problemOf } from '../services/problem.ts'
import type { Logger } from '../services/context.ts'
import { below } from './mount.ts'
import { ROUTES } from './routes.ts'

/** A handler for Hono, Next and whatever speaks the standard `Request`. */
export type FetchHandler = (request: Request) => Promise<Response>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const current = new AsyncLocalStorage<OriginalRequest>()

/** The request as its client sent it: the standard one if we are inside a `fetchHandler`. */
export const originalOf = (request: FastifyRequest): OriginalRequest =>
  current.getStore() ?? { url: request.originalUrl, native: request.raw }

/** Answers a standard request through the same router as everybody else's. */
export const fetchHandlerOf =
  (app: FastifyInstance, prefix: string, log: Logger): FetchHandler =>
  async (request) => {
    if (request.bodyUsed) return alreadyRead(request, log)
    const { host, pathname, search } = new URL(request.url)
    const url = `${pathname}${search}`
    const path = below(prefix, url) ?? '/'
    const injected = {
      // What is not in the list is refused like OPTIONS, with Allow.
      method: METHODS.find((method) => method === request.method) ?? 'OPTIONS',
      url: path,
      // A standard request need not have the header that says whom it was sent to.
      headers: { host, ...Object.fromEntries(request.headers) },
      payload: await beginningOf(request.body, bytesMaxOf(path)),
      // A standard request does not say where it came from.
      remoteAddress: 'unknown',
    }
    const gone = new AbortController()
    const original = { url, native: request, gone: gone.signal }
    const payloadAsStream = acceptsEvents(request.headers.get('accept'))
    const answer = await current.run(
      original,
      async () => await app.inject({ ...injected, payloadAsStream }),
    )
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      // The connection is the host's.
      if (value === undefined || name === 'connection') continue
      // Each cookie is a header of its own.
      for (const one of [value].flat()) headers.append(name, String(one))
    }
    const status = answer.statusCode
    if (request.method === 'HEAD') return new Response(null, { status, headers })
    if (!payloadAsStream) return new Response(answer.body, { status, headers })
    request.signal.addEventListener('abort', () => gone.abort())
    return new Response(passedOn(answer.stream(), gone), { status, headers })
  }

/** As it comes. A host that takes no more of it has lost its client. */
function passedOn(chunks: Readable, gone: AbortController): ReadableStream<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const taken = await iterator.next()
      if (taken.done === true) controller.close()
      else controller.enqueue(taken.value)
    },
    cancel: () => gone.abort(),
  })
}

/** By path: routes that take a file have fixed ones. */
const FILE_BYTES_MAX: ReadonlyMap<string, number> = new Map(
  ROUTES.flatMap(({ path, body_bytes_max }) =>
    body_bytes_max === undefined ? [] : [[trimmed(path), body_bytes_max] as const],
  ),
)

const bytesMaxOf = (path: string): number =>
  FILE_BYTES_MAX.get(trimmed(path.split('?', 1)[0] ?? '')) ?? BODY_BYTES_MAX

/** As much as is needed to see that it is too much. */
async function beginningOf(body: Request['body'], bytes_max: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream: AsyncIterable<Uint8Array> | [] = body ?? []
  for await (const chunk of stream) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > bytes_max) break
  }
  return Buffer.concat(chunks)
}

function alreadyRead(request: Request, log: Logger): Response {
  const problem = problemOf('body_already_read', requestIdOf(request.headers.get('x-request-id')))
  const { request_id, status, code, title } = problem
  log.error({ request_id, status, code, error: [title] }, 'request failed')
  const headers = { 'content-type': 'application/problem+json; charset=utf-8' }
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
