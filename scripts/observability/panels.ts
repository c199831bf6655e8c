// What each dashboard shows: rows of panels, each with its queries. Gauges of the database are the
// same in every process, so their maximum is taken.
import { OBJECTIVES } from './objectives.ts'

export interface PanelTable {
  title: string
  /** What a reader concludes from it. */
  says: string
  unit: 'short' | 'percentunit' | 's' | 'currencyIDR' | 'ops' | 'bytes'
  kind: 'stat' | 'graph'
  /** Legend and PromQL. */
  queries: Readonly<Record<string, string>>
  /** From this value on it is red; a stat only. */
  red_from?: number
}

export interface DashboardTable {
  uid: string
  title: string
  description: string
  rows: Readonly<Record<string, readonly PanelTable[]>>
}

const CHARGES = 'gapura_http_requests_total{method="POST",route="/charge/"}'
const RANGE = '$__range'
const RATE = '$__rate_interval'

const stat = (
  title: string,
  unit: PanelTable['unit'],
  expr: string,
  more: { says: string; red_from?: number },
): PanelTable => ({ title, unit, kind: 'stat', queries: { '': expr }, ...more })

const graph = (
  title: string,
  unit: PanelTable['unit'],
  queries: Readonly<Record<string, string>>,
  says: string,
): PanelTable => ({ title, unit, kind: 'graph', queries, says })

const promises: readonly PanelTable[] = [
  ...OBJECTIVES.map(({ promise, target, all, bad }) =>
    stat(
      `${promise[0]?.toUpperCase() ?? ''}${promise.slice(1)}`,
      'percentunit',
      `1 - ${bad(RANGE)} / ${all(RANGE)}`,
      { says: `Promised: ${Number((target * 100).toPrecision(6))} %.` },
    ),
  ),
  stat('Outcome unknown although the gateway answers', 's', 'gapura:outcome_overdue_seconds', {
    says: 'Age of the oldest such operation; promised: 60 s after the return of the gateway.',
    red_from: 60,
  }),
  stat('Pending past its deadline', 's', 'max(gapura_payment_oldest_overdue_seconds)', {
    says: 'How long the oldest payment is pending past its expiry.',
    red_from: 5_400,
  }),
  stat('Unexplained', 'short', 'sum(max by (kind) (gapura_alarms_open))', {
    says: 'Open alarms: what only staff can explain.',
    red_from: 1,
  }),
]

const money: readonly PanelTable[] = [
  stat('Received', 'currencyIDR', `sum(increase(gapura_money_received_rupiah_total[${RANGE}]))`, {
    says: 'Captured in the shown time, as counted by the processes. The database is the record.',
  }),
  stat('Refunded', 'currencyIDR', `sum(increase(gapura_money_refunded_rupiah_total[${RANGE}]))`, {
    says: 'Recorded refunds in the shown time.',
  }),
  graph(
    'Received an hour, by payment method',
    'currencyIDR',
    {
      '{{payment_type}}':
        'sum by (payment_type) (increase(gapura_money_received_rupiah_total[1h]))',
    },
    'A method that falls to zero is refused by the gateway or missing in the shop.',
  ),
  graph(
    'Refunded an hour',
    'currencyIDR',
    { refunded: 'sum(increase(gapura_money_refunded_rupiah_total[1h]))' },
    'A rise needs an explanation of the shop.',
  ),
]

const sales: readonly PanelTable[] = [
  stat(
    'Charges accepted',
    'percentunit',
    `sum(rate(gapura_http_requests_total{method="POST",route="/charge/",status="201"}[${RANGE}])) / sum(rate(${CHARGES}[${RANGE}]))`,
    { says: 'The rest was refused or not answered definitely.' },
  ),
  graph(
    'Charges a second, by status',
    'ops',
    { '{{status}}': `sum by (status) (rate(${CHARGES}[${RATE}]))` },
    '201 is accepted, 400 refused; 5xx must be repeated by the caller.',
  ),
  graph(
    'Payments, by status they reach, an hour',
    'short',
    { '{{to}}': 'sum by (to) (increase(gapura_transitions_total{object="payment"}[1h]))' },
    'Many that expire: payers see the page and do not pay.',
  ),
]

const unsettled: readonly PanelTable[] = [
  graph(
    'Open alarms',
    'short',
    { '{{kind}}': 'max by (kind) (gapura_alarms_open)' },
    'Each is listed by gapura alarms list.',
  ),
  graph(
    'Operations without a known outcome',
    'short',
    { open: 'max(gapura_operations_open)' },
    'Counted up to 100.',
  ),
  graph(
    'Alarms opened a day',
    'short',
    { '{{kind}}': 'sum by (kind) (increase(gapura_alarms_opened_total[1d]))' },
    'By kind; the runbook explains each.',
  ),
  graph(
    'Payments overdue',
    'short',
    { overdue: 'max(gapura_payments_overdue)', checks: 'max(gapura_checks_due)' },
    'Pending past their expiry, and status checks that are due.',
  ),
]

