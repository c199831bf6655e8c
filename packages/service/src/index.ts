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
export type { CheckoutStatus, GatewayCheckout } from './domain/checkout.ts'
export type { GatewayInvoice, GatewayInvoiceItem, InvoiceStatus } from './domain/invoice.ts'
export type { GatewaySubscription, SubscriptionStatus } from './domain/subscription.ts'
export type { GatewayNotification, NotificationEffect } from './domain/notification.ts'
export { SIGNALS, type Signal, type Source } from './domain/signals.ts'
export { FILE_FORMATS } from './domain/statement.ts'
export type { SignalEnvelope } from './domain/signal_envelope.ts'
export { OPERATOR_EVENTS, type OperatorEventType } from './domain/operator_event.ts'
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
export { SCOPES, type Caller, type GivenCaller, type Scope } from './domain/caller.ts'
export { GatewayClient } from './gateway/client.ts'
export type { CallObserved, CallOptions } from './gateway/calls.ts'
export type {
  Amount,
  CaptureParameters,
  CardParameters,
  CardTokenParameters,
  RefundParameters,
  SignatureParameters,
} from './gateway/parameters.ts'
export { OPERATIONS, type OperationName } from './gateway/operations.ts'
export { Secret } from './gateway/secret.ts'
export type { GatewaySettings } from './gateway/settings.ts'
export { signNotification, type SignedFields } from './gateway/signature.ts'
export type { ChargeRequest } from './gateway/wire/payment_types.ts'
export type { CheckoutRequest } from './gateway/wire/checkouts.ts'
export type { ChargeReply, TransactionReply } from './gateway/wire/transactions.ts'
export { createGapura, type Gapura, type GapuraOptions } from './main/create_gapura.ts'
export type { GapuraTasks } from './main/tasks.ts'
export type {
  CheckoutApi,
  EventApi,
  GapuraApi,
  GapuraStaff,
  InvoiceApi,
  SubscriptionApi,
} from './main/api.ts'
export type { Refunded } from './services/payments/representation.ts'
export type { RefundSettings } from './main/compose.ts'
export type { RefundRequestRepresentation } from './services/staff/refund_requests.ts'
export type { PaymentHistory } from './services/staff/history.ts'
export type { Resolved } from './services/staff/operations.ts'
export type { ObjectHistory } from './services/staff/history.ts'
export {
  grantsForRole,
  inspectDatabase,
  migrateDatabase,
  planDatabase,
  type DatabaseAddress,
  type DatabaseInspection,
} from './main/inspect.ts'
export type { FetchHandler } from './main/fetch_handler.ts'
export type { NodeHandler } from './main/node_handler.ts'
export type { CheckoutListPage } from './http/checkouts.ts'
export type { InvoicePage } from './http/invoices.ts'
export type { PaymentPage } from './http/payments.ts'
export type { SubscriptionPage } from './http/subscriptions.ts'
export type { Authenticate, CallerRequest, JwtSettings } from './http/platform/authentication.ts'
export type { DocsAccess } from './http/platform/docs.ts'
export type { LimitSettings } from './http/platform/limits.ts'
export type { ApiKeyOrder, KeyChange } from './services/access/callers.ts'
export type { CheckoutReply, CheckoutRepresentation } from './domain/checkout_representation.ts'
export type { InvoiceRepresentation } from './domain/invoice_representation.ts'
export type { SubscriptionChecked } from './services/linked_payments/refresh_subscription.ts'
export type { SubscriptionRepresentation } from './domain/subscription_representation.ts'
export type {
  ChargeInput,
  ChargeInputOf,
  QueuedChargeInput,
} from './services/payments/charge_types.ts'
export type { CheckoutInput } from './services/checkouts/checkout_order.ts'
export type { InvoiceInput } from './services/invoices/invoice_order.ts'
export type { SubscriptionInput } from './services/subscriptions/subscription_order.ts'
export type {
  PaymentRepresentation,
  RefundRepresentation,
} from './domain/payment_representation.ts'
export type { Retention } from './services/sweeps/run_maintenance.ts'
export type { StatusChecked } from './services/payments/check_status.ts'
export { RequestProblem, type Problem } from './services/problem.ts'
export { readConfig, readDatabaseAddress, type ServerConfig } from './main/config.ts'
export { ConfigError } from './main/environment_reader.ts'
export type { NatsSettings } from './main/optional_packages.ts'
export type { AlertSettings, StaffChannel } from './main/staff_channels.ts'
export {
  startServer,
  startWorkerProcess,
  stopOnSignal,
  type RunningProcess,
  type RunningServer,
  type WorkerSettings,
} from './main/server.ts'
export { endWhenUncaught } from './main/uncaught.ts'
export { StoreError, type StoreErrorCode } from './store/connection/errors.ts'
export type { Health } from './main/health.ts'
export { jsonLogger, type JsonLoggerOptions, type LogLevel } from './main/json_logger.ts'
export { openApiDocument } from './main/routes.ts'
export { startRelay, type Relay, type RelayOptions, type SubscriberStats } from './events/relay.ts'
export { subscribe, type Subscriber, type Subscription } from './events/subscribers.ts'
export type { Context, Logger } from './services/context.ts'
export type { QueuedCharge, QueuedRefund } from './services/background/queued_request.ts'
export { retryDeadEvent, skipDeadEvent } from './services/staff/dead_events.ts'
export { startWorker, type RunningWorker, type WorkerOptions } from './main/worker.ts'
export { migrateJobs } from './tasks/runner.ts'
export { TASKS } from './tasks/task_list.ts'
export type { Task, TaskWork } from './tasks/task.ts'
export {
  compareWithLedger,
  verifyAuditChain,
  verifyDatabase,
  type ComparedLedger,
  type Verified,
} from './main/verify.ts'
export { MoveFailure, type MoveOrder } from './services/cells/freeze_owner.ts'
export { moveBack, moveOwner } from './services/cells/move_owner.ts'
export type { LedgerDifference, LedgerOrder } from './services/verify/compare_ledger.ts'
export type { AuditVerdict } from './services/audit/verify_audit.ts'
export type { OidcSettings } from './http/platform/oidc.ts'
export type { AuditListed } from './store/audit/entries.ts'
export type { Checked } from './services/verify/check_invariants.ts'
