import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPE } from '../../domain/payment_type.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'

/** Whether a pending charge was found without what its payer needs: only the charge's reply has it. */
export function lacksInstructions(
  { payment_type }: Pick<GatewayPayment, 'payment_type'>,
  { status, details }: TransactionFacts,
): boolean {
  const { instructions } = PAYMENT_TYPE[payment_type]
  if (status !== 'pending' || instructions.length === 0) return false
  return !instructions.some((field) => details[field] !== undefined)
}
