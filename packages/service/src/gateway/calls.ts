// Turns an operation and its arguments into a typed answer or an error of the catalogue.
import { GatewayError, gatewayError } from '../domain/errors.ts'
import type { ErrorCode } from '../domain/error_catalogue.ts'
import type { StepAttributes, Trace } from '../domain/telemetry.ts'
import { errorFromAnswer, unclear } from './errors.ts'
import { isObject, parseAnswer } from './json.ts'
import { pathOf, rowOf, type Family, type WireOperation } from './operations.ts'
import { hideEchoes, scrub, secretsIn } from './redaction.ts'
import type { Resilience } from './resilience.ts'
import type { Secret } from './secret.ts'
import { NoReply, type HttpReply, type Transport } from './transport.ts'
import type { Parse } from './wire/shape.ts'

export interface CallOptions {
  /** At most 46 characters: the gateway silently ignores a longer one. */
  idempotency_key?: string
  /** Replaces the notification URLs of the gateway's dashboard for this transaction. */
  notification_urls?: readonly string[]
  /** Set for transactions made through the gateway's other protocol family, and for DANA. */
  snap_source?: boolean
}

/** The headers of a call that is not authenticated by the server key; made for each attempt. */
export type Authorize = (sent: { method: string; body: string }) => Record<string, string>

export interface Call<T> {
  operation: WireOperation
  ids?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: object
  parse: Parse<T>
  options?: CallOptions
  authorize?: Authorize
  /** What the headers hold that no answer may bring back. */
  secrets?: readonly string[]
}

/** What a log or a trace may contain of a call: no address, no header, no body. */
export interface CallObserved {
  operation: WireOperation
  http_status: number | null
  status_code: string | null
  error: ErrorCode | null
  duration_ms: number
}

export interface CallerParts {
  transport: Transport
  /** To the host of the gateway's pages. */
  page_transport: Transport
  /** To the host of BI-SNAP. */
  merchant_transport: Transport
  resilience: Resilience
  server_key: Secret
  timeout_ms_max: number
  observe: (observed: CallObserved) => void
  trace: Trace
  /** Throws if a call must not be made: inside a database transaction. */
  guard: () => void
}

export const IDEMPOTENCY_KEY_LENGTH_MAX = 46

/** Performs calls. Holds the key, and passes it only to the transport. */
export class Caller {
  readonly #parts: CallerParts
  readonly #owner_id: string

  constructor(parts: CallerParts, owner_id: string) {
    this.#parts = parts
    this.#owner_id = owner_id
  }

  /** The same caller, waiting for slots as another owner. */
  forOwner(owner_id: string): Caller {
    return new Caller(this.#parts, owner_id)
  }

  /** The parsed answer, or an error whose `definite` says whether the gateway may have acted. */
  async perform<T>(call: Call<T>): Promise<T> {
    this.#parts.guard()
    const question = rowOf(call.operation).retryable
    const traits = { question, owner_id: this.#owner_id }
    return await this.#parts.resilience.run(() => this.#traced(call), traits)
  }

  /** The pattern of the path, not the path: that contains ids, and in one case a card token. */
  async #traced<T>(call: Call<T>): Promise<T> {
    const { method, path, family } = rowOf(call.operation)
    const { transport, page_transport } = this.#parts
    const attributes = {
      'http.request.method': method,
      'url.template': path,
      'gapura.operation': call.operation,
      ...(family === 'page' ? page_transport : transport).server,
    }
    const step = { name: `${method} ${path}`, kind: 'client', attributes } as const
    return await this.#parts.trace(step, async (learn) => await this.#attempt(call, learn))
  }

  async #attempt<T>(call: Call<T>, learn: (attributes: StepAttributes) => void): Promise<T> {
    const started = performance.now()
    const seen: Omit<CallObserved, 'duration_ms'> = {
      operation: call.operation,
      http_status: null,
      status_code: null,
      error: null,
    }
    try {
      const reply = await this.#exchange(call)
      seen.http_status = reply.http_status
      learn({ 'http.response.status_code': reply.http_status })
      const json = parseAnswer(reply.body)
      seen.status_code = shownCode(statusCodeOf(json))
      return this.#read(call, reply, json)
    } catch (error) {
      if (error instanceof GatewayError) seen.error = error.code
      throw error
    } finally {
      this.#observe({ ...seen, duration_ms: performance.now() - started })
    }
  }

