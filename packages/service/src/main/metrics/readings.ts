import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ENDPOINT_PREFIX } from '../../domain/webhook.ts'
import type { Context } from '../../services/context.ts'
import * as gauges from '../../store/maintenance/gauges.ts'
import { jobsSchema } from '../../store/maintenance/jobs.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { RunningWorker } from '../worker.ts'
import type { Readings } from './registry.ts'
import type { Sample } from './text_format.ts'

const plain = (value: number): Sample[] => [{ labels: {}, value }]
const each = <One>(rows: readonly One[], label: (row: One) => Sample): Sample[] => rows.map(label)

/** The gauges of the database, in one view of it. */
export const readDatabase = async ({ db }: Context): Promise<Readings> =>
  await withReadTransaction(db, async (tx) => {
    const skew_s = Date.now() / 1_000 - (await readClock(tx)).getTime() / 1_000
    const operations = await gauges.measureOpenOperations(tx)
    const overdue = await gauges.measureOverduePayments(tx)
    const checks = await gauges.measureDueChecks(tx)
    const reconciliation = await gauges.measureReconciliation(tx)
    const jobs = await gauges.measureJobs(tx, jobsSchema(db))
    const outbox = await gauges.measureOutbox(tx)
    const silence = await gauges.measureSilence(tx)
    return {
      gapura_clock_skew_seconds: plain(skew_s),
      gapura_operations_open: plain(operations.count),
      gapura_operation_oldest_open_seconds: plain(operations.oldest_s),
      gapura_payments_overdue: plain(overdue.count),
      gapura_payment_oldest_overdue_seconds: plain(overdue.oldest_s),
      gapura_checks_due: plain(checks.count),
      gapura_check_oldest_due_seconds: plain(checks.oldest_s),
      gapura_reconciliation_overdue: plain(reconciliation.overdue),
      gapura_balance_unexplained_days: plain(reconciliation.unexplained),
      gapura_alarms_open: each(await gauges.measureOpenAlarms(tx), ({ kind, count }) => ({
        labels: { kind },
        value: count,
      })),
      gapura_outbox_lag_seconds: each(outbox, ({ subscriber, lag_s }) => ({
        labels: { subscriber },
        value: lag_s,
      })),
      gapura_events_dead: each(outbox, ({ subscriber, dead }) => ({
        labels: { subscriber },
        value: dead,
      })),
      gapura_partition_months_ahead: each(
        await gauges.measureMonthsAhead(tx),
        ({ table, months }) => ({ labels: { table }, value: months }),
      ),
      gapura_partition_default_rows: each(
        await gauges.measureDefaultRows(tx),
        ({ table, rows }) => ({ labels: { table }, value: rows }),
      ),
      gapura_workers: plain(await gauges.measureWorkers(tx)),
      ...(silence !== null && { gapura_last_notification_age_seconds: plain(silence) }),
      ...(jobs && {
        gapura_jobs_waiting: plain(jobs.count),
        gapura_job_lag_seconds: plain(jobs.oldest_s),
      }),
    }
  })

/** What this process knows of itself. */
export function readProcess({ db, gateway }: Context): Readings {
  const { totalCount, idleCount, waitingCount } = db.pool
  const { open, openings } = gateway.breaker
  const { user, system } = process.cpuUsage()
  const states = { open: totalCount, idle: idleCount, waited_for: waitingCount }
  return {
    gapura_gateway_breaker_open: plain(open ? 1 : 0),
    gapura_gateway_breaker_openings_total: plain(openings),
    gapura_database_connections: each(Object.entries(states), ([state, value]) => ({
      labels: { state },
      value,
    })),
    process_cpu_seconds_total: plain((user + system) / 1e6),
    process_resident_memory_bytes: plain(process.memoryUsage.rss()),
    process_start_time_seconds: plain(Math.round(Date.now() / 1_000 - process.uptime())),
    nodejs_eventloop_lag_p99_seconds: plain(loopLag()),
  }
}

// One for the process, not one per service; its timer does not keep the process alive.
const delays = monitorEventLoopDelay({ resolution: 20 })

/** Since the last look. The first look only begins the measuring. */
function loopLag(): number {
  delays.enable()
  const lag = delays.count === 0 ? 0 : delays.percentile(99) / 1e9
  delays.reset()
  return lag
}

/** What the worker of this process knows, if there is one. */
export function readWorker(worker: RunningWorker | undefined): Readings {
  if (worker === undefined) return {}
  const stats = worker.stats()
  // Endpoints of webhooks are one subscriber here: a label holds no id, and there may be many.
  const groups = Map.groupBy(stats, ({ name }) =>
    name.startsWith(ENDPOINT_PREFIX) ? 'webhook' : name,
  )
  const of = (value: (one: (typeof stats)[number]) => number): Sample[] =>
    [...groups].map(([subscriber, ones]) => ({
      labels: { subscriber },
      value: ones.reduce((sum, one) => sum + value(one), 0),
    }))
  return {
    gapura_queue_up: plain(worker.state().queue.running ? 1 : 0),
    gapura_events_delivered_total: of(({ delivered }) => delivered),
    gapura_events_failed_total: of(({ failed }) => failed),
    gapura_events_leading: of(({ leading }) => (leading ? 1 : 0)),
  }
}
