// Every notification is a delivery: a payload, a target and the attempts made so far. A send is an
// event of the clock, so retries happen in virtual time and an advance waits for the receiver.
import { integerAt, type Fields } from '../wire/fields.ts'
import { MINUTE_MS, SECOND_MS } from '../wire/times.ts'
import type { Clock } from '../world/clock.ts'
import type { FaultRule, Faults } from '../world/faults.ts'
import type { Random } from '../world/random.ts'
import { postNotification } from './post.ts'
import { retriesFor, waitBeforeRetry } from './retry_policy.ts'

type DeliveryKind = 'payment' | 'subscription' | 'pay_account'

export interface Attempt {
  at: number
  http_status: number | null
  error: string | null
  hops: number
  duration_ms: number
  reply: string | null
}

/** One payload for one URL, with everything that was tried. */
export interface Delivery {
  id: string
  kind: DeliveryKind
  order_id: string | undefined
  transaction_id: string | undefined
  url: string | null
  payload: Fields
  state: 'waiting' | 'delivered' | 'given_up' | 'held' | 'lost' | 'muted' | 'no_url'
  fault: string | undefined
  created_at: number
  next_attempt_at: number | null
  attempts: Attempt[]
}

/** A notification before its delivery. */
export interface Notification {
  kind: DeliveryKind
  urls: readonly string[]
  payload: Fields
  order_id?: string
  transaction_id?: string
  transaction_status?: string
}

const DELIVERIES_MAX = 100_000
const SENDS_AT_ONCE_MAX = 64
// A held notification without a successor must still be sent.
const HELD_MS_MAX = 10 * MINUTE_MS

interface Parts {
  clock: Clock
  random: Random
  faults: Faults
  timeout_ms: () => number
}

