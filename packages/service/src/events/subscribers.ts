import { SIGNALS, type Signal, type SignalEnvelope } from '../domain/signals.ts'
import type { GatewayEvent } from '../store/events/outbox.ts'
import { restoreSnapshot } from './snapshot.ts'

/** One envelope for each signal, so that a test of `type` tells which object it carries. */
type Told<S extends Signal> = { [K in S]: SignalEnvelope<K> }[S]

export interface Subscription<S extends Signal> {
  /** Remembered for ever: the place in the outbox belongs to it. */
  name: string
  signals: readonly S[]
  /**
   * Told at least once, in order for each object. What it throws is tried again later. `aborted`
   * says that nobody waits for it any more, because it took too long or another process leads.
   */
  handler: (event: Told<S>, aborted: AbortSignal) => Promise<void> | void
  /** Where a name begins that was never seen before: at what is kept, or now. */
  start?: 'beginning' | 'now'
}

/** A subscription whose types are settled; the relay knows no others. */
export interface Subscriber {
  readonly name: string
  readonly start: 'beginning' | 'now'
  /** Whether it asked for this signal. Others are passed over without a call. */
  readonly hears: (signal: Signal) => boolean
  readonly deliver: (event: GatewayEvent, aborted: AbortSignal) => Promise<void>
}

const NAME = /^[a-z0-9][a-z0-9_.-]{0,99}$/

/** Says who is to be told of what. It takes effect when a relay is started with it. */
export function subscribe<const S extends Signal>({
  name,
  signals,
  handler,
  start = 'beginning',
}: Subscription<S>): Subscriber {
  if (!NAME.test(name)) throw new RangeError(`not a subscriber's name: ${name}`)
  const heard = new Set<Signal>(signals)
  const known: readonly Signal[] = SIGNALS
  if (heard.size === 0 || [...heard].some((signal) => !known.includes(signal))) {
    throw new RangeError(`${name} subscribes to no signal, or to one that does not exist`)
  }
  const isHeard = (told: { type: Signal }): told is Told<S> => heard.has(told.type)
  return {
    name,
    start,
    hears: (signal) => heard.has(signal),
    deliver: async (event, aborted) => {
      const told = envelopeOf(event)
      if (isHeard(told)) await handler(told, aborted)
    },
  }
}

const envelopeOf = ({ notification_id, object_kind, ...event }: GatewayEvent) => ({
  id: event.id,
  type: event.type,
  sequence: event.sequence,
  occurred_at: event.occurred_at,
  object: restoreSnapshot(object_kind, event.object),
  previous_status: event.previous_status,
  source: event.source,
  ...(notification_id !== null && { notification_id }),
})
