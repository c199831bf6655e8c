// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
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
  payment: Payment
  owner_id: string
  subscription_id: Uuid | null
  invoice_id: Uuid | null
  version: number
  next_check_at: Timestamp | null
  check_attempts: number
  why: PaymentWhy
  actions: PossibleAction[]
  refund: PossibleRefund
  refund_requests: RefundRequest[]
  transitions: Transition[]
  operations: Operation[]
  notifications: NotificationSummary[]
  events: ObjectEvent[]
  alarms: Alarm[]
  notes: StaffNote[]
  acts: StaffAct[]
}
