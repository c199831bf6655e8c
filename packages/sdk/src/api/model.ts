// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { AmountInput, Money, Timestamp, Uuid } from '../values.ts'

export interface Resources {
  payments: Payments
  invoices: Invoices
  subscriptions: Subscriptions
  staff: {
    me: StaffMe
    payments: StaffPayments
    search: StaffSearch
    refundRequests: StaffRefundRequests
    overview: StaffOverview
    notifications: StaffNotifications
    operations: StaffOperations
    alarms: StaffAlarms
    events: StaffEvents
    keys: StaffKeys
    health: StaffHealth
    pulse: StaffPulse
  }
}

export interface Payments {
  /**
   * Create a charge at the gateway. Needs the scope `payments:write`.
   * `POST /charge/`
   */
  create: (input: ChargeInput, options?: WriteOptions) => Promise<Payment>

  /**
   * List payments, newest first; staff see those of every owner.
   * `GET /payments/`
   */
  list: (query?: PaymentListQuery, options?: CallOptions) => Pages<PaymentSummary>

  /**
   * Read a payment.
   * `GET /payments/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Payment>

  /**
   * Refresh a payment from the gateway.
   * `GET /payments/{pk}/check_status/`
   */
  checkStatus: (id: Uuid, options?: CallOptions) => Promise<StatusChecked>

  /**
   * Cancel a payment that is not in a final state. Needs the scope `payments:write`.
   * `POST /payments/{pk}/cancel/`
   */
  cancel: (id: Uuid, options?: WriteOptions) => Promise<Payment>

  /**
   * Expire a pending payment. Needs the scope `payments:write`.
   * `POST /payments/{pk}/expire/`
   */
  expire: (id: Uuid, options?: WriteOptions) => Promise<Payment>

  /**
   * Pay back all or part of a paid payment. Needs the scope `payments:refund`.
   * `POST /payments/{pk}/refund/`
   */
  refund: (id: Uuid, input: RefundInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Capture an authorized card payment. Needs the scope `payments:capture`.
   * `POST /payments/{pk}/capture/`
   */
  capture: (id: Uuid, input?: CaptureInput, options?: WriteOptions) => Promise<Payment>
}

export interface Invoices {
  /**
   * List invoices, newest first; staff see those of every owner.
   * `GET /invoices/`
   */
  list: (query?: InvoiceListQuery, options?: CallOptions) => Pages<InvoiceSummary>

  /**
   * Create an invoice at the gateway. Needs the scope `invoices:write`.
   * `POST /invoices/`
   */
  create: (input: InvoiceInput, options?: WriteOptions) => Promise<Invoice>

  /**
   * Read an invoice.
   * `GET /invoices/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Invoice>

  /**
   * Void an invoice that is pending or overdue. Needs the scope `invoices:write`.
   * `POST /invoices/{pk}/void/`
   */
  void: (id: Uuid, input?: VoidInput, options?: WriteOptions) => Promise<Invoice>
}

export interface Subscriptions {
  /**
   * List subscriptions, newest first; staff see those of every owner.
   * `GET /subscriptions/`
   */
  list: (query?: SubscriptionListQuery, options?: CallOptions) => Pages<SubscriptionSummary>

  /**
   * Create a subscription at the gateway; its token is sent on and never kept. Needs the scope
   * `subscriptions:write`.
   * `POST /subscriptions/`
   */
  create: (input: SubscriptionInput, options?: WriteOptions) => Promise<Subscription>

  /**
   * Read a subscription.
   * `GET /subscriptions/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Subscription>

  /**
   * Disable a subscription for a time, enable it again, or cancel it for ever. Needs the scope
   * `subscriptions:write`.
   * `POST /subscriptions/{pk}/{action_name}/`
   */
  actOn: (
    id: Uuid,
    actionName: 'disable' | 'enable' | 'cancel',
    options?: WriteOptions,
  ) => Promise<Subscription>
}

export interface StaffMe {
  /**
   * Read whom this key or session belongs to. For staff.
   * `GET /staff/me/`
   */
  get: (options?: CallOptions) => Promise<StaffIdentity>
}

export interface StaffPayments {
  /**
   * List every owner's payments, in one of four orders. For staff. Needs the scope `staff:read`.
   * `GET /staff/payments/`
   */
  list: (query?: StaffPaymentListQuery, options?: CallOptions) => Pages<StaffPaymentSummary>

