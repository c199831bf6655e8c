// What operators monitor, read from the database. Every statement uses an index, whatever the size
// of the tables, and counts no further than a hundred: an alert needs to know that there are many,
// not how many.
import { ALARM_KINDS, type AlarmKind } from '../../domain/alarm.ts'
import { OPEN_STATES } from '../../domain/reconciliation.ts'
import { inspectDefaultPartition } from './partitions.ts'
import { listPartitions, PARTITIONED_TABLES } from './partitions.ts'
import type { Tx } from '../connection/transaction.ts'

/** The counting limit. */
export const GAUGE_COUNT_MAX = 100

export interface Waiting {
  count: number
  /** How long the first of them has waited; 0 if there is none. */
  oldest_s: number
}

const NONE: Waiting = { count: 0, oldest_s: 0 }

const SECONDS_SINCE = (time: string): string =>
  `coalesce(greatest(extract(epoch from gapura.now() - ${time}), 0), 0)::double precision`

/** Operations without a known outcome: unclear, or not ended by the process that began them. */
export async function measureOpenOperations(tx: Tx): Promise<Waiting> {
  const [measured] = await tx.query<Waiting>(
    `select count(*)::integer as count, ${SECONDS_SINCE('min(created_at)')} as oldest_s
     from (
       select created_at
       from gapura.gateway_operation
       where state in ('started', 'unknown')
         and (state = 'unknown' or due_at <= gapura.now())
       order by created_at
       limit $1
     ) as open`,
    [GAUGE_COUNT_MAX],
  )
  return measured ?? NONE
}

/** Payments still pending after their expiry time. */
export async function measureOverduePayments(tx: Tx): Promise<Waiting> {
  const [measured] = await tx.query<Waiting>(
    `select count(*)::integer as count, ${SECONDS_SINCE('min(expiry_time)')} as oldest_s
     from (
       select expiry_time
       from gapura.gateway_payment_state
       where transaction_status = 'pending'
         and expiry_time < gapura.now()
       order by expiry_time, id
       limit $1
     ) as overdue`,
    [GAUGE_COUNT_MAX],
  )
  return measured ?? NONE
}

/** Payments whose check is due and not made. */
export async function measureDueChecks(tx: Tx): Promise<Waiting> {
  const [measured] = await tx.query<Waiting>(
    `select count(*)::integer as count, ${SECONDS_SINCE('min(next_check_at)')} as oldest_s
     from (
       select next_check_at
       from gapura.gateway_payment_state
       where next_check_at <= gapura.now()
       order by next_check_at, id
       limit $1
     ) as due`,
    [GAUGE_COUNT_MAX],
  )
  return measured ?? NONE
}

/** Exceptions past their due day, and days whose balance is not explained in time. */
export async function measureReconciliation(
  tx: Tx,
): Promise<{ overdue: number; unexplained: number }> {
  const [measured] = await tx.query<{ overdue: number; unexplained: number }>(
    `select
       (
         select count(*)::integer
         from (
           select
           from gapura.reconciliation_item
           where state in ('${OPEN_STATES.join("', '")}')
             and due_on < (gapura.now() at time zone 'Asia/Jakarta')::date
           order by due_on
           limit $1
         ) as counted
       ) as overdue,
       (
         select count(*)::integer
         from (
           select
           from gapura.reconciliation_proof
           where unexplained <> 0
             and due_on < (gapura.now() at time zone 'Asia/Jakarta')::date
           order by due_on
           limit $1
         ) as counted
       ) as unexplained`,
    [GAUGE_COUNT_MAX],
  )
  return measured ?? { overdue: 0, unexplained: 0 }
}

export interface OpenAlarms {
  kind: AlarmKind
  count: number
}

/** One row for each kind, also if its count is 0. */
export const measureOpenAlarms = async (tx: Tx): Promise<OpenAlarms[]> =>
  await tx.query<OpenAlarms>(
    `select kind, open.count
     from unnest($1::text[]) as kind
     cross join lateral (
       select count(*)::integer as count
       from (
         select
         from gapura.gateway_alarm
         where gateway_alarm.kind = kind.kind
           and closed_at is null
         order by subject_id
         limit $2
       ) as counted
     ) as open`,
    [ALARM_KINDS, GAUGE_COUNT_MAX],
  )

export interface OutboxLag {
  subscriber: string
  /** How long the next event has waited for delivery; 0 if there is none. */
  lag_s: number
  dead: number
}

/** Events looked at for each subscriber to find the first that it wants. */
const EVENTS_BEHIND_MAX = 200

