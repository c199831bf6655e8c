// What the routes of staff answer about payments, as schemas for the OpenAPI file.
import { Type } from 'typebox'
import { ALARM_KINDS, ALARM_SUBJECT_KINDS } from '../domain/alarm.ts'
import { ACTOR_KINDS } from '../domain/audit.ts'
import { SCOPES } from '../domain/caller.ts'
import { NOTIFICATION_EFFECTS } from '../domain/notification.ts'
import { OPERATION_KINDS, OPERATION_STATES } from '../domain/operation.ts'
import { PAYMENT_ACTIONS } from '../domain/payment_actions.ts'
import { PAYMENT_REASONS } from '../domain/payment_reason.ts'
import { REFUND_REQUEST_STATES } from '../domain/refund_request.ts'
import { FRAUD_STATUSES } from '../domain/payment_status.ts'
import { SEARCH_KINDS } from '../domain/search_term.ts'
import { OBJECT_KINDS, SIGNALS, SOURCES } from '../domain/signals.ts'
import { PAYMENT, PAYMENT_SUMMARY } from './representation_schemas.ts'
import {
  money,
  named,
  orNull,
  text,
  textOrNull,
  time,
  timeOrNull,
  uuid,
  yesOrNo,
} from './schema_parts.ts'

const uuidOrNull = orNull(uuid)
const count = Type.Integer()
const anything = Type.Record(Type.String(), Type.Unknown())
const source = Type.Enum([...SOURCES], { description: 'Which door a fact came in by' })

export const ME = named('StaffIdentity', {
  owner_id: text,
  scopes: Type.Array(Type.Enum([...SCOPES])),
  environment: Type.Enum(['production', 'sandbox']),
})

const STAFF_PAYMENT_SUMMARY = named('StaffPaymentSummary', {
  ...PAYMENT_SUMMARY.properties,
  owner_id: text,
  transaction_id: textOrNull,
  bank: textOrNull,
  store: textOrNull,
  fraud_status: orNull(Type.Enum([...FRAUD_STATUSES])),
  refund_amount: money,
  customer_name: textOrNull,
  customer_phone: textOrNull,
  va_number: textOrNull,
  bill_key: textOrNull,
  payment_code: textOrNull,
  expiry_time: timeOrNull,
  paid_at: timeOrNull,
})

export const STAFF_PAYMENT_PAGE = named('StaffPaymentPage', {
  next: textOrNull,
  previous: textOrNull,
  results: Type.Array(STAFF_PAYMENT_SUMMARY),
})

const SEARCH_MATCH = named('SearchMatch', {
  kind: Type.Enum([...SEARCH_KINDS]),
  value: text,
  results: Type.Array(STAFF_PAYMENT_SUMMARY),
  more: yesOrNo,
})

export const SEARCHED = named('Searched', { matches: Type.Array(SEARCH_MATCH) })

export const STAFF_NOTE = named('StaffNote', {
  id: uuid,
  subject_id: uuid,
  owner_id: textOrNull,
  author: text,
  text,
  created_at: time,
})

const TRANSITION = named('Transition', {
  object_kind: Type.Enum([...OBJECT_KINDS]),
  object_id: uuid,
  owner_id: text,
  version: count,
  from_status: textOrNull,
  to_status: text,
  source,
  evidence_id: uuidOrNull,
  reason: textOrNull,
  occurred_at: time,
})

export const OPERATION = named('Operation', {
  id: uuid,
  owner_id: text,
  kind: Type.Enum([...OPERATION_KINDS]),
  subject_kind: Type.Enum([...OBJECT_KINDS]),
  subject_id: uuid,
  refund_id: uuidOrNull,
  request: anything,
  reply: orNull(anything),
  state: Type.Enum([...OPERATION_STATES]),
  attempt: count,
  due_at: timeOrNull,
  sent_at: time,
  sends: count,
  created_at: time,
  updated_at: time,
})

export const NOTIFICATION_SUMMARY = named('NotificationSummary', {
  id: uuid,
  payment_id: uuidOrNull,
  owner_id: textOrNull,
  order_id: textOrNull,
  transaction_id: textOrNull,
  transaction_status: textOrNull,
  fraud_status: textOrNull,
  payment_type: textOrNull,
  status_code: textOrNull,
  gross_amount: textOrNull,
  effect: Type.Enum([...NOTIFICATION_EFFECTS]),
  reason: textOrNull,
  verified_with: textOrNull,
  created_at: time,
})

const OBJECT_EVENT = named('ObjectEvent', {
  id: uuid,
  type: Type.Enum([...SIGNALS]),
  sequence: count,
  previous_status: textOrNull,
  source,
  notification_id: uuidOrNull,
  occurred_at: time,
  waiting: Type.Array(text),
})

export const ALARM = named('Alarm', {
  id: uuid,
  kind: Type.Enum([...ALARM_KINDS]),
  subject_kind: Type.Enum([...ALARM_SUBJECT_KINDS]),
  subject_id: uuid,
  owner_id: textOrNull,
  detail: text,
  created_at: time,
  closed_at: timeOrNull,
  closed_by: textOrNull,
  note: textOrNull,
  taken_at: timeOrNull,
  taken_by: textOrNull,
})

const STAFF_ACT = named('StaffAct', {
  id: uuid,
  occurred_at: time,
  actor: text,
  actor_kind: Type.Enum([...ACTOR_KINDS]),
  action: text,
  reason: textOrNull,
  request_id: textOrNull,
  operation_id: uuidOrNull,
})

export const REFUND_REQUEST = named('RefundRequest', {
  id: uuid,
  payment_id: uuid,
  owner_id: text,
  amount: money,
  reason: text,
  is_direct: yesOrNo,
  requested_by: text,
  requested_by_staff: yesOrNo,
  state: Type.Enum([...REFUND_REQUEST_STATES]),
  decided_by: textOrNull,
  decided_at: timeOrNull,
  decision_reason: textOrNull,
  created_at: time,
  expires_at: time,
})

const possible = { allowed: yesOrNo, refusal: textOrNull, why_not: textOrNull }

export const STAFF_PAYMENT = named('StaffPayment', {
  payment: PAYMENT,
  owner_id: text,
  subscription_id: uuidOrNull,
  invoice_id: uuidOrNull,
  version: count,
  next_check_at: timeOrNull,
  check_attempts: count,
  why: named('PaymentWhy', {
    code: Type.Enum([...PAYMENT_REASONS]),
    source: orNull(source),
    occurred_at: timeOrNull,
    evidence_id: uuidOrNull,
    reason: textOrNull,
  }),
  actions: Type.Array(
    named('PossibleAction', { name: Type.Enum([...PAYMENT_ACTIONS]), ...possible }),
  ),
  refund: named('PossibleRefund', {
    ...possible,
    refundable_amount: money,
    partial: yesOrNo,
    window_ends_at: timeOrNull,
  }),
  refund_requests: Type.Array(REFUND_REQUEST),
  transitions: Type.Array(TRANSITION),
  operations: Type.Array(OPERATION),
  notifications: Type.Array(NOTIFICATION_SUMMARY),
  events: Type.Array(OBJECT_EVENT),
  alarms: Type.Array(ALARM),
  notes: Type.Array(STAFF_NOTE),
  acts: Type.Array(STAFF_ACT),
})