  /**
   * Export what the same filters list, as a CSV file made while it is sent. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/export/`
   */
  export: (
    query?: StaffPaymentExportQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * Read a payment with its history, why it is so and what can be done. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<StaffPayment>

  /**
   * Read whether a payment has moved, and nothing else of it. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/payments/{pk}/pulse/`
   */
  pulse: (id: Uuid, options?: CallOptions) => Promise<PaymentPulse>

  /**
   * Write a note on a payment, for the others at the desk. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/payments/{pk}/notes/`
   */
  note: (id: Uuid, input: NoteInput, options?: WriteOptions) => Promise<StaffNote>

  /**
   * Refresh a payment from the gateway. For staff. Needs the scope `staff:read`.
   * `POST /staff/payments/{pk}/refresh/`
   */
  refresh: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Cancel a payment that is not in a final state, with a reason. For staff. Needs the scope
   * `payments:write`.
   * `POST /staff/payments/{pk}/cancel/`
   */
  cancel: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Expire a pending payment, with a reason. For staff. Needs the scope `payments:write`.
   * `POST /staff/payments/{pk}/expire/`
   */
  expire: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Capture an authorized card payment, with a reason. For staff. Needs the scope
   * `payments:capture`.
   * `POST /staff/payments/{pk}/capture/`
   */
  capture: (id: Uuid, input?: StaffCaptureInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Let a card payment out of review. For staff. Needs the scope `payments:capture`.
   * `POST /staff/payments/{pk}/approve/`
   */
  approve: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Deny a card payment that is in review. For staff. Needs the scope `payments:capture`.
   * `POST /staff/payments/{pk}/deny/`
   */
  deny: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Pay back all or part of a paid payment. For staff. Needs the scope `payments:refund`.
   * `POST /staff/payments/{pk}/refund/`
   */
  refund: (id: Uuid, input: RefundInput, options?: WriteOptions) => Promise<Refunded>
}

export interface StaffSearch {
  /**
   * Find payments by whatever a customer can read out. For staff. Needs the scope `staff:read`.
   * `GET /staff/search/`
   */
  payments: (query?: StaffSearchPaymentsQuery, options?: CallOptions) => Promise<Searched>
}

export interface StaffRefundRequests {
  /**
   * List refunds that wait for a second person, or waited, newest first. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/refund_requests/`
   */
  list: (query?: StaffRefundRequestListQuery, options?: CallOptions) => Pages<RefundRequest>

  /**
   * Agree to a held refund, as another person than who asked for it, and make it. For staff.
   * Needs the scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/approve/`
   */
  approve: (id: Uuid, input?: StaffActInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Say no to a held refund, or take it back if it is one’s own, with a reason. For staff. Needs
   * the scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/decline/`
   */
  decline: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<RefundRequest>
}

export interface StaffOverview {
  /**
   * Read what came in, what went back and how payers fared, over days in Jakarta. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/overview/`
   */
  get: (query?: StaffOverviewGetQuery, options?: CallOptions) => Promise<Overview>
}

export interface StaffNotifications {
  /**
   * List the inbox, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/`
   */
  list: (query?: StaffNotificationListQuery, options?: CallOptions) => Pages<NotificationSummary>

  /**
   * Read a notification with its payload. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<NotificationDetail>

  /**
   * Weigh a kept notification once more, as if it came this moment. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/notifications/{pk}/replay/`
   */
  replay: (id: Uuid, options?: WriteOptions) => Promise<Replayed>
}

export interface StaffOperations {
  /**
   * List operations without a known outcome, or all about one object. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/operations/`
   */
  list: (query?: StaffOperationListQuery, options?: CallOptions) => Pages<Operation>

  /**
   * End an operation by hand; the gateway's word goes before. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/operations/{pk}/resolve/`
   */
  resolve: (id: Uuid, input: HandInput, options?: WriteOptions) => Promise<Resolved>
}

export interface StaffAlarms {
  /**
   * List open alarms, or the closed ones with them. For staff. Needs the scope `staff:read`.
   * `GET /staff/alarms/`
   */
  list: (query?: StaffAlarmListQuery, options?: CallOptions) => Pages<Alarm>

  /**
   * Say that one looks after an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/take/`
   */
  take: (id: Uuid, options?: WriteOptions) => Promise<Alarm>

  /**
   * Write down what was found about an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/note/`
   */
  note: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>

  /**
   * Close an alarm, with what was found. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/close/`
   */
  close: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>
}

export interface StaffEvents {
  /**
   * List events that subscribers failed at. For staff. Needs the scope `staff:read`.
   * `GET /staff/events/`
   */
  list: (query?: StaffEventListQuery, options?: CallOptions) => Pages<DeadEvent>

  /**
   * Have a dead event told again. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/retry/`
   */
  retry: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>

  /**
   * Pass a dead event over for good. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/skip/`
   */
  skip: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>
}

export interface StaffKeys {
  /**
   * List every owner's API keys; the keys themselves are not kept. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/keys/`
   */
  list: (query?: StaffKeyListQuery, options?: CallOptions) => Pages<StaffKey>
}

export interface StaffHealth {
  /**
   * Read what waits, since when, and who works on it. For staff. Needs the scope `staff:read`.
   * `GET /staff/health/`
   */
  get: (options?: CallOptions) => Promise<StaffHealthReport>
}

export interface StaffPulse {
  /**
   * Read when something last happened, to know whether to ask for more. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/pulse/`
   */
  get: (options?: CallOptions) => Promise<Pulse>
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  /** What went wrong, for programs; later releases may add to the list. */
  code: ProblemCode
  errors: FieldError[]
  retryable: boolean
  request_id: string
  gateway?: GatewayWords
  payment_id?: Uuid
  invoice_id?: Uuid
  subscription_id?: Uuid
}

/** What went wrong, for programs; later releases may add to the list. */
export type ProblemCode =
  | 'invalid_request'
  | 'payment_in_final_state'
  | 'payment_not_pending'
  | 'not_credit_card'
  | 'payment_not_authorized'
  | 'capture_amount_exceeded'
  | 'payment_not_in_review'
  | 'method_not_refundable'
  | 'refund_needs_settlement'
  | 'payment_not_refundable'
  | 'refund_amount_exceeded'
  | 'refund_limit_reached'
  | 'refund_held'
  | 'refund_declined'
  | 'second_person_needed'
  | 'refund_request_ended'
  | 'partial_refund_unavailable'
  | 'direct_refund_unavailable'
  | 'invoice_not_voidable'
  | 'unknown_action'
  | 'subscription_action_refused'
  | 'card_data_disabled'
  | 'duplicate_order'
  | 'signature_invalid'
  | 'gateway_unavailable'
  | 'store_unavailable'
  | 'gateway_rejected'
  | 'card_token_invalid'
  | 'capture_denied'
  | 'refund_denied'
  | 'gateway_not_found'
  | 'gateway_state_conflict'
  | 'channel_not_active'
  | 'account_blocked'
  | 'refund_rejected'
  | 'gateway_refused'
  | 'gateway_duplicate'
  | 'gateway_authentication_failed'
  | 'gateway_rate_limited'
  | 'gateway_failed'
  | 'outcome_unknown'
  | 'outcome_not_recorded'
  | 'unauthenticated'
  | 'forbidden'
  | 'cross_site_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'operation_in_progress'
  | 'request_in_progress'
  | 'idempotency_key_reused'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'too_many_requests'
  | 'body_already_read'
  | 'internal_error'

export interface FieldError {
  field: string
  message: string
}

export interface GatewayWords {
  status_code: string | null
  status_message: string | null
}

export interface ChargeInput {
  payment_type: PaymentType
  gross_amount: AmountInput
  /** 1 to 50 characters. */
  order_id?: string
  /** 1 to 20 characters. */
  bank?: string
  /** 1 to 255 characters. */
  token_id?: string
  /** 1 to 500 characters. */
  callback_url?: string
  /** 1 to 20 characters. */
  store?: string
  qris_acquirer?: 'gopay' | 'airpay' | 'airpay shopee'
  capture?: boolean
  authentication?: boolean
  save_token_id?: boolean
  /** 1 to 60. */
  installment_term?: number
  /** 1 to 30 characters. */
  payer_phone_number?: string
  /** Fits `^[0-9]{1,18}$`. */
  va_number?: string
  gopay?: Gopay
  customer_details?: CustomerDetails
  /** At most 200. */
  item_details?: ItemDetails[]
  custom_expiry?: CustomExpiry
  metadata?: Record<string, unknown>
  /** At most 3. */
  custom_fields?: string[]
}

export type PaymentType =
  | 'credit_card'
  | 'gopay'
  | 'shopeepay'
  | 'qris'
  | 'ovo'
  | 'dana'
  | 'bank_transfer'
  | 'echannel'
  | 'cstore'
  | 'akulaku'
  | 'kredivo'

export interface Gopay {
  /** 1 to 255 characters. */
  account_id?: string
  /** 1 to 1000 characters. */
  payment_option_token?: string
  pre_auth?: boolean
}

export interface CustomerDetails {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
  billing_address?: Address
  shipping_address?: Address
}

export interface Address {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
  /** 1 to 255 characters. */
  address?: string
  /** 1 to 255 characters. */
  city?: string
  /** 1 to 255 characters. */
  postal_code?: string
  /** 1 to 10 characters. */
  country_code?: string
}

export interface ItemDetails {
  /** 1 to 50 characters. */
  id?: string
  /** 1 to 50 characters. */
  name: string
  price: AmountInput
  /** 1 to 1000000. */
  quantity?: number
  /** 1 to 50 characters. */
  brand?: string
  /** 1 to 50 characters. */
  category?: string
  /** 1 to 50 characters. */
  merchant_name?: string
  /** 1 to 500 characters. */
  url?: string
}

export interface CustomExpiry {
  /** 1 to 100000000. */
  expiry_duration: number
  unit?: 'second' | 'minute' | 'hour' | 'day'
  /** Up to 50 characters. */
  order_time?: string
}

export interface Payment {
  id: Uuid
  order_id: string
  transaction_id: string | null
  /** How the payer pays. */
  payment_type: PaymentType
  bank: string | null
  store: string | null
  acquirer: string | null
  issuer: string | null
  masked_card: string | null
  gross_amount: Money
  currency: string
  /**
   * The gateway's own words, and `initiated`: written down, and the gateway has not answered
   * clearly yet.
   */
  transaction_status: TransactionStatus
  /** `challenge` waits for a person to decide. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  status_code: string | null
  status_message: string | null
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  va_number: string | null
  bill_key: string | null
  biller_code: string | null
  payment_code: string | null
  redirect_url: string | null
  deeplink_url: string | null
  qr_string: string | null
  payer_instructions: PayerInstruction[]
  authorized_amount: Money
  captured_amount: Money
  refund_amount: Money
  net_amount: Money
  refundable_amount: Money
  refund_unavailable_reason: string | null
  refunds: Refund[]
  items: PaymentItem[]
  metadata: Record<string, unknown>
  custom_field1: string | null
  custom_field2: string | null
  custom_field3: string | null
  transaction_time: Timestamp | null
  settlement_time: Timestamp | null
  expiry_time: Timestamp | null
  paid_at: Timestamp | null
  is_paid: boolean
  is_pending: boolean
  is_failed: boolean
  is_expired: boolean
  created_at: Timestamp | null
  updated_at: Timestamp | null
}

/**
 * The gateway's own words, and `initiated`: written down, and the gateway has not answered
 * clearly yet.
 */
export type TransactionStatus =
  | 'initiated'
  | 'pending'
  | 'authorize'
  | 'capture'
  | 'settlement'
  | 'deny'
  | 'cancel'
  | 'expire'
  | 'failure'
  | 'partial_refund'
  | 'refund'
  | 'partial_chargeback'
  | 'chargeback'

export interface PayerInstruction {
  name: string
  method: string
  url: string
}

export interface Refund {
  id: Uuid
  refund_key: string
  amount: Money
  reason: string | null
  is_direct: boolean
  /** `pending`: the gateway has not answered clearly yet; the amount stays reserved. */
  status: 'pending' | 'succeeded' | 'failed'
  source: 'service' | 'gateway'
  status_code: string | null
  status_message: string | null
  confirmed_at: Timestamp | null
  created_at: Timestamp | null
}

export interface PaymentItem {
  id: Uuid
  item_id: string | null
  name: string
  price: Money
  quantity: number
  brand: string | null
  category: string | null
  merchant_name: string | null
  url: string | null
  subtotal: Money
}

export interface PaymentSummary {
  id: Uuid
  order_id: string
  /** How the payer pays. */
  payment_type: PaymentType
  gross_amount: Money
  /**
   * The gateway's own words, and `initiated`: written down, and the gateway has not answered
   * clearly yet.
   */
  transaction_status: TransactionStatus
  customer_email: string | null
  is_paid: boolean
  created_at: Timestamp | null
}

export interface PaymentListQuery {
  payment_type?: PaymentType
  status?: TransactionStatus
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface StatusChecked {
  payment: Payment
  gateway_response: unknown
}

export interface RefundInput {
  amount: AmountInput
  /** Up to 255 characters. */
  reason?: string
  direct?: boolean
}

export interface Refunded {
  payment: Payment
  refund: Refund
}

export interface CaptureInput {
  amount?: AmountInput
}

export interface InvoiceSummary {
  id: Uuid
  invoice_number: string
  order_id: string
  status: InvoiceStatus
  customer_name: string
  customer_email: string
  total_amount: Money
  due_date: string
  is_overdue: boolean
  created_at: Timestamp | null
}

export type InvoiceStatus =
  | 'initiated'
  | 'failure'
  | 'draft'
  | 'pending'
  | 'overdue'
  | 'paid'
  | 'expired'
  | 'voided'

export interface InvoiceListQuery {
  status?: InvoiceStatus
  /** 1 to 255 characters. */
  customer_email?: string
  /** 10 to 10 characters. */
  due_before?: string
  /** 10 to 10 characters. */
  due_after?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface InvoiceInput {
  /** 1 to 40 characters. */
  customer_name: string
  /** Up to 255 characters. */
  customer_email: string
  /** Fits `^[1-9][0-9]{4,14}$`. */
  customer_phone?: string
  /** 1 to 36 characters. */
  customer_id?: string
  /** Up to 10 characters. */
  due_date: string
  /** Up to 10 characters. */
  invoice_date?: string
  /** At most 200. */
  items: Items[]
  /** Up to 1000 characters. */
  notes?: string
  /** 1 to 36 characters. */
  order_id?: string
  /** 1 to 40 characters. */
  invoice_number?: string
  payment_type?: 'payment_link' | 'virtual_account'
  /** At most 40. */
  enabled_payments?: string[]
  /** At most 6. */
  virtual_accounts?: VirtualAccounts[]
  metadata?: Record<string, unknown>
}

export interface Items {
  /** 1 to 30 characters. */
  item_id?: string
  /** 1 to 150 characters. */
  description: string
  price: AmountInput
  /** 1 to 99999999. */
  quantity?: number
}

export interface VirtualAccounts {
  bank: Bank
  /** Fits `^[0-9]{1,18}$`. */
  number?: string
}

export type Bank = 'bca_va' | 'mandiri_bill' | 'bni_va' | 'bri_va' | 'cimb_va' | 'permata_va'

export interface Invoice {
  id: Uuid
  invoice_number: string
  order_id: string
  gateway_invoice_id: string | null
  status: InvoiceStatus
  customer_name: string
  customer_email: string
  customer_phone: string | null
  customer_id: string | null
  total_amount: Money
  currency: string
  invoice_date: string
  due_date: string
  paid_at: Timestamp | null
  notes: string | null
  void_reason: string | null
  payment_link_url: string | null
  pdf_url: string | null
  virtual_accounts: InvoiceVirtualAccount[]
  items: InvoiceItem[]
  payment_ids: Uuid[]
  is_overdue: boolean
  metadata: Record<string, unknown>
  created_at: Timestamp | null
  updated_at: Timestamp | null
}

export interface InvoiceVirtualAccount {
  name: string
  number: string
}

export interface InvoiceItem {
  id: Uuid
  item_id: string | null
  description: string
  quantity: number
  price: Money
  subtotal: Money
}

export interface VoidInput {
  /** Up to 255 characters. */
  reason?: string
}

export interface SubscriptionSummary {
  id: Uuid
  name: string
  payment_type: 'credit_card' | 'gopay'
  amount: Money
  currency: string
  interval: number
  interval_unit: 'day' | 'week' | 'month'
  max_interval: number | null
  current_interval: number
  status: SubscriptionStatus
  next_execution_at: Timestamp | null
  created_at: Timestamp
}

export type SubscriptionStatus =
  | 'initiated'
  | 'failure'
  | 'active'
  | 'inactive'
  | 'disabled'
  | 'cancelled'

export interface SubscriptionListQuery {
  status?: SubscriptionStatus
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface SubscriptionInput {
  /** 1 to 255 characters. */
  name: string
  amount: AmountInput
  payment_type: 'credit_card' | 'gopay'
  /** 1 to 1000 characters. */
  token: string
  /** 1 to 1000. */
  interval?: number
  interval_unit?: 'day' | 'week' | 'month'
  /** 1 to 10000. */
  max_interval?: number
  /** 1 to 40 characters. */
  start_time?: string
  /** 1 to 1000. */
  retry_interval?: number
  retry_interval_unit?: 'minute' | 'hour' | 'day'
  /** 0 to 3. */
  retry_max_interval?: number
  gopay?: SubscriptionInputGopay
  customer_details?: SubscriptionInputCustomerDetails
  metadata?: Record<string, unknown>
}

export interface SubscriptionInputGopay {
  /** 1 to 255 characters. */
  account_id: string
}

export interface SubscriptionInputCustomerDetails {
  /** 1 to 255 characters. */
  first_name?: string
  /** 1 to 255 characters. */
  last_name?: string
  /** 1 to 255 characters. */
  email?: string
  /** 1 to 255 characters. */
  phone?: string
}

export interface Subscription {
  id: Uuid
  name: string
  payment_type: 'credit_card' | 'gopay'
  amount: Money
  currency: string
  interval: number
  interval_unit: 'day' | 'week' | 'month'
  max_interval: number | null
  current_interval: number
  status: SubscriptionStatus
  next_execution_at: Timestamp | null
  created_at: Timestamp
  gateway_subscription_id: string | null
  start_time: Timestamp | null
  retry_interval: number | null
  retry_interval_unit: 'minute' | 'hour' | 'day' | null
  retry_max_interval: number | null
  last_payment_id: Uuid | null
  customer_first_name: string | null
  customer_last_name: string | null
  customer_email: string | null
  customer_phone: string | null
  metadata: Record<string, unknown>
  updated_at: Timestamp
}

export interface StaffIdentity {
  owner_id: string
  scopes: Scopes[]
  environment: 'production' | 'sandbox'
}

export type Scopes =
  | 'payments:write'
  | 'payments:refund'
  | 'payments:capture'
  | 'invoices:write'
  | 'subscriptions:write'
  | 'staff:read'
  | 'staff:act'

export interface StaffPaymentSummary {
  id: Uuid
  order_id: string
  /** How the payer pays. */
  payment_type: PaymentType
  gross_amount: Money
  /**
   * The gateway's own words, and `initiated`: written down, and the gateway has not answered
   * clearly yet.
   */
  transaction_status: TransactionStatus
  customer_email: string | null
  is_paid: boolean
  created_at: Timestamp | null
  owner_id: string
  transaction_id: string | null
  bank: string | null
  store: string | null
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  refund_amount: Money
  customer_name: string | null
  customer_phone: string | null
  va_number: string | null
  bill_key: string | null
  payment_code: string | null
  expiry_time: Timestamp | null
  paid_at: Timestamp | null
}

export interface StaffPaymentListQuery {
  payment_type?: PaymentType
  status?: TransactionStatus
  overdue?: 'true'
  /** 1 to 255 characters. */
  owner_id?: string
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** 1 to 100 characters. */
  va_number?: string
  /** 1 to 100 characters. */
  bill_key?: string
  /** 1 to 100 characters. */
  payment_code?: string
  /** 1 to 20 characters. */
  gross_amount?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface StaffPaymentExportQuery {
  payment_type?: PaymentType
  status?: TransactionStatus
  overdue?: 'true'
  /** 1 to 255 characters. */
  owner_id?: string
  /** 1 to 100 characters. */
  order_id?: string
  /** 1 to 255 characters. */
  customer_email?: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** 1 to 100 characters. */
  va_number?: string
  /** 1 to 100 characters. */
  bill_key?: string
  /** 1 to 100 characters. */
  payment_code?: string
  /** 1 to 20 characters. */
  gross_amount?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subscription_id?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /** 1 to 40 characters. */
  created_from?: string
  /** 1 to 40 characters. */
  created_before?: string
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
}

export interface StaffPayment {
  payment: Payment
  owner_id: string
  subscription_id: Uuid | null
  invoice_id: Uuid | null
  version: number
  next_check_at: Timestamp | null
  check_attempts: number
  why: PaymentWhy
  actions: PossibleAction[]
  refund: PossibleRefund
  refund_requests: RefundRequest[]
  transitions: Transition[]
  operations: Operation[]
  notifications: NotificationSummary[]
  events: ObjectEvent[]
  alarms: Alarm[]
  notes: StaffNote[]
  acts: StaffAct[]
}

export interface PaymentWhy {
  code: PaymentWhyCode
  /** Which door a fact came in by. */
  source: PaymentWhySource | null
  occurred_at: Timestamp | null
  evidence_id: Uuid | null
  reason: string | null
}

export type PaymentWhyCode =
  | 'asking_gateway'
  | 'charge_unclear'
  | 'action_unclear'
  | 'waiting_for_payer'
  | 'past_its_time'
  | 'waiting_for_capture'
  | 'in_review'
  | 'review_denied'
  | 'captured'
  | 'settled'
  | 'settled_late'
  | 'refund_under_way'
  | 'refunded_in_part'
  | 'refunded_in_full'
  | 'denied'
  | 'cancelled_by_us'
  | 'cancelled_elsewhere'
  | 'expired'
  | 'expired_by_us'
  | 'refused_by_gateway'
  | 'failed_at_gateway'
  | 'charged_back'
  | 'charged_back_in_part'

/** Which door a fact came in by. */
export type PaymentWhySource =
  | 'charge'
  | 'notification'
  | 'check_status'
  | 'action'
  | 'sweep'
  | 'resolver'
  | 'staff'

export interface PossibleAction {
  name: PossibleActionName
  allowed: boolean
  refusal: string | null
  why_not: string | null
}

export type PossibleActionName = 'cancel' | 'expire' | 'capture' | 'approve' | 'deny'

export interface PossibleRefund {
  allowed: boolean
  refusal: string | null
  why_not: string | null
  refundable_amount: Money
  partial: boolean
  window_ends_at: Timestamp | null
}

export interface RefundRequest {
  id: Uuid
  payment_id: Uuid
  owner_id: string
  amount: Money
  reason: string
  is_direct: boolean
  requested_by: string
  requested_by_staff: boolean
  state: 'held' | 'approved' | 'declined' | 'expired'
  decided_by: string | null
  decided_at: Timestamp | null
  decision_reason: string | null
  created_at: Timestamp
  expires_at: Timestamp
}

export interface Transition {
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  version: number
  from_status: string | null
  to_status: string
  /** Which door a fact came in by. */
  source: PaymentWhySource
  evidence_id: Uuid | null
  reason: string | null
  occurred_at: Timestamp
}

export interface Operation {
  id: Uuid
  owner_id: string
  kind: OperationKind
  subject_kind: 'payment' | 'invoice' | 'subscription'
  subject_id: Uuid
  refund_id: Uuid | null
  request: Record<string, unknown>
  reply: Record<string, unknown> | null
  state: 'started' | 'succeeded' | 'refused' | 'unknown'
  attempt: number
  due_at: Timestamp | null
  sent_at: Timestamp
  sends: number
  created_at: Timestamp
  updated_at: Timestamp
}

export type OperationKind =
  | 'charge'
  | 'cancel'
  | 'expire'
  | 'capture'
  | 'approve'
  | 'deny'
  | 'refund'
  | 'direct_refund'
  | 'create_invoice'
  | 'void_invoice'
  | 'create_subscription'
  | 'disable_subscription'
  | 'enable_subscription'
  | 'cancel_subscription'
  | 'update_subscription'

export interface NotificationSummary {
  id: Uuid
  payment_id: Uuid | null
  owner_id: string | null
  order_id: string | null
  transaction_id: string | null
  transaction_status: string | null
  fraud_status: string | null
  payment_type: string | null
  status_code: string | null
  gross_amount: string | null
  effect: Effect
  reason: string | null
  verified_with: string | null
  created_at: Timestamp
}

export type Effect =
  | 'applied'
  | 'duplicate'
  | 'stale'
  | 'deferred'
  | 'unmatched'
  | 'mismatch'
  | 'failed'

export interface ObjectEvent {
  id: Uuid
  type: ObjectEventType
  sequence: number
  previous_status: string | null
  /** Which door a fact came in by. */
  source: PaymentWhySource
  notification_id: Uuid | null
  occurred_at: Timestamp
  waiting: string[]
}

export type ObjectEventType =
  | 'payment_received'
  | 'payment_settled'
  | 'payment_denied'
  | 'payment_cancelled'
  | 'payment_expired'
  | 'payment_refunded'
  | 'payment_failed'
  | 'payment_charged_back'
  | 'invoice_created'
  | 'invoice_paid'
  | 'invoice_voided'
  | 'subscription_created'
  | 'subscription_charged'
  | 'subscription_disabled'
  | 'subscription_cancelled'

export interface Alarm {
  id: Uuid
  kind: AlarmKind
  subject_kind: SubjectKind
  subject_id: Uuid
  owner_id: string | null
  detail: string
  created_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
  note: string | null
  taken_at: Timestamp | null
  taken_by: string | null
}

export type AlarmKind =
  | 'amount_mismatch'
  | 'late_money'
  | 'reversal'
  | 'outcome_unknown'
  | 'payer_instructions_lost'
  | 'unmatched_notification'
  | 'duplicate_at_gateway'
  | 'event_dead'
  | 'refund_overdue'
  | 'active_at_gateway'
  | 'report_unsettled'
  | 'status_unknown'

export type SubjectKind =
  | 'payment'
  | 'invoice'
  | 'subscription'
  | 'notification'
  | 'operation'
  | 'event'

export interface StaffNote {
  id: Uuid
  subject_id: Uuid
  owner_id: string | null
  author: string
  text: string
  created_at: Timestamp
}

export interface StaffAct {
  id: Uuid
  occurred_at: Timestamp
  actor: string
  actor_kind: 'owner' | 'staff' | 'system'
  action: string
  reason: string | null
  request_id: string | null
  operation_id: Uuid | null
}

export interface PaymentPulse {
  id: Uuid
  version: number
  updated_at: Timestamp
  refund_requests_at: Timestamp | null
}

export interface NoteInput {
  /** 1 to 2000 characters. */
  text: string
}

export interface StaffActInput {
  /** Up to 255 characters. */
  reason?: string
}

export interface StaffCaptureInput {
  amount?: AmountInput
  /** Up to 255 characters. */
  reason?: string
}

export interface Searched {
  matches: SearchMatch[]
}

export interface SearchMatch {
  kind: SearchMatchKind
  value: string
  results: StaffPaymentSummary[]
  more: boolean
}

export type SearchMatchKind =
  | 'id'
  | 'transaction_id'
  | 'order_id'
  | 'customer_email'
  | 'va_number'
  | 'bill_key'
  | 'payment_code'
  | 'gross_amount'
  | 'created_on'

export interface StaffSearchPaymentsQuery {
  /** 1 to 255 characters. */
  q?: string
}

export interface StaffRefundRequestListQuery {
  state?: 'held' | 'approved' | 'declined' | 'expired'
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  payment_id?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface ReasonInput {
  /** 3 to 500 characters. */
  reason: string
}

export interface Overview {
  from: string
  until: string
  received: ReceivedOnDay[]
  methods: MethodFigures[]
  refunds: RefundedOnDay[]
  overdue: Waiting
}

export interface ReceivedOnDay {
  day: string
  payment_type: PaymentType
  count: number
  amount: Money
}

export interface MethodFigures {
  payment_type: PaymentType
  created: number
  paid: number
  open: number
  median_s: number | null
  slow_s: number | null
}

export interface RefundedOnDay {
  day: string
  count: number
  amount: Money
}

export interface Waiting {
  count: number
  oldest_s: number
}

export interface StaffOverviewGetQuery {
  /** Fits `^\d{4}-\d{2}-\d{2}$`. */
  from?: string
  /** Fits `^\d{4}-\d{2}-\d{2}$`. */
  until?: string
}

export interface StaffNotificationListQuery {
  effect?: Effect
  /** 1 to 100 characters. */
  order_id?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  payment_id?: string
  attention?: boolean | 'true' | 'false'
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface NotificationDetail {
  id: Uuid
  payment_id: Uuid | null
  owner_id: string | null
  order_id: string | null
  transaction_id: string | null
  transaction_status: string | null
  fraud_status: string | null
  payment_type: string | null
  status_code: string | null
  gross_amount: string | null
  effect: Effect
  reason: string | null
  verified_with: string | null
  created_at: Timestamp
  raw_payload: Record<string, unknown>
}

export interface Replayed {
  id: Uuid
  effect: Effect
  reason: string | null
  payment_id: Uuid | null
  replay_of: Uuid
}

export interface StaffOperationListQuery {
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subject_id?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface HandInput {
  outcome: 'look' | 'done' | 'refused'
  /** 3 to 500 characters. */
  reason: string
  /** 1 to 100 characters. */
  transaction_id?: string
  /** Fits `^[A-Za-z0-9._~-]{1,100}$`. */
  gateway_id?: string
}

export interface Resolved {
  operation: Operation
  payment: Payment
}

export interface StaffAlarmListQuery {
  kind?: AlarmKind
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subject_id?: string
  closed?: boolean | 'true' | 'false'
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface DeadEvent {
  subscriber: string
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  event_id: Uuid
  sequence: number
  attempts: number
  error: string
  retry_at: Timestamp | null
  id: Uuid
  type: ObjectEventType
  created_at: Timestamp
}

export interface StaffEventListQuery {
  /** 1 to 100 characters. */
  subscriber?: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id?: string
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface ReleaseInput {
  /** 1 to 100 characters. */
  subscriber: string
  /** Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id: string
  /** 3 to 500 characters. */
  reason?: string
}

export interface ReleasedEvent {
  subscriber: string
  object_kind: 'payment' | 'invoice' | 'subscription'
  object_id: Uuid
  owner_id: string
  event_id: Uuid
  sequence: number
  attempts: number
  error: string
  retry_at: Timestamp | null
  died_at: Timestamp
}

export interface StaffKey {
  id: Uuid
  owner_id: string
  name: string
  staff: boolean
  scopes: Scopes[]
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
  created_at: Timestamp
}

export interface StaffKeyListQuery {
  page_size?: number
  /** 1 to 200 characters. */
  cursor?: string
}

export interface StaffHealthReport {
  now: Timestamp
  last_notification_at: Timestamp | null
  last_payment_at: Timestamp | null
  breaker: BreakerState
  operations: Waiting
  overdue: Waiting
  checks: Waiting
  jobs: Waiting | null
  alarms: OpenAlarms[]
  subscribers: SubscriberLag[]
  workers: WorkerPulse[]
}

export interface BreakerState {
  open: boolean
  openings: number
}

export interface OpenAlarms {
  kind: AlarmKind
  count: number
}

export interface SubscriberLag {
  subscriber: string
  lag_s: number
  dead: number
}

export interface WorkerPulse {
  id: string
  description: string
  started_at: Timestamp
  beat_at: Timestamp
  silent_ms: number
}

export interface Pulse {
  last_notification_at: Timestamp | null
  last_payment_at: Timestamp | null
  open_alarms: number
  held_refunds: number
}
