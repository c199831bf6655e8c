import type { AlarmKind } from '../domain/alarm.ts'
import type { GatewayPayment } from '../domain/payment.ts'
import { signalKind, type ObjectKind, type Signal, type Source } from '../domain/signals.ts'
import type { TransactionFacts } from '../gateway/facts.ts'
import type { Tx } from '../store/connection/transaction.ts'
import { appendTransitions } from '../store/events/history.ts'
import { appendEvent, type NewEvent } from '../store/events/outbox.ts'
import { newId } from '../store/sql/values.ts'
import { openAlarm } from '../store/staff/alarms.ts'

/** A transition of a payment that may belong to an invoice, a subscription or a checkout. */
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

/** A step whose event shows the object as HTTP does. Called only if the step emits one. */
interface ShownStep extends Stepped {
  show: () => Promise<Pick<NewEvent, 'object' | 'refund_id'>>
}

/** Records the history entry and at most one event of a transition, in the same transaction. */
export async function recordObjectStep(
  tx: Tx,
  { show, ...stepped }: ShownStep,
  record: StepRecord,
): Promise<void> {
  const { object_kind, object, from_status: previous_status } = stepped
  const { signal: type, source, notification_id } = record
  await appendStep(tx, stepped, record)
  if (type === null) return
  if (signalKind(type) !== object_kind) throw new Error(`${type} of a ${object_kind}`)
  const about = { object_kind, object_id: object.id, previous_status, source, notification_id }
  await appendEvent(tx, { id: newId(), type, ...about, ...(await show()) })
}

async function appendStep(
  tx: Tx,
  { object_kind, object, from_status, to_status }: Stepped,
  { source, evidence_id, reason }: Omit<StepRecord, 'signal' | 'notification_id'>,
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
}

/** The first history entry of an object: it was created here. Emits no event. */
export const recordWritten = async (
  tx: Tx,
  stepped: Omit<Stepped, 'from_status'>,
  because: Pick<StepRecord, 'source'> & Partial<Pick<StepRecord, 'evidence_id' | 'reason'>>,
): Promise<void> => {
  const silent = { evidence_id: null, reason: null }
  await appendStep(tx, { ...stepped, from_status: null }, { ...silent, ...because })
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
