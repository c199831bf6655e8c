import type { AlarmKind } from './alarm.ts'
import type { Money } from './money.ts'
import type { NotificationEffect } from './notification.ts'
import type { PaymentType } from './payment_type.ts'
import type { ObjectKind } from './signals.ts'

/** A metric of a committed transaction. It contains no personal data. */
export type CommitMetric =
  | { kind: 'step'; object_kind: ObjectKind; from: string | null; to: string }
  | { kind: 'received'; payment_type: PaymentType; amount: Money }
  | { kind: 'refunded'; amount: Money }
  | { kind: 'alarm'; alarm: AlarmKind }

/** Why the database did not do what was asked, as opposed to refusing a statement. */
export const STORE_FAILURES = ['away', 'standby', 'disk_full', 'busy', 'commit_unknown'] as const

export type StoreFailure = (typeof STORE_FAILURES)[number]

/** An event outside of a transaction. Labels are few and known; never an id or an owner. */
export type MetricEvent =
  | { kind: 'request'; method: string; route: string; status: number; duration_ms: number }
  | {
      kind: 'notification'
      effect: NotificationEffect
      age_ms: number | null
      /** From its verification to its commit; null if it was not stored. */
      stored_ms: number | null
    }
  | { kind: 'notification_lost' }
  | { kind: 'delivery'; subscriber: string; delay_ms: number }
  | { kind: 'job'; task: string; outcome: 'done' | 'failed' | 'given_up'; duration_ms: number }
  | { kind: 'timer'; timer: string; outcome: 'done' | 'failed' }
  | { kind: 'queue_restart' }

export type StepAttributes = Readonly<Record<string, string | number>>

/** One step of a trace. Its name and attributes contain no personal data. */
export interface TraceStep {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: StepAttributes
  /** The headers that may carry the caller's trace. */
  headers?: Readonly<Record<string, unknown>>
  /** Fields of every log line written inside. */
  marks?: Readonly<Record<string, string>>
}

/** Runs the work as a step; `learn` adds attributes that become known on the way. */
export type Trace = <Result>(
  step: TraceStep,
  work: (learn: (attributes: StepAttributes) => void) => Promise<Result>,
) => Promise<Result>

/** Counts and traces; it changes no behaviour. */
export interface Telemetry {
  record: (event: MetricEvent) => void
  trace: Trace
  /** The log fields of the current steps: the ids of the request and of the job. */
  marks?: () => Readonly<Record<string, string>>
}

export const NO_TELEMETRY: Telemetry = {
  record: () => undefined,
  trace: async (_step, work) => await work(() => undefined),
}
