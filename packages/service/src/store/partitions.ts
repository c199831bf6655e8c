import type { Tx } from './transaction.ts'

export const PARTITIONED_TABLES = ['gateway_notification', 'gateway_event'] as const

export type PartitionedTable = (typeof PARTITIONED_TABLES)[number]

/** How many months are made ahead; maintenance may fail for two months without consequence. */
export const MONTHS_AHEAD = 3

export interface Partition {
  name: string
  /** Its first day, UTC. */
  month: string
  /** The first day after it: a recovered partition spans several months. */
  until: string
}

/**
 * Makes the partitions of this month and the next ones, and returns how many were missing. Rows of
 * these months in the DEFAULT partition move under its lock, so they must be few. May repeat.
 */
export async function ensurePartitions(tx: Tx, table: PartitionedTable): Promise<number> {
  const made = await tx.query<{ made: boolean }>(
    `select gapura.ensure_month_partition(
       $1,
       (gapura.now() + make_interval(months => ahead))::date
     ) as made
     from generate_series(0, $2) as ahead`,
    [table, MONTHS_AHEAD],
    { whole: false },
  )
  return made.filter((month) => month.made).length
}

/** The partitions of a table, oldest first. */
export const listPartitions = async (tx: Tx, table: PartitionedTable): Promise<Partition[]> =>
  await tx.query<Partition>(
    `select name, month, until
     from gapura.month_partitions($1)
     order by month`,
    [table],
  )

/** Open questions keep a month of the inbox: the sweep has yet to answer them. */
const NOTIFICATIONS_DONE = `
  not exists (
    select from gapura.gateway_notification as open
    where open.received_at >= month
      and open.received_at < until
      and open.effect = 'unmatched'
      and open.resolved_at is null
  )`

/**
 * Every subscriber is past the month's events, and no dead one is as old: what waits behind it may
 * be in any later month.
 */
const EVENTS_DELIVERED = `
  not exists (
    select from gapura.event_subscriber as behind
    cross join lateral (
      select from gapura.gateway_event as event
      where (event.xid, event.object_id, event.sequence)
          > (behind.cursor_xid, behind.cursor_object_id, behind.cursor_sequence)
        and event.occurred_at >= month
        and event.occurred_at < until
      -- For the sake of its index: nothing found would otherwise mean a whole month read.
      order by event.xid, event.object_id, event.sequence
      limit 1
    ) as untold
  )
  and coalesce(
    (select min(occurred_at) from gapura.dead_event) >= until,
    true
  )`

const DONE: Readonly<Record<PartitionedTable, string>> = {
  gateway_notification: NOTIFICATIONS_DONE,
  gateway_event: EVENTS_DELIVERED,
}

export interface OldPartition extends Partition {
  /** Something in it is still needed. */
  held: boolean
}

/** The partitions whose last month ended at least so many whole months ago, oldest first. */
export const listOldPartitions = async (
  tx: Tx,
  table: PartitionedTable,
  keep_months: number,
): Promise<OldPartition[]> =>
  await tx.query<OldPartition>(
    `select name, month, until, not (${DONE[table]}) as held
     from gapura.month_partitions($1) as partition
     where until
       <= date_trunc('month', gapura.now()) - make_interval(months => $2)
     order by month`,
    [table, keep_months],
  )

/**
 * Drops a month with all its rows. Locks the table against everybody for a moment. False if it is
 * no month of that table, or the table is in use: then nothing has happened.
 */
export async function dropPartition(
  tx: Tx,
  table: PartitionedTable,
  { name }: Pick<Partition, 'name'>,
): Promise<boolean> {
  const [row] = await tx.query<{ dropped: boolean }>(
    'select gapura.drop_month_partition($1, $2) as dropped',
    [table, name],
  )
  return row?.dropped === true
}
