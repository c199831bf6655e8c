// The delivery of one subscriber by its leader: due retries first, then a page of new events. An
// object whose event failed is set aside with the time of its next retry, and the cursor moves on;
// its later events wait behind it. Nothing is held in memory between two pages, so a leader that
// dies repeats at most one page.
import type { Database } from '../store/connection/database.ts'
import {
  buryEvent,
  findBlockedObjects,
  listDueRetries,
  reviveObject,
  type DeadEvent,
} from '../store/events/dead_events.ts'
import {
  hasEventsBehind,
  readEventHorizon,
  readEvents,
  readPassedEvents,
  type EventPlace,
} from '../store/events/outbox.ts'
import { FEED_SCAN_MAX, findScanEdge, readFeedEvents, type ScanEdge } from '../store/events/feed.ts'
import { advanceCursor, renewLease } from '../store/events/subscribers.ts'
import { readClock } from '../store/connection/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../store/connection/transaction.ts'
import { deliver, type Delivered, type DeliveryOptions } from './delivery.ts'
import type { HeldLease } from './lease.ts'
import { setAside, type EventFailure, type RetryOptions } from './set_aside.ts'
import { withLackingParts, type OutboxEvent } from './snapshot.ts'
import type { Subscriber } from './subscribers.ts'

export interface LeaderOptions extends Omit<DeliveryOptions, 'may' | 'lost'>, RetryOptions {
  lease_ms: number
  /** Events read at once, and the most that is delivered twice after a crash. */
  page_max: number
  /** Called for each event that a handler processed, with the time since it occurred. */
  delivered: (subscriber: string, delay_ms: number) => void
}

export interface Leading {
  db: Database
  subscriber: Subscriber
  held: HeldLease
  place: EventPlace
  /** Delivered behind an event that is still open: read again with it, and not delivered again. */
  ahead: ReadonlySet<string>
  /** Events that an endpoint does not hear, read since its cursor was stored. */
  passed_over: { events: number; since: number }
  /** The database's time at a moment of this process. */
  clock: { at: number; since: number }
  stopping: () => boolean
  options: LeaderOptions
  note: (seen: Partial<Counted>) => void
  failed: (failure: EventFailure) => void
}

/** What one step adds to the statistics. */
export interface Counted {
  delivered: number
  failed: number
  dead: number
  /** How long the oldest undelivered event had waited. */
  lag_ms: number
}

/** Objects retried in one step. */
const RETRIES_MAX = 100

/** Another process leads: it repeats everything since the last commit. */
export class LeaseLost extends Error {}

async function deliverQueues(leading: Leading, queues: readonly (readonly OutboxEvent[])[]) {
  const { held, stopping, options, subscriber } = leading
  const may = (): boolean => held.holds() && !stopping()
  return await deliver(subscriber, queues, { ...options, may, lost: held.lost })
}

const isAway = (delivered: readonly Delivered[]): boolean => delivered.some(({ away }) => away)

/** What a step came to: `idle` if there was nothing to do, or the subscriber is away. */
export type Step = 'idle' | 'worked' | 'full'

