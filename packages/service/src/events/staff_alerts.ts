// Operator events to a channel of staff: at most one message in a while, and whatever came meanwhile
// in one summary. The outbox is the queue, so a storm costs no memory and a restart loses nothing.
import {
  OPERATOR_EVENTS,
  operatorMessage,
  type OperatorEvent,
  type OperatorEventType,
  type OperatorMessage,
} from '../domain/operator_event.ts'
import type { OutboxEvent } from './snapshot.ts'
import { SubscriberAway, type Subscriber } from './subscribers.ts'

export interface AlertOptions {
  /** The channel; its position in the outbox belongs to the name. */
  name: string
  events?: readonly OperatorEventType[] | undefined
  send: (message: OperatorMessage) => Promise<void>
  /** The least time between two messages; grows while the channel fails. */
  rest_ms?: number | undefined
  onFailure?: (error: unknown) => void
  now?: () => number
}

const REST_MS = 60_000
const REST_MS_MAX = 900_000

const isOperatorEvent = (event: OutboxEvent): event is OutboxEvent & OperatorEvent =>
  OPERATOR_EVENTS.some((type) => type === event.type)

/** A channel that fails is away: its events wait, and are in the next summary. */
export function alertSubscriber({
  name,
  events = OPERATOR_EVENTS,
  send,
  rest_ms = REST_MS,
  onFailure,
  now = () => performance.now(),
}: AlertOptions): Subscriber {
  const heard: readonly string[] = events
  let next_at = 0
  let failures = 0
  return {
    name,
    start: 'now',
    signals: events,
    hears: ({ type }) => heard.includes(type),
    deliver: async () => await Promise.reject(new Error('alerts are delivered together')),
    deliverTogether: async (page) => {
      if (now() < next_at) throw new SubscriberAway('the channel rests')
      try {
        await send(operatorMessage(page.filter(isOperatorEvent)))
        failures = 0
        next_at = now() + rest_ms
      } catch (error) {
        failures += 1
        next_at = now() + Math.min(rest_ms * 2 ** failures, REST_MS_MAX)
        onFailure?.(error)
        throw new SubscriberAway('the channel failed')
      }
    },
  }
}
