// Why a payment is in its state, as one code that a page can say in any language. Pure: the same
// facts give the same answer, and every status has one.
import type { GatewayOperation } from './operation.ts'
import type { GatewayPayment, GatewayRefund } from './payment.ts'
import type { GatewayTransition } from './transition.ts'

export const PAYMENT_REASONS = [
  'asking_gateway',
  'charge_unclear',
  'action_unclear',
  'waiting_for_payer',
  'past_its_time',
  'waiting_for_capture',
  'in_review',
  'review_denied',
  'captured',
  'settled',
  'settled_late',
  'refund_under_way',
  'refunded_in_part',
  'refunded_in_full',
  'denied',
  'cancelled_by_us',
  'cancelled_elsewhere',
  'expired',
  'expired_by_us',
  'refused_by_gateway',
  'failed_at_gateway',
  'charged_back',
  'charged_back_in_part',
] as const

export type PaymentReason = (typeof PAYMENT_REASONS)[number]

export interface ReasonFacts {
  payment: Pick<
    GatewayPayment,
    'transaction_status' | 'fraud_status' | 'expiry_time' | 'refused' | 'refund_reserved_amount'
  >
  transitions: readonly Pick<GatewayTransition, 'to_status' | 'source' | 'reason'>[]
  operations: readonly Pick<GatewayOperation, 'kind' | 'state'>[]
  refunds: readonly Pick<GatewayRefund, 'status'>[]
  now: Date
}

/** The reason to show. What is unclear takes precedence over everything that is known. */
export function paymentReason(facts: ReasonFacts): PaymentReason {
  const unclear = facts.operations.find(({ state }) => state === 'unknown')
  if (unclear !== undefined) return unclear.kind === 'charge' ? 'charge_unclear' : 'action_unclear'
  const { payment, refunds, transitions } = facts
  const last = transitions.at(-1)
  const by_us = last?.source === 'action' || last?.source === 'staff'
  const late = last?.reason?.includes('late_money') === true
  switch (payment.transaction_status) {
    case 'initiated':
      return 'asking_gateway'
    case 'pending':
      return isPast(facts) ? 'past_its_time' : 'waiting_for_payer'
    case 'authorize':
      return 'waiting_for_capture'
    case 'capture':
      if (payment.fraud_status === 'challenge') return 'in_review'
      return payment.fraud_status === 'deny' ? 'review_denied' : 'captured'
    case 'settlement':
      if (refunds.some(({ status }) => status === 'pending')) return 'refund_under_way'
      return late ? 'settled_late' : 'settled'
    case 'partial_refund':
      return refunds.some(({ status }) => status === 'pending')
        ? 'refund_under_way'
        : 'refunded_in_part'
    case 'refund':
      return 'refunded_in_full'
    case 'deny':
      return 'denied'
    case 'cancel':
      return by_us ? 'cancelled_by_us' : 'cancelled_elsewhere'
    case 'expire':
      return by_us ? 'expired_by_us' : 'expired'
    case 'failure':
      return payment.refused ? 'refused_by_gateway' : 'failed_at_gateway'
    case 'chargeback':
      return 'charged_back'
    case 'partial_chargeback':
      return 'charged_back_in_part'
  }
}

const isPast = ({ payment: { expiry_time }, now }: ReasonFacts): boolean =>
  expiry_time !== null && expiry_time < now
