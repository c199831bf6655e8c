// How many calls are made to the gateway at once, and when calls stop: slots that owners take turns
// at, one circuit breaker, and retries for queries only.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  CountBreaker,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  retry,
} from 'cockatiel'
import { GatewayError, gatewayError } from '../domain/errors.ts'
import { FairQueue, SERVICE_OWNER, type SlotRequest } from '../domain/fair_queue.ts'

export interface ResilienceOptions {
  concurrent_max: number
  /** Calls that may wait for a slot, of all owners together. */
  waiting_max: number
  /** How long a call may wait for a slot before it is refused with `gateway_unavailable`. */
  slot_wait_ms_max: number
  /** First pause before a query is retried; it grows from there, with jitter. */
  retry_delay_ms: number
  /** How long the breaker stays open before one call may try. */
  breaker_rest_ms: number
}

/** Three tries in total: a reader is waiting. */
const RETRIES_MAX = 2
/** The breaker opens when half of the last twenty calls, and at least ten, have failed. */
const BREAKER_SHARE = 0.5
const BREAKER_CALLS = 20
const BREAKER_CALLS_MIN = 10

/** Slots that queries leave to changes: slow queries must not stop charges. */
const WRITE_SLOTS_SHARE = 1 / 4
/** Slots that one owner leaves to the others: one owner's slow charges must not stop the rest. */
const OTHER_OWNERS_SHARE = 1 / 8

/**
 * The gateway is away if it does not answer, or answers 5xx by HTTP. A failure in a body comes from
 * a working gateway: a bank in trouble, or one card tried too often, must not stop every method.
 */
const isOutage = (error: unknown): boolean =>
  error instanceof GatewayError &&
  (error.gateway === null
    ? !error.definite || error.code === 'gateway_unavailable'
    : (error.gateway.http_status ?? 0) >= 500)

/** A query without a clear answer may be retried; a refusal is an answer. */
const isUnclear = (error: unknown): boolean =>
  error instanceof GatewayError && (!error.definite || error.code === 'gateway_unavailable')

/** What decides about a call's slot and retries. */
interface CallTraits {
  /** A query changes nothing at the gateway. */
  question: boolean
  owner_id: string
}

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
    this.#slots = slotsOf(options)
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

  /** For monitoring: an opening shorter than two samples is visible in its count. */
  get breaker(): { open: boolean; openings: number } {
    return { open: this.#breaker.state !== CircuitState.Closed, openings: this.#openings }
  }

  /**
   * False while the breaker is open: nothing should be stored that cannot be sent. After its pause
   * it is true again, because one call must try.
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
  async withSlot<T>(work: () => Promise<T>, owner_id: string = SERVICE_OWNER): Promise<T> {
    return await this.#inSlot({ owner_id, urgent: true }, work)
  }

  /** One call, counted by the breaker; retried automatically only if it is a query. */
  async run<T>(call: () => Promise<T>, { question, owner_id }: CallTraits): Promise<T> {
    return await this.#inSlot({ owner_id, urgent: !question }, async () =>
      question ? await this.#patience.execute(() => this.#counted(call)) : await this.#once(call),
    )
  }

  async #inSlot<T>(request: SlotRequest, work: () => Promise<T>): Promise<T> {
    if (this.#slot.getStore()?.held === true) return await work()
    return await this.#slots.run(request, async () => {
      const slot = { held: true }
      try {
        return await this.#slot.run(slot, work)
      } finally {
        // Work that was left in a timer has no slot any more.
        slot.held = false
      }
    })
  }

  /** A change never waits for another call's probe: it would be sent long after it was stored. */
  async #once<T>(call: () => Promise<T>): Promise<T> {
    if (this.#breaker.state === CircuitState.HalfOpen) throw unavailable()
    return await this.#counted(call)
  }

  /** Refusals pass through the breaker as values, so that it counts them as successful calls. */
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

function slotsOf({ concurrent_max, waiting_max, slot_wait_ms_max }: ResilienceOptions): FairQueue {
  const one_slot = concurrent_max === 1
  return new FairQueue({
    slots_max: concurrent_max,
    urgent_reserve: one_slot ? 0 : Math.max(1, Math.floor(concurrent_max * WRITE_SLOTS_SHARE)),
    owner_reserve: Math.floor(concurrent_max * OTHER_OWNERS_SHARE),
    waiting_max,
    wait_ms_max: slot_wait_ms_max,
    startTimer: (fire, ms) => {
      const timer = setTimeout(fire, ms)
      return () => clearTimeout(timer)
    },
    refusal: unavailable,
  })
}

const unavailable = (): GatewayError => gatewayError('gateway_unavailable', { retry_after_s: 5 })

/** The library's refusal as our error: nothing was sent, so it is safe to repeat. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BrokenCircuitError) throw unavailable()
    throw error
  }
}
