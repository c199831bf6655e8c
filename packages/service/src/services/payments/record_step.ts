import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentSignal } from '../../domain/signals.ts'
import { doneOnCommit, type Tx } from '../../store/connection/transaction.ts'
import { recordObjectStep, type StepRecord } from '../object_step.ts'

/** The history and the event of one step of a payment. */
export async function recordStep(
  tx: Tx,
  before: GatewayPayment,
  after: GatewayPayment,
  record: StepRecord<PaymentSignal>,
): Promise<void> {
  const { transaction_status: from_status } = before
  const { transaction_status: to_status } = after
  await recordObjectStep(
    tx,
    { object_kind: 'payment', object: after, from_status, to_status },
    record,
  )
  countReceived(before, after)
}

/** Money is counted when a payment first counts as paid. */
export function countReceived(before: GatewayPayment, after: GatewayPayment): void {
  const { payment_type, captured_amount: amount } = after
  if (before.paid_at === null && after.paid_at !== null) {
    doneOnCommit({ kind: 'received', payment_type, amount })
  }
}
