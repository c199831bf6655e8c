// The relay: delivers the outbox to subscribers, at least once, in order for each object. For every
// name one process at a time leads, and only one that registered the name can, so no event is
// marked as delivered without a handler. It polls: a NOTIFY in the transactions that write events
// would cost them two thirds of their throughput.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { NO_TELEMETRY } from '../domain/telemetry.ts'
import type { Database } from '../store/connection/database.ts'
import { registerSubscriber } from '../store/events/subscribers.ts'
import { withTransaction } from '../store/connection/transaction.ts'
import {
  LeaseLost,
  deliverRetries,
  deliverPage,
  sendAgain,
  type Counted,
  type LeaderOptions,
  type Leading,
} from './leader.ts'
import type { EventFailure } from './set_aside.ts'
import { takeLease, type HeldLease } from './lease.ts'
import type { Subscriber } from './subscribers.ts'

export interface RelayOptions extends Partial<LeaderOptions> {
  subscribers: readonly Subscriber[]
  /** How soon an empty outbox is polled again: doubles from the first to the second. */
  poll_ms_min?: number
  poll_ms_max?: number
  /** Called with errors that are retried anyway. */
  onTrouble?: (name: string, error: unknown) => void
  /** Called after each failed attempt of a handler, once it is on disk. */
  onFailure?: (failure: EventFailure) => void
}

export interface SubscriberStats extends Counted {
  name: string
  leading: boolean
  /** How long the loop has been in the same round; a page of slow handlers takes minutes. */
  turn_ms: number
}

export interface Relay {
  /** Lets running handlers end, starts no other, and releases the leases. */
  stop: () => Promise<void>
  stats: () => SubscriberStats[]
  /** Begins to deliver to one more, whose name is registered. */
  add: (subscriber: Subscriber) => void
  /** Lets its running handlers end, and delivers to the others. */
  remove: (name: string) => Promise<void>
}

const DEFAULTS: LeaderOptions = {
  lease_ms: 15_000,
  page_max: 200,
  concurrency_max: 16,
  handler_timeout_ms: 30_000,
  // Four hours in total: a subscriber may be away for that long without any action by staff.
  attempts_max: 16,
  retry_ms_min: 1_000,
  retry_ms_max: 3_600_000,
  trace: NO_TELEMETRY.trace,
  delivered: () => undefined,
}

/** Registers the names and begins to deliver. */
export async function startRelay(
  db: Database,
  {
    subscribers,
    poll_ms_min = 50,
    poll_ms_max = 1_000,
    onTrouble,
    onFailure,
    ...given
  }: RelayOptions,
): Promise<Relay> {
  const names = new Set(subscribers.map(({ name }) => name))
  if (names.size < subscribers.length) throw new RangeError('two subscribers have the same name')
  await withTransaction(db, async (tx) => {
    for (const { name, start, signals } of subscribers) {
      await registerSubscriber(tx, name, start, { signals })
    }
  })
  const options = { ...DEFAULTS, ...given, poll_ms_min, poll_ms_max }
  const loops = new Set<StartedLoop>()
  const add = (subscriber: Subscriber): void => {
    const { name } = subscriber
    const trouble = (error: unknown): void => onTrouble?.(name, error)
    const failed = (failure: EventFailure): void => onFailure?.(failure)
    loops.add(startLoop({ db, subscriber, options, trouble, failed }))
  }
  subscribers.forEach(add)
  return {
    stop: async () => {
      await Promise.all([...loops].map(async ({ end }) => await end()))
    },
    stats: () =>
      [...loops].map(({ stats: { turned_at, ...stats } }) => ({
        ...stats,
        turn_ms: performance.now() - turned_at,
      })),
    add,
    remove: async (name) => {
      // One that ends stays in the set until it has ended: a stop waits for it, too.
      for (const loop of [...loops].filter(({ stats }) => stats.name === name)) {
        await loop.end()
        loops.delete(loop)
      }
    },
  }
}

interface StartedLoop extends Pick<Loop, 'stats'> {
  end: () => Promise<void>
}

function startLoop(parts: Omit<Loop, 'stats' | 'stop'>): StartedLoop {
  const { name } = parts.subscriber
  const stats = { name, leading: false, turned_at: performance.now(), ...NOTHING }
  const stop = new AbortController()
  const ended = run({ ...parts, stats, stop: stop.signal })
  return {
    stats,
    end: async () => {
      stop.abort()
      await ended
    },
  }
}

const NONE: ReadonlySet<string> = new Set()
const NOTHING: Counted = { delivered: 0, failed: 0, dead: 0, lag_ms: 0 }

interface Loop {
  db: Database
  subscriber: Subscriber
  stats: Omit<SubscriberStats, 'turn_ms'> & { turned_at: number }
  options: LeaderOptions & { poll_ms_min: number; poll_ms_max: number }
  stop: AbortSignal
  trouble: (error: unknown) => void
  failed: (failure: EventFailure) => void
  /** How far this process was when it last led. */
  last?: Pick<Leading, 'place' | 'ahead'>
}

/** Tries to lead, leads while it may, and ends only when it is stopped. */
async function run(loop: Loop): Promise<void> {
  const { db, subscriber, stats, options, stop, trouble } = loop
  const { name } = subscriber
  const holder = randomUUID()
  while (!stop.aborted) {
    stats.turned_at = performance.now()
    try {
      const held = await takeLease(db, { name, holder, lease_ms: options.lease_ms })
      if (held !== undefined) {
        stats.leading = true
        try {
          await lead(loop, held)
        } finally {
          await held.letGo()
        }
      }
    } catch (error) {
      // After any error (database away, lease lost) what was not committed is delivered again.
      if (!(error instanceof LeaseLost)) trouble(error)
    }
    stats.leading = false
    await pause(options.poll_ms_max, stop)
  }
}

async function lead(loop: Loop, held: HeldLease) {
  const { db, subscriber, stats, options, stop, failed } = loop
  const { cursor_xid, cursor_object_id, cursor_sequence } = held.subscriber
  const place = { xid: cursor_xid, object_id: cursor_object_id, sequence: cursor_sequence }
  const leading: Leading = {
    db,
    subscriber,
    held,
    options,
    place,
    // Elsewhere now: another process led, or the cursor was moved.
    ahead: isDeepStrictEqual(loop.last?.place, place) ? (loop.last?.ahead ?? NONE) : NONE,
    passed_over: { events: 0, since: performance.now() },
    clock: { at: Date.now(), since: performance.now() },
    stopping: () => stop.aborted,
    failed,
    note: (seen: Partial<Counted>) => {
      stats.delivered += seen.delivered ?? 0
      stats.failed += seen.failed ?? 0
      stats.dead += seen.dead ?? 0
      stats.lag_ms = seen.lag_ms ?? stats.lag_ms
    },
  }
  loop.last = leading
  let idle_ms = options.poll_ms_min
  while (!stop.aborted && held.holds()) {
    stats.turned_at = performance.now()
    await sendAgain(leading)
    const again = await deliverRetries(leading)
    const step = await deliverPage(leading)
    const idle = !again && step === 'idle'
    idle_ms = idle ? Math.min(idle_ms * 2, options.poll_ms_max) : options.poll_ms_min
    if (idle) await pause(idle_ms, stop)
    else if (step !== 'full' && subscriber.endpoint)
      await pause(subscriber.endpoint.gather_ms, stop)
  }
}

/** Waits, unless it is stopped. */
const pause = async (ms: number, stop: AbortSignal): Promise<void> =>
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined)
