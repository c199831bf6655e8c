import type {
  CheckoutRepresentation,
  InvoiceRepresentation,
  SubscriptionRepresentation,
} from 'gapura'
import { rupiah } from './formats.ts'

/** A name and its value, as `record` prints them. */
export type Row = readonly [name: string, value: string | null]

export const invoiceRows = (invoice: InvoiceRepresentation): Row[] => [
  ['invoice', invoice.id],
  ['number', invoice.invoice_number],
  ['order', invoice.order_id],
  ['amount', rupiah(invoice.total_amount)],
  ['status', invoice.status],
  ['gateway id', invoice.gateway_invoice_id],
]

export const checkoutRows = (checkout: CheckoutRepresentation): Row[] => [
  ['checkout', checkout.id],
  ['order', checkout.order_id],
  ['amount', rupiah(checkout.amount)],
  ['status', checkout.status],
  ['payment', checkout.payment_id],
]

export const subscriptionRows = (subscription: SubscriptionRepresentation): Row[] => [
  ['subscription', subscription.id],
  ['name', subscription.name],
  ['amount', rupiah(subscription.amount)],
  ['status', subscription.status],
  ['gateway id', subscription.gateway_subscription_id],
]
