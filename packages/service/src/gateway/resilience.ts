// How much we ask of the gateway at once, and when we stop asking: one semaphore, one breaker,
// and retries for questions only.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  circuitBreaker,
  CircuitState,
  CountBreaker,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  retry,
} from 'cockatiel'
import { GatewayError, gatewayError } from '../domain/errors.ts'

export interface ResilienceOptions {
  concurrent_max: number
  waiting_max: number
  /** First pause before a question is asked again; it grows from there, with jitter. */
  retry_delay_ms: number
  /** How long an open breaker stays shut before one call may try. */
  breaker_rest_ms: number
}

/** Three tries in all: a reader is waiting. */
const RETRIES_MAX = 2
/** Half of the last twenty calls, and at least ten of them, before we conclude the gateway is away. */
const BREAKER_SHARE = 0.5
const BREAKER_CALLS = 20
const BREAKER_CALLS_MIN = 10

/**
 * Away is the gateway that does not answer, or answers 5xx by HTTP. What it says in a body, it says
 * at work: a bank of its own in trouble, or one card tried too often, must not shut every method.
 */
const isOutage = (error: unknown): boolean =>
  error instanceof GatewayError &&
  (error.gateway === null
    ? !error.definite || error.code === 'gateway_unavailable'
    : (error.gateway.http_status ?? 0) >= 500)

/** A question without a clear answer may be asked again; a refusal is an answer. */
const isUnclear = (error: unknown): boolean =>
  error instanceof GatewayError && (!error.definite || error.code === 'gateway_unavailable')

type Attempt<T> = { value: T } | { refusal: unknown }

export class Resilience {
  readonly #slots
  readonly #breaker
  readonly #patience
  readonly #rest_ms: number
  readonly #slot = new AsyncLocalStorage<{ held: boolean }>()
  #opened_at = 0
  #openings = 0

  constructor(options: ResilienceOptions) {
    this.#rest_ms = options.breaker_rest_ms
    this.#slots = bulkhead(options.concurrent_max, options.waiting_max)
    this.#breaker = circuitBreaker(handleAll, {
      halfOpenAfter: options.breaker_rest_ms,
      breaker: new CountBreaker({
        threshold: BREAKER_SHARE,
        size: BREAKER_CALLS,
        minimumNumberOfCalls: BREAKER_CALLS_MIN,
      }),
    })
    this.#breaker.onBreak(() => {
      this.#opened_at = performance.now()
      this.#openings += 1
    })
    this.#patience = retry(handleWhen(isUnclear), {
      maxAttempts: RETRIES_MAX,
      backoff: new ExponentialBackoff({
        initialDelay: options.retry_delay_ms,
        maxDelay: options.retry_delay_ms * 10,
      }),
    })
  }

  /** For whoever watches: an opening shorter than two looks is seen by its count. */
  get breaker(): { open: boolean; openings: number } {
    return { open: this.#breaker.state !== CircuitState.Closed, openings: this.#openings }
  }

  /**
   * False while the breaker is open: nothing should be written down that could not be sent. Once it
   * has rested it is true again, for somebody must be the one who tries.
   */
  get available(): boolean {
    const { state } = this.#breaker
    if (state === CircuitState.Closed) return true
    return state === CircuitState.Open && performance.now() - this.#opened_at >= this.#rest_ms
  }

  /**
   * Runs with one of the gateway's slots held throughout. A charge takes it before it writes
   * anything, so that what is written can also be sent; calls inside need no second slot.
   */
  async withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#slot.getStore()?.held === true) return await work()
    const slot = { held: true }
    // Who waits is woken by whoever leaves, and must not run on in that one's context.
    const own = AsyncResource.bind(async () => {
      try {
        return await this.#slot.run(slot, work)
      } finally {
        // Work left behind in a timer has no slot any more.
        slot.held = false
      }
    })
    return await translated(() => this.#slots.execute(() => own()))
  }

  /** One call, counted by the breaker; asked again by itself only if it is a question. */
  async run<T>(question: boolean, call: () => Promise<T>): Promise<T> {
    return await this.withSlot(async () =>
      question ? await this.#patience.execute(() => this.#counted(call)) : await this.#once(call),
    )
  }

  /** An order never waits for another's probe: it would be sent long after it was written down. */
  async #once<T>(call: () => Promise<T>): Promise<T> {
    if (this.#breaker.state === CircuitState.HalfOpen) throw unavailable()
    return await this.#counted(call)
  }

  /** Refusals pass through the breaker as values, so that it counts them as the work they are. */
  async #counted<T>(call: () => Promise<T>): Promise<T> {
    const attempt = await translated(() =>
      this.#breaker.execute(async (): Promise<Attempt<T>> => {
        try {
          return { value: await call() }
        } catch (error) {
          if (isOutage(error)) throw error
          return { refusal: error }
        }
      }),
    )
    if ('value' in attempt) return attempt.value
    throw attempt.refusal
  }
}

const unavailable = (): GatewayError => gatewayError('gateway_unavailable', { retry_after_s: 5 })

/** The library's refusals in our words: nothing was sent, so both are safe to repeat. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) {
      throw unavailable()
    }
    throw error
  }
}
