// What the service promises, as ratios of what Prometheus counts. Each becomes recording rules over
// five windows and two alerts on the speed at which its budget of failures is used up.
export interface Objective {
  /** In the names of its recording rules. */
  name: string
  alert: string
  promise: string
  /** The share that must be good. */
  target: number
  /** PromQL of failures and of everything, a second, over a window. */
  bad: (window: string) => string
  all: (window: string) => string
  section: string
  command: string
  summary: string
}

const sum = (metric: string, window: string): string =>
  `(sum(rate(${metric}[${window}])) or vector(0))`

const CHARGES = 'gapura_http_requests_total{method="POST",route="/charge/"}'
const FAILED_CHARGES = 'gapura_http_requests_total{method="POST",route="/charge/",status=~"5.."}'
const STORED = 'gapura_notification_store_seconds'
const UNSTORED = 'gapura_notifications_unstored_total'
// The receivers of webhooks are other people's servers: their delay is not our promise.
const DELAY = (part: string, more = ''): string =>
  `gapura_event_delay_seconds_${part}{subscriber!="webhook"${more}}`

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'charges',
    alert: 'GapuraChargesIndefinite',
    promise: 'charges answered definitely',
    target: 0.999,
    bad: (window) => sum(FAILED_CHARGES, window),
    all: (window) => sum(CHARGES, window),
    section: 'charges-without-a-definite-answer',
    command: 'gapura doctor',
    summary: 'Callers get 5xx to charges: they must repeat them with the same Idempotency-Key.',
  },
  {
    name: 'notifications',
    alert: 'GapuraWebhooksLate',
    promise: 'notifications on disk within 1 s',
    target: 0.9999,
    bad: (window) =>
      `(${sum(`${STORED}_count`, window)} - ${sum(`${STORED}_bucket{le="1"}`, window)} + ${sum(UNSTORED, window)})`,
    all: (window) => `(${sum(`${STORED}_count`, window)} + ${sum(UNSTORED, window)})`,
    section: 'webhooks-late',
    command: 'gapura doctor',
    summary:
      'Notifications of the gateway are stored late or not at all; the gateway repeats them.',
  },
  {
    name: 'events',
    alert: 'GapuraEventsLate',
    promise: 'events delivered within 5 s',
    target: 0.999,
    bad: (window) =>
      `(${sum(DELAY('count'), window)} - ${sum(DELAY('bucket', ',le="5"'), window)})`,
    all: (window) => sum(DELAY('count'), window),
    section: 'events-late',
    command: 'gapura events list',
    summary: 'Subscribers receive events later than five seconds after they occurred.',
  },
]

/** Burn rates of the SRE Workbook: so much of the budget of 30 days is gone in the long window. */
export const BURNS = [
  { severity: 'page', factor: 14.4, long: '1h', short: '5m' },
  { severity: 'page', factor: 6, long: '6h', short: '30m' },
  { severity: 'ticket', factor: 1, long: '3d', short: '6h' },
] as const

/**
 * Failures in the long window below which no burn rate alerts: one failure of a quiet night is not
 * an outage, and a quiet night in which every charge fails is one.
 */
export const FAILURES_MIN = 5
