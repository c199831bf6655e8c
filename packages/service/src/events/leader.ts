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
  type GatewayEvent,
} from '../store/events/outbox.ts'
import { advanceCursor, renewLease } from '../store/events/subscribers.ts'
import { newId } from '../store/sql/values.ts'
import { readClock } from '../store/connection/settings.ts'
import { withReadTransaction, withTransaction, type Tx } from '../store/connection/transaction.ts'
import { deliver, type Delivered, type DeliveryOptions } from './delivery.ts'
import type { HeldLease } from './lease.ts'
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

export interface Leading {
  db: Database
  subscriber: Subscriber
  held: HeldLease
  place: EventPlace
  stopping: () => boolean
  options: LeaderOptions
  note: (seen: Partial<Counted>) => void
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

async function deliverQueues(leading: Leading, queues: readonly (readonly GatewayEvent[])[]) {
  const { held, stopping, options, subscriber } = leading
  const may = (): boolean => held.holds() && !stopping()
  return await deliver(subscriber, queues, { ...options, may, lost: held.lost })
}

/** Delivers a page of new events and moves the cursor past it. False if there was nothing. */
export async function deliverPage(leading: Leading): Promise<boolean> {
  const { db, held, place, options } = leading
  const { events, blocked } = await readPage(leading)
  if (events.length === 0) return false
  const free = events.filter(({ object_id }) => !blocked.has(object_id))
  const queues = Map.groupBy(free, ({ object_id }) => object_id)
  const delivered = await deliverQueues(leading, [...queues.values()])
  const passed = lastPassed(events, blocked, delivered)
  const dead = await withTransaction(db, async (tx) => {
    const mine =
      passed === undefined
        ? await renewLease(tx, held.subscriber, options.lease_ms)
        : await advanceCursor(tx, held.subscriber, passed)
    if (!mine) throw new LeaseLost()
    let given_up = 0
    for (const { failed } of delivered) given_up += await setAside(tx, leading, failed, 1)
    return given_up
  })
  leading.place = passed ?? place
  count(leading, delivered, dead)
  return true
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
    const events = await readEvents(tx, place, options.page_max, horizon)
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
  events: readonly GatewayEvent[],
  blocked: ReadonlySet<string>,
  delivered: readonly Delivered[],
): GatewayEvent | undefined {
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
    const retries: { aside: DeadEvent; queue: GatewayEvent[] }[] = []
    for (const aside of await listDueRetries(tx, subscriber.name, RETRIES_MAX)) {
      const queue = await readPassedEvents(tx, subscriber.name, aside, options.page_max)
      retries.push({ aside, queue })
    }
    return retries
  })
  if (due.length === 0) return false
  const queues = due.map(({ queue }) => queue)
  const delivered = await deliverQueues(leading, queues)
  const dead = await withTransaction(db, async (tx) => {
    if (!(await renewLease(tx, held.subscriber, options.lease_ms))) throw new LeaseLost()
    let given_up = 0
    for (const [index, retry] of due.entries()) {
      given_up += await recordRetry(tx, leading, { ...retry, delivered: delivered[index] })
    }
    return given_up
  })
  count(leading, delivered, dead)
  return true
}

interface Retry {
  aside: DeadEvent
  queue: readonly GatewayEvent[]
  delivered: Delivered | undefined
}

/** Returns how many became dead. */
async function recordRetry(tx: Tx, leading: Leading, { aside, queue, delivered }: Retry) {
  const { subscriber, options } = leading
  if (delivered?.failed) {
    const again = delivered.failed.event.sequence === aside.sequence
    return await setAside(tx, leading, delivered.failed, again ? aside.attempts + 1 : 1)
  }
  const reached = delivered?.done.length ?? 0
  if (reached === queue.length && queue.length < options.page_max) {
    await reviveObject(tx, subscriber.name, aside.object_id)
    return 0
  }
  // Stopped on the way, or more than a page waits: the last one is delivered again, none is lost.
  const last = delivered?.done.at(-1)
  if (last !== undefined) {
    await buryEvent(tx, subscriber.name, last, { attempts: 0, error: 'under way', retry_in_ms: 0 })
  }
  return 0
}

async function setAside(
  tx: Tx,
  { subscriber, options }: Leading,
  failed: Delivered['failed'],
  attempts: number,
): Promise<number> {
  if (failed === undefined) return 0
  const { event, error } = failed
  if (attempts < options.attempts_max) {
    const retry_in_ms = Math.min(options.retry_ms_min * 2 ** (attempts - 1), options.retry_ms_max)
    await buryEvent(tx, subscriber.name, event, { attempts, error, retry_in_ms })
    return 0
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
  return 1
}

function count({ note }: Leading, delivered: readonly Delivered[], dead: number): void {
  const calls = delivered.reduce((sum, one) => sum + one.calls, 0)
  note({ delivered: calls, failed: delivered.filter(({ failed }) => failed).length, dead })
}
