// Every alert but those on burn rates. Durations are written in minutes, hours and days, and limits
// in seconds as a product with 60: `npm run campaign alerts` runs the same text with seconds for
// minutes.
export interface Alert {
  alert: string
  expr: string
  for?: string
  severity: 'page' | 'ticket'
  /** Beside those of its series. */
  labels?: Record<string, string>
  /** The heading of docs/runbook.md. */
  section: string
  /** What to run first. */
  command: string
  summary: string
}

/**
 * The gateway works, but answers that it does not do what was asked, whatever was asked. One that
 * does not work opens the breaker, which has an alert of its own.
 */
const REFUSING = 'gateway_authentication_failed|gateway_rate_limited|gateway_failed|account_blocked'
const FAILING = 'outcome_unknown|gateway_unavailable|gateway_failed'
const WRITES_REFUSED = 'increase(gapura_store_failures_total{reason=~"disk_full|standby"}[5m])'

export const RECORDED: readonly { record: string; expr: string }[] = [
  {
    record: 'gapura:gateway_failing:ratio5m',
    expr: `sum(rate(gapura_gateway_calls_total{outcome=~"${FAILING}"}[5m])) / sum(rate(gapura_gateway_calls_total[5m]))`,
  },
  {
    // Without `unless`, an outage of the gateway would count as ours. A database that refuses to
    // write keeps outcomes open, too, and has an alert of its own.
    record: 'gapura:outcome_overdue_seconds',
    expr: `max(gapura_operation_oldest_open_seconds) unless on() gapura:gateway_failing:ratio5m >= 0.1 unless on() max(max_over_time(gapura_gateway_breaker_open[5m])) == 1 unless on() sum(${WRITES_REFUSED}) > 3`,
  },
]

const money: readonly Alert[] = [
  {
    alert: 'GapuraOutcomeUnknown',
    expr: 'gapura:outcome_overdue_seconds > 2 * 60',
    for: '1m',
    severity: 'page',
    section: 'stuck-operation',
    command: 'gapura operations list',
    summary:
      'The gateway answers, and a charge or refund has had no known outcome for two minutes.',
  },
  {
    alert: 'GapuraPaymentOverdue',
    // A status check follows two minutes after the expiry, and hourly from then on.
    expr: 'max(gapura_payment_oldest_overdue_seconds) > 90 * 60',
    severity: 'ticket',
    section: 'payments-past-their-expiry',
    command: 'gapura tasks run expire_stale_payments',
    summary:
      'A payment is pending long past its expiry: neither webhook nor status check ended it.',
  },
  {
    alert: 'GapuraReconciliationOverdue',
    expr: 'max(gapura_reconciliation_overdue) > 0 or max(gapura_balance_unexplained_days) > 0',
    for: '1h',
    severity: 'ticket',
    section: 'money-that-is-not-explained',
    command: 'gapura reconcile exceptions --overdue',
    summary: 'Payments, gateway and bank differ, and it was not decided within five business days.',
  },
]

const gateway: readonly Alert[] = [
  {
    alert: 'GapuraGatewayBreakerOpen',
    expr: 'max(max_over_time(gapura_gateway_breaker_open[5m])) == 1',
    for: '5m',
    severity: 'page',
    section: 'gateway-away',
    command: 'gapura doctor',
    summary: 'The circuit breaker blocks calls: the gateway does not answer, or answers 5xx.',
  },
  {
    alert: 'GapuraGatewaySlow',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(gapura_gateway_call_duration_seconds_bucket[5m]))) > 5',
    for: '5m',
    severity: 'ticket',
    section: 'gateway-slow',
    command: 'gapura doctor',
    summary: 'One call to the gateway in twenty takes longer than five seconds.',
  },
  {
    alert: 'GapuraGatewayRefusing',
    expr: `sum by (outcome) (rate(gapura_gateway_calls_total{outcome=~"${REFUSING}"}[10m])) / scalar(sum(rate(gapura_gateway_calls_total[10m]))) > 0.1 unless on() max(max_over_time(gapura_gateway_breaker_open[10m])) == 1`,
    for: '5m',
    severity: 'page',
    section: 'gateway-refuses',
    command: 'gapura doctor',
    summary: 'The gateway answers {{ $labels.outcome }} to more than a tenth of all calls.',
  },
]

const webhooks: readonly Alert[] = [
  {
    alert: 'GapuraWebhooksSilent',
    expr: '(max(gapura_last_notification_age_seconds) > 30 * 60 or (max(gapura_database_up) == 1 unless max(gapura_last_notification_age_seconds))) and on() sum(increase(gapura_transitions_total{object="payment",to="pending"}[30m])) >= 10',
    severity: 'page',
    section: 'webhooks-silent',
    command: 'gapura doctor',
    summary: 'Payments are made, and for half an hour the gateway has sent no notification.',
  },
  {
    alert: 'GapuraWebhooksForged',
    expr: 'sum(increase(gapura_http_requests_total{method="POST",route="/notification/",status="403"}[10m])) > 20',
    severity: 'ticket',
    section: 'webhooks-refused',
    command: 'gapura doctor',
    summary:
      'Notifications with a wrong signature arrive: they are forged, or the server key differs.',
  },
]

