// How much we ask of the gateway at once, and when we stop asking: one semaphore, one breaker,
// and retries for questions only.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  circuitBreaker,
  CircuitState,
  CountBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
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

/** A refusal is the gateway at work. No answer, or one that makes no sense, is the gateway away. */
const isOutage = (error: unknown): boolean =>
  error instanceof GatewayError && (!error.definite || error.code === 'gateway_unavailable')

export class Resilience {
  readonly #slots
  readonly #breaker
  readonly #asking
  readonly #inSlot = new AsyncLocalStorage<true>()

  constructor(options: ResilienceOptions) {
    this.#slots = bulkhead(options.concurrent_max, options.waiting_max)
    this.#breaker = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: options.breaker_rest_ms,
      breaker: new CountBreaker({
        threshold: BREAKER_SHARE,
        size: BREAKER_CALLS,
        minimumNumberOfCalls: BREAKER_CALLS_MIN,
      }),
    })
    const patience = retry(handleWhen(isOutage), {
      maxAttempts: RETRIES_MAX,
      backoff: new ExponentialBackoff({
        initialDelay: options.retry_delay_ms,
        maxDelay: options.retry_delay_ms * 10,
      }),
    })
    this.#asking = wrap(patience, this.#breaker)
  }

  /** False while the breaker is open: nothing should be written down that could not be sent. */
  get available(): boolean {
    return this.#breaker.state !== CircuitState.Open
  }

  /**
   * Runs with one of the gateway's slots held throughout. A charge takes it before it writes
   * anything, so that what is written can also be sent; calls inside need no second slot.
   */
  async withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inSlot.getStore() === true) return await work()
    return await translated(() => this.#slots.execute(() => this.#inSlot.run(true, work)))
  }

  /** One call, counted by the breaker; asked again by itself only if it is a question. */
  async run<T>(question: boolean, call: () => Promise<T>): Promise<T> {
    const policy = question ? this.#asking : this.#breaker
    return await this.withSlot(() => translated(() => policy.execute(call)))
  }
}

/** The library's refusals in our words: nothing was sent, so both are safe to repeat. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) {
      throw gatewayError('gateway_unavailable', { retry_after_s: 5 })
    }
    throw error
  }
}