/** Delivers a page of new events and moves the cursor past it. */
export async function deliverPage(leading: Leading): Promise<Step> {
  const { db, held, place, options, subscriber } = leading
  const { events, blocked, edge } = await readPage(leading)
  if (events.length === 0) return edge === undefined ? 'idle' : await passOver(leading, edge)
  const free = events.filter(
    ({ id, object_id }) => !blocked.has(object_id) && !leading.ahead.has(id),
  )
  const queues = Map.groupBy(free, ({ object_id }) => object_id)
  const delivered = await deliverQueues(leading, [...queues.values()])
  const done = delivered.flatMap((one) => one.done.map(({ id }) => id))
  const settled = new Set([...leading.ahead, ...done])
  // Also if the transaction below fails: what was delivered is not delivered again by this process.
  leading.ahead = settled
  const last = lastPassed(events, blocked, settled, delivered)
  const whole = last === events.at(-1)
  const passed = whole ? (edge ?? last) : last
  const failures = await withTransaction(db, async (tx) => {
    const mine =
      passed === undefined
        ? await renewLease(tx, held.subscriber, options.lease_ms)
        : await advanceCursor(tx, held.subscriber, passed)
    if (!mine) throw new LeaseLost()
    const aside: EventFailure[] = []
    for (const { failed } of delivered) {
      if (failed !== undefined) aside.push(await setAside(tx, leading, failed, 1))
    }
    await subscriber.endpoint?.record(tx)
    return aside
  })
  subscriber.endpoint?.recorded()
  leading.place = passed ?? place
  leading.ahead = whole ? new Set() : settled
  count(leading, delivered, failures)
  if (isAway(delivered)) return 'idle'
  return events.length < options.page_max ? 'worked' : 'full'
}

/** So many events of others are passed over in memory before the cursor is stored. */
const PASSED_OVER_MAX = 1_000
const PASSED_OVER_MS = 60_000

/** Nothing up to there is heard, so nothing can wait there: the stored cursor may stay behind. */
async function passOver(leading: Leading, edge: ScanEdge): Promise<Step> {
  const { db, held } = leading
  leading.place = edge
  const { since } = leading.passed_over
  const events = leading.passed_over.events + edge.scanned
  const now = performance.now()
  leading.passed_over = { events, since }
  if (events >= PASSED_OVER_MAX || now - since >= PASSED_OVER_MS) {
    const mine = await withTransaction(db, (tx) => advanceCursor(tx, held.subscriber, edge))
    if (!mine) throw new LeaseLost()
    leading.passed_over = { events: 0, since: now }
  }
  return edge.scanned < FEED_SCAN_MAX ? 'idle' : 'full'
}

async function readPage(leading: Leading) {
  const page = await readBelow(leading)
  if (page.events.length > 0 || !page.held_back) return page
  // Events wait behind a transaction that still runs. Most often it is unrelated.
  const horizon = await withReadTransaction(leading.db, readEventHorizon)
  return await readBelow(leading, horizon)
}

/** The next events; of an endpoint those it hears, and how far that looked. */
async function readNext(tx: Tx, { subscriber, place, options }: Leading, horizon?: string) {
  const limit = options.page_max
  if (subscriber.endpoint === undefined) {
    return { stored: await readEvents(tx, place, limit, horizon), edge: undefined }
  }
  const below = { after: place, ...(horizon !== undefined && { horizon }) }
  const stored = await readFeedEvents(tx, subscriber.endpoint.wants(), { ...below, limit })
  const edge = stored.length < limit ? await findScanEdge(tx, below) : undefined
  return { stored, edge }
}

async function readBelow(leading: Leading, horizon?: string) {
  const { db, subscriber, place, note } = leading
  return await withReadTransaction(db, async (tx) => {
    const { stored, edge } = await readNext(tx, leading, horizon)
    const events = await withLackingParts(tx, stored)
    const [oldest] = events
    const now = await readClock(tx)
    leading.clock = { at: now.getTime(), since: performance.now() }
    note({ lag_ms: oldest ? now.getTime() - oldest.occurred_at.getTime() : 0 })
    const object_ids = [...new Set(events.map(({ object_id }) => object_id))]
    if (object_ids.length === 0 && edge !== undefined) {
      return { events, edge, blocked: new Set<string>(), held_back: false }
    }
    return {
      events,
      edge,
      blocked: await findBlockedObjects(tx, subscriber.name, object_ids),
      held_back: events.length === 0 && (await hasEventsBehind(tx, place)),
    }
  })
}

/**
 * The end of the part in which nothing is open: delivered, set aside, or waiting behind such an
 * event.
 */
