import { AsyncLocalStorage } from 'node:async_hooks'
import type { CommitMetric, MetricEvent, StoreFailure, Telemetry } from '../domain/telemetry.ts'
import type { CallObserved } from '../gateway/calls.ts'
import type { Logger } from '../services/context.ts'
import type { Registry } from './metrics/registry.ts'
import { traced } from './tracing.ts'

export interface ProcessTelemetry {
  telemetry: Telemetry
  /** The given logger, with the marks of the request or job in every line written inside it. */
  log: Logger
  onDone: (metrics: readonly CommitMetric[]) => void
  onFailed: (reason: StoreFailure) => void
  onCall: (observed: CallObserved) => void
}

type Marks = Readonly<Record<string, string>>

/** Turns telemetry events of all layers into metrics, spans and log lines with marks. */
export function createTelemetry(registry: Registry, logger: Logger): ProcessTelemetry {
  const marks = new AsyncLocalStorage<Marks>()
  const marked =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      logger[level]({ ...marks.getStore(), ...fields }, message)
  const log = { info: marked('info'), warn: marked('warn'), error: marked('error') }
  return {
    log,
    telemetry: {
      record: (event) => count(registry, event),
      trace: async (step, work) =>
        await marks.run(
          { ...marks.getStore(), ...step.marks },
          async () => await traced(step, work),
        ),
      marks: () => marks.getStore() ?? {},
    },
    onDone: (metrics) => {
      for (const metric of metrics) countMetric(registry, metric)
    },
    onFailed: (reason) => registry.add('gapura_store_failures_total', { reason }),
    onCall: (observed) => {
      const { operation, duration_ms, error } = observed
      const outcome = error ?? 'ok'
      registry.add('gapura_gateway_calls_total', { operation, outcome })
      registry.observe('gapura_gateway_call_duration_seconds', { operation }, duration_ms / 1_000)
      log.info({ ...observed, duration_ms: Math.round(duration_ms) }, 'gateway call')
    },
  }
}

function count(registry: Registry, event: MetricEvent): void {
  switch (event.kind) {
    case 'request': {
      const { method, route, status, duration_ms } = event
      registry.add('gapura_http_requests_total', { method, route, status: String(status) })
      const labels = { method, route }
      registry.observe('gapura_http_request_duration_seconds', labels, duration_ms / 1_000)
      return
    }
    case 'notification': {
      const { effect, age_ms, stored_ms } = event
      registry.add('gapura_notifications_total', { effect })
      if (stored_ms !== null)
        registry.observe('gapura_notification_store_seconds', {}, stored_ms / 1_000)
      if (age_ms === null) return
      registry.observe('gapura_notification_age_seconds', { effect }, age_ms / 1_000)
      return
    }
    case 'notification_lost':
      registry.add('gapura_notifications_unstored_total')
      return
    case 'delivery': {
      const { subscriber, delay_ms } = event
      registry.observe('gapura_event_delay_seconds', { subscriber }, delay_ms / 1_000)
      return
    }
    case 'job': {
      const { task, outcome, duration_ms } = event
      registry.add('gapura_jobs_total', { task, outcome })
      registry.observe('gapura_job_duration_seconds', { task }, duration_ms / 1_000)
      return
    }
    case 'timer':
      registry.add('gapura_timers_total', { timer: event.timer, outcome: event.outcome })
      return
    case 'queue_restart':
      registry.add('gapura_queue_restarts_total')
  }
}

/** Recorded amounts are exact to the hundredth; a metric is a float and may round above 2^53. */
const rupiah = (amount: bigint): number => Number(amount) / 100

function countMetric(registry: Registry, metric: CommitMetric): void {
  switch (metric.kind) {
    case 'step': {
      const { object_kind: object, from, to } = metric
      registry.add('gapura_transitions_total', { object, from: from ?? 'none', to })
      return
    }
    case 'received': {
      const { payment_type, amount } = metric
      registry.add('gapura_money_received_rupiah_total', { payment_type }, rupiah(amount))
      return
    }
    case 'refunded':
      registry.add('gapura_money_refunded_rupiah_total', {}, rupiah(metric.amount))
      return
    case 'alarm':
      registry.add('gapura_alarms_opened_total', { kind: metric.alarm })
  }
}
