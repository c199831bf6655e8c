// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Payments } from './payments.ts'
import type { Invoices } from './invoices.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { StaffMe } from './staff_me.ts'
import type { StaffPayments } from './staff_payments.ts'
import type { StaffSearch } from './staff_search.ts'
import type { StaffRefundRequests } from './staff_refund_requests.ts'
import type { StaffOverview } from './staff_overview.ts'
import type { StaffNotifications } from './staff_notifications.ts'
import type { StaffOperations } from './staff_operations.ts'
import type { StaffAlarms } from './staff_alarms.ts'
import type { StaffEvents } from './staff_events.ts'
import type { StaffKeys } from './staff_keys.ts'
import type { StaffHealth } from './staff_health.ts'
import type { StaffPulse } from './staff_pulse.ts'

export type * from './alarm.ts'
export type * from './breaker_state.ts'
export type * from './capture_input.ts'
export type * from './charge_input.ts'
export type * from './dead_event.ts'
export type * from './hand_input.ts'
export type * from './invoice.ts'
export type * from './invoice_input.ts'
export type * from './invoice_item.ts'
export type * from './invoice_summary.ts'
export type * from './invoice_virtual_account.ts'
export type * from './invoices.ts'
export type * from './method_figures.ts'
export type * from './note_input.ts'
export type * from './notification_detail.ts'
export type * from './notification_summary.ts'
export type * from './object_event.ts'
export type * from './open_alarms.ts'
export type * from './operation.ts'
export type * from './overview.ts'
export type * from './payer_instruction.ts'
export type * from './payment.ts'
export type * from './payment_item.ts'
export type * from './payment_pulse.ts'
export type * from './payment_summary.ts'
export type * from './payment_why.ts'
export type * from './payments.ts'
export type * from './possible_action.ts'
export type * from './possible_refund.ts'
export type * from './problem.ts'
export type * from './pulse.ts'
export type * from './reason_input.ts'
export type * from './received_on_day.ts'
export type * from './refund.ts'
export type * from './refund_input.ts'
export type * from './refund_request.ts'
export type * from './refunded.ts'
export type * from './refunded_on_day.ts'
export type * from './release_input.ts'
export type * from './released_event.ts'
export type * from './replayed.ts'
export type * from './resolved.ts'
export type * from './search_match.ts'
export type * from './searched.ts'
export type * from './staff_act.ts'
export type * from './staff_act_input.ts'
export type * from './staff_alarms.ts'
export type * from './staff_capture_input.ts'
export type * from './staff_events.ts'
export type * from './staff_health.ts'
export type * from './staff_health_report.ts'
export type * from './staff_identity.ts'
export type * from './staff_key.ts'
export type * from './staff_keys.ts'
export type * from './staff_me.ts'
export type * from './staff_note.ts'
export type * from './staff_notifications.ts'
export type * from './staff_operations.ts'
export type * from './staff_overview.ts'
export type * from './staff_payment.ts'
export type * from './staff_payment_summary.ts'
export type * from './staff_payments.ts'
export type * from './staff_pulse.ts'
export type * from './staff_refund_requests.ts'
export type * from './staff_search.ts'
export type * from './status_checked.ts'
export type * from './subscriber_lag.ts'
export type * from './subscription.ts'
export type * from './subscription_input.ts'
export type * from './subscription_summary.ts'
export type * from './subscriptions.ts'
export type * from './transition.ts'
export type * from './unions.ts'
export type * from './void_input.ts'
export type * from './waiting.ts'
export type * from './worker_pulse.ts'

export interface Resources {
  payments: Payments
  invoices: Invoices
  subscriptions: Subscriptions
  staff: {
    me: StaffMe
    payments: StaffPayments
    search: StaffSearch
    refundRequests: StaffRefundRequests
    overview: StaffOverview
    notifications: StaffNotifications
    operations: StaffOperations
    alarms: StaffAlarms
    events: StaffEvents
    keys: StaffKeys
    health: StaffHealth
    pulse: StaffPulse
  }
}
