// The delivery of one subscriber by its leader: due retries first, then a page of new events. An
// object whose event failed is set aside with the time of its next retry, and the cursor moves on;
// its later events wait behind it. Nothing is held in memory between two pages, so a leader that
// dies repeats at most one page.
import { lockAlarmAbout, openAlarm } from '../store/staff/alarms.ts'
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
  type EventType,
} from '../store/events/outbox.ts'
import { advanceCursor, renewLease } from '../store/events/subscribers.ts'
import { newId } from '../store/sql/values.ts'
import { readClock } from '../store/connection/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../store/connection/transaction.ts'
import { deliver, type Delivered, type DeliveryOptions } from './delivery.ts'
import type { HeldLease } from './lease.ts'
import { withLackingParts, type OutboxEvent } from './snapshot.ts'
import type { Subscriber } from './subscribers.ts'

export interface LeaderOptions extends Omit<DeliveryOptions, 'may' | 'lost'> {
  lease_ms: number
  /** Events read at once, and the most that is delivered twice after a crash. */
  page_max: number
  /** After this many failures of one event staff are alarmed. */
  attempts_max: number
  retry_ms_min: number
  retry_ms_max: number
}

/** An event that a handler failed at, once that is on disk. */
export interface EventFailure {
  subscriber: string
  event_id: string
  type: EventType
  object_id: string
  attempts: number
  error: string
  /** No further attempt is made: staff retry or skip it. */
  dead: boolean
}

export interface Leading {
  db: Database
  subscriber: Subscriber
  held: HeldLease
  place: EventPlace
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

/**
 * Delivers a page of new events and moves the cursor past it. False if there was nothing to do, or
 * nothing can be done because the subscriber is away.
 */
export async function deliverPage(leading: Leading): Promise<boolean> {
  const { db, held, place, options } = leading
  const { events, blocked } = await readPage(leading)
  if (events.length === 0) return false
  const free = events.filter(({ object_id }) => !blocked.has(object_id))
  const queues = Map.groupBy(free, ({ object_id }) => object_id)
  const delivered = await deliverQueues(leading, [...queues.values()])
  const passed = lastPassed(events, blocked, delivered)
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
    return aside
  })
  leading.place = passed ?? place
  count(leading, delivered, failures)
  return !isAway(delivered)
}

async function readPage(leading: Leading) {
  const page = await readBelow(leading)
  if (page.events.length > 0 || !page.held_back) return page
  // Events wait behind a transaction that still runs. Most often it is unrelated.
  const horizon = await withReadTransaction(leading.db, readEventHorizon)
  return await readBelow(leading, horizon)
}

async function readBelow({ db, subscriber, place, options, note }: Leading, horizon?: string) {
  return await withReadTransaction(db, async (tx) => {
    const stored = await readEvents(tx, place, options.page_max, horizon)
    const events = await withLackingParts(tx, stored)
    const [oldest] = events
    const now = await readClock(tx)
    note({ lag_ms: oldest ? now.getTime() - oldest.occurred_at.getTime() : 0 })
    const object_ids = [...new Set(events.map(({ object_id }) => object_id))]
    return {
      events,
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
  delivered: readonly Delivered[],
): OutboxEvent | undefined {
  const settled = new Set(delivered.flatMap((one) => one.done.map(({ id }) => id)))
  const aside = new Set(delivered.flatMap(({ failed }) => failed?.event.object_id ?? []))
  const open = events.findIndex(
    ({ id, object_id }) => !settled.has(id) && !aside.has(object_id) && !blocked.has(object_id),
  )
  return open === -1 ? events.at(-1) : events[open - 1]
}

/** Delivers events that were set aside and are due again, and those that waited behind them. */
export async function deliverRetries(leading: Leading): Promise<boolean> {
  const { db, held, subscriber, options } = leading
  const due = await withReadTransaction(db, async (tx) => {
    const retries: { aside: DeadEvent; queue: OutboxEvent[] }[] = []
    for (const aside of await listDueRetries(tx, subscriber.name, RETRIES_MAX)) {
      const passed = await readPassedEvents(tx, subscriber.name, aside, options.page_max)
      const queue = await withLackingParts(tx, passed)
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
    return aside
  })
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

async function setAside(
  tx: Tx,
  { subscriber, options }: Leading,
  { event, error }: NonNullable<Delivered['failed']>,
  attempts: number,
): Promise<EventFailure> {
  const { id: event_id, type, object_id } = event
  const failure = { subscriber: subscriber.name, event_id, type, object_id, attempts, error }
  if (attempts < options.attempts_max) {
    const retry_in_ms = Math.min(options.retry_ms_min * 2 ** (attempts - 1), options.retry_ms_max)
    await buryEvent(tx, subscriber.name, event, { attempts, error, retry_in_ms })
    return { ...failure, dead: false }
  }
  await buryEvent(tx, subscriber.name, event, { attempts, error })
  const about = { kind: 'event_dead', subject_id: event.id } as const
  // Another subscriber's failure at the same event may be released at this moment.
  await lockAlarmAbout(tx, about)
  await openAlarm(tx, {
    ...about,
    id: newId(),
    subject_kind: 'event',
    owner_id: event.owner_id,
    detail: `${subscriber.name} failed ${attempts} times at ${event.type}`,
  })
  return { ...failure, dead: true }
}

function count(
  { note, failed }: Leading,
  delivered: readonly Delivered[],
  failures: readonly EventFailure[],
): void {
  const calls = delivered.reduce((sum, one) => sum + one.calls, 0)
  const dead = failures.filter((failure) => failure.dead).length
  note({ delivered: calls, failed: failures.length, dead })
  failures.forEach(failed)
}
