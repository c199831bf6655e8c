// What the staff routes of payments reply, as schemas.
import { ACTOR_KINDS } from '../../domain/audit.ts'
import { PAYMENT_ACTIONS } from '../../domain/payment_actions.ts'
import { PAYMENT_REASONS } from '../../domain/payment_reason.ts'
import { FRAUD_STATUSES } from '../../domain/payment_status.ts'
import { OBJECT_KINDS, SIGNALS, SOURCES } from '../../domain/signals.ts'
import { PAYMENT, PAYMENT_SUMMARY } from '../payment_schemas.ts'
import {
  count,
  listOf,
  money,
  moneyOrNull,
  named,
  oneOf,
  oneOfOrNull,
  pageOf,
  part,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
  uuidOrNull,
  yesOrNo,
} from '../platform/schema.ts'
import { ALARM } from './alarms.ts'
import { NOTIFICATION_SUMMARY } from './notifications.ts'
import { OPERATION } from './operations.ts'
import { REFUND_REQUEST } from './refund_requests.ts'

const source = oneOf(SOURCES, 'Where the change came from.')

export const STAFF_PAYMENT_SUMMARY = named('StaffPaymentSummary', {
  ...PAYMENT_SUMMARY.properties,
  owner_id: text('The owner of the payment.'),
  transaction_id: textOrNull("The gateway's id of the payment."),
  bank: textOrNull('The bank of the virtual account, or the acquiring bank of a card.'),
  store: textOrNull('The convenience store where the payer pays in cash.'),
  fraud_status: oneOfOrNull(FRAUD_STATUSES, 'The fraud check of a card payment.'),
  refund_amount: money('The amount that was refunded so far, in rupiah with two decimals.'),
  customer_name: textOrNull('The first and last name of the customer.'),
  customer_phone: textOrNull('The phone number of the customer.'),
  va_number: textOrNull('The virtual account number to transfer to.'),
  bill_key: textOrNull('The bill key of a Mandiri bill payment.'),
  payment_code: textOrNull('The code the payer shows at the convenience store.'),
  expiry_time: timeOrNull('Until when the payer can pay.'),
  paid_at: timeOrNull('When the payment was first seen as paid.'),
})

export const STAFF_PAYMENT_PAGE = pageOf('StaffPaymentPage', STAFF_PAYMENT_SUMMARY)

export const PAYMENT_TOTALS = named('PaymentTotals', {
  count: count('How many payments match the filters.'),
  gross_amount: money('The sum of their amounts, in rupiah with two decimals.'),
  exact: yesOrNo('False: estimated from a sample, because counting all would be slow.'),
})

export const STAFF_NOTE = named('StaffNote', {
  id: uuid('The id of the note.'),
  subject_id: uuid('The payment the note is about.'),
  owner_id: textOrNull('The owner of the payment.'),
  author: text('The staff member who wrote the note.'),
  text: text('The note.'),
  created_at: time('When the note was written.'),
})

const TRANSITION = named('Transition', {
  object_kind: oneOf(OBJECT_KINDS, 'What kind of object changed.'),
  object_id: uuid('The object that changed.'),
  owner_id: text('The owner of the object.'),
  version: count('The version of the object after the transition.'),
  from_status: textOrNull('The status before; null for the first.'),
  to_status: text('The status after.'),
  source,
  evidence_id: uuidOrNull('The notification or operation that proves the transition.'),
  reason: textOrNull('Why it happened, where that needs words.'),
  occurred_at: time('When the transition was recorded.'),
})

const OBJECT_EVENT = named('ObjectEvent', {
  id: uuid('The id of the event.'),
  type: oneOf(SIGNALS, 'The signal of the event.'),
  sequence: count('The number of the event among the events of its object, from 1.'),
  previous_status: textOrNull('The status before the event.'),
  source,
  notification_id: uuidOrNull('The notification that caused the event.'),
  occurred_at: time('When the event happened.'),
  waiting: listOf(text('The name of a subscriber.'), 'Subscribers that have not received it yet.'),
})

