import type { GatewayCheckout } from './checkout.ts'
import { formatMoney } from './money.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null

/** The reduced form of lists. */
export const representCheckoutSummary = (checkout: GatewayCheckout) => ({
  id: checkout.id,
  order_id: checkout.order_id,
  status: checkout.status,
  amount: formatMoney(checkout.amount),
  description: checkout.description,
  customer_email: checkout.customer_email,
  payment_id: checkout.payment_id,
  expires_at: time(checkout.expires_at),
  created_at: time(checkout.created_at),
})

export interface CheckoutParts {
  checkout: GatewayCheckout
  /** The payments made on it, oldest first. */
  payment_ids: readonly string[]
}

/**
 * The full form of events and stored replies: without the page's token and address, which only a
 * reply to the owner or staff shows (ADR 0030).
 */
export const representCheckout = ({ checkout, payment_ids }: CheckoutParts) => ({
  id: checkout.id,
  order_id: checkout.order_id,
  status: checkout.status,
  amount: formatMoney(checkout.amount),
  currency: checkout.currency,
  description: checkout.description,
  payment_types: checkout.payment_types,
  return_url: checkout.return_url,
  page_expiry_minutes: checkout.page_expiry_minutes,
  payment_expiry_minutes: checkout.payment_expiry_minutes,
  expires_at: time(checkout.expires_at),
  completed_at: time(checkout.completed_at),
  payment_id: checkout.payment_id,
  payment_ids,
  page_closed: checkout.page_closed,
  customer_first_name: checkout.customer_first_name,
  customer_last_name: checkout.customer_last_name,
  customer_email: checkout.customer_email,
  customer_phone: checkout.customer_phone,
  items: checkout.items,
  metadata: checkout.metadata,
  created_at: time(checkout.created_at),
  updated_at: time(checkout.updated_at),
})

export type CheckoutRepresentation = ReturnType<typeof representCheckout>

/** What the payer needs to open the page; null once it has ended. */
export type CheckoutPage = Pick<GatewayCheckout, 'token' | 'redirect_url'>

export type CheckoutReply = CheckoutRepresentation & CheckoutPage
