import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CONTROL } from '../control/routes.ts'
import { PAGES } from '../pages/routes.ts'
import { parseFields } from '../wire/fields.ts'
import type { Call } from './call.ts'
import type { Host } from './host.ts'
import { OPERATIONS } from './operations.ts'
import { perform } from './perform.ts'
import { httpReply, type Reply } from './reply.ts'
import { RouteTable } from './route_table.ts'
import { isForeignPost } from './same_origin.ts'

const BODY_BYTES_MAX = 1024 * 1024

const operations = new RouteTable(OPERATIONS)
const control = new RouteTable([...CONTROL, ...PAGES])

/** The gateway's HTTP server and, under /_sim/, the control API and its pages. */
export function createHttpServer(host: Host): Server {
  return createServer((request, response) => {
    serve(host, request, response).catch((error: unknown) => {
      // A bug of the simulator must not look like a behaviour of the gateway.
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      write(response, httpReply(500, { simulator_error: message }))
    })
  })
}

async function serve(host: Host, request: IncomingMessage, response: ServerResponse) {
  const body_text = await readBody(request)
  if (body_text === undefined) {
    write(response, httpReply(413, { simulator_error: 'the body is over 1 MiB' }))
    return
  }
  const url = URL.parse(request.url ?? '/', 'http://simulator') ?? new URL('http://simulator')
  const method = request.method ?? 'GET'
  const found = operations.find(method, url.pathname)
  if (found) {
    const { operation } = found.route
    const call = callOf(request, { url, body_text, operation, params: found.params })
    const ending = await perform(host.world(), call, found.route)
    // Without a reply the call ends by the caller's time-out or when the server closes.
    if (ending === 'drop') request.socket.destroy()
    else if (ending !== 'never') write(response, ending)
    return
  }
  const controlled = control.find(method, url.pathname)
  if (controlled) {
    const call = callOf(request, { url, body_text, operation: '', params: controlled.params })
    const foreign = isForeignPost(call, host.world().base_url)
    write(response, foreign ? FOREIGN : await controlled.route.handler(host, call))
    return
  }
  // The gateway's edge answers unknown routes with HTML (gateway-protocol.md#where-the-code-is).
  write(response, httpReply(404, '<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>'))
}

const FOREIGN = httpReply(403, {
  error: 'a page of another origin sent this; use the pages here, or a program',
})

function callOf(
  { method = 'GET', headers }: IncomingMessage,
  parts: { url: URL; body_text: string; operation: string; params: Record<string, string> },
): Call {
  const { url, body_text, operation, params } = parts
  const body = body_text === '' ? undefined : parseFields(body_text)
  return { operation, method, params, query: url.searchParams, headers, body_text, body }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue
    size += chunk.length
    if (size <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return size > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString('utf8')
}

function write(response: ServerResponse, { http_status, body, headers, picture }: Reply): void {
  if (response.headersSent || response.destroyed) return
  const text = picture ?? (typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(http_status, {
    'content-type': typeof body === 'string' ? textType(body) : 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

const textType = (text: string): string => (text.startsWith('<') ? 'text/html' : 'text/plain')
