// What `gapura doctor` reads from the database: read-only and cheap.
import type { Environment } from '../connection/settings.ts'
import { MONTHS_AHEAD, PARTITIONED_TABLES } from './partitions.ts'
import type { Tx } from '../connection/transaction.ts'
import type { Worker } from './jobs.ts'

export interface Clocks {
  /** The server's own clock. */
  server: Date
  /** How far tests have moved our clock ahead of it. */
  offset_ms: number
}

export async function readClocks(tx: Tx): Promise<Clocks> {
  const [row] = await tx.query<{ server: Date; ours: Date }>(
    'select statement_timestamp() as server, gapura.now() as ours',
  )
  if (row === undefined) throw new RangeError('the database returned no time')
  const offset_ms = row.ours.getTime() - row.server.getTime()
  // Our clock is in whole milliseconds.
  return { server: row.server, offset_ms: Math.abs(offset_ms) < 2 ? 0 : offset_ms }
}

/** The environment that the database belongs to, or null if none is stored yet. */
export async function readEnvironment(tx: Tx): Promise<Environment | null> {
  const [row] = await tx.query<{ environment: Environment | null }>(
    'select environment from gapura.setting',
  )
  return row?.environment ?? null
}

export type WorkerPulse = Worker & { silent_ms: number }

/** Every worker that has not deregistered, and the age of its last heartbeat. */
export async function listWorkers(tx: Tx): Promise<WorkerPulse[]> {
  const workers = await tx.query<Worker & { now: Date }>(
    `select id, description, started_at, beat_at, gapura.now() as now
     from gapura.worker
     order by beat_at desc`,
  )
  return workers.map(({ now, ...worker }) => ({
    ...worker,
    silent_ms: now.getTime() - worker.beat_at.getTime(),
  }))
}

/** The partitions that should exist by now and do not, this month's first. */
export async function listMissingPartitions(tx: Tx): Promise<string[]> {
  const missing = await tx.query<{ name: string }>(
    `select wanted.name
     from unnest($1::text[]) as parent
     cross join generate_series(0, $2) as ahead
     cross join lateral (
       select
         parent || to_char(month, '_YYYY_MM') as name,
         month
       from (
         select date_trunc('month', gapura.now() at time zone 'UTC')
           + make_interval(months => ahead) as month
       ) as later
     ) as wanted
     where not exists (
       select from gapura.month_partitions(parent) as known
       where known.month <= wanted.month
         and known.until > wanted.month
     )
     order by ahead, wanted.name`,
    [PARTITIONED_TABLES, MONTHS_AHEAD],
  )
  return missing.map(({ name }) => name)
}

export interface Activity {
  now: Date
  last_notification_at: Date | null
  last_payment_at: Date | null
  open_alarms: number
  /** Refunds that wait for a second person. */
  held_refunds: number
  /** Overdue operations that have not ended: a running resolver leaves none for long. */
  overdue_operations: number
}

/** When something was last received, and what waits. */
export async function readActivity(tx: Tx): Promise<Activity> {
  const [row] = await tx.query<Activity>(
    `select
       gapura.now() as now,
       (
         select received_at
         from gapura.gateway_notification
         order by id desc
         limit 1
       ) as last_notification_at,
       (
         select created_at
         from gapura.gateway_payment
         order by created_at desc
         limit 1
       ) as last_payment_at,
       (
         select count(*)::integer
         from gapura.gateway_alarm
         where closed_at is null
       ) as open_alarms,
       (
         select count(*)::integer
         from gapura.refund_request
         where state = 'held'
           and expires_at > gapura.now()
       ) as held_refunds,
       (
         select count(*)::integer
         from gapura.gateway_operation
         where state in ('started', 'unknown')
           and due_at < gapura.now() - interval '5 minutes'
       ) as overdue_operations`,
  )
  if (row === undefined) throw new RangeError('the database returned no row')
  return row
}
