// What the routes of payments reply, as schemas. The services build these objects; the compiler holds
// them against the schemas, and a test does the same with real replies.
import { Type } from 'typebox'
import { REFUND_SOURCES, REFUND_STATUSES } from '../domain/payment.ts'
import { FRAUD_STATUSES, PAYMENT_STATUSES } from '../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../domain/payment_type.ts'
import {
  anyObject,
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
  timeOrNull,
  uuid,
  uuidOrNull,
  yesOrNo,
} from './platform/schema.ts'

const payment_type = oneOf(PAYMENT_TYPES, 'The payment method.')
const transaction_status = oneOf(
  PAYMENT_STATUSES,
  "The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly yet.",
)
const order_id = text('The order id, under which the gateway knows the payment; unique.')
const gross_amount = money('The amount the payer is asked to pay, in rupiah with two decimals.')
const customer_email = textOrNull('The email address of the customer.')
const is_paid = yesOrNo(
  'Whether the merchant has the money, in whole or in part; a payment in review is not paid.',
)
const created_at = timeOrNull('When the payment was created here.')

export const PAYMENT_SUMMARY = named('PaymentSummary', {
  id: uuid('The id of the payment.'),
  order_id,
  payment_type,
  gross_amount,
  transaction_status,
  customer_email,
  is_paid,
  created_at,
})

export const PAYMENT_PAGE = pageOf('PaymentPage', PAYMENT_SUMMARY)

const PAYMENT_ITEM = named('PaymentItem', {
  id: uuid('The id of the item.'),
  item_id: textOrNull('Your own id of the item.'),
  name: text('The name of the item, as the payer sees it.'),
  price: money('The price of one, in rupiah with two decimals.'),
  quantity: count('How many were ordered.'),
  brand: textOrNull('The brand of the item.'),
  category: textOrNull('The category of the item.'),
  merchant_name: textOrNull('The merchant who sells the item.'),
  url: textOrNull('The page of the item in the shop.'),
  subtotal: money('Price times quantity, in rupiah with two decimals.'),
})

export const REFUND = named('Refund', {
  id: uuid('The id of the refund.'),
  refund_key: text('The key under which the gateway knows the refund; unique.'),
  amount: money('The refunded amount, in rupiah with two decimals.'),
  reason: textOrNull('Why the money was refunded.'),
  is_direct: yesOrNo('Whether the refund was sent to the payment provider at once.'),
  status: oneOf(
    REFUND_STATUSES,
    '`pending`: the gateway has not answered clearly yet, and the amount stays reserved.',
  ),
  source: oneOf(
    REFUND_SOURCES,
    'Whether it was requested here, found at the gateway (made in its dashboard), or paid outside the gateway and recorded by staff.',
  ),
  status_code: textOrNull(
    "The gateway's status code of the answer that confirmed or refused the refund; null until then, and for a refund found at the gateway.",
  ),
  status_message: textOrNull("The gateway's message of that answer."),
  confirmed_at: timeOrNull('When the gateway confirmed the refund.'),
  created_at: timeOrNull('When the refund was created here.'),
  reference: textOrNull('The number of the transfer of a refund outside the gateway.'),
})

const PAYER_INSTRUCTION = named('PayerInstruction', {
  name: text("The gateway's name of the step, such as `generate-qr-code`."),
  method: text('The HTTP method to call the URL with.'),
  url: text('Where the payer, or the payer’s app, goes on.'),
})

