import type { ErrorCode } from './error_catalogue.ts'
import { mayTransition } from './payment_transitions.ts'
import type { FraudStatus, PaymentStatus } from './payment_status.ts'
import { PAYMENT_TYPE, type PaymentType } from './payment_type.ts'

export const PAYMENT_ACTIONS = ['cancel', 'expire', 'capture', 'approve', 'deny'] as const

export type PaymentAction = (typeof PAYMENT_ACTIONS)[number]

interface ActionFacts {
  payment_type: PaymentType
  status: PaymentStatus
  fraud: FraudStatus | null
}

/**
 * Why this action is not allowed now, or nothing. api-rules.md#actions; refunds have rules of their
 * own.
 */
export function actionRefusal(action: PaymentAction, facts: ActionFacts): ErrorCode | undefined {
  const { payment_type, status, fraud } = facts
  switch (action) {
    case 'cancel':
      return mayTransition(status, 'cancel') ? undefined : 'payment_in_final_state'
    case 'expire':
      return status === 'pending' ? undefined : 'payment_not_pending'
    case 'capture':
      if (!PAYMENT_TYPE[payment_type].separate_capture) return 'not_credit_card'
      return status === 'authorize' ? undefined : 'payment_not_authorized'
    case 'approve':
    case 'deny':
      return status === 'capture' && fraud === 'challenge' ? undefined : 'payment_not_in_review'
  }
}
