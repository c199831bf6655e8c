import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import type { EventKind, EventType, GatewayEvent } from './outbox.ts'

/** An event that a subscriber failed at. Later events of the same object wait behind it. */
export interface DeadEvent {
  subscriber: string
  object_kind: EventKind
  object_id: string
  owner_id: string
  event_id: string
  sequence: number
  attempts: number
  error: string
  died_at: Date
  /** When it is delivered again; null if it is dead and waits for staff. */
  retry_at: Date | null
}

export const DEAD_EVENTS_PAGE_MAX = 500

const DEAD_COLUMNS = `
  subscriber, object_kind, object_id, owner_id, event_id, sequence, attempts, error, died_at,
  retry_at`

interface Failure {
  attempts: number
  error: string
  /** Null: no further retry. */
  retry_in_ms?: number
}

/**
 * Sets an event aside for this subscriber, in the transaction that moves its cursor past it. The
 * first dead event of an object stays the blocking one. A retried event is replaced by a later one,
 * never by an earlier: staff may have skipped that meanwhile.
 */
export async function buryEvent(
  tx: Tx,
  subscriber: string,
  event: GatewayEvent,
  { attempts, error, retry_in_ms }: Failure,
): Promise<void> {
  await tx.query(
    `insert into gapura.dead_event
       (subscriber, object_kind, object_id, owner_id, event_id, sequence, occurred_at, attempts,
        error, retry_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
       gapura.now() + make_interval(secs => $10::double precision / 1000))
     on conflict (subscriber, object_id) do update
     set event_id = excluded.event_id,
         sequence = excluded.sequence,
         occurred_at = excluded.occurred_at,
         attempts = excluded.attempts,
         error = excluded.error,
         retry_at = excluded.retry_at,
         died_at = excluded.died_at
     where dead_event.event_id = excluded.event_id
       or (dead_event.retry_at is not null and dead_event.sequence <= excluded.sequence)`,
    [
      subscriber,
      event.object_kind,
      event.object_id,
      event.owner_id,
      event.id,
      event.sequence,
      event.occurred_at,
      attempts,
      error,
      retry_in_ms ?? null,
    ],
  )
}

/** The objects that are blocked for this subscriber until staff act, longest first. */
export const listDeadEvents = async (
  tx: Tx,
  subscriber: string,
  limit: number,
): Promise<DeadEvent[]> =>
  await tx.query<DeadEvent>(
    `select ${DEAD_COLUMNS}
     from gapura.dead_event
     where subscriber = $1
       and retry_at is null
     order by died_at, object_id
     limit $2`,
    [subscriber, Math.min(limit, DEAD_EVENTS_PAGE_MAX)],
  )

/** The objects whose next retry is due. Takes no lock: only the leader retries. */
export const listDueRetries = async (
  tx: Tx,
  subscriber: string,
  limit: number,
): Promise<DeadEvent[]> =>
  await tx.query<DeadEvent>(
    `select ${DEAD_COLUMNS}
     from gapura.dead_event
     where subscriber = $1
       and retry_at <= gapura.now()
     order by retry_at, object_id
     limit $2`,
    [subscriber, Math.min(limit, DEAD_EVENTS_PAGE_MAX)],
  )

/** Which of these objects are blocked for the subscriber: their later events wait. */
export async function findBlockedObjects(
  tx: Tx,
  subscriber: string,
  object_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const blocked = await tx.query<{ object_id: string }>(
    `select object_id
     from gapura.dead_event
     where subscriber = $1
       and object_id = any($2::uuid[])`,
    [subscriber, object_ids],
  )
  return new Set(blocked.map(({ object_id }) => object_id))
}

/**
 * Delivers a dead event again at once, or skips it so that the object continues. Returns the event
 * as it was; undefined if the object is not blocked.
 */
