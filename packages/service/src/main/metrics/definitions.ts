// All metrics; /metrics, docs/operating.md and the tests use this table. A label has few values,
// all known in advance: never an id, an owner or a path.
import { STORE_FAILURES } from '../../domain/telemetry.ts'
import type { Labels, MetricDefinition } from './text_format.ts'

const counter = (help: string, ...labels: string[]): MetricDefinition => ({
  type: 'counter',
  help,
  labels,
})
const gauge = (help: string, ...labels: string[]): MetricDefinition => ({
  type: 'gauge',
  help,
  labels,
})
const seconds = (buckets: readonly number[], help: string, ...labels: string[]) =>
  ({ type: 'histogram', help, labels, buckets }) satisfies MetricDefinition

const REQUEST_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const CALL_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10]
/** An event waits for a poll of at most a second; after a failed handler for its retry. */
const DELAY_S = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3_600]
const JOB_S = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300]
/** A notification is seconds old; after an outage of ours the gateway repeats for hours. */
const AGE_S = [1, 2, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400]

export const METRICS = {
  gapura_http_requests_total: counter('Requests answered.', 'method', 'route', 'status'),
  gapura_http_request_duration_seconds: seconds(
    REQUEST_S,
    'Time from a request to its answer.',
    'method',
    'route',
  ),
  gapura_gateway_calls_total: counter(
    'Exchanges with the gateway; outcome is ok or the code of the error.',
    'operation',
    'outcome',
  ),
  gapura_gateway_call_duration_seconds: seconds(
    CALL_S,
    'Time of one exchange with the gateway.',
    'operation',
  ),
  gapura_gateway_breaker_open: gauge('1 while the circuit breaker blocks calls to the gateway.'),
  gapura_gateway_breaker_openings_total: counter('How often the circuit breaker opened.'),
  gapura_notifications_total: counter('Accepted notifications by effect.', 'effect'),
  gapura_notification_age_seconds: seconds(
    AGE_S,
    'Age of the reported status when a notification arrived.',
    'effect',
  ),
  gapura_notification_store_seconds: seconds(
    REQUEST_S,
    'Time from the verification of a notification to its commit.',
  ),
  gapura_notifications_unstored_total: counter(
    'Authentic notifications that could not be stored; the gateway repeats them.',
  ),
  gapura_last_notification_age_seconds: gauge('Time since the last accepted notification.'),
  gapura_transitions_total: counter(
    'Committed transitions of payments, invoices and subscriptions.',
    'object',
    'from',
    'to',
  ),
  gapura_money_received_rupiah_total: counter('Captured amounts of paid payments.', 'payment_type'),
  gapura_money_refunded_rupiah_total: counter('Amounts of recorded refunds.'),
  gapura_operations_open: gauge('Operations without a known outcome; counted up to 100.'),
  gapura_operation_oldest_open_seconds: gauge(
    'Age of the oldest operation without a known outcome that no process works on.',
  ),
  gapura_payments_overdue: gauge('Payments still pending after their expiry; counted up to 100.'),
  gapura_payment_oldest_overdue_seconds: gauge(
    'Time since the expiry of the oldest overdue payment.',
  ),
  gapura_checks_due: gauge('Payments whose status check is due; counted up to 100.'),
  gapura_check_oldest_due_seconds: gauge('How long the oldest due status check has waited.'),
  gapura_reconciliation_overdue: gauge(
    'Exceptions of the reconciliation past their due day; counted up to 100.',
  ),
  gapura_balance_unexplained_days: gauge(
    'Days whose gateway balance is not explained three business days later; counted up to 100.',
  ),
  gapura_alarms_open: gauge('Open alarms; counted up to 100 of each kind.', 'kind'),
  gapura_alarms_opened_total: counter('Alarms opened.', 'kind'),
  gapura_outbox_lag_seconds: gauge(
    'How long the next event has waited for a subscriber.',
    'subscriber',
  ),
  gapura_events_dead: gauge('Objects with a dead event; counted up to 100.', 'subscriber'),
  gapura_events_delivered_total: counter('Events that a handler processed.', 'subscriber'),
  gapura_events_failed_total: counter('Events that a handler failed to process.', 'subscriber'),
  gapura_event_delay_seconds: seconds(
    DELAY_S,
    'Time from an event to the end of its handler; webhook endpoints are one subscriber.',
    'subscriber',
  ),
  gapura_events_leading: gauge(
    '1 if this process delivers to the subscriber; of webhook endpoints, how many.',
    'subscriber',
  ),
  gapura_jobs_total: counter('Attempts to run jobs.', 'task', 'outcome'),
  gapura_job_duration_seconds: seconds(JOB_S, 'Time of one attempt.', 'task'),
  gapura_jobs_waiting: gauge('Jobs that are due and not running; counted up to 100.'),
  gapura_job_lag_seconds: gauge('How long the oldest waiting job has waited.'),
  gapura_queue_up: gauge('1 while this process takes jobs; only where a worker runs.'),
  gapura_queue_restarts_total: counter('Restarts of the job queue in this process.'),
  gapura_timers_total: counter('Runs of the timers.', 'timer', 'outcome'),
  gapura_workers: gauge('Worker pools with a recent heartbeat, in all processes.'),
  gapura_partition_months_ahead: gauge(
    'Monthly partitions created ahead; 3 when maintenance works.',
    'table',
  ),
  gapura_partition_default_rows: gauge(
    'Rows without a partition of their month; counted up to 100.',
    'table',
  ),
  gapura_database_up: gauge('1 if the database gauges could be read.'),
  gapura_store_failures_total: counter(
    'Transactions that the database did not carry out, by reason.',
    'reason',
  ),
  gapura_clock_skew_seconds: gauge("Clock of this process minus the database's."),
  gapura_database_connections: gauge('Connections of this process.', 'state'),
  process_cpu_seconds_total: counter('Time on the processor, user and system.'),
  process_resident_memory_bytes: gauge('Resident memory.'),
  process_start_time_seconds: gauge('When the process started, as a Unix time.'),
  nodejs_eventloop_lag_p99_seconds: gauge(
    '99th percentile of the event loop delay since the last scrape.',
  ),
} as const satisfies Record<string, MetricDefinition>

export type MetricName = keyof typeof METRICS

const charge = (status: string): Labels => ({ method: 'POST', route: '/charge/', status })

/**
 * Series that exist before their first count. The increase of a counter that begins at one is not
 * seen, and the first failure of a quiet day matters.
 */
export const FROM_ZERO: readonly (readonly [MetricName, Labels])[] = [
  ...['500', '502', '503', '504'].map(
    (status) => ['gapura_http_requests_total', charge(status)] as const,
  ),
  ['gapura_http_requests_total', { method: 'POST', route: '/notification/', status: '403' }],
  ['gapura_notifications_unstored_total', {}],
  ...STORE_FAILURES.map((reason) => ['gapura_store_failures_total', { reason }] as const),
]
