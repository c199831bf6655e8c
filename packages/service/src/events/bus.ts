// The sink to a message bus: one more subscriber of the outbox, which stays the truth. An event is
// published before the cursor moves past it; the bus drops a repeat by its id.
import { publishedEvent } from '../domain/published_event.ts'
import { SIGNALS } from '../domain/signals.ts'
import { envelopeOf, SubscriberAway, type Subscriber } from './subscribers.ts'

export interface BusMessage {
  subject: string
  /** The event's: the bus stores a message with the same id once. */
  id: string
  body: string
}

/** A connection that reconnects by itself. */
export interface BusConnection {
  /** Resolves once the bus has stored it; rejects at once while there is no connection. */
  publish: (message: BusMessage) => Promise<void>
  close: () => Promise<void>
}

const PLAIN_TOKEN = /^[A-Za-z0-9_-]{1,100}$/

/**
 * An owner id as one token of a subject. What a token may not hold (dots, spaces, wildcards) is
 * encoded as a whole, with a mark that no plain token has, so that no two owners share a subject.
 */
export const ownerToken = (owner_id: string): string =>
  PLAIN_TOKEN.test(owner_id) ? owner_id : `~${Buffer.from(owner_id).toString('base64url')}`

export const subjectOf = (prefix: string, owner_id: string, type: string): string =>
  `${prefix}.${ownerToken(owner_id)}.${type}`

/**
 * A bus that is away is no failure of an event: nothing is set aside, and the cursor waits. Only a
 * message that the bus will never take fails as any event does.
 */
export function busSubscriber(
  name: string,
  prefix: string,
  { publish }: Pick<BusConnection, 'publish'>,
): Subscriber {
  const heard: readonly string[] = SIGNALS
  return {
    name,
    start: 'beginning',
    signals: SIGNALS,
    hears: ({ type }) => heard.includes(type),
    deliver: async (event) => {
      const { id, owner_id, type } = event
      const body = JSON.stringify(publishedEvent(envelopeOf(event)))
      await publish({ subject: subjectOf(prefix, owner_id, type), id, body })
    },
  }
}

/** For a connection's own errors. */
export const busAway = (reason: string): SubscriberAway => new SubscriberAway(reason)
