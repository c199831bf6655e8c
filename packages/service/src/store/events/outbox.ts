import type { OperatorEvent, OperatorEventType } from '../../domain/operator_event.ts'
import type { ObjectKind, Signal, Source } from '../../domain/signals.ts'
import type { Tx } from '../connection/transaction.ts'
import { newId, toJson } from '../sql/values.ts'

/** A reader's position in the outbox. 0010_events.sql says why it has three parts. */
export interface EventPlace {
  xid: string
  object_id: string
  sequence: number
}

/** Signals of objects, and events for the people who run the service. */
export type EventType = Signal | OperatorEventType
export type EventKind = ObjectKind | 'operator'

/** The object is the representation that HTTP replies with, or, in rows of before, a copy of its row. */
export interface GatewayEvent extends EventPlace {
  id: string
  type: EventType
  /** Empty of an operator event: no caller has that owner. */
  owner_id: string
  object_kind: EventKind
  object: Readonly<Record<string, unknown>>
  previous_status: string | null
  source: Source
  notification_id: string | null
  /** The refund of the object that the event is about, if it is about one. */
  refund_id: string | null
  occurred_at: Date
}

export type NewEvent = Pick<
  GatewayEvent,
  'id' | 'object_id' | 'previous_status' | 'source' | 'notification_id'
> & {
  type: Signal
  object_kind: ObjectKind
  /** Its representation. */
  object: object
  refund_id?: string | null
}

/** As it was written, with its place. */
type AppendedEvent = GatewayEvent & Pick<NewEvent, 'type' | 'object_kind'>

export const EVENTS_PAGE_MAX = 500

export const EVENT_COLUMNS = `
  id, type, owner_id, object_kind, object_id, sequence, xid, object, previous_status, source,
  notification_id, refund_id, occurred_at`

const OBJECT_TABLES: Readonly<Record<ObjectKind, string>> = {
  payment: 'gapura.gateway_payment',
  invoice: 'gapura.gateway_invoice',
  subscription: 'gapura.gateway_subscription',
  checkout: 'gapura.gateway_checkout',
}

/**
 * Writes an event into the outbox, in the transaction of the change it reports. The object's row,
 * which is locked, counts its events: without gaps, even after old months of events are dropped.
 */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<AppendedEvent> {
  const [appended] = await tx.query<AppendedEvent>(
    `with place as (
       update ${OBJECT_TABLES[event.object_kind]}
       set event_sequence = event_sequence + 1,
           -- Never lower than the object's last event, whichever transaction got its number first.
           event_xid = greatest(event_xid, pg_current_xact_id())
       where id = $1
       returning id, owner_id, event_sequence, event_xid, version
     )
     insert into gapura.gateway_event
       (object_id, owner_id, sequence, xid, id, type, object_kind, object, previous_status, source,
        notification_id, refund_id, object_version)
     select place.id, owner_id, event_sequence, event_xid, $2, $3, $4, $5, $6, $7, $8, $9, version
     from place
     returning ${EVENT_COLUMNS}`,
    [
      event.object_id,
      event.id,
      event.type,
      event.object_kind,
      toJson(event.object),
      event.previous_status,
      event.source,
      event.notification_id,
      event.refund_id ?? null,
    ],
  )
  if (appended === undefined) {
    throw new RangeError(`${event.object_kind} ${event.object_id} does not exist`)
  }
  return appended
}

/**
 * Writes an event for the people who run the service, in the transaction of what it reports. Each is
 * the only event of an object of its own, so it locks nothing and never waits.
 */
export async function publishOperatorEvent(
  tx: Tx,
  { type, object }: OperatorEvent,
  id: string = newId(),
): Promise<void> {
  await tx.query(
    `insert into gapura.gateway_event
       (object_id, owner_id, sequence, xid, id, type, object_kind, object, source)
     values ($1, '', 1, pg_current_xact_id(), $1, $2, 'operator', $3, 'sweep')`,
    [id, type, toJson(object)],
  )
}

/**
 * The events after a position, in order: for each object by its sequence, without a gap. Events
 * that a running transaction might still write before them are waited for, so that a late commit is
 * never skipped. Below a given horizon instead, which was read before this transaction began; see
 * readEventHorizon.
 */
