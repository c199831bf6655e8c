// A correct client: one key per request, and after a lost answer the same request with the same
// key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

export interface Answer {
  status: number
  /** Stored under the request's key and only read again. */
  replayed: boolean
  body: Record<string, unknown>
}

export interface Wish {
  method: 'GET' | 'POST'
  path: string
  body?: object
  key?: string
  /** Instead of the client's own, for load of several callers. */
  api_key?: string
  /** Called at every try; what it returns is called with the answer, undefined if it was lost. */
  onSend?: () => (answer: Answer | undefined) => void
}

export interface ClientOptions {
  urls: readonly string[]
  api_key: string
  random: Random
  /** Requests a second at most, over all connections. */
  rate: number
  /** Requests in flight at most: with more the machine only loses requests. */
  at_once?: number
  timeout_ms?: number
  /** Whether a lost or unclear answer is retried. */
  persistent?: boolean
}

const TIMEOUT_MS = 4_000
const PAUSE_MS = 300
const PAUSE_MS_MAX = 5_000
/** No definite answer, and nothing stored under the key: the same request may be sent again. */
const UNCLEAR = new Set([408, 409, 429, 500, 502, 503, 504])

/** Whether an answer with this status is definite. */
export const isDefiniteStatus = (status: number): boolean => !UNCLEAR.has(status)

const isDefinite = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && isDefiniteStatus(answer.status)

export class Client {
  /** When each acknowledgement came, in milliseconds since the start. */
  readonly acknowledged_at: number[] = []
  /** The same for writes only: a read may be answered by a server whose writes wait. */
  readonly written_at: number[] = []
  readonly statuses = new Map<string, number>()
  /** Requests in flight, by process. */
  readonly in_flight = new Map<string, number>()
  readonly began = performance.now()
  /** Requests retried again and again: their process died, and the outcome is not known yet. */
  waiting = 0
  /** Requests that never got a definite answer. */
  given_up = 0
  /** After this no request is retried. */
  deadline = Number.POSITIVE_INFINITY
  sent = 0
  readonly #options: ClientOptions
  #next_at = 0
  #under_way = 0
  readonly #queue: (() => void)[] = []

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Until a definite answer, from any process; undefined when the time is over. */
  async wish(wish: Wish): Promise<Answer | undefined> {
    const answer = await this.#once(wish)
    if (isDefinite(answer)) return this.#acknowledged(wish, answer)
    if (this.#options.persistent === false) return answer
    this.waiting += 1
    const later = await this.#askAgain(wish)
    this.waiting -= 1
    return later
  }

  async #askAgain(wish: Wish): Promise<Answer | undefined> {
    const { random } = this.#options
    for (let pause_ms = PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.5, PAUSE_MS_MAX)) {
      await sleep(pause_ms * (0.5 + random.fraction()))
      if (performance.now() > this.deadline) break
      const answer = await this.#once(wish)
      if (isDefinite(answer)) return this.#acknowledged(wish, answer)
    }
    this.given_up += 1
    return undefined
  }

  #acknowledged(wish: Wish, answer: Answer): Answer {
    const at = Math.round(performance.now() - this.began)
    this.acknowledged_at.push(at)
    const wrote = wish.method === 'POST' && answer.status < 300 && !answer.replayed
    if (wrote) this.written_at.push(at)
    return answer
  }

  async #once(wish: Wish): Promise<Answer | undefined> {
    if (this.#under_way >= (this.#options.at_once ?? Number.POSITIVE_INFINITY)) {
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    } else this.#under_way += 1
    try {
      const onAnswer = wish.onSend?.()
      const answer = await this.#send(wish)
      onAnswer?.(answer)
      return answer
    } finally {
      // Its place goes to the next in the queue, or is free.
      const next = this.#queue.shift()
      if (next === undefined) this.#under_way -= 1
      else next()
    }
  }

  async #send({ method, path, body, key, ...wish }: Wish): Promise<Answer | undefined> {
    const { urls, random, timeout_ms = TIMEOUT_MS } = this.#options
    const api_key = wish.api_key ?? this.#options.api_key
    await this.#turn()
    const url = random.pick(urls)
    this.in_flight.set(url, (this.in_flight.get(url) ?? 0) + 1)
    this.sent += 1
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${api_key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeout_ms),
      })
      const answer = {
        status: reply.status,
        replayed: reply.headers.get('idempotency-replayed') === 'true',
        body: (await reply.json()) as Answer['body'],
      }
      this.#count(String(reply.status))
      return answer
    } catch {
      this.#count('lost')
      return undefined
    } finally {
      this.in_flight.set(url, (this.in_flight.get(url) ?? 1) - 1)
    }
  }

  /** Waits for its turn at the rate. */
  async #turn(): Promise<void> {
    const now = performance.now()
    this.#next_at = Math.max(this.#next_at, now) + 1_000 / this.#options.rate
    const wait_ms = this.#next_at - now
    if (wait_ms > 2) await sleep(wait_ms)
  }

  #count(what: string): void {
    this.statuses.set(what, (this.statuses.get(what) ?? 0) + 1)
  }
}
