// For each alert: series, when it must not fire yet, and when it must. Real durations; one sample a
// minute.
import { SERVICE_CASES, type RuleCase } from './service_cases.ts'

const CHARGE = (status: string): string =>
  `gapura_http_requests_total{method="POST",route="/charge/",status="${status}"}`
const STORED = (part: string): string => `gapura_notification_store_seconds_${part}`
const DELAY = (part: string, le = ''): string =>
  `gapura_event_delay_seconds_${part}{subscriber="shop"${le}}`
const CALLS = (outcome: string): string =>
  `gapura_gateway_calls_total{operation="charge",outcome="${outcome}"}`

const burnRates: readonly RuleCase[] = [
  ...(['page', 'ticket'] as const).map((severity) => ({
    alert: 'GapuraChargesIndefinite',
    severity,
    // A tenth of the charges fails from the 60th minute on.
    series: { [CHARGE('201')]: '0+100x60 6000+90x60', [CHARGE('503')]: '0x60 0+10x60' },
    quiet_at: ['59m'],
    fires_at: '75m',
  })),
  {
    alert: 'GapuraChargesIndefinite',
    severity: 'page',
    // Four failures at night are below the floor, although every charge failed.
    series: { [CHARGE('201')]: '0x60', [CHARGE('503')]: '0x10 1x10 2x10 3x10 4x20' },
    quiet_at: ['20m', '40m', '60m'],
  },
  {
    alert: 'GapuraChargesIndefinite',
    severity: 'page',
    // Twelve failures an hour and nothing else is an outage, however few they are.
    series: { [CHARGE('504')]: '0x10 0+1x60' },
    quiet_at: ['10m'],
    fires_at: '30m',
  },
  ...(['page', 'ticket'] as const).map((severity) => ({
    alert: 'GapuraWebhooksLate',
    severity,
    series: {
      [STORED('count')]: '0+100x120',
      [STORED('bucket{le="1"}')]: '0+100x60 6000+98x60',
    },
    quiet_at: ['59m'],
    fires_at: '80m',
  })),
  {
    alert: 'GapuraWebhooksLate',
    severity: 'page',
    series: {
      [STORED('count')]: '0+100x120',
      [STORED('bucket{le="1"}')]: '0+100x120',
      gapura_notifications_unstored_total: '0x60 0+5x60',
    },
    quiet_at: ['59m'],
    fires_at: '80m',
  },
  ...(['page', 'ticket'] as const).map((severity) => ({
    alert: 'GapuraEventsLate',
    severity,
    series: {
      [DELAY('count')]: '0+100x120',
      [DELAY('bucket', ',le="5"')]: '0+100x60 6000+90x60',
    },
    quiet_at: ['59m'],
    fires_at: '80m',
  })),
]

const money: readonly RuleCase[] = [
  {
    alert: 'GapuraOutcomeUnknown',
    severity: 'page',
    series: {
      gapura_operation_oldest_open_seconds: '0x10 0+60x20',
      gapura_gateway_breaker_open: '0x30',
      [CALLS('ok')]: '0+10x30',
    },
    quiet_at: ['10m', '13m'],
    fires_at: '16m',
  },
  {
    alert: 'GapuraOutcomeUnknown',
    severity: 'page',
    // While the gateway does not answer, nothing can be resolved.
    series: {
      gapura_operation_oldest_open_seconds: '0+60x30',
      gapura_gateway_breaker_open: '0x30',
      [CALLS('ok')]: '0x30',
      [CALLS('outcome_unknown')]: '0+10x30',
    },
    quiet_at: ['10m', '20m', '30m'],
  },
  {
    alert: 'GapuraOutcomeUnknown',
    severity: 'page',
    // No outcome can be written down.
    series: {
      gapura_operation_oldest_open_seconds: '0+60x30',
      gapura_gateway_breaker_open: '0x30',
      [CALLS('ok')]: '0+10x30',
      'gapura_store_failures_total{reason="disk_full"}': '0+10x30',
    },
    quiet_at: ['10m', '20m', '30m'],
  },
  {
    alert: 'GapuraPaymentOverdue',
    severity: 'ticket',
    series: { gapura_payment_oldest_overdue_seconds: '0+60x100' },
    quiet_at: ['60m', '90m'],
    fires_at: '92m',
  },
  {
    alert: 'GapuraReconciliationOverdue',
    severity: 'ticket',
    series: {
      gapura_reconciliation_overdue: '0x10 1x100',
      gapura_balance_unexplained_days: '0x110',
    },
    quiet_at: ['9m', '60m'],
    fires_at: '80m',
  },
]

