import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentType } from '../../domain/payment_type.ts'
import type { PaymentDetailFacts, TransactionFacts } from '../../gateway/facts.ts'

/** Without one of these the payer cannot pay. VA numbers, bill keys and codes are in every answer. */
const NEEDED: Partial<Record<PaymentType, (keyof PaymentDetailFacts)[]>> = {
  gopay: ['actions'],
  shopeepay: ['actions'],
  dana: ['actions'],
  qris: ['qr_string', 'actions'],
  credit_card: ['redirect_url'],
  akulaku: ['redirect_url'],
  kredivo: ['redirect_url'],
}

/** Whether a pending charge was found without what its payer needs: only the charge's reply has it. */
export function lacksInstructions(
  { payment_type }: Pick<GatewayPayment, 'payment_type'>,
  { status, details }: TransactionFacts,
): boolean {
  const needed = NEEDED[payment_type]
  if (status !== 'pending' || needed === undefined) return false
  return !needed.some((field) => details[field] !== undefined)
}

/**
 * The gateway keeps no reply for Permata and Indomaret. A card's it keeps: though the token is spent,
 * the key brings the page of the 3-D Secure check (ADR 0008).
 */
export const canReplay = ({ bank, store }: GatewayPayment): boolean =>
  bank !== 'permata' && store !== 'indomaret'
