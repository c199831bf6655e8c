import type { AlarmKind } from './alarm.ts'
import type { Money } from './money.ts'
import type { NotificationEffect } from './notification.ts'
import type { PaymentType } from './payment_type.ts'
import type { ObjectKind } from './signals.ts'

/** What a committed transaction did that is worth a number. Nothing in it names a person. */
export type CommitMetric =
  | { kind: 'step'; object_kind: ObjectKind; from: string | null; to: string }
  | { kind: 'received'; payment_type: PaymentType; amount: Money }
  | { kind: 'refunded'; amount: Money }
  | { kind: 'alarm'; alarm: AlarmKind }

/** What happened outside of a transaction. Labels are few and known; never an id or an owner. */
export type MetricEvent =
  | { kind: 'request'; method: string; route: string; status: number; duration_ms: number }
  | { kind: 'notification'; effect: NotificationEffect; age_ms: number | null }
  | { kind: 'job'; task: string; outcome: 'done' | 'failed' | 'given_up'; duration_ms: number }
  | { kind: 'timer'; timer: string; outcome: 'done' | 'failed' }
  | { kind: 'queue_restart' }

export type StepAttributes = Readonly<Record<string, string | number>>

/** One step of a trace: its name and attributes are ours, its content is nobody's. */
export interface TraceStep {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: StepAttributes
  /** The headers that may carry the caller's trace. */
  headers?: Readonly<Record<string, unknown>>
  /** What every log line written inside carries. */
  marks?: Readonly<Record<string, string>>
}

/** Runs the work as a step; what is learnt on the way is added by `learn`. */
export type Trace = <Result>(
  step: TraceStep,
  work: (learn: (attributes: StepAttributes) => void) => Promise<Result>,
) => Promise<Result>

/** Whoever watches: it counts and traces, and changes nothing. */
export interface Telemetry {
  record: (event: MetricEvent) => void
  trace: Trace
  /** The marks of the steps we are in: the request's id, the job's. */
  marks?: () => Readonly<Record<string, string>>
}

export const NO_TELEMETRY: Telemetry = {
  record: () => undefined,
  trace: async (_step, work) => await work(() => undefined),
}