  /** An observer that throws must not turn a successful charge into a failed one. */
  #observe(observed: CallObserved): void {
    try {
      this.#parts.observe(observed)
    } catch {
      // An observer is not part of the payment.
    }
  }

  async #exchange<T>(call: Call<T>): Promise<HttpReply> {
    const { method, timeout_ms, family } = rowOf(call.operation)
    const body = call.body === undefined ? null : JSON.stringify(call.body)
    const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`
    try {
      return await this.#transportOf(family).send({
        method,
        path: pathOf(call.operation, call.ids ?? {}) + query,
        // What is signed are the bytes that are sent.
        headers: call.authorize?.({ method, body: body ?? '' }) ?? this.#headers(call),
        body,
        timeout_ms: Math.min(timeout_ms, this.#parts.timeout_ms_max),
      })
    } catch (error) {
      if (!(error instanceof NoReply)) throw error
      const code = error.sent ? unclear(call.operation) : 'gateway_unavailable'
      throw gatewayError(code, { operation: call.operation, cause: error })
    }
  }

  #transportOf(family: Family): Transport {
    const { transport, page_transport, merchant_transport } = this.#parts
    if (family === 'page') return page_transport
    return family === 'bi_snap' ? merchant_transport : transport
  }

  #headers<T>({ operation, options = {} }: Call<T>): Record<string, string> {
    const { idempotency_header } = rowOf(operation)
    const { idempotency_key, notification_urls, snap_source } = options
    if (idempotency_key !== undefined && idempotency_key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
      throw new RangeError(
        `an idempotency key has at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`,
      )
    }
    const basic = Buffer.from(`${this.#parts.server_key.reveal()}:`).toString('base64')
    return {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Basic ${basic}`,
      ...(idempotency_header !== null &&
        idempotency_key !== undefined && { [idempotency_header]: idempotency_key }),
      ...(notification_urls !== undefined &&
        notification_urls.length > 0 && {
          'X-Override-Notification': notification_urls.join(','),
        }),
      ...(snap_source === true && { 'transaction-source': 'SNAP_API' }),
    }
  }

  #read<T>(call: Call<T>, reply: HttpReply, json: unknown): T {
    const { operation } = call
    const { http_status } = reply
    const status_code = statusCodeOf(json)
    const readable = isObject(json)
    const messages = messagesOf(json)
    const code = errorFromAnswer({ operation, http_status, status_code, readable, messages })
    const parsed =
      code === undefined ? call.parse(hideEchoes(json, this.#secretsOf(call))) : undefined
    if (parsed !== undefined) return parsed
    // An unreadable success: for a call that changes something the outcome is unknown.
    throw gatewayError(code ?? unclear(operation), {
      operation,
      gateway: {
        http_status,
        status_code: shownCode(status_code),
        status_message: this.#words(call, json),
      },
      ...(reply.retry_after_s !== null && { retry_after_s: reply.retry_after_s }),
    })
  }

  /** The gateway's own message in any of its shapes, without what it may echo of the request. */
  #words<T>(call: Call<T>, json: unknown): string | null {
    const words = messagesOf(json).join('; ')
    if (words === '') return null
    return scrub(words, this.#secretsOf(call))
  }

  #secretsOf<T>({ body, query, ids, secrets = [] }: Call<T>): string[] {
    const sent = [body, query, ids].flatMap(secretsIn)
    return [this.#parts.server_key.reveal(), ...secrets, ...sent]
  }
}

function statusCodeOf(json: unknown): string | null {
  if (!isObject(json)) return null
  const code = json['status_code']
  return typeof code === 'string' || typeof code === 'number' ? String(code) : null
}

/** A code is three digits; anything else in its place may be an echo. */
const shownCode = (code: string | null): string | null =>
  code !== null && /^\d{3}$/.test(code) ? code : null

/**
 * v2 and subscriptions, invoices, BIN: three spellings of the same thing
 * (gateway-protocol.md#where-the-code-is).
 */
const MESSAGE_FIELDS = [
  'status_message',
  'validation_messages',
  'validation_message',
  'error_messages',
  'channel_response_message',
  'responseMessage',
] as const

function messagesOf(json: unknown): string[] {
  if (!isObject(json)) return []
  const texts: unknown[] = MESSAGE_FIELDS.flatMap((field) => json[field])
  const errors = Array.isArray(json['errors']) ? json['errors'] : []
  const bin = errors.map((error: unknown) => (isObject(error) ? error['message'] : undefined))
  const words = [...texts, ...bin]
  return words.filter((message) => typeof message === 'string').filter((message) => message !== '')
}
