// The handler for hosts that give Node's own request. A webhook, which comes by the thousand, is
// served here by the same functions that the app calls; everything else, and every webhook that is
// not plain, is the app's.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { traceOf } from '../domain/error_trace.ts'
import { codeOf, type AppOptions } from '../http/platform/app.ts'
import { refuseTwoCallers } from '../http/platform/authentication.ts'
import { BODY_BYTES_MAX, readBody } from '../http/platform/json_body.ts'
import { trimmed } from '../http/platform/paths.ts'
import { performRoute, requestIdOf } from '../http/platform/perform.ts'
import type { Ended, RequestLog } from '../http/platform/refusals.ts'
import {
  BASE_HEADERS,
  replyOfAnswer,
  replyOfError,
  type TextReply,
} from '../http/platform/replies.ts'
import type { Route } from '../http/platform/route.ts'
import type { Logger } from '../services/context.ts'
import { below } from './mount.ts'

/** A handler for bare `node:http`, Connect, Express and Nest. */
export type NodeHandler = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

interface Handling {
  prefix: string
  log: Logger
  /** Optional: without it the app serves webhooks too. */
  webhook?: WebhookRoute
}

/**
 * Express takes the path it was mounted under off `url` and keeps the whole in `originalUrl`; under
 * a wildcard, as in a module of Nest, it takes everything off. Bare Node has `url` alone. We route
 * by what is left after our prefix, if one was set, and make links from the whole.
 */
export function nodeHandlerOf(
  app: FastifyInstance,
  { prefix, log, webhook }: Handling,
): NodeHandler {
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
      if (webhook?.(request, response) !== true) app.routing(request, response)
    }
    const fail = (error: unknown): void => {
      log.error({ error: traceOf(error) }, 'routes could not be set up')
      response.destroy(error instanceof Error ? error : undefined)
    }
    if (is_ready) route()
    else app.ready().then(route, fail)
  }
}

/** Serves a plain webhook. False, and nothing is touched, if the app has to serve the request. */
export type WebhookRoute = (request: IncomingMessage, response: ServerResponse) => boolean

interface WebhookWiring extends Pick<AppOptions, 'ctx' | 'ready' | 'stopping'> {
  /** That of the app. */
  log: RequestLog
}

/** The media types that the app reads as JSON too, as they are usually spelt. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
])

export function webhookRoute(route: Route, wiring: WebhookWiring): WebhookRoute {
  const paths: ReadonlySet<string> = new Set([route.path, trimmed(route.path)])
  return (request, response) => {
    // An app that closes answers by itself.
    if (wiring.stopping?.aborted === true || !isPlain(request, paths)) return false
    const failed = (error: unknown): void => {
      response.destroy(error instanceof Error ? error : undefined)
    }
    serve(route, wiring, { request, response }).catch(failed)
    return true
  }
}

/** With a whole body that is still to be read and of a length that is allowed. */
function isPlain(request: IncomingMessage, paths: ReadonlySet<string>): boolean {
  const { method, url = '', headers, httpVersionMajor } = request
  if (method !== 'POST' || !paths.has(url) || httpVersionMajor !== 1) return false
  if (!JSON_TYPES.has(headers['content-type'] ?? '')) return false
  const length = Number(headers['content-length'])
  if (!(length > 0 && length <= BODY_BYTES_MAX)) return false
  return headers['transfer-encoding'] === undefined && !request.readableDidRead
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** In the order of the app: two callers, readiness, body, route. */
async function serve(route: Route, wiring: WebhookWiring, { request, response }: Exchange) {
  const began = performance.now()
  const { url = '', headers } = request
  const request_id = requestIdOf(headers['x-request-id'])
  const visit: Visit = { request_id, code: null, input: undefined }
  // An error is that of a client which has gone; without a listener it would end the process.
  const sent = new Promise((resolve) => {
    response.on('finish', resolve)
    response.on('error', resolve)
  })
  const { status, headers: own, body } = await replyTo(route, wiring, { request, visit })
  // A host's own time limit may have answered meanwhile.
  if (!response.headersSent) {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    response.writeHead(status, { 'x-request-id': request_id, ...BASE_HEADERS, ...own, ...length })
    response.end(body)
  }
  await sent
  const { statusCode } = response
  const duration_ms = performance.now() - began
  const line = { method: 'POST', route, pattern: url, status: statusCode, duration_ms }
  wiring.log.ended({ ...visit, ...line, url: () => url })
}

type Visit = Pick<Ended, 'request_id' | 'code' | 'input'>

async function replyTo(
  route: Route,
  { ctx, ready }: WebhookWiring,
  { request, visit }: { request: IncomingMessage; visit: Visit },
): Promise<TextReply> {
  const { request_id } = visit
  const { headers } = request
  let is_read = true
  try {
    refuseTwoCallers(request.rawHeaders)
    await ready()
    is_read = false
    visit.input = await readBody(request)
    is_read = true
    const idempotency_key = headers['idempotency-key']
    const asked = { id: '', action: '', input: visit.input, query: {}, idempotency_key, headers }
    const answer = await performRoute(ctx, route, { request_id, caller: null, ...asked })
    if (answer.kind === 'stream') throw new TypeError('the reply to a webhook is no file')
    return replyOfAnswer(answer, request_id)
  } catch (error) {
    visit.code = codeOf(error)
    const { authorization } = headers
    const place = { request_id, on_charge: false, on_notification: true, authorization }
    const reply = replyOfError(ctx.log, error, place)
    // Of a body that cannot be read more may follow, as after the app's parser.
    if (!is_read) reply.headers = { connection: 'close', ...reply.headers }
    return reply
  }
}
