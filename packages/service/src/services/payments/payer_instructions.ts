import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_TYPE } from '../../domain/payment_type.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'

/**
 * Whether a pending charge lacks the payer's instructions, which only the reply to the charge has.
 */
export function lacksInstructions(
  { payment_type }: Pick<GatewayPayment, 'payment_type'>,
  { status, details }: TransactionFacts,
): boolean {
  const { instructions } = PAYMENT_TYPE[payment_type]
  if (status !== 'pending' || instructions.length === 0) return false
  return !instructions.some((field) => details[field] !== undefined)
}
