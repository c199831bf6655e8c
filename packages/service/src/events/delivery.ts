import { hideSecrets } from '../domain/secret_shapes.ts'
import type { Trace } from '../domain/telemetry.ts'
import type { GatewayEvent } from '../store/events/outbox.ts'
import type { Subscriber } from './subscribers.ts'

export interface DeliveryOptions {
  /** Objects told at once. */
  concurrency_max: number
  /** A handler that takes longer has failed; what it still does is its own affair. */
  handler_timeout_ms: number
  /** Asked before every call: a leader that was replaced or is stopping starts no other. */
  may: () => boolean
  lost: AbortSignal
  trace: Trace
}

/** How far one object's events came. */
export interface Delivered {
  /** Dealt with: told, or not asked for. */
  told: readonly GatewayEvent[]
  /** How many of those a handler saw. */
  calls: number
  /** The one that failed; those behind it were not tried. */
  failed?: { event: GatewayEvent; error: string }
}

/** Tells each queue in its own order, several queues at once. One answer each; it never throws. */
export async function deliver(
  subscriber: Subscriber,
  queues: readonly (readonly GatewayEvent[])[],
  options: DeliveryOptions,
): Promise<Delivered[]> {
  const delivered: Delivered[] = []
  const waiting = queues.entries()
  // All lanes draw from one iterator, so each queue is told by exactly one of them.
  const lane = async (): Promise<void> => {
    for (const [index, queue] of waiting) {
      delivered[index] = await deliverQueue(subscriber, queue, options)
    }
  }
  const lanes = Math.min(options.concurrency_max, queues.length)
  await Promise.all(Array.from({ length: lanes }, lane))
  return delivered
}

async function deliverQueue(
  subscriber: Subscriber,
  queue: readonly GatewayEvent[],
  options: DeliveryOptions,
): Promise<Delivered> {
  const told: GatewayEvent[] = []
  let calls = 0
  for (const event of queue) {
    if (!options.may()) break
    if (subscriber.hears(event.type)) {
      const error = await tell(subscriber, event, options)
      if (error !== undefined) return { told, calls, failed: { event, error } }
      calls += 1
    }
    told.push(event)
  }
  return { told, calls }
}

const ERROR_LENGTH_MAX = 500

/** Nothing, or why it failed. */
async function tell(
  subscriber: Subscriber,
  event: GatewayEvent,
  { handler_timeout_ms, lost, trace }: DeliveryOptions,
): Promise<string | undefined> {
  const late = new AbortController()
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.abort()
    reject(new Error(`no end after ${handler_timeout_ms} ms`))
  }, handler_timeout_ms)
  try {
    const aborted = AbortSignal.any([late.signal, lost])
    const attributes = { 'gapura.subscriber': subscriber.name, 'gapura.event': event.type }
    const step = { name: `event ${event.type}`, kind: 'consumer', attributes } as const
    const told = trace(step, async () => await subscriber.deliver(event, aborted))
    await Promise.race([told, timeout])
    return undefined
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error'
    // Kept in a table, and written by somebody else's code.
    return hideSecrets(text).slice(0, ERROR_LENGTH_MAX)
  } finally {
    clearTimeout(timer)
  }
}
