// Cases of the alerts about the database, the processes and the service's own alarms.
export interface RuleCase {
  alert: string
  severity: 'page' | 'ticket'
  /** Labels of the alert beside its severity. */
  labels?: Record<string, string>
  /** Values in the notation of promtool: `1x5` is six samples of 1. */
  series: Record<string, string>
  /** No alert of this name at these times. */
  quiet_at: readonly string[]
  /** None if it must never fire. */
  fires_at?: string
}

const database: readonly RuleCase[] = [
  {
    alert: 'GapuraDatabaseDown',
    severity: 'page',
    series: { gapura_database_up: '1x4 0x10' },
    quiet_at: ['4m', '5m'],
    fires_at: '7m',
  },
  {
    alert: 'GapuraDatabaseRefusesWrites',
    severity: 'page',
    labels: { reason: 'disk_full' },
    series: { 'gapura_store_failures_total{reason="disk_full"}': '0x5 0+10x10' },
    quiet_at: ['5m'],
    fires_at: '9m',
  },
  {
    alert: 'GapuraDatabaseRefusesWrites',
    severity: 'page',
    series: { 'gapura_store_failures_total{reason="busy"}': '0+10x20' },
    quiet_at: ['5m', '20m'],
  },
  {
    alert: 'GapuraClockSkew',
    severity: 'ticket',
    labels: { instance: 'api-1' },
    series: { 'gapura_clock_skew_seconds{instance="api-1"}': '0.2x4 -45x10' },
    quiet_at: ['4m', '6m'],
    fires_at: '8m',
  },
  {
    alert: 'GapuraPartitionMissing',
    severity: 'ticket',
    labels: { table: 'gateway_event' },
    series: { 'gapura_partition_months_ahead{table="gateway_event"}': '3x4 1x30' },
    quiet_at: ['4m', '14m'],
    fires_at: '16m',
  },
  {
    alert: 'GapuraPartitionDefaultRows',
    severity: 'ticket',
    labels: { table: 'gateway_event' },
    series: { 'gapura_partition_default_rows{table="gateway_event"}': '0x4 2x200' },
    quiet_at: ['4m', '120m'],
    fires_at: '130m',
  },
  {
    alert: 'GapuraMaintenanceFailing',
    severity: 'ticket',
    series: {
      'gapura_timers_total{timer="run_maintenance",outcome="failed"}': '0x30 1x59 2x59 3x60',
    },
    quiet_at: ['30m', '60m'],
    fires_at: '170m',
  },
]

const processes: readonly RuleCase[] = [
  {
    alert: 'GapuraTargetDown',
    severity: 'ticket',
    labels: { instance: 'api-1', job: 'gapura' },
    series: { 'up{job="gapura",instance="api-1"}': '1x4 0x10' },
    quiet_at: ['4m', '6m'],
    fires_at: '8m',
  },
  {
    alert: 'GapuraNoWorker',
    severity: 'page',
    series: { gapura_workers: '1x4 0x10' },
    quiet_at: ['4m', '5m'],
    fires_at: '7m',
  },
  {
    alert: 'GapuraQueueDown',
    severity: 'ticket',
    labels: { instance: 'worker-1' },
    series: { 'gapura_queue_up{instance="worker-1"}': '1x4 0x10' },
    quiet_at: ['4m', '6m'],
    fires_at: '8m',
  },
  {
    alert: 'GapuraQueueStalled',
    severity: 'page',
    series: { gapura_job_lag_seconds: '0x4 0+60x20' },
    quiet_at: ['4m', '10m'],
    fires_at: '13m',
  },
  {
    alert: 'GapuraEventsStalled',
    severity: 'page',
    labels: { subscriber: 'shop' },
    series: { 'gapura_outbox_lag_seconds{subscriber="shop"}': '0x4 0+60x20' },
    quiet_at: ['4m', '10m'],
    fires_at: '13m',
  },
  {
    alert: 'GapuraInternalError',
    severity: 'ticket',
    labels: { route: '/refunds/' },
    series: {
      'gapura_http_requests_total{method="POST",route="/refunds/",status="500"}': '0x4 1x20',
    },
    quiet_at: ['4m'],
    fires_at: '6m',
  },
]

const alarms: readonly RuleCase[] = [
  {
    alert: 'GapuraAlarmOpen',
    severity: 'page',
    labels: { kind: 'late_money' },
    series: {
      'gapura_alarms_open{kind="late_money"}': '0x4 1x10',
      'gapura_alarms_open{kind="reversal"}': '0x15',
    },
    quiet_at: ['4m'],
    fires_at: '5m',
  },
  {
    alert: 'GapuraAlarmOpen',
    severity: 'ticket',
    labels: { kind: 'endpoint_disabled' },
    series: { 'gapura_alarms_open{kind="endpoint_disabled"}': '0x4 1x10' },
    quiet_at: ['4m'],
    fires_at: '5m',
  },
]

export const SERVICE_CASES: readonly RuleCase[] = [...database, ...processes, ...alarms]