export async function releaseDeadEvent(
  tx: Tx,
  { subscriber, object_id }: Pick<DeadEvent, 'subscriber' | 'object_id'>,
  how: 'retry' | 'skip',
): Promise<DeadEvent | undefined> {
  const [dead] = await tx.query<DeadEvent>(
    `select ${DEAD_COLUMNS}
     from gapura.dead_event
     where subscriber = $1
       and object_id = $2
       and retry_at is null
     for update`,
    [subscriber, object_id],
  )
  if (dead === undefined) return undefined
  await tx.query(
    `update gapura.dead_event
     set sequence = $3,
         attempts = 0,
         retry_at = gapura.now()
     where subscriber = $1
       and object_id = $2`,
    [subscriber, object_id, how === 'skip' ? dead.sequence + 1 : dead.sequence],
  )
  return dead
}

/** Tries what a subscriber failed at again, as if for the first time: of one object, or of all. */
export async function retryEvents(tx: Tx, subscriber: string, object_id?: string): Promise<void> {
  const one = object_id === undefined ? '' : 'and object_id = $2'
  await tx.query(
    `update gapura.dead_event
     set attempts = 0,
         retry_at = gapura.now()
     where subscriber = $1
       ${one}`,
    object_id === undefined ? [subscriber] : [subscriber, object_id],
  )
}

/** Whether any subscriber still stands still at this event. */
export async function isDeadAnywhere(
  tx: Tx,
  { object_id, event_id }: Pick<DeadEvent, 'object_id' | 'event_id'>,
): Promise<boolean> {
  const dead = await tx.query(
    `select 1
     from gapura.dead_event
     where object_id = $1
       and event_id = $2
       and retry_at is null
     limit 1`,
    [object_id, event_id],
  )
  return dead.length > 0
}

/**
 * Unblocks an object after everything that waited for it was delivered. Returns it, or undefined.
 */
export async function reviveObject(
  tx: Tx,
  subscriber: string,
  object_id: string,
): Promise<DeadEvent | undefined> {
  const [revived] = await tx.query<DeadEvent>(
    `delete from gapura.dead_event
     where subscriber = $1
       and object_id = $2
     returning ${DEAD_COLUMNS}`,
    [subscriber, object_id],
  )
  return revived
}

export type DeadEventSummary = Omit<DeadEvent, 'died_at'> & {
  /** Subscriber and object together. */
  id: string
  type: EventType
  /** When it last failed. */
  created_at: Date
}

export interface DeadEventFilters {
  subscriber?: string
  object_id?: string
}

const FILTERS = [
  ['subscriber', 'subscriber = ?'],
  ['object_id', 'object_id = ?'],
] as const

// Two subscribers may fail at one event in the same millisecond, so neither its id nor the time
// makes a row unique; subscriber and object together do.
const TABLE = `(
  select
    md5(dead.subscriber || ' ' || dead.object_id)::uuid as id, dead.subscriber, dead.object_kind,
    dead.object_id, dead.owner_id, dead.event_id, dead.sequence, dead.attempts, dead.error,
    dead.retry_at, dead.died_at as created_at, event.type
  from gapura.dead_event as dead
  join gapura.gateway_event as event
    on event.object_id = dead.object_id
    and event.id = dead.event_id
) as dead`

/** A page of events that subscribers failed at, retried or waiting for staff; newest first. */
export async function listAllDeadEvents(
  tx: Tx,
  filters: DeadEventFilters,
  request: PageRequest,
): Promise<Page<DeadEventSummary>> {
  const conditions = conditionsOf(FILTERS, filters)
  const { text, values } = pageStatement({ table: TABLE, columns: '*', conditions }, request)
  return pageOf(await tx.query<DeadEventSummary>(text, values, { prepare: false }), request)
}

/** Deletes everything that one subscriber failed at, and returns it in the order of objects. */
export const forgetDeadEvents = async (
  tx: Tx,
  subscriber: string,
): Promise<Pick<DeadEvent, 'object_id' | 'event_id'>[]> =>
  await tx.query<Pick<DeadEvent, 'object_id' | 'event_id'>>(
    `with forgotten as (
       delete from gapura.dead_event
       where subscriber = $1
       returning object_id, event_id
     )
     select object_id, event_id
     from forgotten
     order by object_id`,
    [subscriber],
  )