function lastPassed(
  events: readonly OutboxEvent[],
  blocked: ReadonlySet<string>,
  settled: ReadonlySet<string>,
  delivered: readonly Delivered[],
): OutboxEvent | undefined {
  const aside = new Set(delivered.flatMap(({ failed }) => failed?.event.object_id ?? []))
  const open = events.findIndex(
    ({ id, object_id }) => !settled.has(id) && !aside.has(object_id) && !blocked.has(object_id),
  )
  return open === -1 ? events.at(-1) : events[open - 1]
}

/** Sends what was asked for outside of the order: an endpoint's resends and tests. */
export async function sendAgain({ subscriber, held, stopping }: Leading): Promise<void> {
  const may = (): boolean => held.holds() && !stopping()
  await subscriber.endpoint?.sendAgain(may, held.lost)
}

/** Delivers events that were set aside and are due again, and those that waited behind them. */
export async function deliverRetries(leading: Leading): Promise<boolean> {
  const { db, held, subscriber, options } = leading
  if (subscriber.endpoint?.hasDue() === false) return false
  const due = await withReadTransaction(db, async (tx) => {
    const retries: { aside: DeadEvent; queue: OutboxEvent[] }[] = []
    for (const aside of await listDueRetries(tx, subscriber.name, RETRIES_MAX)) {
      const passed = await readPassedEvents(tx, subscriber.name, aside, options.page_max)
      const queue = await withLackingParts(tx, passed)
      const [first] = queue
      if (first?.sequence === aside.sequence) first.attempt = aside.attempts + 1
      retries.push({ aside, queue })
    }
    return retries
  })
  if (due.length === 0) return false
  const queues = due.map(({ queue }) => queue)
  const delivered = await deliverQueues(leading, queues)
  const failures = await withTransaction(db, async (tx) => {
    if (!(await renewLease(tx, held.subscriber, options.lease_ms))) throw new LeaseLost()
    const aside: EventFailure[] = []
    for (const [index, retry] of due.entries()) {
      const failure = await recordRetry(tx, leading, { ...retry, delivered: delivered[index] })
      if (failure !== undefined) aside.push(failure)
    }
    await subscriber.endpoint?.record(tx)
    return aside
  })
  subscriber.endpoint?.recorded()
  count(leading, delivered, failures)
  return !isAway(delivered)
}

interface Retry {
  aside: DeadEvent
  queue: readonly OutboxEvent[]
  delivered: Delivered | undefined
}

/** Returns the failure, if it failed again. */
async function recordRetry(
  tx: Tx,
  leading: Leading,
  { aside, queue, delivered }: Retry,
): Promise<EventFailure | undefined> {
  const { subscriber, options } = leading
  if (delivered?.failed) {
    const again = delivered.failed.event.sequence === aside.sequence
    return await setAside(tx, leading, delivered.failed, again ? aside.attempts + 1 : 1)
  }
  const reached = delivered?.done.length ?? 0
  if (reached === queue.length && queue.length < options.page_max) {
    await reviveObject(tx, subscriber.name, aside.object_id)
    return undefined
  }
  // Stopped on the way, or more than a page waits: the last one is delivered again, none is lost.
  const last = delivered?.done.at(-1)
  if (last !== undefined) {
    await buryEvent(tx, subscriber.name, last, { attempts: 0, error: 'under way', retry_in_ms: 0 })
  }
  return undefined
}

function count(
  { note, failed, subscriber, options, clock }: Leading,
  delivered: readonly Delivered[],
  failures: readonly EventFailure[],
): void {
  const now = clock.at + performance.now() - clock.since
  const name = subscriber.endpoint === undefined ? subscriber.name : 'webhook'
  for (const event of delivered.flatMap(({ done }) => done)) {
    if (subscriber.hears(event)) options.delivered(name, now - event.occurred_at.getTime())
  }
  const calls = delivered.reduce((sum, one) => sum + one.calls, 0)
  const dead = failures.filter((failure) => failure.dead).length
  note({ delivered: calls, failed: failures.length, dead })
  failures.forEach(failed)
}