export const readEvents = async (
  tx: Tx,
  after: EventPlace,
  limit: number,
  horizon?: string,
): Promise<GatewayEvent[]> =>
  await tx.query<GatewayEvent>(
    `select ${EVENT_COLUMNS}
     from gapura.gateway_event
     where (xid, object_id, sequence) > ($1::xid8, $2::uuid, $3::integer)
       -- Every transaction below the oldest running number has ended, and its rows are visible.
       and xid < coalesce($5::xid8, pg_snapshot_xmin(pg_current_snapshot()))
     order by xid, object_id, sequence
     limit $4`,
    [after.xid, after.object_id, after.sequence, Math.min(limit, EVENTS_PAGE_MAX), horizon ?? null],
  )

/** The events of one object from a sequence on: those that wait behind a dead one. */
export const readObjectEvents = async (
  tx: Tx,
  object_id: string,
  from_sequence: number,
  limit: number,
): Promise<GatewayEvent[]> =>
  await tx.query<GatewayEvent>(
    `select ${EVENT_COLUMNS}
     from gapura.gateway_event
     where object_id = $1
       and sequence >= $2
     order by sequence
     limit $3`,
    [object_id, from_sequence, Math.min(limit, EVENTS_PAGE_MAX)],
  )

/**
 * The events of one object from a sequence on that a subscriber's cursor has already passed: those
 * that wait behind a failed one. Later ones follow in order.
 */
export const readPassedEvents = async (
  tx: Tx,
  subscriber: string,
  { object_id, sequence }: Pick<EventPlace, 'object_id' | 'sequence'>,
  limit: number,
): Promise<GatewayEvent[]> =>
  await tx.query<GatewayEvent>(
    `select ${EVENT_COLUMNS}
     from gapura.gateway_event
     where object_id = $2
       and sequence >= $3
       and (xid, object_id, sequence) <= (
         select cursor_xid, cursor_object_id, cursor_sequence
         from gapura.event_subscriber
         where name = $1
       )
     order by sequence
     limit $4`,
    [subscriber, object_id, sequence, Math.min(limit, EVENTS_PAGE_MAX)],
  )

// How far the outbox may be read while an unrelated transaction runs for long.

/** Whether events were committed after a position, readable yet or not. */
export async function hasEventsBehind(tx: Tx, after: EventPlace): Promise<boolean> {
  const behind = await tx.query(
    `select 1
     from gapura.gateway_event
     where (xid, object_id, sequence) > ($1::xid8, $2::uuid, $3::integer)
     order by xid, object_id, sequence
     limit 1`,
    [after.xid, after.object_id, after.sequence],
  )
  return behind.length > 0
}

/**
 * The number below which every transaction that could write an event has ended. Transactions
 * without a lock on our tables, such as those in other databases, are not waited for. A statement
 * with a later snapshot sees everything below the number. This holds because a transaction that
 * writes an event locks one of our tables before it gets a number and releases it after its rows
 * are visible: so each number at this statement's snapshot has ended, holds such a lock, or is
 * unrelated.
 */
export async function readEventHorizon(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ horizon: string }>(
    `with locks as materialized (
       select * from pg_locks
     ),
     snapshot as materialized (
       select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax
     ),
     -- The list of locks has the lower half of a number. No two running numbers are 2^31 apart.
     writers as (
       select xmax + ((own.transactionid::text::bigint - xmax + 2147483648) & 4294967295) - 2147483648
         as xid
       from locks own, snapshot
       where own.locktype = 'transactionid'
         and own.mode = 'ExclusiveLock'
         and own.granted
         and exists (
           select 1
           from locks held
           join pg_class table_of_ours on table_of_ours.oid = held.relation
           where held.virtualtransaction = own.virtualtransaction
             and held.locktype = 'relation'
             and held.mode <> 'AccessShareLock'
             and held.database = (select oid from pg_database where datname = current_database())
             and table_of_ours.relnamespace = (
               select relnamespace from pg_class where oid = 'gapura.gateway_event'::regclass
             )
         )
     )
     select least((select xmax from snapshot), (select min(xid) from writers))::text as horizon`,
  )
  return row?.horizon ?? '0'
}