const STAFF_ACT = named('StaffAct', {
  id: uuid('The id of the audit entry.'),
  occurred_at: time('When it was done.'),
  actor: text('Who did it.'),
  actor_kind: oneOf(ACTOR_KINDS, 'What kind of actor that is.'),
  action: text('What was done, such as `payment.refund`.'),
  reason: textOrNull('The reason that was given.'),
  request_id: textOrNull('The request it was done with.'),
  operation_id: uuidOrNull('The operation at the gateway that it started.'),
})

const possible = {
  allowed: yesOrNo('Whether it is possible now.'),
  refusal: textOrNull('The error code that it would be refused with; null where it is possible.'),
  why_not: textOrNull('The same in words.'),
}

const PAYMENT_WHY = named('PaymentWhy', {
  code: oneOf(PAYMENT_REASONS, 'Why the payment is in its status.'),
  source: oneOfOrNull(SOURCES, 'Where the latest transition came from.'),
  occurred_at: timeOrNull('When the latest transition was recorded.'),
  evidence_id: uuidOrNull('The notification or operation that proves it.'),
  reason: textOrNull('Why it happened, where that needs words.'),
})

const POSSIBLE_ACTION = named('PossibleAction', {
  name: oneOf(PAYMENT_ACTIONS, 'The action.'),
  ...possible,
})

const POSSIBLE_REFUND = named('PossibleRefund', {
  ...possible,
  refundable_amount: money('The largest amount that can be refunded now.'),
  partial: yesOrNo('Whether a part can be refunded.'),
  window_ends_at: timeOrNull('Until when the payment method allows a refund.'),
  outside: yesOrNo('Whether a refund outside the gateway can be recorded.'),
})

const EXPECTED = named('ExpectedFees', {
  expected_fee: moneyOrNull('The expected fee; null if it is not paid, or no rate is known.'),
  expected_vat: moneyOrNull('The VAT on the fee.'),
  expected_net: moneyOrNull('What should be paid out: the net amount less fee and VAT.'),
})

export const STAFF_PAYMENT = named('StaffPayment', {
  payment: part(PAYMENT, 'The payment.'),
  owner_id: text('The owner of the payment.'),
  subscription_id: uuidOrNull('The subscription it is a cycle of.'),
  invoice_id: uuidOrNull('The invoice it pays.'),
  expected: part(EXPECTED, 'What the gateway is expected to charge for it, by the rate card.'),
  version: count('Grows by one with every transition.'),
  next_check_at: timeOrNull('When the gateway is asked about it next; null: not at all.'),
  check_attempts: count('How often the gateway was asked since the last transition.'),
  why: part(PAYMENT_WHY, 'Why the payment is in its status.'),
  actions: listOf(POSSIBLE_ACTION, 'What can be done with it now, and why not.'),
  refund: part(POSSIBLE_REFUND, 'Whether and how much can be refunded now.'),
  refund_requests: listOf(REFUND_REQUEST, 'Refunds that need or needed a second staff member.'),
  transitions: listOf(TRANSITION, 'Every transition, oldest first.'),
  operations: listOf(OPERATION, 'The latest calls to the gateway, oldest first.'),
  notifications: listOf(NOTIFICATION_SUMMARY, 'The latest notifications, oldest first.'),
  events: listOf(OBJECT_EVENT, 'The events that were published, oldest first.'),
  alarms: listOf(ALARM, 'The latest alarms, newest first.'),
  notes: listOf(STAFF_NOTE, 'The notes of staff.'),
  acts: listOf(STAFF_ACT, 'The audit entries, newest first.'),
})

export const PAYMENT_PULSE = named('PaymentPulse', {
  id: uuid('The id of the payment.'),
  version: count('Grows by one with every transition.'),
  updated_at: time('When the payment last changed.'),
  refund_requests_at: timeOrNull('When its refund requests last changed.'),
})
