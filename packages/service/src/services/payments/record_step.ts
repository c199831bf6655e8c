import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentSignal, Source } from '../../domain/signals.ts'
import { appendEvent } from '../../store/events.ts'
import { newId } from '../../store/ids.ts'
import type { Tx } from '../../store/transaction.ts'
import { appendTransitions } from '../../store/transitions.ts'

export interface StepRecord {
  signal: PaymentSignal | null
  source: Source
  evidence_id: string | null
  notification_id: string | null
  reason: string | null
}

/** The history and the event of one step, in the transaction that made it. At most one event. */
export async function recordStep(
  tx: Tx,
  before: GatewayPayment,
  after: GatewayPayment,
  { signal, source, evidence_id, notification_id, reason }: StepRecord,
): Promise<void> {
  await appendTransitions(tx, [
    {
      object_kind: 'payment',
      object_id: after.id,
      owner_id: after.owner_id,
      version: after.version,
      from_status: before.transaction_status,
      to_status: after.transaction_status,
      source,
      evidence_id,
      reason,
    },
  ])
  if (signal === null) return
  await appendEvent(tx, {
    id: newId(),
    type: signal,
    object_kind: 'payment',
    object_id: after.id,
    object: after,
    previous_status: before.transaction_status,
    source,
    notification_id,
  })
}
