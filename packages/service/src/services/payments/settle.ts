// When an answer of the gateway settles a report that only a query can settle.
import { ANSWERS_LATE_MS, type Evidence } from '../../domain/answer.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { PaymentChange } from '../../store/payments/transitions.ts'
import type { PaymentWriteBatch } from './payment_write_batch.ts'

interface Answered {
  evidence: Evidence
  own?: 'charge' | 'action'
}

/**
 * Whether this settles a report deferred then. The answer to an action may not name what the report
 * was about, such as a refund, and an early answer may be older than the report.
 */
const settles = ({ evidence, own }: Answered, deferred_since: Date, now: Date): boolean =>
  evidence === 'gateway_answer' &&
  own !== 'action' &&
  now.getTime() - deferred_since.getTime() >= ANSWERS_LATE_MS

/** After an answer without a transition: what it does not settle is queried again soon. */
export async function settle(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  provenance: Answered,
): Promise<GatewayPayment> {
  const { deferred_since } = payment
  if (deferred_since === null || provenance.evidence === 'report') return payment
  return settles(provenance, deferred_since, await batch.now())
    ? await batch.settle(payment)
    : await batch.defer(payment, false)
}

/** Any other transition keeps an earlier deferral: the gateway must still be queried. */
export function checksAfter(
  { deferred_since, next_check_at }: GatewayPayment,
  provenance: Answered,
  { now, planned }: { now: Date; planned: Date | null },
): PaymentChange {
  const open = deferred_since !== null && !settles(provenance, deferred_since, now)
  if (!open) return { next_check_at: planned, check_attempts: 0, deferred_since: null }
  return { next_check_at: next_check_at ?? now, check_attempts: 0, deferred_since }
}
