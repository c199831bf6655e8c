// An endpoint of webhooks as a subscriber of the outbox. What differs from a handler in this process:
// every attempt is logged, the plan of retries spans days, an endpoint that asks for less rests as a
// whole, and one that fails for days is disabled.
import { publishedEvent } from '../domain/published_event.ts'
import { SIGNALS } from '../domain/signals.ts'
import {
  FAILING_MS_MAX,
  nextAttemptIn,
  restAfter,
  subscriberOf,
  TEST_EVENT,
  type Attempted,
  type Posted,
} from '../domain/webhook.ts'
import type { Database } from '../store/connection/database.ts'
import { readClock } from '../store/connection/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../store/connection/transaction.ts'
import type { FeedFilter } from '../store/events/feed.ts'
import { publishOperatorEvent } from '../store/events/outbox.ts'
import { newId } from '../store/sql/values.ts'
import { openAlarm } from '../store/staff/alarms.ts'
import {
  deleteResends,
  findObjectEvent,
  insertDeliveries,
  listResends,
  type Resend,
  type WebhookDelivery,
} from '../store/webhooks/deliveries.ts'
import { setEndpointState, setFailing, type ActiveEndpoint } from '../store/webhooks/endpoints.ts'
import { withLackingParts, type OutboxEvent } from './snapshot.ts'
import { DeliveryFailed, envelopeOf, SubscriberAway, type Subscriber } from './subscribers.ts'

export interface SignedMessage {
  id: string
  /** Unix seconds of this attempt. */
  timestamp: number
  body: string
}

export interface WebhookParts {
  db: Database
  /** Throws SubscriberAway for a failure that is not the endpoint's. */
  post: (posted: Posted, aborted: AbortSignal) => Promise<Attempted>
  sign: (endpoint: ActiveEndpoint, message: SignedMessage) => Readonly<Record<string, string>>
  onDisabled: (endpoint_id: string, reason: string) => void
  gather_ms?: number
}

const CONCURRENCY_MAX = 8
const GATHER_MS = 100
const GONE = 410

type Sent = Pick<
  WebhookDelivery,
  'event_id' | 'type' | 'object_id' | 'sequence' | 'owner_id' | 'attempt'
>

/** The body that endpoints get; the log shows the same again. */
export const webhookBody = (event: OutboxEvent): string =>
  JSON.stringify(publishedEvent(envelopeOf(event)))

/** An endpoint that wants no types in particular gets the signals, and no operator events. */
const wantedBy = ({ owner_id, types }: ActiveEndpoint): FeedFilter => ({
  owner_id,
  types: types ?? SIGNALS,
})

const isWanted = (
  { owner_id, types }: FeedFilter,
  event: Pick<OutboxEvent, 'type' | 'owner_id'>,
): boolean => types.includes(event.type) && (owner_id === null || owner_id === event.owner_id)

export class Endpoint {
  readonly subscriber: Subscriber
  readonly #parts: WebhookParts
  #endpoint: ActiveEndpoint
  #attempts: WebhookDelivery[] = []
  #recording = 0
  #in_a_row = 0
  /** When the last counted failure ended. */
  #failed_at = 0
  #resting_until = 0
  #gone = false
  #disabled: string | undefined

