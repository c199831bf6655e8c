export const PAYMENT_SIGNALS = [
  'payment_received',
  'payment_settled',
  'payment_denied',
  'payment_cancelled',
  'payment_expired',
  'payment_refunded',
  'payment_failed',
  // Ours: the spec names no signal for money taken back by the payer's bank (ADR 0013).
  'payment_charged_back',
] as const

export const INVOICE_SIGNALS = ['invoice_created', 'invoice_paid', 'invoice_voided'] as const

export const SUBSCRIPTION_SIGNALS = [
  'subscription_created',
  'subscription_charged',
  'subscription_disabled',
  'subscription_cancelled',
] as const

export const CHECKOUT_SIGNALS = [
  'checkout_created',
  'checkout_completed',
  'checkout_expired',
  'checkout_cancelled',
] as const

export const SIGNALS = [
  ...PAYMENT_SIGNALS,
  ...INVOICE_SIGNALS,
  ...SUBSCRIPTION_SIGNALS,
  ...CHECKOUT_SIGNALS,
] as const

export type PaymentSignal = (typeof PAYMENT_SIGNALS)[number]
export type InvoiceSignal = (typeof INVOICE_SIGNALS)[number]
export type SubscriptionSignal = (typeof SUBSCRIPTION_SIGNALS)[number]
export type CheckoutSignal = (typeof CHECKOUT_SIGNALS)[number]
export type Signal = (typeof SIGNALS)[number]

export const OBJECT_KINDS = ['payment', 'invoice', 'subscription', 'checkout'] as const

/** What a transition, an operation or an event is about. */
export type ObjectKind = (typeof OBJECT_KINDS)[number]

export function signalKind(signal: Signal): ObjectKind {
  if (signal.startsWith('payment_')) return 'payment'
  if (signal.startsWith('checkout_')) return 'checkout'
  return signal.startsWith('invoice_') ? 'invoice' : 'subscription'
}

/** The source of a fact; stored with every transition and sent with every event. */
export const SOURCES = [
  'charge',
  'notification',
  'check_status',
  'action',
  'sweep',
  'resolver',
  'staff',
] as const

export type Source = (typeof SOURCES)[number]
