// Mixed load of several callers: charges of several types, a payer at the gateway, refunds,
// captures, approvals, subscriptions and reads. Every intent is recorded with all its answers,
// because each answer is a promise that the verdict checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { queueCharge } from '../../packages/service/src/services/background/queued_request.ts'
import { AMOUNT, chargeInput } from './charge_inputs.ts'
import { Client } from './client.ts'
import type { Deployment } from './deployment.ts'
import { acknowledgedBy, answerTo, type IntentLog } from './intents.ts'
import { playPayment } from './payment_stories.ts'
import type { Random } from './random.ts'
import type { Scene } from './scene.ts'

export interface LoadOptions {
  random: Random
  rate: number
  /** Stories in progress at once, besides those that wait for the outcome of a request. */
  concurrency: number
  /** Charges a second that go through the queue. */
  queued_rate: number
  timeout_ms?: number
  /** Off where clocks jump: a creation is only repeated within two minutes by the clock. */
  subscriptions?: boolean
  /** Off where a release takes part that has no such route. */
  checkouts?: boolean
  /** Off where an answer of 409 is a failure: the same request is never in flight twice. */
  concurrent_repeats?: boolean
}

/** A request whose process died, and then its resolver, is answered after two leases. */
const DRAIN_MS_MAX = 180_000
const WAITING_MAX = 1_000

/** Answers made in time and sent late, so that newer facts arrive before them. */
const LATE_ANSWERS = ['get_status', 'charge', 'refund', 'direct_refund', 'cancel', 'capture']
const LATE_SHARE = 0.03
const LATE_MS = 800

export class Load {
  readonly client: Client
  readonly intents: IntentLog
  readonly #deployment: Deployment
  readonly #options: LoadOptions
  readonly #parts: Promise<void>[]
  readonly #stories = new Set<Promise<void>>()
  readonly #scene: Scene
  #over = false

  constructor(deployment: Deployment, options: LoadOptions) {
    this.#deployment = deployment
    this.#options = options
    this.intents = deployment.intents
    const urls = deployment.apis.map(({ url }) => url)
    const { api_key } = deployment
    const { random, rate, timeout_ms, concurrency } = options
    const { subscriptions = true, checkouts = true, concurrent_repeats = true } = options
    const pace = { rate, at_once: concurrency, ...(timeout_ms && { timeout_ms }) }
    this.client = new Client({ urls, api_key, random, ...pace })
    const isOver = (): boolean => this.#over
    const switches = { subscriptions, checkouts, concurrent_repeats }
    this.#scene = { deployment, client: this.client, random, isOver, ...switches }
    this.#parts = [this.#play(), ...(options.queued_rate > 0 ? [this.#queue()] : [])]
  }

  /** What callers were answered so far. */
  get acknowledged() {
    return acknowledgedBy(this.intents.all)
  }

  /**
   * Starts no new story; those in progress end, and their last requests are retried until answered.
   */
  async finish(): Promise<void> {
    this.#over = true
    this.client.deadline = performance.now() + DRAIN_MS_MAX
    await Promise.all(this.#parts)
    await Promise.all(this.#stories)
  }

  async #play(): Promise<void> {
    for (const operation of LATE_ANSWERS) {
      const options = { ms: LATE_MS, after: true }
      const fault = { effect: 'delay', match: { operation }, probability: LATE_SHARE, options }
      await this.#deployment.witness.control('faults', fault)
    }
    while (!this.#over) {
      const { waiting } = this.client
      if (this.#stories.size - waiting >= this.#options.concurrency || waiting >= WAITING_MAX) {
        await sleep(5)
        continue
      }
      const story = playPayment(this.#scene)
      this.#stories.add(story)
      void story.finally(() => this.#stories.delete(story))
    }
  }

  /** Charges through the queue, so that a killed worker has claimed jobs. */
  async #queue(): Promise<void> {
    const { parts, callers } = this.#deployment
    while (!this.#over) {
      const caller = this.#options.random.pick(callers)
      const { owner_id } = caller
      const intent = this.intents.begin({
        kind: 'queued_charge',
        caller,
        path: '/charge/',
        amount: AMOUNT,
        body: (intent_id) => chargeInput('bank_transfer', { metadata: { intent_id } }),
      })
      const by = { owner_id, staff: false, scopes: [] }
      const request = { caller: by, request_id: intent.id, idempotency: null }
      const onAnswer = answerTo(intent)
      try {
        const queued = await queueCharge(parts.ctx, request, intent.body)
        onAnswer({ status: 202, replayed: false, body: { ...queued } })
      } catch {
        // The database is unreachable: whether the job was written is not known.
        onAnswer(undefined)
      }
      await sleep(1_000 / this.#options.queued_rate)
    }
  }
}
