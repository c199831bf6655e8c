export { formatMoney, MONEY_MAX, parseMoney, type Money } from './domain/money.ts'
export {
  FRAUD_STATUSES,
  paid,
  PAYMENT_STATUSES,
  type FraudStatus,
  type PaymentStatus,
} from './domain/payment_status.ts'
export { PAYMENT_TYPES, type PaymentType } from './domain/payment_type.ts'
export type {
  GatewayPayment,
  GatewayPaymentItem,
  GatewayRefund,
  Metadata,
  PayerAction,
} from './domain/payment.ts'
export type { GatewayInvoice, GatewayInvoiceItem, InvoiceStatus } from './domain/invoice.ts'
export type { GatewaySubscription, SubscriptionStatus } from './domain/subscription.ts'
export type { GatewayNotification, NotificationEffect } from './domain/notification.ts'
export { SIGNALS, type Signal, type SignalEnvelope, type Source } from './domain/signals.ts'
export {
  ERRORS,
  type ErrorCode,
  type ErrorStage,
  type GatewayErrorKind,
} from './domain/error_catalogue.ts'
export {
  GatewayAPIError,
  GatewayAuthenticationError,
  GatewayDuplicateOrderError,
  GatewayError,
  GatewayRateLimitError,
  GatewaySignatureError,
  GatewayValidationError,
} from './domain/errors.ts'
export { PROBLEMS, type ProblemCode } from './domain/problems.ts'
export { SCOPES, type Caller, type Scope } from './domain/caller.ts'
