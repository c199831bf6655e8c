import type { EventPlace } from './outbox.ts'
import type { Tx } from '../connection/transaction.ts'

export interface EventSubscriber {
  name: string
  cursor_xid: string
  cursor_object_id: string
  cursor_sequence: number
  lease_holder: string | null
  /** New with every change of leader; a write with an old token is refused. */
  lease_token: number
  lease_until: Date | null
}

const SUBSCRIBER_COLUMNS = `
  name, cursor_xid, cursor_object_id, cursor_sequence, lease_holder, lease_token, lease_until`

/** What a subscriber wants; null: everything. */
export interface Wanted {
  signals?: readonly string[] | null
  owner_id?: string | null
}

/**
 * Registers a subscriber's name with its signals. A new name starts at the oldest stored event, or
 * at this moment; a known one keeps its position, a retired one too. May be repeated.
 */
export async function registerSubscriber(
  tx: Tx,
  name: string,
  start: 'beginning' | 'now',
  { signals = null, owner_id = null }: Wanted = {},
): Promise<void> {
  await tx.query(
    `insert into gapura.event_subscriber (name, cursor_xid, signals, owner_id)
     values (
       $1,
       case when $2 then pg_snapshot_xmin(pg_current_snapshot()) else '0'::xid8 end,
       $3::text[],
       $4
     )
     on conflict (name) do update
     set signals = excluded.signals,
         retired_at = null
     where event_subscriber.signals is distinct from excluded.signals
       or event_subscriber.retired_at is not null`,
    [name, start === 'now', signals, owner_id],
  )
}

/**
 * Retires a subscriber that no process leads: it counts nowhere and holds no month of events back.
 * Undefined if there is no such name, `led` if a process delivers to it now. Locks its row.
 */
export async function retireSubscriber(
  tx: Tx,
  name: string,
): Promise<'retired' | 'led' | undefined> {
  const [row] = await tx.query<{ led: boolean }>(
    `select coalesce(lease_until > gapura.now(), false) as led
     from gapura.event_subscriber
     where name = $1
       and retired_at is null
     for update`,
    [name],
  )
  if (row === undefined) return undefined
  if (row.led) return 'led'
  await tx.query(
    `update gapura.event_subscriber
     set retired_at = gapura.now()
     where name = $1`,
    [name],
  )
  return 'retired'
}

/** The names of all subscribers that are not retired, in order. */
export const listSubscriberNames = async (tx: Tx): Promise<string[]> =>
  (
    await tx.query<{ name: string }>(
      `select name
       from gapura.event_subscriber
       where retired_at is null
       order by name`,
    )
  ).map(({ name }) => name)

export async function findSubscriber(tx: Tx, name: string): Promise<EventSubscriber | undefined> {
  const [subscriber] = await tx.query<EventSubscriber>(
    `select ${SUBSCRIBER_COLUMNS}
     from gapura.event_subscriber
     where name = $1`,
    [name],
  )
  return subscriber
}

/**
 * Makes this holder the leader if no lease is valid. Undefined if another process leads. A holder
 * that calls again gets a new token too: its earlier run may still be at work.
 */
export async function acquireLease(
  tx: Tx,
  { name, holder, lease_ms }: { name: string; holder: string; lease_ms: number },
): Promise<EventSubscriber | undefined> {
  const [leader] = await tx.query<EventSubscriber>(
    `update gapura.event_subscriber
     set lease_holder = $2,
         lease_token = lease_token + 1,
         lease_until = gapura.now() + make_interval(secs => $3::double precision / 1000)
     where name = $1
       and (lease_until is null or lease_until <= gapura.now() or lease_holder = $2)
     returning ${SUBSCRIBER_COLUMNS}`,
    [name, holder, lease_ms],
  )
  return leader
}

/**
 * Moves a subscriber to another place, also backwards. A process that leads now finds its lease
 * lost, so that it cannot move the cursor on from where it was.
 */
export async function moveCursor(tx: Tx, name: string, to: EventPlace): Promise<void> {
  await tx.query(
    `update gapura.event_subscriber
     set cursor_xid = $2,
         cursor_object_id = $3,
         cursor_sequence = $4,
         lease_token = lease_token + 1,
         lease_holder = null,
         lease_until = null
     where name = $1`,
    [name, to.xid, to.object_id, to.sequence],
  )
}

/** Ends a subscriber for good, also one that a process leads: it finds its lease lost. */
export async function endSubscriber(tx: Tx, name: string): Promise<void> {
  await tx.query(
    `update gapura.event_subscriber
     set retired_at = gapura.now(),
         lease_token = lease_token + 1,
         lease_holder = null,
         lease_until = null
     where name = $1`,
    [name],
  )
}

/** A lease as its holder knows it. */
export type Lease = Pick<EventSubscriber, 'name' | 'lease_token'>

/** Extends the lease. False if another process has taken over. */
export async function renewLease(tx: Tx, lease: Lease, lease_ms: number): Promise<boolean> {
  const renewed = await tx.query(
    `update gapura.event_subscriber
     set lease_until = gapura.now() + make_interval(secs => $3::double precision / 1000)
     where name = $1
       and lease_token = $2
     returning name`,
    [lease.name, lease.lease_token, lease_ms],
  )
  return renewed.length > 0
}

/** Ends a lease early, so that another process need not wait. Does nothing if it is not ours. */
export async function releaseLease(tx: Tx, lease: Lease): Promise<void> {
  await tx.query(
    `update gapura.event_subscriber
     set lease_until = null,
         lease_holder = null
     where name = $1
       and lease_token = $2`,
    [lease.name, lease.lease_token],
  )
}

/**
 * Stores how far events were delivered to this subscriber. Only forward, and only by the holder of
 * the latest lease; false otherwise. Locks the subscriber's row until the transaction ends.
 */
export async function advanceCursor(tx: Tx, lease: Lease, to: EventPlace): Promise<boolean> {
  const advanced = await tx.query(
    `update gapura.event_subscriber
     set cursor_xid = $3,
         cursor_object_id = $4,
         cursor_sequence = $5
     where name = $1
       and lease_token = $2
       and (cursor_xid, cursor_object_id, cursor_sequence)
         < ($3::xid8, $4::uuid, $5::integer)
     returning name`,
    [lease.name, lease.lease_token, to.xid, to.object_id, to.sequence],
  )
  return advanced.length > 0
}
