import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { actionRefusal, type PaymentAction } from '../../domain/payment_actions.ts'
import { findRefundByKey } from '../../store/refunds.ts'
import type { Tx } from '../../store/transaction.ts'
import { findPaymentById } from '../../store/payments.ts'
import type { Current, Reply } from '../requests.ts'
import { representWithin } from './read_payment.ts'
import { representRefund } from './representation.ts'

/** Why a person does it; kept with the operation, and never sent to the gateway. */
export type Why = { reason?: string }

/** The rule of an action, to be asked under the payment's lock. Throws its refusal. */
export const ruleOf =
  (action: PaymentAction) =>
  ({ payment_type, transaction_status, fraud_status }: GatewayPayment): void => {
    const facts = { payment_type, status: transaction_status, fraud: fraud_status }
    const refusal = actionRefusal(action, facts)
    if (refusal !== undefined) throw gatewayError(refusal)
  }

/** The full form of the payment (api-rules.md#replies). */
export const representAction = async (tx: Tx, payment: GatewayPayment): Promise<Reply> => ({
  code: 200,
  body: JSON.stringify(await representWithin(tx, payment)),
})

/** The payment after the refund, and the refund (api-rules.md#replies). */
export async function representRefunded(
  tx: Tx,
  payment: GatewayPayment,
  { refund_id }: GatewayOperation,
): Promise<Reply> {
  const refund = await findRefundByKey(tx, payment.id, refund_id ?? '')
  const body = {
    payment: await representWithin(tx, payment),
    refund: refund ? representRefund(refund) : null,
  }
  return { code: 200, body: JSON.stringify(body) }
}

/** The reply of whatever this operation was, for the one who ends it without having been asked. */
export const representationOf = ({ refund_id }: GatewayOperation) =>
  refund_id === null ? representAction : representRefunded

/** Whether the gateway shows the refund of an operation as made, whatever its answer was. */
export const isRefunded = async (tx: Tx, operation: GatewayOperation): Promise<boolean> => {
  const { subject_id, refund_id } = operation
  const refund = refund_id === null ? undefined : await findRefundByKey(tx, subject_id, refund_id)
  return refund?.status === 'succeeded'
}

/** The payment of an action that succeeded, as it stands: for a repeat whose reply is purged. */
export const currentAction: Current = async (tx, operation) => {
  if (operation.state !== 'succeeded' && !(await isRefunded(tx, operation))) return undefined
  const payment = await findPaymentById(tx, operation.subject_id)
  return payment && (await representationOf(operation)(tx, payment, operation))
}
