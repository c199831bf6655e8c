// One HTTP exchange with the gateway: bounded in time and size, never redirected, and exact about
// whether anything was sent. Other files decide what the answer means.
import { Pool, type Dispatcher } from 'undici'

export interface TransportOptions {
  base_url: string
  connections_max: number
  connect_timeout_ms: number
  /** 256 KiB by default. */
  reply_bytes_max?: number
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
  timeout_ms: number
}

export interface HttpReply {
  http_status: number
  body: string
  retry_after_s: number | null
}

/** No reply came. `sent` false guarantees that the gateway cannot have seen the request. */
export class NoReply extends Error {
  readonly sent: boolean
  readonly cause_code: string

  constructor(sent: boolean, cause_code: string) {
    super(sent ? 'no complete reply' : 'not connected')
    this.sent = sent
    this.cause_code = cause_code
  }
}

/** Far above the longest real reply; a longer one is a fault or an attack. */
export const REPLY_BYTES_MAX = 256 * 1024

/** Failures of connecting: nothing of the request was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  // Refused by the library itself: closed, or an invalid request.
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_INVALID_ARG',
])

export class Transport {
  readonly #pool: Pool
  readonly #prefix: string
  /** The other end, for traces: the name and port of the gateway, never a path. */
  readonly server: { 'server.address': string; 'server.port': number }

  constructor({ base_url, connections_max, connect_timeout_ms, ...options }: TransportOptions) {
    const url = new URL(base_url)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    this.server = { 'server.address': url.hostname, 'server.port': port }
    this.#prefix = url.pathname.replace(/\/$/, '')
    this.#pool = new Pool(url.origin, {
      connections: connections_max,
      connect: { timeout: connect_timeout_ms },
      // A second request behind one that hangs would hang too.
      pipelining: 1,
      // HTTP/2 puts all requests on one connection, and the library resends a refused stream by
      // itself: a charge could be made twice unnoticed.
      allowH2: false,
      maxResponseSize: options.reply_bytes_max ?? REPLY_BYTES_MAX,
    })
  }

  /** One exchange. Throws NoReply, and nothing else, when there is no complete reply in time. */
  async send(request: HttpRequest): Promise<HttpReply> {
    const { method, headers, body, timeout_ms } = request
    try {
      const reply = await this.#pool.request({
        method,
        path: this.#prefix + request.path,
        headers,
        body,
        headersTimeout: timeout_ms,
        bodyTimeout: timeout_ms,
        // The two above restart with each chunk; a slow reply must end as well.
        signal: AbortSignal.timeout(timeout_ms),
      })
      return {
        http_status: reply.statusCode,
        body: await reply.body.text(),
        retry_after_s: retryAfter(reply.headers),
      }
    } catch (error) {
      const code = codeOf(error)
      throw new NoReply(!NOT_CONNECTED.has(code), code)
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

/** Only the code: an error of the HTTP library may hold the bytes that it failed on. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'UNKNOWN'
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'name' in error && typeof error.name === 'string' ? error.name : 'UNKNOWN'
}

const RETRY_AFTER_S_MAX = 3_600

function retryAfter(headers: Dispatcher.ResponseData['headers']): number | null {
  const value = Number(headers['retry-after'])
  return Number.isInteger(value) && value > 0 ? Math.min(value, RETRY_AFTER_S_MAX) : null
}
