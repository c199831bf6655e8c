import { gatewayError } from '../../domain/errors.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { actionRefusal, type PaymentAction } from '../../domain/payment_actions.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Reply } from '../requests.ts'
import { representWithin } from './read_payment.ts'

/** The rule of an action, to be asked under the payment's lock. Throws its refusal. */
export const ruleOf =
  (action: PaymentAction) =>
  ({ payment_type, transaction_status, fraud_status }: GatewayPayment): void => {
    const facts = { payment_type, status: transaction_status, fraud: fraud_status }
    const refusal = actionRefusal(action, facts)
    if (refusal !== undefined) throw gatewayError(refusal)
  }

/** D-07: the full form of the payment. */
export const representAction = async (tx: Tx, payment: GatewayPayment): Promise<Reply> => ({
  code: 200,
  body: JSON.stringify(await representWithin(tx, payment)),
})
