import { Type, type Static } from 'typebox'
import { isObject } from '../json.ts'
import { CORE } from './envelope.ts'
import { optional, parserOf, text, textual } from './shape.ts'
import { payAccount } from './pay_accounts.ts'
import { subscription } from './subscriptions.ts'
import { transaction } from './transactions.ts'

const paymentNotification = Type.Object({
  ...transaction.properties,
  transaction_status: text,
})

/** The result of one cycle. On failure there may be no transaction, only a code and a sentence. */
const subscriptionCharge = Type.Object({
  event_name: text,
  transaction: Type.Object({
    status_code: optional(textual),
    status_message: optional(text),
    transaction_id: optional(text),
    transaction_status: optional(text),
    channel_response_code: optional(text),
    channel_response_message: optional(text),
  }),
  subscription,
})

const payAccountNotification = Type.Object({
  ...payAccount.properties,
  account_id: text,
  account_status: text,
  signature_key: optional(text),
  merchant_id: optional(text),
})

export type PaymentNotification = Static<typeof paymentNotification>

/**
 * Every shape the gateway posts to one endpoint (gateway-protocol.md#payment-notifications,
 * gateway-protocol.md#subscription-notifications, gateway-protocol.md#pay-account-notifications).
 */
export type WireNotification =
  | { shape: 'payment'; payload: PaymentNotification }
  | { shape: 'subscription_created'; payload: Static<typeof subscription> }
  | { shape: 'subscription_charge'; payload: Static<typeof subscriptionCharge> }
  | { shape: 'pay_account'; payload: Static<typeof payAccountNotification> }

const parsePayment = parserOf(paymentNotification, CORE)
const parseSubscriptionCharge = parserOf(subscriptionCharge)
const parseCreated = parserOf(subscription)
const parsePayAccountNotice = parserOf(payAccountNotification)

/**
 * A notification of a known shape, or undefined. Each shape is recognised by a field that only it
 * has.
 */
export function parseNotification(body: unknown): WireNotification | undefined {
  if (!isObject(body)) return undefined
  if (body['event_name'] === 'subscription.charge') {
    const payload = parseSubscriptionCharge(body)
    return payload && { shape: 'subscription_charge', payload }
  }
  if ('transaction_status' in body) {
    const payload = parsePayment(body)
    return payload && { shape: 'payment', payload }
  }
  if ('account_status' in body) {
    const payload = parsePayAccountNotice(body)
    return payload && { shape: 'pay_account', payload }
  }
  const payload = parseCreated(body)
  return payload && { shape: 'subscription_created', payload }
}
