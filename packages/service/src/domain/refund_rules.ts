import type { Money } from './money.ts'
import { mayTransition } from './payment_transitions.ts'
import type { PaymentStatus } from './payment_status.ts'
import { PAYMENT_TYPE, variantOf, type PaymentType } from './payment_type.ts'
import type { ErrorCode } from './error_catalogue.ts'

const DAY_MS = 86_400_000

export interface RefundFacts {
  payment_type: PaymentType
  status: PaymentStatus
  /** Acquirer for cards and QRIS, as the gateway named it. */
  acquirer: string | null
  captured_amount: Money
  refunded_amount: Money
  refund_reserved_amount: Money
}

/** A refund on top of a chargeback would pay the payer twice; the gateway answers 412. */
const CHARGED_BACK: ReadonlySet<PaymentStatus> = new Set(['partial_chargeback', 'chargeback'])

/** What is left to refund: captured, less what went back, less what is on its way back. */
export const refundableAmount = (facts: RefundFacts): Money =>
  facts.captured_amount - facts.refunded_amount - facts.refund_reserved_amount

/**
 * Why a refund cannot even be tried, or nothing. Only what can never succeed is refused here;
 * windows and balances are the gateway's to judge (ADR 0010).
 */
export function refundRefusal(
  facts: RefundFacts,
  amount: Money,
  direct: boolean,
): ErrorCode | undefined {
  const rule = PAYMENT_TYPE[facts.payment_type].refund
  if (rule === null) return 'method_not_refundable'
  if (facts.status === 'capture') return 'refund_needs_settlement'
  if (CHARGED_BACK.has(facts.status)) return 'refund_after_chargeback'
  if (!mayTransition(facts.status, 'refund')) return 'payment_not_refundable'
  if (direct && typeof rule.direct === 'object' && facts.acquirer !== null) {
    if (!rule.direct.includes(facts.acquirer)) return 'direct_refund_unavailable'
  }
  if (amount <= 0n || amount > refundableAmount(facts)) return 'refund_amount_exceeded'
  if (!rule.partial && amount !== facts.captured_amount) return 'partial_refund_unavailable'
  return undefined
}

/** Why a refund outside the gateway cannot be recorded: only for what the gateway never refunds. */
export function outsideRefusal(facts: RefundFacts, amount: Money): ErrorCode | undefined {
  if (PAYMENT_TYPE[facts.payment_type].refund !== null) return 'outside_refund_unavailable'
  if (facts.status !== 'settlement') return 'payment_not_refundable'
  return amount <= 0n || amount > refundableAmount(facts) ? 'refund_amount_exceeded' : undefined
}

/**
 * The last moment the gateway's pages promise a refund for; shown, never enforced. The variant is
 * how it was paid, where that matters: `tokenized`, `off-us`, or the acquirer.
 */
export function refundWindowEnds(
  payment_type: PaymentType,
  settled_at: Date,
  variant?: string | null,
): Date | undefined {
  const rule = PAYMENT_TYPE[payment_type].refund
  if (rule === null) return undefined
  const days = variantOf({ payment_type }, variant).refund_window_days ?? rule.window_days
  return new Date(settled_at.getTime() + days * DAY_MS)
}