export const measureOutbox = async (tx: Tx): Promise<OutboxLag[]> =>
  await tx.query<OutboxLag>(
    `select
       name as subscriber,
       ${SECONDS_SINCE('next.occurred_at')} as lag_s,
       (
         select count(*)::integer
         from (
           select
           from gapura.dead_event
           where dead_event.subscriber = event_subscriber.name
             and retry_at is null
           order by died_at
           limit $1
         ) as counted
       ) as dead
     from gapura.event_subscriber
     cross join lateral (
       -- Behind a full page of other signals something may wait, and that must alarm.
       select coalesce(
         min(occurred_at) filter (where wanted),
         case when count(*) = $2 then max(occurred_at) end
       ) as occurred_at
       from (
         select occurred_at, signals is null or event.type = any(signals) as wanted
         from gapura.gateway_event as event
         where (event.xid, event.object_id, event.sequence)
           > (event_subscriber.cursor_xid, event_subscriber.cursor_object_id,
              event_subscriber.cursor_sequence)
         order by event.xid, event.object_id, event.sequence
         limit $2
       ) as behind
     ) as next
     where retired_at is null
       -- Endpoints of webhooks are their owners' concern, and there may be many.
       and not starts_with(name, 'webhook.')
     order by name`,
    [GAUGE_COUNT_MAX, EVENTS_BEHIND_MAX],
  )

export interface EventTrouble {
  subscriber: string
  /** Events that wait for staff. */
  dead: number
  /** Events that are retried. */
  failing: number
  /** Of one of them. */
  error: string
}

/** The subscribers that fail at events now. Empty where all is well; the counts have a maximum. */
export const measureEventTrouble = async (tx: Tx): Promise<EventTrouble[]> =>
  await tx.query<EventTrouble>(
    `select
       subscriber,
       count(*) filter (where retry_at is null)::integer as dead,
       count(*) filter (where retry_at is not null)::integer as failing,
       max(error) as error
     from (
       select subscriber, retry_at, error
       from gapura.dead_event
       -- One that was released, or whose delivery goes on, has not failed since.
       where attempts > 0
         and not starts_with(subscriber, 'webhook.')
       limit $1
     ) as trouble
     group by subscriber
     order by subscriber`,
    [GAUGE_COUNT_MAX],
  )

/** Seconds since the last accepted notification; null if none is stored. */
export async function measureSilence(tx: Tx): Promise<number | null> {
  const [last] = await tx.query<{ age_s: number }>(
    // Ids are made from the time of receipt, and the primary key begins with them.
    `select ${SECONDS_SINCE('received_at')} as age_s
     from gapura.gateway_notification
     order by id desc
     limit 1`,
  )
  return last?.age_s ?? null
}

/** How many whole months after this one have a partition; maintenance keeps it at three. */
export async function measureMonthsAhead(tx: Tx): Promise<{ table: string; months: number }[]> {
  const [clock] = await tx.query<{ month: string }>(
    `select date_trunc('month', gapura.now())::date as month`,
  )
  const next = monthNumber(clock?.month ?? '') + 1
  const measured: { table: string; months: number }[] = []
  for (const table of PARTITIONED_TABLES) {
    const partitions = await listPartitions(tx, table)
    const ahead = partitions.map(({ month, until }) =>
      Math.max(0, monthNumber(until) - Math.max(next, monthNumber(month))),
    )
    measured.push({ table, months: ahead.reduce((sum, months) => sum + months, 0) })
  }
  return measured
}

/** Months since the year 0, of a day such as 2026-11-01. */
const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** Rows without a partition of their month; maintenance leaves none. */
export async function measureDefaultRows(tx: Tx): Promise<{ table: string; rows: number }[]> {
  const measured: { table: string; rows: number }[] = []
  for (const table of PARTITIONED_TABLES) {
    const { rows } = await inspectDefaultPartition(tx, table, GAUGE_COUNT_MAX)
    measured.push({ table, rows })
  }
  return measured
}

/** Worker pools with a recent heartbeat. */
export async function measureWorkers(tx: Tx): Promise<number> {
  const [living] = await tx.query<{ count: number }>(
    `select count(*)::integer as count
     from gapura.worker
     where beat_at > gapura.now() - interval '30 seconds'`,
  )
  return living?.count ?? 0
}

/** Jobs that are ready but not running: since when, and how many. Null if there is no queue yet. */
export async function measureJobs(tx: Tx, schema: string): Promise<Waiting | null> {
  const [queue] = await tx.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [`${schema}._private_jobs`],
  )
  if (queue?.exists !== true) return null
  const [measured] = await tx.query<Waiting>(
    // By the queue's own time, and by its own index of jobs that no worker has taken.
    `select
       count(*)::integer as count,
       coalesce(extract(epoch from now() - min(run_at)), 0)::double precision as oldest_s
     from (
       select run_at
       from ${schema}._private_jobs
       where is_available = true
         and run_at <= now()
       order by priority, run_at
       limit $1
     ) as waiting`,
    [GAUGE_COUNT_MAX],
  )
  return measured ?? NONE
}