const gateway: readonly RuleCase[] = [
  {
    alert: 'GapuraGatewayBreakerOpen',
    severity: 'page',
    // It closes for a moment at each try.
    series: { gapura_gateway_breaker_open: '0x9 1 1 0 1 1 1 0 1 1' },
    quiet_at: ['9m', '14m'],
    fires_at: '16m',
  },
  {
    alert: 'GapuraGatewaySlow',
    severity: 'ticket',
    series: {
      'gapura_gateway_call_duration_seconds_bucket{operation="charge",le="5"}': '0+10x10 100+5x20',
      'gapura_gateway_call_duration_seconds_bucket{operation="charge",le="7.5"}': '0+10x30',
      'gapura_gateway_call_duration_seconds_bucket{operation="charge",le="+Inf"}': '0+10x30',
    },
    quiet_at: ['10m', '14m'],
    fires_at: '20m',
  },
  {
    alert: 'GapuraGatewayRefusing',
    severity: 'page',
    labels: { outcome: 'gateway_authentication_failed' },
    series: {
      [CALLS('ok')]: '0+10x10 100+1x30',
      [CALLS('gateway_authentication_failed')]: '0x10 0+9x30',
    },
    quiet_at: ['10m', '14m'],
    fires_at: '20m',
  },
  {
    alert: 'GapuraGatewayRefusing',
    severity: 'page',
    // A card that the bank refuses, and an order that is not there, are answers.
    series: { [CALLS('ok')]: '0+1x30', [CALLS('gateway_not_found')]: '0+9x30' },
    quiet_at: ['10m', '20m', '30m'],
  },
  {
    alert: 'GapuraGatewayRefusing',
    severity: 'page',
    // Unreachable, not refusing.
    series: { [CALLS('gateway_failed')]: '0+9x30', gapura_gateway_breaker_open: '0 1x29' },
    quiet_at: ['10m', '20m', '30m'],
  },
]

const PENDING = 'gapura_transitions_total{object="payment",from="initiated",to="pending"}'

const webhooks: readonly RuleCase[] = [
  {
    alert: 'GapuraWebhooksSilent',
    severity: 'page',
    series: {
      gapura_last_notification_age_seconds: '0+60x60',
      gapura_database_up: '1x60',
      [PENDING]: '0+1x60',
    },
    quiet_at: ['10m', '30m'],
    fires_at: '32m',
  },
  {
    alert: 'GapuraWebhooksSilent',
    severity: 'page',
    // Nothing has ever arrived.
    series: { gapura_database_up: '1x60', [PENDING]: '0+1x60' },
    quiet_at: ['5m'],
    fires_at: '32m',
  },
  {
    alert: 'GapuraWebhooksSilent',
    severity: 'page',
    // A quiet night: nothing is sold, and nothing is reported.
    series: {
      gapura_last_notification_age_seconds: '0+60x60',
      gapura_database_up: '1x60',
      [PENDING]: '5x60',
    },
    quiet_at: ['60m'],
  },
  {
    alert: 'GapuraWebhooksForged',
    severity: 'ticket',
    series: {
      'gapura_http_requests_total{method="POST",route="/notification/",status="403"}':
        '0x10 0+5x20',
    },
    quiet_at: ['10m', '12m'],
    fires_at: '20m',
  },
]

export const RULE_CASES: readonly RuleCase[] = [
  ...burnRates,
  ...money,
  ...gateway,
  ...webhooks,
  ...SERVICE_CASES,
]
