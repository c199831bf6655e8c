import type { SignalEnvelope } from '../domain/signal_envelope.ts'
import { SIGNALS, type Signal } from '../domain/signals.ts'
import type { Tx } from '../store/connection/transaction.ts'
import type { FeedFilter } from '../store/events/feed.ts'
import type { EventType } from '../store/events/outbox.ts'
import { objectOf, type OutboxEvent } from './snapshot.ts'

/** One envelope for each signal, so that a check of `type` narrows the type of its object. */
type Envelope<S extends Signal> = { [K in S]: SignalEnvelope<K> }[S]

export interface Subscription<S extends Signal> {
  /** Stored for ever: the position in the outbox belongs to it. */
  name: string
  signals: readonly S[]
  /**
   * Called at least once for each event, in order for each object. If it throws, it is called again
   * later. `aborted` is set when its result no longer counts: it took too long, or another process
   * leads.
   */
  handler: (event: Envelope<S>, aborted: AbortSignal) => Promise<void> | void
  /** Where a new name starts: at the oldest stored event, or now. */
  start?: 'beginning' | 'now'
}

/** A subscription with its types erased, as the relay uses it. */
export interface Subscriber {
  readonly name: string
  readonly start: 'beginning' | 'now'
  readonly signals: readonly EventType[]
  /** Whether it subscribed to this event. Others are skipped without a call. */
  readonly hears: (event: Pick<OutboxEvent, 'type' | 'owner_id'>) => boolean
  readonly deliver: (event: OutboxEvent, aborted: AbortSignal) => Promise<void>
  /** Instead of one by one: all that it hears of a page. They have an object of their own each. */
  readonly deliverTogether?: (events: readonly OutboxEvent[], aborted: AbortSignal) => Promise<void>
  /** What differs for an endpoint of webhooks, of which there are many. */
  readonly endpoint?: EndpointParts
}

export interface EndpointParts {
  /** What it hears, as a filter of the read: most events are those of other owners. */
  wants: () => FeedFilter
  concurrency_max: number
  /** The least time between two pages: what happens meanwhile goes into one transaction. */
  gather_ms: number
  /** When the next attempt is made after this many, instead of the relay's plan; undefined: never. */
  retryIn: (attempts: number, retry_after_ms: number) => number | undefined
  /** Whether an event that was set aside may be due; asked before each look for one. */
  hasDue: () => boolean
  /** Sends what was asked for outside of the order of the outbox. */
  sendAgain: (may: () => boolean, aborted: AbortSignal) => Promise<void>
  /** Writes what came of the attempts, in the transaction that stores how far they went. */
  record: (tx: Tx) => Promise<void>
  /** That transaction was committed. */
  recorded: () => void
}

/** The event failed, and the receiver said when it may be tried again. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed'
  readonly retry_after_ms: number

  constructor(why: string, retry_after_ms: number) {
    super(why)
    this.retry_after_ms = retry_after_ms
  }
}

/**
 * What a subscriber's events go to is away. The cursor waits, no attempt is counted, and delivery
 * begins again by itself.
 */
export class SubscriberAway extends Error {
  override readonly name = 'SubscriberAway'
}

/** Names with `webhook.` before them are those of endpoints. */
const NAME = /^(?!webhook\.)[a-z0-9][a-z0-9_.-]{0,99}$/

/** Defines a subscriber. It takes effect when a relay is started with it. */
export function subscribe<const S extends Signal>({
  name,
  signals,
  handler,
  start = 'beginning',
}: Subscription<S>): Subscriber {
  if (!NAME.test(name)) throw new RangeError(`must be a subscriber's name: ${name}`)
  const heard = new Set<EventType>(signals)
  const known: readonly Signal[] = SIGNALS
  if (heard.size === 0 || signals.some((signal) => !known.includes(signal))) {
    throw new RangeError(`${name} must subscribe to at least one signal, and only to existing ones`)
  }
  const isHeard = (one: { type: EventType }): one is Envelope<S> => heard.has(one.type)
  return {
    name,
    start,
    signals: [...new Set(signals)],
    hears: ({ type }) => heard.has(type),
    deliver: async (event, aborted) => {
      const envelope = envelopeOf(event)
      if (isHeard(envelope)) await handler(envelope, aborted)
    },
  }
}

/** What a subscriber gets. */
export const envelopeOf = (event: OutboxEvent) => ({
  id: event.id,
  type: event.type,
  sequence: event.sequence,
  occurred_at: event.occurred_at,
  ...objectOf(event),
  previous_status: event.previous_status,
  source: event.source,
  ...(event.notification_id !== null && { notification_id: event.notification_id }),
})
