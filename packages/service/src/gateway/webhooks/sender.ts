// One attempt to deliver an event over HTTP: bounded in time and size, never redirected, and only to
// public addresses.
import {
  Agent,
  errors,
  Pool,
  ProxyAgent,
  request,
  type buildConnector,
  type Dispatcher,
} from 'undici'
import {
  RESPONSE_LENGTH_MAX,
  type Attempted,
  type DeliveryError,
  type Posted,
} from '../../domain/webhook.ts'
import {
  AddressRefused,
  addressFault,
  publicLookup,
  type AddressRules,
  type Resolve,
} from './address.ts'

const ANSWER_WITHIN_MS = 15_000
const CONNECT_WITHIN_MS = 5_000
const PER_HOST_MAX = 32
const TURN_WITHIN_MS = 5_000
/** Read of a response at most; of an answer that is longer the rest is not waited for. */
const RESPONSE_BYTES_MAX = 16_384

export interface SenderOptions extends AddressRules {
  /** A forward proxy, so that all requests come from fixed addresses; it resolves the names. */
  proxy_url?: string | undefined
  answer_within_ms?: number
  /** How long an attempt waits while the host has as many as it may. */
  turn_within_ms?: number
  /** Instead of the name servers of the machine. */
  resolve?: Resolve
}

/** Our own proxy failed: it says nothing about the endpoint. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
}

/** Nothing was sent: the endpoints of one host share a limit. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy'
}

export interface Sender {
  post: (posted: Posted, ended: AbortSignal) => Promise<Attempted>
  close: () => Promise<void>
}

const NO_ANSWER = { status: null, response: '', retry_after_ms: 0 } as const

export function openSender(options: SenderOptions): Sender {
  const { answer_within_ms = ANSWER_WITHIN_MS, turn_within_ms = TURN_WITHIN_MS } = options
  const dispatcher = dispatcherOf(options)
  const turns = hostTurns(PER_HOST_MAX, turn_within_ms)
  return {
    post: async (posted, ended) => {
      const fault = addressFault(posted.url, options)
      if (fault !== undefined) {
        return { error: 'address_refused', ...NO_ANSWER, duration_ms: 0 }
      }
      return await turns(new URL(posted.url).host, async () => {
        const begun = performance.now()
        const answer = await endingWithin(
          answer_within_ms,
          ended,
          async (signal) => await attempt(posted, dispatcher, signal),
        )
        return { ...answer, duration_ms: Math.round(performance.now() - begun) }
      })
    },
    close: async () => await dispatcher.destroy(),
  }
}

function dispatcherOf({ proxy_url, answer_within_ms, allow_private, resolve }: SenderOptions) {
  const within = answer_within_ms ?? ANSWER_WITHIN_MS
  const limits = { headersTimeout: within, bodyTimeout: within, connections: PER_HOST_MAX }
  if (proxy_url !== undefined) {
    return new ProxyAgent({ ...limits, uri: proxy_url, proxyTunnel: true, clientFactory: toProxy })
  }
  return new Agent({
    ...limits,
    connect: { timeout: CONNECT_WITHIN_MS, lookup: publicLookup({ allow_private }, resolve) },
  })
}

/** Connections to the proxy, whose failures are not those of an endpoint. */
function toProxy(origin: URL, { connect }: { connect?: buildConnector.connector }): Pool {
  if (connect === undefined) return new Pool(origin)
  return new Pool(origin, {
    connect: (options, opened) =>
      connect(options, (error, socket) => {
        if (error === null) opened(null, socket)
        else opened(new ProxyFailed('the proxy cannot be reached', { cause: error }), null)
      }),
  })
}

/** A signal of `AbortSignal.any` and `timeout` costs several times as much, and leaves its timer behind. */
async function endingWithin<Result>(
  within_ms: number,
  ended: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const end = (): void => ending.abort(ended.reason)
  if (ended.aborted) end()
  else ended.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => {
    ending.abort(new DOMException('the attempt took too long', 'TimeoutError'))
  }, within_ms)
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
  }
}

async function attempt(
  { url, headers, body }: Posted,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Omit<Attempted, 'duration_ms'>> {
  const all = { ...headers, 'content-type': 'application/json', 'user-agent': 'gapura-webhooks' }
  try {
    // Undici follows no redirect unless it is asked to.
    const reply = await request(url, { method: 'POST', headers: all, body, dispatcher, signal })
    const response = await firstOf(reply.body)
    const { statusCode: status } = reply
    const error = errorOfStatus(status)
    const retry_after_ms = retryAfter(reply.headers['retry-after'])
    return { ...(error && { error }), status, response, retry_after_ms }
  } catch (cause) {
    return { error: errorOf(cause), ...NO_ANSWER }
  }
}

const errorOfStatus = (status: number): DeliveryError | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** The beginning of a response. A receiver that has answered and then stalls has answered. */
async function firstOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) break
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= RESPONSE_BYTES_MAX) break
    }
  } catch {
    // The status was received, and that decides.
  }
  const text = Buffer.concat(chunks).toString('utf8')
  // Cut first: the cut can leave half of a pair.
  return text.slice(0, RESPONSE_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed()
}

function retryAfter(header: string | string[] | undefined): number {
  const [text] = [header].flat()
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now())
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'TimeoutError',
  'ETIMEDOUT',
])
const DNS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EBADNAME'])
const TLS = /^(?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_)/

/** The reply of a proxy that opened no tunnel. */
const NO_TUNNEL = /^Proxy response \((\d+)\)/
const PROXY_STATUS = new Map<string, DeliveryError>([
  ['403', 'address_refused'],
  ['504', 'timeout'],
])

/**
 * Throws ProxyFailed if the proxy is away or wants other credentials. A proxy that answers with
 * anything else cannot reach the receiver, and that is the endpoint's failure.
 */
function errorOf(error: unknown): DeliveryError {
  if (error instanceof AddressRefused) return 'address_refused'
  if (!(error instanceof Error)) return 'connection'
  if (error.cause instanceof AddressRefused) return 'address_refused'
  const [, refused] = NO_TUNNEL.exec(error.message) ?? []
  const lost = error instanceof ProxyFailed || error instanceof errors.ProxyConnectionError
  if (lost || refused === '407') throw new ProxyFailed('the proxy failed', { cause: error })
  if (refused !== undefined) return PROXY_STATUS.get(refused) ?? 'connection'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  if (TIMEOUTS.has(code) || TIMEOUTS.has(error.name)) return 'timeout'
  if (DNS.has(code)) return 'dns'
  return TLS.test(code) ? 'tls' : 'connection'
}

interface Host {
  running: number
  waiting: (() => void)[]
}

/** At most so many at once for each host; the others wait in order, and not for long. */
function hostTurns(max: number, within_ms: number) {
  const hosts = new Map<string, Host>()
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const host = hosts.get(name) ?? { running: 0, waiting: [] }
    hosts.set(name, host)
    if (host.running >= max) await turnOf(host, within_ms)
    else host.running += 1
    try {
      return await work()
    } finally {
      // A turn passes from one to the next, so the number that runs stays the same.
      const next = host.waiting.shift()
      if (next !== undefined) next()
      else if (--host.running === 0) hosts.delete(name)
    }
  }
}

async function turnOf({ waiting }: Host, within_ms: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const late = setTimeout(() => {
    waiting.splice(waiting.indexOf(resolve), 1)
    reject(new HostBusy('as many requests as are allowed go to this host'))
  }, within_ms)
  waiting.push(resolve)
  await promise
  clearTimeout(late)
}
