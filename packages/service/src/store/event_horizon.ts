// How far the outbox may be read when a transaction that has nothing to do with it runs for long.
import type { EventPlace } from './events.ts'
import type { Tx } from './transaction.ts'

/** Whether events have committed behind a place, readable yet or not. */
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
 * The number below which every transaction that could write an event has ended. Transactions that
 * hold no lock on a table of ours, in other databases above all, are not waited for. A statement
 * with a later snapshot than this one's sees all that stands below the number.
 *
 * Who writes an event locks a table of ours before its transaction gets a number, and lets go of it
 * after its rows can be seen. So whoever has a number at this statement's snapshot has ended, or
 * holds such a lock when the locks are read, or is a stranger.
 */
export async function readEventHorizon(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ horizon: string }>(
    `with locks as materialized (
       select * from pg_locks
     ),
     snapshot as materialized (
       select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax
     ),
     -- The list of locks has the lower half of a number. No two that run are 2^31 apart.
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