const database: readonly Alert[] = [
  {
    alert: 'GapuraDatabaseDown',
    expr: 'max(gapura_database_up) == 0',
    for: '1m',
    severity: 'page',
    section: 'database-away',
    command: 'gapura doctor',
    summary: 'No process can read the database.',
  },
  {
    alert: 'GapuraDatabaseRefusesWrites',
    expr: `sum by (reason) (${WRITES_REFUSED}) > 3`,
    for: '1m',
    severity: 'page',
    section: 'database-refuses-writes',
    command: 'gapura doctor',
    summary: 'The database answers, and refuses to write ({{ $labels.reason }}).',
  },
  {
    alert: 'GapuraClockSkew',
    expr: 'max by (instance) (abs(gapura_clock_skew_seconds)) > 30',
    for: '2m',
    severity: 'ticket',
    section: 'clocks-that-differ',
    command: 'gapura doctor',
    summary:
      'The clock of {{ $labels.instance }} and that of the database differ by more than 30 s.',
  },
  {
    alert: 'GapuraPartitionMissing',
    expr: 'min by (table) (gapura_partition_months_ahead) < 2',
    for: '10m',
    severity: 'ticket',
    section: 'maintenance-fails',
    command: 'gapura doctor',
    summary: 'Table {{ $labels.table }} has fewer than two months of partitions ahead.',
  },
  {
    alert: 'GapuraPartitionDefaultRows',
    expr: 'max by (table) (gapura_partition_default_rows) > 0',
    for: '2h',
    severity: 'ticket',
    section: 'maintenance-fails',
    command: 'gapura doctor',
    summary: 'Table {{ $labels.table }} has rows without a partition of their month.',
  },
  {
    alert: 'GapuraMaintenanceFailing',
    // Two failures: the increase of one is extrapolated to a little more than one.
    expr: 'sum(increase(gapura_timers_total{timer="run_maintenance",outcome="failed"}[3h])) > 1.5',
    severity: 'ticket',
    section: 'maintenance-fails',
    command: 'gapura doctor',
    summary: 'A step of the hourly maintenance fails in each run.',
  },
]

const processes: readonly Alert[] = [
  {
    alert: 'GapuraTargetDown',
    expr: 'up{job="gapura"} == 0',
    for: '2m',
    severity: 'ticket',
    section: 'process-gone',
    command: 'gapura doctor',
    summary: '{{ $labels.instance }} does not answer the scraper.',
  },
  {
    alert: 'GapuraNoWorker',
    expr: 'max(gapura_workers) < 1',
    for: '1m',
    severity: 'page',
    section: 'worker-away',
    command: 'gapura work',
    summary: 'No worker runs: no events, no status checks, and unclear outcomes stay open.',
  },
  {
    alert: 'GapuraQueueDown',
    expr: 'gapura_queue_up == 0',
    for: '2m',
    severity: 'ticket',
    section: 'worker-away',
    command: 'gapura doctor',
    summary: 'The worker {{ $labels.instance }} takes no jobs.',
  },
  {
    alert: 'GapuraQueueStalled',
    expr: 'max(gapura_job_lag_seconds) > 5 * 60',
    for: '1m',
    severity: 'page',
    section: 'queue-stalled',
    command: 'gapura doctor',
    summary: 'Queued charges and refunds have waited for more than five minutes.',
  },
  {
    alert: 'GapuraEventsStalled',
    expr: 'max by (subscriber) (gapura_outbox_lag_seconds) > 5 * 60',
    for: '1m',
    severity: 'page',
    section: 'events-late',
    command: 'gapura events list',
    summary: 'The next event has waited for {{ $labels.subscriber }} for more than five minutes.',
  },
  {
    alert: 'GapuraInternalError',
    expr: 'sum by (route) (increase(gapura_http_requests_total{status="500"}[15m])) > 0',
    severity: 'ticket',
    section: 'internal-error',
    command: 'gapura verify',
    summary: 'Requests to {{ $labels.route }} ended with 500: a fault of the service.',
  },
]

export const ALERTS: readonly Alert[] = [
  ...money,
  ...gateway,
  ...webhooks,
  ...database,
  ...processes,
]

/** Alarms about money page staff; the others wait for the morning. */
export const PAGED_ALARMS: ReadonlySet<string> = new Set([
  'amount_mismatch',
  'late_money',
  'reversal',
  'outcome_unknown',
  'active_at_gateway',
  'paid_twice',
])
