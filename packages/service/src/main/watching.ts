import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deed, Sighting, Watch } from '../domain/watch.ts'
import type { CallObserved } from '../gateway/calls.ts'
import type { Logger } from '../services/context.ts'
import type { Registry } from './metrics/registry.ts'
import { traced } from './tracing.ts'

export interface Watching {
  watch: Watch
  /** The given logger, with the marks of the request or job in every line written inside it. */
  log: Logger
  onDone: (deeds: readonly Deed[]) => void
  onCall: (observed: CallObserved) => void
}

type Marks = Readonly<Record<string, string>>

/** Turns what the rooms see into numbers, spans and marked lines. */
export function watching(registry: Registry, logger: Logger): Watching {
  const marks = new AsyncLocalStorage<Marks>()
  const marked =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      logger[level]({ ...marks.getStore(), ...fields }, message)
  const log = { info: marked('info'), warn: marked('warn'), error: marked('error') }
  return {
    log,
    watch: {
      see: (sighting) => count(registry, sighting),
      trace: async (step, work) =>
        await marks.run(
          { ...marks.getStore(), ...step.marks },
          async () => await traced(step, work),
        ),
      marks: () => marks.getStore() ?? {},
    },
    onDone: (deeds) => {
      for (const deed of deeds) countDeed(registry, deed)
    },
    onCall: (observed) => {
      const { operation, duration_ms, error } = observed
      const outcome = error ?? 'ok'
      registry.add('gapura_gateway_calls_total', { operation, outcome })
      registry.observe('gapura_gateway_call_duration_seconds', { operation }, duration_ms / 1_000)
      log.info({ ...observed, duration_ms: Math.round(duration_ms) }, 'gateway call')
    },
  }
}

function count(registry: Registry, sighting: Sighting): void {
  switch (sighting.kind) {
    case 'request': {
      const { method, route, status, duration_ms } = sighting
      registry.add('gapura_http_requests_total', { method, route, status: String(status) })
      const labels = { method, route }
      registry.observe('gapura_http_request_duration_seconds', labels, duration_ms / 1_000)
      return
    }
    case 'notification': {
      const { effect, age_ms } = sighting
      registry.add('gapura_notifications_total', { effect })
      if (age_ms === null) return
      registry.observe('gapura_notification_age_seconds', { effect }, age_ms / 1_000)
      return
    }
    case 'job': {
      const { task, outcome, duration_ms } = sighting
      registry.add('gapura_jobs_total', { task, outcome })
      registry.observe('gapura_job_duration_seconds', { task }, duration_ms / 1_000)
      return
    }
    case 'timer':
      registry.add('gapura_timers_total', { timer: sighting.timer, outcome: sighting.outcome })
      return
    case 'queue_restart':
      registry.add('gapura_queue_restarts_total')
  }
}

/** Money is exact to the hundredth in the books; a metric is a float and may round beyond 2^53. */
const rupiah = (amount: bigint): number => Number(amount) / 100

function countDeed(registry: Registry, deed: Deed): void {
  switch (deed.kind) {
    case 'step': {
      const { object_kind: object, from, to } = deed
      registry.add('gapura_transitions_total', { object, from: from ?? 'none', to })
      return
    }
    case 'received': {
      const { payment_type, amount } = deed
      registry.add('gapura_money_received_rupiah_total', { payment_type }, rupiah(amount))
      return
    }
    case 'refunded':
      registry.add('gapura_money_refunded_rupiah_total', {}, rupiah(deed.amount))
      return
    case 'alarm':
      registry.add('gapura_alarms_opened_total', { kind: deed.alarm })
  }
}