export const PAYMENT = named('Payment', {
  id: uuid('The id of the payment.'),
  order_id,
  transaction_id: textOrNull(
    "The gateway's id of the payment; null until the gateway has answered.",
  ),
  payment_type,
  bank: textOrNull('The bank of the virtual account, or the acquiring bank of a card.'),
  store: textOrNull('The convenience store where the payer pays in cash.'),
  acquirer: textOrNull('The acquirer of a QRIS payment.'),
  issuer: textOrNull('The app that paid a QRIS payment.'),
  masked_card: textOrNull('The card number with its middle digits hidden.'),
  saved_token_id: textOrNull(
    'The token of the saved card, which is never stored: only in the first reply to a charge with `save_token_id` and in `check_status` for its owner; null elsewhere.',
  ),
  saved_token_id_expired_at: timeOrNull(
    'When the token of the saved card expires; null without it.',
  ),
  gross_amount,
  currency: text('The currency; always `IDR`.'),
  transaction_status,
  fraud_status: oneOfOrNull(
    FRAUD_STATUSES,
    'The fraud check of a card payment; `challenge` waits for a staff member to decide.',
  ),
  status_code: textOrNull("The gateway's latest status code."),
  status_message: textOrNull("The gateway's latest message."),
  customer_first_name: textOrNull('The first name of the customer.'),
  customer_last_name: textOrNull('The last name of the customer.'),
  customer_email,
  customer_phone: textOrNull('The phone number of the customer.'),
  va_number: textOrNull('The virtual account number to transfer to.'),
  bill_key: textOrNull('The bill key of a Mandiri bill payment.'),
  biller_code: textOrNull('The biller code of a Mandiri bill payment.'),
  payment_code: textOrNull('The code the payer shows at the convenience store.'),
  redirect_url: textOrNull('The page to send the payer to, such as the 3-D Secure page.'),
  deeplink_url: textOrNull('The link that opens the payment in the payer’s wallet app.'),
  qr_string: textOrNull('The text of the QR code that the payer scans.'),
  payer_instructions: listOf(PAYER_INSTRUCTION, 'The steps the gateway offers the payer.'),
  authorized_amount: money('The amount that a card has reserved, in rupiah with two decimals.'),
  captured_amount: money('The amount that was captured, in rupiah with two decimals.'),
  refund_amount: money('The amount that was refunded so far, in rupiah with two decimals.'),
  charged_back_amount: moneyOrNull(
    "What the payer's bank took back; null after a partial chargeback, whose amount the gateway does not report.",
  ),
  net_amount: money(
    'What you have of it: captured, minus refunded, minus charged back; `0.00` while `is_paid` is false. An amount that the gateway does not report is not subtracted.',
  ),
  refundable_amount: money('The largest amount that can be refunded now.'),
  refund_unavailable_reason: textOrNull('Why nothing can be refunded now; null where it can.'),
  refunds: listOf(REFUND, 'The refunds of the payment, oldest first.'),
  items: listOf(PAYMENT_ITEM, 'The items of the order.'),
  invoice_id: uuidOrNull('The invoice that was paid with it; null for a charge of yours.'),
  checkout_id: uuidOrNull(
    'The checkout on whose page the payer chose it; null for any other payment.',
  ),
  subscription_id: uuidOrNull('The subscription whose cycle it is; null for any other payment.'),
  metadata: anyObject('Your own data, stored as it was given.'),
  custom_field1: textOrNull('The first of your own texts; the gateway shows it in its reports.'),
  custom_field2: textOrNull('The second of your own texts.'),
  custom_field3: textOrNull('The third of your own texts.'),
  transaction_time: timeOrNull('When the gateway created the transaction.'),
  settlement_time: timeOrNull('When the gateway settled the money.'),
  expiry_time: timeOrNull('Until when the payer can pay.'),
  paid_at: timeOrNull('When the payment was first seen as paid.'),
  is_paid,
  is_pending: yesOrNo('Whether the payment waits for the payer.'),
  is_failed: yesOrNo('Whether the payment was denied or cancelled, expired or failed.'),
  is_expired: yesOrNo('Whether the payment expired, or is pending and past its expiry time.'),
  created_at,
  updated_at: timeOrNull('When the payment last changed here.'),
})

export const STATUS_CHECKED = named('StatusChecked', {
  payment: part(PAYMENT, 'The payment after the check.'),
  gateway_response: Type.Unknown({
    description:
      "The gateway's reply, without its secrets but the saved token of the caller's own card.",
  }),
})

export const REFUNDED = named('Refunded', {
  payment: part(PAYMENT, 'The payment after the refund.'),
  refund: part(REFUND, 'The refund that was made.'),
})
