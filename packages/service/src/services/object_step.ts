import type { AlarmKind } from '../domain/alarm.ts'
import type { GatewayPayment } from '../domain/payment.ts'
import { signalKind, type ObjectKind, type Signal, type Source } from '../domain/signals.ts'
import type { TransactionFacts } from '../gateway/facts.ts'
import type { Tx } from '../store/connection/transaction.ts'
import { appendTransitions } from '../store/events/history.ts'
import { appendEvent } from '../store/events/outbox.ts'
import { newId } from '../store/sql/values.ts'
import { openAlarm } from '../store/staff/alarms.ts'

/** A transition of a payment that may belong to an invoice or a subscription. */
export interface LinkedStep {
  before: GatewayPayment
  after: GatewayPayment
  facts: TransactionFacts
  provenance: Pick<StepRecord, 'source' | 'evidence_id' | 'notification_id'>
}

/** Updates what a payment belongs to after its transition, in the same transaction. */
export type NotifyLinked = (tx: Tx, step: LinkedStep) => Promise<void>

/** Why a transition was made, and the signal it emits. */
export interface StepRecord<S extends Signal = Signal> {
  signal: S | null
  source: Source
  /** The notification or operation that proves it. */
  evidence_id: string | null
  notification_id: string | null
  reason: string | null
}

/** An object after a transition, as the store returned it, and its status before. */
interface Stepped {
  object_kind: ObjectKind
  object: { id: string; owner_id: string; version: number }
  /** Null for the row's first version. */
  from_status: string | null
  to_status: string
}

/** Records the history entry and at most one event of a transition, in the same transaction. */
export async function recordObjectStep(
  tx: Tx,
  { object_kind, object, from_status, to_status }: Stepped,
  { signal, source, evidence_id, notification_id, reason }: StepRecord,
): Promise<void> {
  const { id: object_id, owner_id, version } = object
  await appendTransitions(tx, [
    {
      object_kind,
      object_id,
      owner_id,
      version,
      from_status,
      to_status,
      source,
      evidence_id,
      reason,
    },
  ])
  if (signal === null) return
  if (signalKind(signal) !== object_kind) throw new Error(`${signal} of a ${object_kind}`)
  await appendEvent(tx, {
    id: newId(),
    type: signal,
    object_kind,
    object_id,
    object,
    previous_status: from_status,
    source,
    notification_id,
  })
}

/** The first history entry of an object: it was created here. Emits no event. */
export const recordWritten = async (
  tx: Tx,
  stepped: Omit<Stepped, 'from_status'>,
  because: Pick<StepRecord, 'source'> & Partial<StepRecord>,
): Promise<void> => {
  const silent = { signal: null, evidence_id: null, notification_id: null, reason: null }
  await recordObjectStep(tx, { ...stepped, from_status: null }, { ...silent, ...because })
}

/** An object that an alarm can be about. */
interface AlarmSubject {
  subject_kind: ObjectKind
  id: string
  owner_id: string
}

/** Opens an alarm about this object. An open alarm of the same kind is not opened twice. */
export async function alarmAboutObject(
  tx: Tx,
  { subject_kind, id, owner_id }: AlarmSubject,
  kind: AlarmKind,
  detail: string,
): Promise<void> {
  await openAlarm(tx, { id: newId(), kind, subject_kind, subject_id: id, owner_id, detail })
}
