// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Timestamp, Uuid } from '../values.ts'
import type { Alarm } from './alarm.ts'
import type { NotificationSummary } from './notification_summary.ts'
import type { ObjectEvent } from './object_event.ts'
import type { Operation } from './operation.ts'
import type { Payment } from './payment.ts'
import type { PaymentWhy } from './payment_why.ts'
import type { PossibleAction } from './possible_action.ts'
import type { PossibleRefund } from './possible_refund.ts'
import type { RefundRequest } from './refund_request.ts'
import type { StaffAct } from './staff_act.ts'
import type { StaffNote } from './staff_note.ts'
import type { Transition } from './transition.ts'

export interface StaffPayment {
  /** The payment. */
  payment: Payment
  /** The owner of the payment. */
  owner_id: string
  /** The subscription it is a cycle of. */
  subscription_id: Uuid | null
  /** The invoice it pays. */
  invoice_id: Uuid | null
  /** Grows by one with every transition. */
  version: number
  /** When the gateway is asked about it next; null: not at all. */
  next_check_at: Timestamp | null
  /** How often the gateway was asked since the last transition. */
  check_attempts: number
  /** Why the payment is in its status. */
  why: PaymentWhy
  /** What can be done with it now, and why not. */
  actions: PossibleAction[]
  /** Whether and how much can be refunded now. */
  refund: PossibleRefund
  /** Refunds that need or needed a second staff member. */
  refund_requests: RefundRequest[]
  /** Every transition, oldest first. */
  transitions: Transition[]
  /** The latest calls to the gateway, oldest first. */
  operations: Operation[]
  /** The latest notifications, oldest first. */
  notifications: NotificationSummary[]
  /** The events that were published, oldest first. */
  events: ObjectEvent[]
  /** The latest alarms, newest first. */
  alarms: Alarm[]
  /** The notes of staff. */
  notes: StaffNote[]
  /** The audit entries, newest first. */
  acts: StaffAct[]
}
