// What the routes answer, as schemas for the OpenAPI file. The services build these objects; a test
// holds real answers against the schemas, so neither can change alone. `title` names a component.
import { Type } from 'typebox'
import { PROBLEM_CODES } from '../services/problem.ts'
import { FRAUD_STATUSES, PAYMENT_STATUSES } from '../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../domain/payment_type.ts'
import {
  money,
  named,
  orNull,
  text,
  textOrNull,
  timeOrNull,
  uuid,
  yesOrNo,
} from './schema_parts.ts'

const payment_type = Type.Enum([...PAYMENT_TYPES], { description: 'How the payer pays' })
const transaction_status = Type.Enum([...PAYMENT_STATUSES], {
  description:
    "The gateway's own words, and `initiated`: written down, and the gateway has not answered clearly yet",
})

export const PAYMENT_SUMMARY = named('PaymentSummary', {
  id: uuid,
  order_id: text,
  payment_type,
  gross_amount: money,
  transaction_status,
  customer_email: textOrNull,
  is_paid: yesOrNo,
  created_at: timeOrNull,
})

export const PAYMENT_PAGE = named('PaymentPage', {
  next: textOrNull,
  previous: textOrNull,
  results: Type.Array(PAYMENT_SUMMARY),
})

const PAYMENT_ITEM = named('PaymentItem', {
  id: uuid,
  item_id: textOrNull,
  name: text,
  price: money,
  quantity: Type.Integer(),
  brand: textOrNull,
  category: textOrNull,
  merchant_name: textOrNull,
  url: textOrNull,
  subtotal: money,
})

export const REFUND = named('Refund', {
  id: uuid,
  refund_key: text,
  amount: money,
  reason: textOrNull,
  is_direct: yesOrNo,
  status: Type.Enum(['pending', 'succeeded', 'failed'], {
    description: '`pending`: the gateway has not answered clearly yet; the amount stays reserved',
  }),
  source: Type.Enum(['service', 'gateway']),
  status_code: textOrNull,
  status_message: textOrNull,
  confirmed_at: timeOrNull,
  created_at: timeOrNull,
})

const PAYER_INSTRUCTION = named('PayerInstruction', { name: text, method: text, url: text })

export const PAYMENT = named('Payment', {
  id: uuid,
  order_id: text,
  transaction_id: textOrNull,
  payment_type,
  bank: textOrNull,
  store: textOrNull,
  acquirer: textOrNull,
  issuer: textOrNull,
  masked_card: textOrNull,
  gross_amount: money,
  currency: text,
  transaction_status,
  fraud_status: orNull(
    Type.Enum([...FRAUD_STATUSES], { description: '`challenge` waits for a person to decide' }),
  ),
  status_code: textOrNull,
  status_message: textOrNull,
  customer_first_name: textOrNull,
  customer_last_name: textOrNull,
  customer_email: textOrNull,
  customer_phone: textOrNull,
  va_number: textOrNull,
  bill_key: textOrNull,
  biller_code: textOrNull,
  payment_code: textOrNull,
  redirect_url: textOrNull,
  deeplink_url: textOrNull,
  qr_string: textOrNull,
  payer_instructions: Type.Array(PAYER_INSTRUCTION),
  authorized_amount: money,
  captured_amount: money,
  refund_amount: money,
  net_amount: money,
  refundable_amount: money,
  refund_unavailable_reason: textOrNull,
  refunds: Type.Array(REFUND),
  items: Type.Array(PAYMENT_ITEM),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  custom_field1: textOrNull,
  custom_field2: textOrNull,
  custom_field3: textOrNull,
  transaction_time: timeOrNull,
  settlement_time: timeOrNull,
  expiry_time: timeOrNull,
  paid_at: timeOrNull,
  is_paid: yesOrNo,
  is_pending: yesOrNo,
  is_failed: yesOrNo,
  is_expired: yesOrNo,
  created_at: timeOrNull,
  updated_at: timeOrNull,
})

export const STATUS_CHECKED = named('StatusChecked', {
  payment: PAYMENT,
  gateway_response: Type.Unknown(),
})

export const REFUNDED = named('Refunded', { payment: PAYMENT, refund: REFUND })

export const RECEIVED = named('NotificationReceived', {
  status: Type.Literal('ok'),
  notification_id: uuid,
})

/** RFC 9457 (api-rules.md#errors). */
export const PROBLEM = named('Problem', {
  type: text,
  title: text,
  status: Type.Integer(),
  detail: text,
  code: Type.Enum([...PROBLEM_CODES], {
    description: 'What went wrong, for programs; later releases may add to the list',
  }),
  errors: Type.Array(Type.Object({ field: text, message: text })),
  retryable: yesOrNo,
  request_id: text,
  gateway: Type.Optional(Type.Object({ status_code: textOrNull, status_message: textOrNull })),
  payment_id: Type.Optional(uuid),
  invoice_id: Type.Optional(uuid),
  subscription_id: Type.Optional(uuid),
})
