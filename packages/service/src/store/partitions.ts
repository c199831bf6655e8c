import type { Tx } from './transaction.ts'

export const PARTITIONED_TABLES = ['gateway_notification', 'gateway_event'] as const

export type PartitionedTable = (typeof PARTITIONED_TABLES)[number]

/** How many months are made ahead; housekeeping may fail for two and nothing happens. */
export const MONTHS_AHEAD = 3

export interface Partition {
  name: string
  /** Its first day, UTC. */
  month: string
}

/**
 * Makes the partitions of this month and the next ones, and returns how many were missing. Rows
 * the DEFAULT partition caught meanwhile move to theirs. May repeat and overlap.
 */
export async function ensurePartitions(tx: Tx, table: PartitionedTable): Promise<number> {
  const made = await tx.query<{ made: boolean }>(
    `select gapura.ensure_month_partition(
       $1,
       (gapura.now() + make_interval(months => ahead))::date
     ) as made
     from generate_series(0, $2) as ahead`,
    [table, MONTHS_AHEAD],
  )
  return made.filter((month) => month.made).length
}

/** The months of a table, oldest first. */
export const listPartitions = async (tx: Tx, table: PartitionedTable): Promise<Partition[]> =>
  await tx.query<Partition>(
    `select name, month
     from gapura.month_partitions($1)
     order by month`,
    [table],
  )

const OLD = `
  select name, month
  from gapura.month_partitions($1) as partition
  where month + interval '1 month'
    <= date_trunc('month', gapura.now()) - make_interval(months => $2)`

/** Open questions keep a month of the inbox: the sweep has yet to answer them. */
const NOTIFICATIONS_DONE = `
  and not exists (
    select from gapura.gateway_notification as open
    where open.received_at >= month
      and open.received_at < month + interval '1 month'
      and open.effect = 'unmatched'
      and open.resolved_at is null
  )`

/** Every subscriber is past the month's events, and no dead one or what waits behind it is there. */
const EVENTS_DELIVERED = `
  and not exists (
    select from gapura.event_subscriber as behind
    join gapura.gateway_event as event
      on (event.xid, event.object_id, event.sequence)
        > (behind.cursor_xid, behind.cursor_object_id, behind.cursor_sequence)
    where event.occurred_at >= month
      and event.occurred_at < month + interval '1 month'
  )
  and not exists (
    select from gapura.dead_event as dead
    join gapura.gateway_event as event
      on event.object_id = dead.object_id
      and event.sequence >= dead.sequence
    where event.occurred_at >= month
      and event.occurred_at < month + interval '1 month'
  )`

const DONE: Readonly<Record<PartitionedTable, string>> = {
  gateway_notification: NOTIFICATIONS_DONE,
  gateway_event: EVENTS_DELIVERED,
}

/** The months that ended at least so many whole months ago and hold nothing still needed. */
export const listDroppablePartitions = async (
  tx: Tx,
  table: PartitionedTable,
  keep_months: number,
): Promise<Partition[]> =>
  await tx.query<Partition>(
    `${OLD}
     ${DONE[table]}
     order by month`,
    [table, keep_months],
  )

/**
 * Drops a month with all its rows. False if it is no month of that table. Locks the table against
 * everybody for a moment, and gives up after the transaction's lock time-out.
 */
export async function dropPartition(
  tx: Tx,
  table: PartitionedTable,
  { name }: Partition,
): Promise<boolean> {
  const [row] = await tx.query<{ dropped: boolean }>(
    'select gapura.drop_month_partition($1, $2) as dropped',
    [table, name],
  )
  return row?.dropped === true
}