const gateway: readonly PanelTable[] = [
  graph(
    'Calls a second, by outcome',
    'ops',
    { '{{outcome}}': `sum by (outcome) (rate(gapura_gateway_calls_total[${RATE}]))` },
    'What the gateway answers.',
  ),
  graph(
    'Time of a call',
    's',
    Object.fromEntries(
      ['0.5', '0.95', '0.99'].map((quantile) => [
        `p${Number(quantile) * 100}`,
        `histogram_quantile(${quantile}, sum by (le) (rate(gapura_gateway_call_duration_seconds_bucket[${RATE}])))`,
      ]),
    ),
    'All operations together.',
  ),
  graph(
    'Circuit breaker',
    'short',
    {
      '{{instance}}': 'max by (instance) (gapura_gateway_breaker_open)',
      'openings {{instance}}': `sum by (instance) (increase(gapura_gateway_breaker_openings_total[${RATE}]))`,
    },
    '1 while calls are blocked.',
  ),
]

const webhooks: readonly PanelTable[] = [
  graph(
    'Notifications a second, by effect',
    'ops',
    {
      '{{effect}}': `sum by (effect) (rate(gapura_notifications_total[${RATE}]))`,
      unstored: `sum(rate(gapura_notifications_unstored_total[${RATE}]))`,
      refused: `sum(rate(gapura_http_requests_total{route="/notification/",status="403"}[${RATE}]))`,
    },
    'Refused ones have a wrong signature.',
  ),
  graph(
    'Time to store, and age at arrival',
    's',
    {
      'stored p99': `histogram_quantile(0.99, sum by (le) (rate(gapura_notification_store_seconds_bucket[${RATE}])))`,
      'age p95': `histogram_quantile(0.95, sum by (le) (rate(gapura_notification_age_seconds_bucket[${RATE}])))`,
      'since the last': 'max(gapura_last_notification_age_seconds)',
    },
    'Old notifications: the gateway repeats what it could not deliver.',
  ),
]

const background: readonly PanelTable[] = [
  graph(
    'Delay of events',
    's',
    {
      '{{subscriber}} p99': `histogram_quantile(0.99, sum by (subscriber, le) (rate(gapura_event_delay_seconds_bucket[${RATE}])))`,
      '{{subscriber}} waits': 'max by (subscriber) (gapura_outbox_lag_seconds)',
    },
    'From the event to the end of its handler.',
  ),
  graph(
    'Events a second',
    'ops',
    {
      '{{subscriber}}': `sum by (subscriber) (rate(gapura_events_delivered_total[${RATE}]))`,
      '{{subscriber}} failed': `sum by (subscriber) (rate(gapura_events_failed_total[${RATE}]))`,
      '{{subscriber}} dead': 'max by (subscriber) (gapura_events_dead)',
    },
    'Dead events wait for staff.',
  ),
  graph(
    'Jobs',
    's',
    {
      'oldest waiting': 'max(gapura_job_lag_seconds)',
      '{{task}} p95': `histogram_quantile(0.95, sum by (task, le) (rate(gapura_job_duration_seconds_bucket[${RATE}])))`,
    },
    'A task that hangs makes the others wait.',
  ),
  graph(
    'Workers',
    'short',
    {
      workers: 'max(gapura_workers)',
      'waiting jobs': 'max(gapura_jobs_waiting)',
      'queue restarts': `sum(increase(gapura_queue_restarts_total[${RATE}]))`,
      'failed {{task}}': `sum by (task) (increase(gapura_jobs_total{outcome!="done"}[${RATE}]))`,
    },
    'Without a worker nothing is resolved.',
  ),
]

const processes: readonly PanelTable[] = [
  graph(
    'Time of requests, p99',
    's',
    {
      '{{route}}': `histogram_quantile(0.99, sum by (route, le) (rate(gapura_http_request_duration_seconds_bucket[${RATE}])))`,
    },
    'By route.',
  ),
  graph(
    'Database',
    'short',
    {
      up: 'max(gapura_database_up)',
      'failures {{reason}}': `sum by (reason) (increase(gapura_store_failures_total[${RATE}]))`,
      'waited for': 'sum(gapura_database_connections{state="waited_for"})',
      'months ahead {{table}}': 'min by (table) (gapura_partition_months_ahead)',
    },
    'Failures by reason; requests that wait for a connection.',
  ),
  graph(
    'Processor',
    'percentunit',
    { '{{instance}}': `rate(process_cpu_seconds_total[${RATE}])` },
    'One core is 100 %.',
  ),
  graph(
    'Memory',
    'bytes',
    { '{{instance}}': 'process_resident_memory_bytes' },
    'Resident memory of each process.',
  ),
  graph(
    'Event loop delay and clock',
    's',
    {
      '{{instance}} loop p99': 'nodejs_eventloop_lag_p99_seconds',
      '{{instance}} clock': 'gapura_clock_skew_seconds',
    },
    "The clock is the process's minus the database's.",
  ),
]

export const DASHBOARDS: readonly DashboardTable[] = [
  {
    uid: 'gapura-owner',
    title: 'Gapura: owner',
    description: 'Whether the service keeps its promises, and how much is sold.',
    rows: { Promises: promises, Sales: [...sales, ...money.slice(0, 2)] },
  },
  {
    uid: 'gapura-operator',
    title: 'Gapura: operator',
    description: 'Where time is spent and what fails: gateway, webhooks, background, processes.',
    rows: {
      Promises: promises,
      Gateway: gateway,
      Webhooks: webhooks,
      Background: background,
      Processes: processes,
    },
  },
  {
    uid: 'gapura-finance',
    title: 'Gapura: finance',
    description: 'Money received and refunded, and everything whose outcome is not settled.',
    rows: { Money: money, Unsettled: [...promises.slice(3), ...unsettled] },
  },
]
