// The refund of an operation: what its answer says of it, and how it is shown.
import { parseMoney } from '../../domain/money.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { representRefund } from '../../domain/payment_representation.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { findRefundByKey } from '../../store/refunds/rows.ts'
import type { Attempt } from '../operations/operation_type.ts'
import { representWithin, type Refunded } from './representation.ts'

type RefundAttempt = Attempt<GatewayPayment, undefined>

export const amountIn = ({ request }: GatewayOperation): bigint =>
  parseMoney(request['amount']) ?? 0n

/**
 * The answer to a refund may not list it; it is then added, so that its reservation is released. The
 * refund keeps the answer's code and message, unless a staff member decided instead of the gateway.
 */
export async function withRefund(
  tx: Tx,
  { operation, by }: RefundAttempt,
  facts: TransactionFacts,
): Promise<TransactionFacts> {
  const refund = await findOwnRefund(tx, operation)
  if (refund === undefined) return facts
  const { refund_key, amount, reason, is_direct } = refund
  const listed = facts.refunds.find((one) => one.refund_key === refund_key)
  const { status_code, status_message } = facts
  const ours = {
    ...(listed ?? { refund_key, amount, reason, is_direct, confirmed_at: null }),
    ...(by === undefined && { status_code, status_message }),
  }
  const others = facts.refunds.filter((one) => one.refund_key !== refund_key)
  return { ...facts, refunds: [...others, ours] }
}

/** A refund of ours has its own id as its key. */
const findOwnRefund = async (tx: Tx, { subject_id, refund_id }: GatewayOperation) =>
  refund_id === null ? undefined : await findRefundByKey(tx, subject_id, refund_id)

/** Whether the gateway shows the refund of an operation as made, whatever its answer was. */
export const isRefunded = async (tx: Tx, operation: GatewayOperation): Promise<boolean> =>
  (await findOwnRefund(tx, operation))?.status === 'succeeded'

/** The payment after the refund, and the refund. */
export async function representRefunded(
  tx: Tx,
  payment: GatewayPayment,
  operation: GatewayOperation,
): Promise<Refunded> {
  const refund = await findOwnRefund(tx, operation)
  if (refund === undefined) throw new Error(`the refund of operation ${operation.id} is missing`)
  return { payment: await representWithin(tx, payment), refund: representRefund(refund) }
}

/** What the gateway would show if it had recorded this refund, which is added by its key. */
export function withoutList(
  payment: GatewayPayment,
  operation: GatewayOperation,
  seen: TransactionFacts,
): TransactionFacts {
  const whole = payment.refunded_amount + amountIn(operation) >= payment.captured_amount
  return { ...seen, status: whole ? 'refund' : 'partial_refund', refund_amount: null }
}
