// What an answer of the gateway may be older than: the last transition, and a deferred report.
import { ANSWERS_LATE_MS, type Evidence } from '../../domain/answer.ts'
import { isFurtherAttempt, type GatewayPayment } from '../../domain/payment.ts'
import { hasEndedWithoutMoney } from '../../domain/payment_transitions.ts'
import type { Source } from '../../domain/signals.ts'
import { onClock } from '../../store/connection/settings.ts'
import { listTransitions } from '../../store/events/history.ts'
import type { PaymentChange } from '../../store/payments/transitions.ts'
import type { PaymentWriteBatch } from './payment_write_batch.ts'

interface Answered {
  evidence: Evidence
  own?: 'charge' | 'action'
  source: Source
  /** When the gateway was asked, by the process's own clock: its answer may be applied much later. */
  asked_at?: number
}

/**
 * Whether this settles a report deferred then. The reply to a call of our own may not name what the
 * report was about, such as a refund, and an early answer may be older than the report.
 */
const settles = (answered: Answered, deferred_since: Date, now: Date): boolean =>
  answered.evidence === 'gateway_answer' &&
  answered.own === undefined &&
  onClock(now, answered.asked_at).getTime() - deferred_since.getTime() >= ANSWERS_LATE_MS

/**
 * Whether the gateway was asked so soon after the last transition that its answer may be from before
 * it, as from a slow replica. It is queried again until a minute has passed.
 */
export async function isTooSoon(
  batch: PaymentWriteBatch,
  payment: GatewayPayment,
  answered: Answered,
): Promise<boolean> {
  const { id, transaction_status, refused } = payment
  const ended = hasEndedWithoutMoney(transaction_status)
  // What the caller's action has changed just now is no older than the record.
  if (answered.own === 'action' && answered.source === 'action' && !ended) return false
  // Given up by us and not ended by the gateway: nothing of its answers is older.
  if (refused && !isFurtherAttempt(payment) && transaction_status === 'failure') return false
  const last = (await listTransitions(batch.tx, id)).at(-1)
  const asked = onClock(await batch.now(), answered.asked_at)
  return last !== undefined && asked.getTime() - last.occurred_at.getTime() < ANSWERS_LATE_MS
}

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
