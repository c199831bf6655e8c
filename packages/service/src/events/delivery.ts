import { hideSecrets } from '../domain/secret_shapes.ts'
import type { Trace } from '../domain/telemetry.ts'
import type { OutboxEvent } from './snapshot.ts'
import { DeliveryFailed, SubscriberAway, type Subscriber } from './subscribers.ts'

export interface DeliveryOptions {
  /** How many objects' events are delivered at the same time. */
  concurrency_max: number
  /** A handler that takes longer has failed; what it still does is ignored. */
  handler_timeout_ms: number
  /** Checked before every call: a leader that was replaced or is stopping starts no other. */
  may: () => boolean
  lost: AbortSignal
  trace: Trace
}

/** How far one object's events were delivered. */
export interface Delivered {
  /** Done: delivered, or not subscribed to. */
  done: readonly OutboxEvent[]
  /** How many of those were passed to a handler. */
  calls: number
  /** The event that failed; later ones were not tried. */
  failed?: { event: OutboxEvent; error: string; retry_after_ms?: number }
  /** Its subscriber is away: the event is tried again, and counts as never tried. */
  away?: true
}

/** Delivers each queue in its own order, several queues at the same time. It never throws. */
export async function deliver(
  subscriber: Subscriber,
  queues: readonly (readonly OutboxEvent[])[],
  options: DeliveryOptions,
): Promise<Delivered[]> {
  if (subscriber.deliverTogether !== undefined)
    return await deliverAtOnce(subscriber, queues, options)
  const delivered: Delivered[] = []
  const waiting = queues.entries()
  // All workers take from one iterator, so each queue is delivered by exactly one of them.
  const worker = async (): Promise<void> => {
    for (const [index, queue] of waiting) {
      delivered[index] = await deliverQueue(subscriber, queue, options)
    }
  }
  const at_once = subscriber.endpoint?.concurrency_max ?? options.concurrency_max
  const workers = Math.min(at_once, queues.length)
  await Promise.all(Array.from({ length: workers }, worker))
  return delivered
}

/** One call for all that it hears; queues without any of it are done at once. */
async function deliverAtOnce(
  subscriber: Subscriber,
  queues: readonly (readonly OutboxEvent[])[],
  options: DeliveryOptions,
): Promise<Delivered[]> {
  const heard = queues.flat().filter((event) => subscriber.hears(event))
  const [first] = heard
  const error =
    first === undefined || !options.may()
      ? undefined
      : await callHandler(subscriber, first, options, async (aborted) => {
          await subscriber.deliverTogether?.(heard, aborted)
        })
  return queues.map((queue) => {
    const waits = queue.filter((event) => subscriber.hears(event))
    if (waits.length === 0) return { done: queue, calls: 0 }
    if (error !== undefined || !options.may()) return { done: [], calls: 0, away: true }
    return { done: queue, calls: waits.length }
  })
}

async function deliverQueue(
  subscriber: Subscriber,
  queue: readonly OutboxEvent[],
  options: DeliveryOptions,
): Promise<Delivered> {
  const done: OutboxEvent[] = []
  let calls = 0
  for (const event of queue) {
    if (!options.may()) break
    if (subscriber.hears(event)) {
      const error = await callHandler(
        subscriber,
        event,
        options,
        async (aborted) => await subscriber.deliver(event, aborted),
      )
      if (error instanceof SubscriberAway) return { done, calls, away: true }
      if (error !== undefined) return { done, calls, failed: { event, ...error } }
      calls += 1
    }
    done.push(event)
  }
  return { done, calls }
}

const ERROR_LENGTH_MAX = 500

interface HandlerFailure {
  /** A text to store. */
  error: string
  retry_after_ms?: number
}

/** Undefined, or why it failed: with a text, or that nothing was tried. */
async function callHandler(
  subscriber: Subscriber,
  event: OutboxEvent,
  { handler_timeout_ms, lost, trace }: DeliveryOptions,
  handle: (aborted: AbortSignal) => Promise<void>,
): Promise<HandlerFailure | SubscriberAway | undefined> {
  const aborted = new AbortController()
  const end = (): void => aborted.abort(lost.reason)
  // Composed with `AbortSignal.any`, the signal would cost several times as much.
  if (lost.aborted) end()
  else lost.addEventListener('abort', end, { once: true })
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    aborted.abort()
    reject(new Error(`the handler did not end within ${handler_timeout_ms} ms`))
  }, handler_timeout_ms)
  const attributes = { 'gapura.subscriber': subscriber.name, 'gapura.event': event.type }
  const step = { name: `event ${event.type}`, kind: 'consumer', attributes } as const
  try {
    await Promise.race([trace(step, async () => await handle(aborted.signal)), timeout])
    return undefined
  } catch (error) {
    if (error instanceof SubscriberAway) return error
    const text = error instanceof Error ? `${error.name}: ${error.message}` : 'not an error'
    // Stored in a table, and written by the host's code.
    const stored = { error: hideSecrets(text).slice(0, ERROR_LENGTH_MAX) }
    if (!(error instanceof DeliveryFailed)) return stored
    return { ...stored, retry_after_ms: error.retry_after_ms }
  } finally {
    clearTimeout(timer)
    lost.removeEventListener('abort', end)
  }
}