  constructor(endpoint: ActiveEndpoint, parts: WebhookParts) {
    this.#endpoint = endpoint
    this.#parts = parts
    this.subscriber = {
      name: subscriberOf(endpoint.id),
      start: 'now',
      signals: wantedBy(endpoint).types,
      hears: (event) => isWanted(wantedBy(this.#endpoint), event),
      deliver: async (event, aborted) => await this.#deliver(event, aborted),
      endpoint: {
        wants: () => wantedBy(this.#endpoint),
        concurrency_max: CONCURRENCY_MAX,
        gather_ms: parts.gather_ms ?? GATHER_MS,
        retryIn: (attempts, retry_after_ms) =>
          nextAttemptIn(attempts, retry_after_ms, Math.random()),
        hasDue: () => this.#endpoint.has_due,
        sendAgain: async (may, aborted) => await this.#sendAgain(may, aborted),
        record: async (tx) => await this.#record(tx),
        recorded: () => this.#recorded(),
      },
    }
  }

  /** As it is stored now. A change by its owner, such as enabling it, is a new beginning. */
  update(endpoint: ActiveEndpoint): void {
    if (endpoint.updated_at > this.#endpoint.updated_at) {
      this.#disabled = undefined
      this.#gone = false
      this.#in_a_row = 0
      this.#resting_until = 0
    }
    this.#endpoint = endpoint
  }

  #refuseWhileResting(): void {
    if (this.#disabled !== undefined) throw new SubscriberAway('the endpoint is disabled')
    if (performance.now() < this.#resting_until) throw new SubscriberAway('the endpoint rests')
  }

  async #deliver(event: OutboxEvent, aborted: AbortSignal): Promise<void> {
    this.#refuseWhileResting()
    const attempted = await this.#attempt(sentOf(event), webhookBody(event), aborted)
    if (attempted.error === undefined) return
    const why = [attempted.error, attempted.status].filter((part) => part !== null).join(' ')
    throw new DeliveryFailed(why, attempted.retry_after_ms)
  }

  async #attempt(sent: Sent, body: string, aborted: AbortSignal): Promise<Attempted> {
    const { id: endpoint_id, url } = this.#endpoint
    const timestamp = Math.floor(Date.now() / 1_000)
    const headers = this.#parts.sign(this.#endpoint, { id: sent.event_id, timestamp, body })
    const began = performance.now()
    const attempted = await this.#parts.post({ url, headers, body }, aborted)
    // Ended by us: another process leads, and repeats it.
    if (aborted.aborted) throw new SubscriberAway('the attempt was ended')
    this.#judge(attempted, began)
    const { error: error_class = null, status, response, duration_ms } = attempted
    const outcome = error_class === null ? 'delivered' : 'failed'
    const answer = { response_status: status, response_body: response, duration_ms }
    const created_at = new Date()
    const row = { id: newId(), endpoint_id, url, outcome, error_class, created_at } as const
    this.#attempts.push({ ...row, ...sent, ...answer })
    return attempted
  }

  #judge({ error, status, retry_after_ms }: Attempted, began: number): void {
    if (error === undefined) {
      this.#in_a_row = 0
      return
    }
    // Attempts under way together fail for one cause: they count as one failure.
    if (began >= this.#failed_at) {
      this.#in_a_row += 1
      this.#failed_at = performance.now()
    }
    this.#gone ||= status === GONE
    const rest_ms = restAfter(status, this.#in_a_row, retry_after_ms)
    this.#resting_until = Math.max(this.#resting_until, performance.now() + rest_ms)
  }

  async #record(tx: Tx): Promise<void> {
    const attempts = [...this.#attempts]
    this.#recording = attempts.length
    if (attempts.length === 0) return
    await insertDeliveries(tx, attempts)
    const { id, failing_since } = this.#endpoint
    if (attempts.some(({ outcome }) => outcome === 'delivered')) {
      if (failing_since !== null) this.#endpoint.failing_since = await setFailing(tx, id, false)
      return
    }
    const since = await setFailing(tx, id, true)
    this.#endpoint.failing_since = since
    const now = await readClock(tx)
    if (this.#gone) await this.#disable(tx, 'the receiver replied 410 Gone')
    else if (since !== null && now.getTime() - since.getTime() > FAILING_MS_MAX) {
      await this.#disable(tx, `nothing but failures since ${since.toISOString()}`)
    }
  }

  async #disable(tx: Tx, reason: string): Promise<void> {
    const { id } = this.#endpoint
    this.#disabled = reason
    const disabled = await setEndpointState(tx, id, 'disabled', reason)
    if (disabled === undefined) return
    this.#endpoint.updated_at = disabled.updated_at
    await openAlarm(tx, {
      id: newId(),
      kind: 'endpoint_disabled',
      subject_kind: 'endpoint',
      subject_id: id,
      owner_id: disabled.owner_id,
      detail: reason,
    })
    await publishOperatorEvent(tx, { type: 'endpoint_disabled', object: { id, reason } })
  }

  #recorded(): void {
    this.#attempts.splice(0, this.#recording)
    this.#recording = 0
    if (this.#disabled !== undefined) this.#parts.onDisabled(this.#endpoint.id, this.#disabled)
  }

  /** A few at a time, so that new events are not held up by a long range. */
  async #sendAgain(may: () => boolean, aborted: AbortSignal): Promise<void> {
    const { id, has_resends } = this.#endpoint
    if (!has_resends || this.#disabled !== undefined) return
    if (performance.now() < this.#resting_until) return
    const { db } = this.#parts
    const asked = await withReadTransaction(db, async (tx) => {
      const rows = await listResends(tx, id, CONCURRENCY_MAX)
      const found: { row: Resend; event: OutboxEvent | undefined }[] = []
      for (const row of rows) found.push({ row, event: await eventOf(tx, row) })
      return found
    })
    this.#endpoint.has_resends = asked.length > 0
    // One object's in their order, several objects at once.
    const queues = Map.groupBy(asked, ({ row }) => row.object_id ?? row.id)
    const done: string[] = []
    await Promise.all(
      [...queues.values()].map(async (queue) => {
        for (const { row, event } of queue) {
          if (!may() || aborted.aborted) return
          await this.#sendOne(row, event, aborted)
          done.push(row.id)
        }
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof SubscriberAway)) throw error
    })
    if (done.length === 0) return
    await withTransaction(db, async (tx) => {
      await deleteResends(tx, done)
      await this.#record(tx)
    })
    this.#recorded()
  }

  async #sendOne(row: Resend, event: OutboxEvent | undefined, aborted: AbortSignal): Promise<void> {
    if (row.object_id === null) {
      const of_none = { object_id: null, sequence: null, owner_id: null }
      const sent = { event_id: row.id, type: TEST_EVENT, ...of_none, attempt: 1 }
      await this.#attempt(sent, testBody(row.id), aborted)
    } else if (event !== undefined) {
      // Dropped by retention otherwise: there is nothing to send.
      await this.#attempt(sentOf(event), webhookBody(event), aborted)
    }
  }
}

function sentOf({ id, type, object_id, sequence, owner_id, attempt = 1 }: OutboxEvent): Sent {
  return { event_id: id, type, object_id, sequence, owner_id, attempt }
}

const testBody = (id: string): string =>
  JSON.stringify({ type: TEST_EVENT, timestamp: new Date().toISOString(), data: { id } })

async function eventOf(tx: Tx, { object_id, sequence }: Resend): Promise<OutboxEvent | undefined> {
  if (object_id === null || sequence === null) return undefined
  const stored = await findObjectEvent(tx, { object_id, sequence })
  return stored && (await withLackingParts(tx, [stored]))[0]
}
