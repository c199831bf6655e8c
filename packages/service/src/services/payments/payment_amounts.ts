import type { Evidence } from '../../domain/answer.ts'
import type { Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'

type Amounts = Pick<GatewayPayment, 'gross_amount' | 'authorized_amount' | 'captured_amount'>

/**
 * Whether a reported amount fits this payment: the charged amount, the captured amount, or the
 * charged amount plus a fee that the payer bears. After a partial capture the gateway reports the
 * captured part (gateway-protocol.md#capture), so from `authorize` a smaller amount counts if the
 * gateway itself answers it.
 */
export function fitsAmount(
  payment: Amounts & Pick<GatewayPayment, 'transaction_status'>,
  facts: TransactionFacts,
  evidence: Evidence,
): boolean {
  const { gross_amount: reported } = facts
  if (reported === null) return true
  if (reported === payment.gross_amount || reported === payment.captured_amount) return true
  if (evidence !== 'gateway_answer') return false
  if (reported === payment.gross_amount + facts.imposed_fee) return true
  return payment.transaction_status === 'authorize' && reported < payment.gross_amount
}

/** The amounts after a transition. The captured amount is kept when the payment ends without it. */
export function amountsAfter(
  payment: Amounts,
  facts: TransactionFacts,
): Pick<Amounts, 'authorized_amount' | 'captured_amount'> {
  const { gross_amount, authorized_amount, captured_amount } = payment
  switch (facts.status) {
    case 'pending':
    case 'deny':
    case 'cancel':
    case 'expire':
    case 'failure':
      return { authorized_amount, captured_amount }
    case 'authorize':
      return { authorized_amount: gross_amount, captured_amount }
    default:
      return {
        authorized_amount: gross_amount,
        captured_amount: captured_amount || capturedBy(payment, facts),
      }
  }
}

/** A fee that the payer bears raises the reported amount, never what the merchant charged. */
function capturedBy(
  { gross_amount }: Amounts,
  { gross_amount: reported }: TransactionFacts,
): Money {
  return reported !== null && reported < gross_amount ? reported : gross_amount
}