/** Sends, retries and records notifications; faults may lose, hold or forge them. */
export class Courier {
  #parts: Parts
  #deliveries = new Map<string, Delivery>()
  #count = 0
  #held = new Map<string, Delivery[]>()
  #early: Promise<void>[] = []
  #lines = new Map<string, Promise<void>>()
  #free_slots = SENDS_AT_ONCE_MAX
  #waiters: (() => void)[] = []
  #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Records one delivery per URL and sends it when it is due, unless a fault applies. */
  notify(notification: Notification): void {
    const { order_id, transaction_status } = notification
    const fault = this.#parts.faults.forNotification({
      operation: 'notification',
      order_id,
      ...(transaction_status !== undefined && { transaction_status }),
    })
    const urls = notification.urls.length > 0 ? notification.urls : [null]
    const copies = fault?.effect === 'doubled' ? [...urls, ...urls] : urls
    const deliveries = copies.map((url) => this.#record(notification, url, fault))
    // Held notifications are sent after the new one: this is the reordering.
    const released = fault?.effect === 'reordered' ? [] : this.#takeHeld(order_id)
    for (const delivery of deliveries) this.#dispatch(delivery, fault)
    for (const held of released) this.#queue(held, this.#parts.clock.now())
  }

  /** Sends an old delivery once more, as the dashboard's button does. */
  resend(id: string): Delivery | undefined {
    const delivery = this.#deliveries.get(id)
    if (delivery && delivery.url !== null) this.#queue(delivery, this.#parts.clock.now())
    return delivery
  }

  find(id: string): Delivery | undefined {
    return this.#deliveries.get(id)
  }

  list(): IteratorObject<Delivery> {
    return this.#deliveries.values()
  }

  /** The matching deliveries, newest first. */
  newestFirst(wanted: (delivery: Delivery) => boolean): Delivery[] {
    return this.list().filter(wanted).toArray().reverse()
  }

  /** Notifications that must arrive before the reply of the call that caused them. */
  async sentEarly(): Promise<void> {
    if (this.#early.length === 0) return
    await Promise.all(this.#early.splice(0))
  }

  close(): void {
    this.#closing.abort(new Error('the simulator is closing'))
  }

  #record(
    { kind, order_id, transaction_id, payload }: Notification,
    url: string | null,
    fault: FaultRule | undefined,
  ): Delivery {
    this.#count += 1
    const delivery: Delivery = {
      id: `delivery-${this.#count}`,
      kind,
      order_id,
      transaction_id,
      url,
      payload: fault?.effect === 'forged' ? forged(payload) : payload,
      state: url === null ? 'no_url' : 'waiting',
      fault: fault?.effect,
      created_at: this.#parts.clock.now(),
      next_attempt_at: null,
      attempts: [],
    }
    this.#deliveries.set(delivery.id, delivery)
    if (this.#deliveries.size > DELIVERIES_MAX) this.#forgetOldest()
    return delivery
  }

  #dispatch(delivery: Delivery, fault: FaultRule | undefined): void {
    if (delivery.url === null) return
    const now = this.#parts.clock.now()
    const effect = fault?.effect
    if (effect === 'lost' || effect === 'muted') {
      delivery.state = effect
    } else if (effect === 'reordered') {
      this.#hold(delivery)
    } else if (effect === 'early') {
      this.#early.push(this.#send(delivery))
    } else if (effect === 'late') {
      this.#queue(delivery, now + (integerAt(fault?.options ?? {}, 'seconds') ?? 60) * SECOND_MS)
    } else {
      this.#queue(delivery, now)
    }
  }

  #queue(delivery: Delivery, at: number): void {
    delivery.state = 'waiting'
    delivery.next_attempt_at = at
    this.#parts.clock.schedule(at, async () => {
      await this.#sendInTurn(delivery)
    })
  }

  /** Notifications of one order reach a URL in order, unless a fault reorders them. */
  async #sendInTurn(delivery: Delivery): Promise<void> {
    const line = `${delivery.order_id} ${delivery.url}`
    const earlier = this.#lines.get(line)
    const turn = earlier ? earlier.then(() => this.#send(delivery)) : this.#send(delivery)
    this.#lines.set(line, turn)
    await turn
    if (this.#lines.get(line) === turn) this.#lines.delete(line)
  }

  #hold(delivery: Delivery): void {
    delivery.state = 'held'
    const key = delivery.order_id ?? ''
    this.#held.set(key, [...(this.#held.get(key) ?? []), delivery])
    this.#parts.clock.schedule(this.#parts.clock.now() + HELD_MS_MAX, () => {
      if (delivery.state !== 'held') return
      this.#queue(delivery, this.#parts.clock.now())
    })
  }

  #takeHeld(order_id: string | undefined): Delivery[] {
    if (this.#held.size === 0) return []
    const held = this.#held.get(order_id ?? '') ?? []
    this.#held.delete(order_id ?? '')
    return held.filter(({ state }) => state === 'held')
  }

  async #send(delivery: Delivery): Promise<void> {
    if (delivery.url === null || this.#closing.signal.aborted) return
    // Thousands of orders may expire at once; this limits the load on the receiver.
    await this.#takeSlot()
    const at = this.#parts.clock.now()
    delivery.next_attempt_at = null
    const started = performance.now()
    const outcome = await postNotification({
      url: delivery.url,
      body: JSON.stringify(delivery.payload),
      timeout_ms: this.#parts.timeout_ms(),
      closing: this.#closing.signal,
    })
    this.#freeSlot()
    const { http_status, error, hops, reply } = outcome
    delivery.attempts.push({
      at,
      http_status: http_status ?? null,
      error: error ?? null,
      hops,
      duration_ms: Math.round(performance.now() - started),
      reply: reply ?? null,
    })
    this.#decide(delivery, http_status)
  }

  #decide(delivery: Delivery, http_status: number | undefined): void {
    const retries_made = delivery.attempts.length - 1
    if (http_status !== undefined && http_status >= 200 && http_status < 300) {
      delivery.state = 'delivered'
    } else if (retries_made < retriesFor(http_status)) {
      const wait = waitBeforeRetry(retries_made, this.#parts.random)
      this.#queue(delivery, this.#parts.clock.now() + wait)
    } else {
      delivery.state = 'given_up'
    }
  }

  async #takeSlot(): Promise<void> {
    if (this.#free_slots > 0) {
      this.#free_slots -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiters.push(resolve)
    await promise
  }

  #freeSlot(): void {
    const next = this.#waiters.shift()
    if (next) next()
    else this.#free_slots += 1
  }

  #forgetOldest(): void {
    for (const [id, { state }] of this.#deliveries) {
      // An unfinished delivery is still needed, so the oldest finished one is removed.
      if (state === 'waiting' || state === 'held') continue
      this.#deliveries.delete(id)
      return
    }
  }
}

/** A forged notification: plausible content with a wrong signature. */
const forged = (payload: Fields): Fields => ({ ...payload, signature_key: '0'.repeat(128) })
