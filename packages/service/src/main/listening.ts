import { createServer, type Server } from 'node:http'
import { refuseExpectation, refuseHostless, refuseUnreadable } from './wire_refusals.ts'

type Handler = NonNullable<Parameters<typeof createServer>[1]>

// Slow clients hold a connection at most this long before their request is whole.
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 15_000
/** How often that is looked at. Node does so every 30 s, and a slow client would have as long more. */
const LOOK_EVERY_MS = 2_000
const HEADER_BYTES_MAX = 16_384

/** How often connections that fell idle meanwhile are closed while a server ends. */
const CLOSE_IDLE_EVERY_MS = 50

export interface Place {
  host: string
  port: number
}

export interface Listening {
  url: string
  /** Answers what comes, but keeps no connection open behind it. */
  drain: () => void
  /** Takes no more, lets what is under way end. False if it had to be cut off. */
  close: (within_ms: number) => Promise<boolean>
}

/** A bare server with bounds on what a client may make it hold. */
export async function listen(handler: Handler, { host, port }: Place): Promise<Listening> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Refused by ourselves, with a body as every refusal has one.
    requireHostHeader: false,
  })
  let draining = false
  server.on('request', (request, response) => {
    if (draining) response.setHeader('connection', 'close')
    if (!refuseHostless(request, response)) handler(request, response)
  })
  server.on('checkExpectation', refuseExpectation)
  server.on('clientError', refuseUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    drain: () => {
      draining = true
    },
    close: async (within_ms) => await ended(server, within_ms),
  }
}

async function ended(server: Server, within_ms: number): Promise<boolean> {
  let whole = true
  const late = setTimeout(() => {
    whole = false
    server.closeAllConnections()
  }, within_ms)
  // A connection whose last answer has just gone out would otherwise wait for its client.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  await new Promise((resolve) => {
    server.close(resolve)
  })
  clearInterval(idle)
  clearTimeout(late)
  return whole
}
