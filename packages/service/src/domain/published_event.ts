/**
 * An event as other systems get it (ADR 0013): in the feed, as a server-sent event, on the bus and
 * in a webhook. `data` holds the other fields of the envelope.
 */
export interface PublishedEvent<E extends Envelope> {
  type: E['type']
  /** When it happened, in ISO 8601. */
  timestamp: string
  data: Omit<E, 'type' | 'occurred_at'>
}

interface Envelope {
  type: string
  occurred_at: Date
}

export const publishedEvent = <E extends Envelope>({
  type,
  occurred_at,
  ...data
}: E): PublishedEvent<E> => ({ type, timestamp: occurred_at.toISOString(), data })
