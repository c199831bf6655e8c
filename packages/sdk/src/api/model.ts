// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import type { Feed } from '../feed.ts'
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { AmountInput, Money, Timestamp, Uuid } from '../values.ts'

export interface Resources {
  payments: Payments
  invoices: Invoices
  subscriptions: Subscriptions
  checkouts: Checkouts
  events: Events
  webhookEndpoints: WebhookEndpoints
  webhookDeliveries: WebhookDeliveries
  staff: {
    me: StaffMe
    payments: StaffPayments
    cells: StaffCells
    search: StaffSearch
    customer: StaffCustomer
    refundRequests: StaffRefundRequests
    refunds: StaffRefunds
    checkouts: StaffCheckouts
    invoices: StaffInvoices
    subscriptions: StaffSubscriptions
    exports: StaffExports
    overview: StaffOverview
    ledger: StaffLedger
    fees: StaffFees
    reconciliation: StaffReconciliation
    notifications: StaffNotifications
    operations: StaffOperations
    alarms: StaffAlarms
    events: StaffEvents
    keys: StaffKeys
    health: StaffHealth
    pulse: StaffPulse
    statements: StaffStatements
    people: StaffPeople
    roles: StaffRoles
    sessions: StaffSessions
    audit: StaffAudit
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
   * Refund all or part of a paid payment. Needs the scope `payments:refund`.
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
   * Create a subscription at the gateway; its token is forwarded and never stored. Needs the
   * scope `subscriptions:write`.
   * `POST /subscriptions/`
   */
  create: (input: SubscriptionInput, options?: WriteOptions) => Promise<Subscription>

  /**
   * Read a subscription.
   * `GET /subscriptions/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Subscription>

  /**
   * Disable a subscription, enable it again, or cancel it permanently. Needs the scope
   * `subscriptions:write`.
   * `POST /subscriptions/{pk}/{action_name}/`
   */
  actOn: (
    id: Uuid,
    actionName: 'disable' | 'enable' | 'cancel',
    options?: WriteOptions,
  ) => Promise<Subscription>
}

export interface Checkouts {
  /**
   * List checkouts, newest first; staff see those of every owner.
   * `GET /checkouts/`
   */
  list: (query?: CheckoutListQuery, options?: CallOptions) => Pages<CheckoutSummary>

  /**
   * Open a page of the gateway where the payer chooses how to pay. Needs the scope
   * `payments:write`.
   * `POST /checkouts/`
   */
  create: (input: CheckoutInput, options?: WriteOptions) => Promise<Checkout>

  /**
   * Read a checkout.
   * `GET /checkouts/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Checkout>

  /**
   * Cancel an open checkout and what the payer chose on it. Needs the scope `payments:write`.
   * `POST /checkouts/{pk}/cancel/`
   */
  cancel: (id: Uuid, options?: WriteOptions) => Promise<Checkout>
}

export interface Events {
  /**
   * Read the event feed from a cursor on, or follow it with `Accept: text/event-stream`.
   * `GET /events/`
   */
  list: (query?: EventListQuery, options?: CallOptions) => Feed<PublishedEvent>
}

export interface WebhookEndpoints {
  /**
   * List webhook endpoints, newest first; staff see those of every owner.
   * `GET /webhook_endpoints/`
   */
  list: (query?: WebhookEndpointListQuery, options?: CallOptions) => Pages<WebhookEndpoint>

  /**
   * Create a webhook endpoint, which gets the events from now on. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/`
   */
  create: (
    input: WebhookEndpointInput,
    options?: WriteOptions,
  ) => Promise<WebhookEndpointWithSecret>

  /**
   * Read a webhook endpoint.
   * `GET /webhook_endpoints/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<WebhookEndpoint>

  /**
   * Change the address, types or description of a webhook endpoint. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/update/`
   */
  update: (
    id: Uuid,
    input: WebhookEndpointChange,
    options?: WriteOptions,
  ) => Promise<WebhookEndpoint>

  /**
   * Pause a webhook endpoint; its events wait. Needs the scope `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/pause/`
   */
  pause: (id: Uuid, options?: WriteOptions) => Promise<WebhookEndpoint>

  /**
   * Enable a webhook endpoint, from where it stopped or from a chosen time. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/enable/`
   */
  enable: (id: Uuid, input?: WebhookEnableInput, options?: WriteOptions) => Promise<WebhookEndpoint>

  /**
   * Give a webhook endpoint a new secret; both secrets sign for 24 hours. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/rotate/`
   */
  rotate: (id: Uuid, options?: WriteOptions) => Promise<WebhookEndpointWithSecret>

  /**
   * Delete a webhook endpoint; what it has not received is not sent. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/delete/`
   */
  delete: (id: Uuid, input?: WebhookDeleteInput, options?: WriteOptions) => Promise<WebhookEndpoint>

  /**
   * Send a test event to a webhook endpoint. Needs the scope `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/test/`
   */
  test: (id: Uuid, options?: WriteOptions) => Promise<QueuedDeliveries>

  /**
   * Send the event of a delivery again, or those of a range of time. Needs the scope
   * `webhooks:write`.
   * `POST /webhook_endpoints/{pk}/resend/`
   */
  resend: (id: Uuid, input: WebhookResendInput, options?: WriteOptions) => Promise<QueuedDeliveries>
}

export interface WebhookDeliveries {
  /**
   * List the attempts to deliver events to an endpoint, newest first.
   * `GET /webhook_deliveries/`
   */
  list: (query: WebhookDeliveryListQuery, options?: CallOptions) => Pages<WebhookDelivery>

  /**
   * Read one attempt with the body that was sent.
   * `GET /webhook_deliveries/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<WebhookDeliveryDetail>
}

export interface StaffMe {
  /**
   * Read the caller of this key or session. For staff.
   * `GET /staff/me/`
   */
  get: (options?: CallOptions) => Promise<StaffIdentity>
}

export interface StaffPayments {
  /**
   * List the payments of every owner, sorted in one of four ways. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/payments/`
   */
  list: (query?: StaffPaymentListQuery, options?: CallOptions) => Pages<StaffPaymentSummary>

  /**
   * Export the payments that match the filters as a streamed CSV file. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/export/`
   */
  export: (
    query?: StaffPaymentExportQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * Export the payments that match the filters as a streamed XLSX file. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/payments/export_xlsx/`
   */
  exportXlsx: (
    query?: StaffPaymentExportQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * Count and sum the payments that match the filters, estimated above 10,000. For staff. Needs
   * the scope `staff:read`.
   * `GET /staff/payments/totals/`
   */
  total: (query?: StaffPaymentExportQuery, options?: CallOptions) => Promise<PaymentTotals>

  /**
   * Read a payment with its history, the reason for its status and the possible actions. For
   * staff. Needs the scope `staff:read`.
   * `GET /staff/payments/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<StaffPayment>

  /**
   * Check whether a payment has changed. For staff. Needs the scope `staff:read`.
   * `GET /staff/payments/{pk}/pulse/`
   */
  pulse: (id: Uuid, options?: CallOptions) => Promise<PaymentPulse>

  /**
   * Add a note for other staff members to a payment. For staff. Needs the scope `staff:act`.
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
  cancel: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Expire a pending payment, with a reason. For staff. Needs the scope `payments:write`.
   * `POST /staff/payments/{pk}/expire/`
   */
  expire: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Capture an authorized card payment, with a reason. For staff. Needs the scope
   * `payments:capture`.
   * `POST /staff/payments/{pk}/capture/`
   */
  capture: (id: Uuid, input: StaffCaptureInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Approve a card payment that is in review, with a reason. For staff. Needs the scope
   * `payments:capture`.
   * `POST /staff/payments/{pk}/approve/`
   */
  approve: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Deny a card payment that is in review, with a reason. For staff. Needs the scope
   * `payments:capture`.
   * `POST /staff/payments/{pk}/deny/`
   */
  deny: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Payment>

  /**
   * Refund all or part of a paid payment, with a reason. For staff. Needs the scope
   * `payments:refund`.
   * `POST /staff/payments/{pk}/refund/`
   */
  refund: (id: Uuid, input: StaffRefundInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Request to record a refund that was paid outside the gateway; another person approves it.
   * For staff. Needs the scope `payments:refund`.
   * `POST /staff/payments/{pk}/record_refund/`
   */
  recordRefund: (id: Uuid, input: OutsideRefundInput, options?: WriteOptions) => Promise<Refunded>
}

export interface StaffCells {
  /**
   * List the payments of all cells, sorted in one of four ways. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/cells/payments/`
   */
  listPayments: (
    query?: StaffCellListPaymentsQuery,
    options?: CallOptions,
  ) => Promise<CellPaymentPage>
}

export interface StaffSearch {
  /**
   * Search payments by a value that a customer can provide. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/search/`
   */
  payments: (query: StaffSearchPaymentsQuery, options?: CallOptions) => Promise<Searched>
}

export interface StaffCustomer {
  /**
   * Read all payments, invoices, subscriptions and checkouts of one customer. For staff. Needs
   * the scope `staff:read`.
   * `GET /staff/customer/`
   */
  get: (query?: StaffCustomerGetQuery, options?: CallOptions) => Promise<Customer>
}

export interface StaffRefundRequests {
  /**
   * List refund requests that need or needed a second approval, newest first. For staff. Needs
   * the scope `staff:read`.
   * `GET /staff/refund_requests/`
   */
  list: (query?: StaffRefundRequestListQuery, options?: CallOptions) => Pages<RefundRequest>

  /**
   * Approve and make a held refund that another staff member requested, with a reason. For
   * staff. Needs the scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/approve/`
   */
  approve: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Refunded>

  /**
   * Decline a held refund, or withdraw your own request, with a reason. For staff. Needs the
   * scope `payments:refund`.
   * `POST /staff/refund_requests/{pk}/decline/`
   */
  decline: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<RefundRequest>
}

export interface StaffRefunds {
  /**
   * List the refunds of all payments, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/refunds/`
   */
  list: (query?: StaffRefundListQuery, options?: CallOptions) => Pages<StaffRefund>
}

export interface StaffCheckouts {
  /**
   * Open a page where the payer chooses how to pay, for the owner that is named. For staff.
   * Needs the scope `payments:write`.
   * `POST /staff/checkouts/`
   */
  create: (input: StaffCheckoutInput, options?: WriteOptions) => Promise<Checkout>

  /**
   * Cancel an open checkout and what the payer chose on it, with a reason. For staff. Needs the
   * scope `payments:write`.
   * `POST /staff/checkouts/{pk}/cancel/`
   */
  cancel: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Checkout>
}

export interface StaffInvoices {
  /**
   * Void an invoice that is pending or overdue, with a reason. For staff. Needs the scope
   * `invoices:write`.
   * `POST /staff/invoices/{pk}/void/`
   */
  void: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Invoice>
}

export interface StaffSubscriptions {
  /**
   * Disable a subscription, with a reason. For staff. Needs the scope `subscriptions:write`.
   * `POST /staff/subscriptions/{pk}/disable/`
   */
  disable: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Subscription>

  /**
   * Enable a subscription again, with a reason. For staff. Needs the scope
   * `subscriptions:write`.
   * `POST /staff/subscriptions/{pk}/enable/`
   */
  enable: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Subscription>

  /**
   * Cancel a subscription permanently, with a reason. For staff. Needs the scope
   * `subscriptions:write`.
   * `POST /staff/subscriptions/{pk}/cancel/`
   */
  cancel: (id: Uuid, input: StaffReasonInput, options?: WriteOptions) => Promise<Subscription>
}

export interface StaffExports {
  /**
   * List the scheduled exports. For staff. Needs the scope `staff:read`.
   * `GET /staff/exports/`
   */
  list: (options?: CallOptions) => Promise<ExportScheduleList>

  /**
   * Send a mail with a link to an export at the end of each day, week or month. For staff. Needs
   * the scope `staff:act`.
   * `POST /staff/exports/`
   */
  create: (input: ExportScheduleInput, options?: WriteOptions) => Promise<ExportSchedule>

  /**
   * End a scheduled export and remove its addresses, with a reason. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/exports/{pk}/delete/`
   */
  delete: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<ExportSchedule>
}

export interface StaffOverview {
  /**
   * Read received and refunded amounts and success rates for a period of days in Jakarta. For
   * staff. Needs the scope `staff:read`.
   * `GET /staff/overview/`
   */
  get: (query?: StaffOverviewGetQuery, options?: CallOptions) => Promise<Overview>
}

export interface StaffLedger {
  /**
   * Read the balance of every account of the ledger, now or at the end of a day. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/ledger/balances/`
   */
  getBalances: (
    query?: StaffLedgerGetBalancesQuery,
    options?: CallOptions,
  ) => Promise<LedgerBalances>

  /**
   * Read what an account of the ledger took and gave day by day, and its balances. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/ledger/account/`
   */
  getAccount: (
    query: StaffLedgerGetAccountQuery,
    options?: CallOptions,
  ) => Promise<LedgerAccountDays>

  /**
   * List the days of the ledger that are closed. For staff. Needs the scope `staff:read`.
   * `GET /staff/ledger/closings/`
   */
  listClosings: (options?: CallOptions) => Promise<LedgerClosings>

  /**
   * Export every movement of a month with fee, VAT and net as a streamed CSV file. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/ledger/month/`
   */
  exportMonth: (
    query: StaffLedgerExportMonthQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * Export every movement of a month with fee, VAT and net as a streamed XLSX file. For staff.
   * Needs the scope `staff:read`.
   * `GET /staff/ledger/month_xlsx/`
   */
  exportXlsxMonth: (
    query: StaffLedgerExportMonthQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>

  /**
   * List what was booked about a payment or on a day. For staff. Needs the scope `staff:read`.
   * `GET /staff/ledger/journal/`
   */
  listJournal: (query?: StaffLedgerListJournalQuery, options?: CallOptions) => Pages<LedgerEntry>

  /**
   * Close a day of the ledger and all days before it. For staff. Needs the scope `staff:act`.
   * `POST /staff/ledger/close-day/`
   */
  closeDay: (input: LedgerCloseInput, options?: WriteOptions) => Promise<LedgerClosing>
}

export interface StaffFees {
  /**
   * Read the rate card of the fees that the gateway is expected to charge. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/fees/rates/`
   */
  listRates: (options?: CallOptions) => Promise<FeeRates>

  /**
   * Set the expected fee of a payment method, bank or store from a day on. For staff. Needs the
   * scope `staff:act`.
   * `POST /staff/fees/rates/`
   */
  setRate: (input: FeeRateInput, options?: WriteOptions) => Promise<FeeRate>
}

export interface StaffReconciliation {
  /**
   * List what differs between our payments, the gateway and the bank. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/reconciliation/exceptions/`
   */
  listExceptions: (
    query?: StaffReconciliationListExceptionsQuery,
    options?: CallOptions,
  ) => Pages<ReconciliationExceptionRow>

  /**
   * Read an exception with everything that was done about it. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/reconciliation/exceptions/{pk}/`
   */
  getException: (id: Uuid, options?: CallOptions) => Promise<ReconciliationException>

  /**
   * Act on an exception; above the limit it waits for a second staff member. For staff. Needs
   * the scope `staff:act`.
   * `POST /staff/reconciliation/exceptions/{pk}/act/`
   */
  actOnException: (
    id: Uuid,
    input: ReconciliationActInput,
    options?: WriteOptions,
  ) => Promise<ReconciliationException>

  /**
   * Approve an action that waits for a second staff member. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/reconciliation/actions/{pk}/approve/`
   */
  approveAction: (
    id: Uuid,
    input: ReasonInput,
    options?: WriteOptions,
  ) => Promise<ReconciliationAction>

  /**
   * Undo an action, or withdraw one that waits; the exception is open again. For staff. Needs
   * the scope `staff:act`.
   * `POST /staff/reconciliation/actions/{pk}/undo/`
   */
  undoAction: (
    id: Uuid,
    input: ReasonInput,
    options?: WriteOptions,
  ) => Promise<ReconciliationAction>

  /**
   * Read the proof of each day: opening balance, movements, closing balance. For staff. Needs
   * the scope `staff:read`.
   * `GET /staff/reconciliation/proofs/`
   */
  getBalanceProofs: (
    query?: StaffReconciliationGetBalanceProofsQuery,
    options?: CallOptions,
  ) => Promise<BalanceProofs>

  /**
   * List the gateway's payouts with what the bank received. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/reconciliation/payouts/`
   */
  listPayouts: (
    query?: StaffReconciliationListPayoutsQuery,
    options?: CallOptions,
  ) => Pages<PayoutRow>

  /**
   * Read a payout with the payments inside: expected, stated and received. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/reconciliation/payouts/{pk}/`
   */
  getPayout: (id: Uuid, options?: CallOptions) => Promise<Payout>
}

export interface StaffNotifications {
  /**
   * List received notifications, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/`
   */
  list: (query?: StaffNotificationListQuery, options?: CallOptions) => Pages<NotificationSummary>

  /**
   * Read a notification with its payload. For staff. Needs the scope `staff:read`.
   * `GET /staff/notifications/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<NotificationDetail>

  /**
   * Process a stored notification again, as if it had just arrived. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/notifications/{pk}/replay/`
   */
  replay: (id: Uuid, options?: WriteOptions) => Promise<Replayed>
}

export interface StaffOperations {
  /**
   * List operations with an unknown outcome, or all operations of one object. For staff. Needs
   * the scope `staff:read`.
   * `GET /staff/operations/`
   */
  list: (query?: StaffOperationListQuery, options?: CallOptions) => Pages<Operation>

  /**
   * Resolve an operation manually, unless the gateway reports its outcome. For staff. Needs the
   * scope `staff:act`.
   * `POST /staff/operations/{pk}/resolve/`
   */
  resolve: (id: Uuid, input: HandInput, options?: WriteOptions) => Promise<Resolved>
}

export interface StaffAlarms {
  /**
   * List open alarms, optionally with closed alarms. For staff. Needs the scope `staff:read`.
   * `GET /staff/alarms/`
   */
  list: (query?: StaffAlarmListQuery, options?: CallOptions) => Pages<Alarm>

  /**
   * Acknowledge an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/take/`
   */
  take: (id: Uuid, options?: WriteOptions) => Promise<Alarm>

  /**
   * Add a note to an open alarm. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/note/`
   */
  note: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>

  /**
   * Close an alarm with a reason. For staff. Needs the scope `staff:act`.
   * `POST /staff/alarms/{pk}/close/`
   */
  close: (id: Uuid, input: ReasonInput, options?: WriteOptions) => Promise<Alarm>
}

export interface StaffEvents {
  /**
   * List dead events, which a subscriber failed to handle. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/events/`
   */
  list: (query?: StaffEventListQuery, options?: CallOptions) => Pages<DeadEvent>

  /**
   * Deliver a dead event again. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/retry/`
   */
  retry: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>

  /**
   * Skip a dead event permanently. For staff. Needs the scope `staff:act`.
   * `POST /staff/events/skip/`
   */
  skip: (input: ReleaseInput, options?: WriteOptions) => Promise<ReleasedEvent>
}

export interface StaffKeys {
  /**
   * List the API keys of every owner, without the secret keys. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/keys/`
   */
  list: (query?: StaffReconciliationListPayoutsQuery, options?: CallOptions) => Pages<StaffKey>

  /**
   * Create an API key, which is shown once. For staff. Needs the scope `staff:manage`.
   * `POST /staff/keys/`
   */
  create: (input: KeyInput, options?: WriteOptions) => Promise<CreatedKey>

  /**
   * Revoke an API key permanently. For staff. Needs the scope `staff:manage`.
   * `POST /staff/keys/{pk}/revoke/`
   */
  revoke: (id: Uuid, input?: KeyRevocation, options?: WriteOptions) => Promise<EndedById>
}

export interface StaffHealth {
  /**
   * Read the queues, their oldest entries and the running workers. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/health/`
   */
  get: (options?: CallOptions) => Promise<StaffHealthReport>
}

export interface StaffPulse {
  /**
   * Read the times of the last changes, to decide whether to reload. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/pulse/`
   */
  get: (options?: CallOptions) => Promise<Pulse>
}

export interface StaffStatements {
  /**
   * Import a statement of the bank or an export of the gateway’s portal. For staff. Needs the
   * scope `staff:act`.
   * `POST /staff/statements/`
   */
  upload: (input: StatementImportInput, options?: WriteOptions) => Promise<ImportedStatement>

  /**
   * List the imported files, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/statements/`
   */
  list: (
    query?: StaffReconciliationListPayoutsQuery,
    options?: CallOptions,
  ) => Pages<StatementImport>

  /**
   * List the lines of statements, of one file, day, order or reference. For staff. Needs the
   * scope `staff:read`.
   * `GET /staff/statements/lines/`
   */
  listLines: (query?: StaffStatementListLinesQuery, options?: CallOptions) => Pages<StatementLine>

  /**
   * List which column of a portal’s export is which field. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/statements/mappings/`
   */
  listMappings: (options?: CallOptions) => Promise<StatementMappings>

  /**
   * Store which column of a portal’s export is which field. For staff. Needs the scope
   * `staff:act`.
   * `POST /staff/statements/mappings/`
   */
  setMapping: (input: StatementMappingInput, options?: WriteOptions) => Promise<StatementMapping>

  /**
   * Read the columns and first lines of a portal’s export, and store nothing. For staff. Needs
   * the scope `staff:act`.
   * `POST /staff/statements/columns/`
   */
  readColumns: (
    input: StatementColumnsInput,
    options?: WriteOptions,
  ) => Promise<StatementFileColumns>

  /**
   * Read an imported file with the lines that could not be read. For staff. Needs the scope
   * `staff:read`.
   * `GET /staff/statements/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<StatementImportDetail>
}

export interface StaffPeople {
  /**
   * List the staff accounts, newest first. For staff. Needs the scope `staff:manage`.
   * `GET /staff/people/`
   */
  list: (query?: StaffReconciliationListPayoutsQuery, options?: CallOptions) => Pages<StaffPerson>

  /**
   * Create a staff account and the one-time link to set up how to sign in. For staff. Needs the
   * scope `staff:manage`.
   * `POST /staff/people/`
   */
  invite: (input: InvitationInput, options?: WriteOptions) => Promise<InvitedPerson>

  /**
   * Change name or role of a staff account, disable it or enable it again. For staff. Needs the
   * scope `staff:manage`.
   * `POST /staff/people/{pk}/update/`
   */
  update: (id: Uuid, input: PersonChange, options?: WriteOptions) => Promise<StaffPerson>

  /**
   * Make a new one-time link for a staff account, for a lost password or phone. For staff. Needs
   * the scope `staff:manage`.
   * `POST /staff/people/{pk}/link/`
   */
  link: (id: Uuid, options?: WriteOptions) => Promise<InvitedPerson>

  /**
   * End every session of a staff account. For staff. Needs the scope `staff:manage`.
   * `POST /staff/people/{pk}/sign_out/`
   */
  signOut: (id: Uuid, options?: WriteOptions) => Promise<StaffPerson>
}

export interface StaffRoles {
  /**
   * List the roles with their scopes. For staff. Needs the scope `staff:manage`.
   * `GET /staff/roles/`
   */
  list: (options?: CallOptions) => Promise<StaffRoleList>

  /**
   * Create a role or replace its scopes. For staff. Needs the scope `staff:manage`.
   * `POST /staff/roles/`
   */
  set: (input: StaffRoleInput, options?: WriteOptions) => Promise<StaffRole>
}

export interface StaffSessions {
  /**
   * List the sessions of the dashboard, newest first. For staff. Needs the scope `staff:manage`.
   * `GET /staff/sessions/`
   */
  list: (query?: StaffReconciliationListPayoutsQuery, options?: CallOptions) => Pages<StaffSession>

  /**
   * End a session of the dashboard. For staff. Needs the scope `staff:manage`.
   * `POST /staff/sessions/{pk}/end/`
   */
  end: (id: Uuid, options?: WriteOptions) => Promise<EndedById>
}

export interface StaffAudit {
  /**
   * List the audit, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/audit/`
   */
  list: (query?: StaffAuditListQuery, options?: CallOptions) => Promise<AuditRow[]>

  /**
   * Export the sealed audit as CSV, newest first. For staff. Needs the scope `staff:read`.
   * `GET /staff/audit/export/`
   */
  export: (
    query?: StaffAuditExportQuery,
    options?: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>
}

export interface Problem {
  /** A URN that names the kind of problem; it ends with `code`. */
  type: string
  /** A short description of the error; the same text for each code. */
  title: string
  /** The HTTP status of this reply. */
  status: number
  /** What to do about it. */
  detail: string
  /** What went wrong, for programs; later releases may add to the list. */
  code: ProblemCode
  /** The fields at fault; empty where the request itself is well formed. */
  errors: FieldError[]
  /** Whether the same request may succeed later. */
  retryable: boolean
  /** The id of the request, as in `X-Request-Id` and in the log. */
  request_id: string
  /** What the gateway answered, where it refused the request. */
  gateway?: GatewayWords
  /** The payment that the problem is about. */
  payment_id?: Uuid
  /** The invoice that the problem is about. */
  invoice_id?: Uuid
  /** The checkout that the problem is about. */
  checkout_id?: Uuid
  /** The subscription that the problem is about. */
  subscription_id?: Uuid
}

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
  | 'refund_after_chargeback'
  | 'refund_amount_exceeded'
  | 'refund_limit_reached'
  | 'refund_held'
  | 'refund_declined'
  | 'second_person_needed'
  | 'refund_request_ended'
  | 'outside_refund_unavailable'
  | 'partial_refund_unavailable'
  | 'direct_refund_unavailable'
  | 'invoice_not_voidable'
  | 'checkout_not_open'
  | 'unknown_action'
  | 'subscription_action_refused'
  | 'card_data_disabled'
  | 'duplicate_order'
  | 'order_ended'
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
  | 'sign_in_refused'
  | 'forbidden'
  | 'cross_site_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'cursor_expired'
  | 'wrong_cell'
  | 'webhooks_not_configured'
  | 'passwords_not_configured'
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
  /** The field at fault, with dots between nested names. */
  field: string
  /** What is wrong with the field. */
  message: string
}

export interface GatewayWords {
  /** The gateway's own status code. */
  status_code: string | null
  /** The gateway's own message. */
  status_message: string | null
}

export type ChargeInput =
  | CreditCardChargeInput
  | GopayChargeInput
  | ShopeepayChargeInput
  | QrisChargeInput
  | OvoChargeInput
  | DanaChargeInput
  | BankTransferChargeInput
  | EchannelChargeInput
  | CstoreChargeInput
  | AkulakuChargeInput
  | KredivoChargeInput

export interface CommonChargeInput {
  /** The amount to charge in whole rupiah. */
  gross_amount: AmountInput
  /** Your own order id, never used before; one is made where it is left out. 1 to 50 characters. */
  order_id?: string
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
  /** Up to three texts of your own, which the gateway's reports show. At most 3. */
  custom_fields?: string[]
}

export interface CustomerDetails {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
  /** The address of the invoice. */
  billing_address?: Address
  /** The address that the order is sent to. */
  shipping_address?: Address
}

export interface Address {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
  /** Street and number. 1 to 255 characters. */
  address?: string
  /** The city. 1 to 255 characters. */
  city?: string
  /** The postal code. 1 to 255 characters. */
  postal_code?: string
  /** The country, as the three letters of ISO 3166. 1 to 10 characters. */
  country_code?: string
}

export interface ItemDetails {
  /** Your own id of the item. 1 to 50 characters. */
  id?: string
  /** The name of the item, as the payer sees it. 1 to 50 characters. */
  name: string
  /** The price of one in whole rupiah. */
  price: AmountInput
  /** How many are ordered; 1 by default. 1 to 1000000. */
  quantity?: number
  /** The brand of the item. 1 to 50 characters. */
  brand?: string
  /** The category of the item. 1 to 50 characters. */
  category?: string
  /** The merchant who sells the item. 1 to 50 characters. */
  merchant_name?: string
  /** The page of the item in the shop. 1 to 500 characters. */
  url?: string
}

export interface CreditCardChargeInput extends CommonChargeInput {
  payment_type: 'credit_card'
  /** The bank: of the virtual account for `bank_transfer`, or of a card. 1 to 20 characters. */
  bank?: string
  /** The card token, for `credit_card`; it is never stored. 1 to 255 characters. */
  token_id: string
  /** Whether a card is captured at once; if not, the amount is authorized. */
  capture?: boolean
  /** Whether the card payer goes through 3-D Secure; yes by default. */
  authentication?: boolean
  /**
   * Whether the gateway keeps the card for later charges and subscriptions: see `saved_token_id`
   * of the reply.
   */
  save_token_id?: boolean
  /** Over how many months a card pays. 1 to 60. */
  installment_term?: number
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
}

export interface Gopay {
  /** The gateway's id of the linked GoPay account. 1 to 255 characters. */
  account_id?: string
  /** The payment option of the linked GoPay account. 1 to 1000 characters. */
  payment_option_token?: string
  /** Whether the amount is reserved only, to be captured later. */
  pre_auth?: boolean
}

export interface CustomExpiry {
  /** How many units the payer has to pay. 1 to 100000000. */
  expiry_duration: number
  /** The unit of the duration; `minute` by default. */
  unit?: 'second' | 'minute' | 'hour' | 'day'
  /**
   * When the time to pay begins; when the gateway takes the charge by default. Up to 50
   * characters.
   */
  order_time?: string
}

export interface GopayChargeInput extends CommonChargeInput {
  payment_type: 'gopay'
  /** Where the payer's app returns to after the payment. 1 to 500 characters. */
  callback_url?: string
  /** Only for `gopay`: a linked account, or an authorization. */
  gopay?: Gopay
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface ShopeepayChargeInput extends CommonChargeInput {
  payment_type: 'shopeepay'
  /** Where the payer's app returns to after the payment. 1 to 500 characters. */
  callback_url?: string
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface QrisChargeInput extends CommonChargeInput {
  payment_type: 'qris'
  /** The acquirer of a QRIS payment; `gopay` by default. */
  qris_acquirer?: 'gopay' | 'airpay' | 'airpay shopee'
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface OvoChargeInputFields extends CommonChargeInput {
  payment_type: 'ovo'
  /** The phone number of the payer's OVO account. 1 to 30 characters. */
  payer_phone_number?: string
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
}

export type OvoChargeInput = OvoChargeInputFields &
  (
    | { payer_phone_number: string }
    | { customer_details: CustomerDetails & Required<Pick<CustomerDetails, 'phone'>> }
  )

export interface DanaChargeInput extends CommonChargeInput {
  payment_type: 'dana'
  /** Where the payer's app returns to after the payment. 1 to 500 characters. */
  callback_url?: string
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export type Bank = 'bca' | 'bni' | 'bri' | 'cimb' | 'permata'

export interface BankTransferChargeInput extends CommonChargeInput {
  payment_type: 'bank_transfer'
  /** The bank: of the virtual account for `bank_transfer`, or of a card. 1 to 20 characters. */
  bank: Bank
  /**
   * The virtual account number you want; the gateway chooses one by default. Fits
   * `^[0-9]{1,18}$`.
   */
  va_number?: string
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface EchannelChargeInput extends CommonChargeInput {
  payment_type: 'echannel'
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface CstoreChargeInput extends CommonChargeInput {
  payment_type: 'cstore'
  /** The convenience store, for `cstore`. 1 to 20 characters. */
  store: 'indomaret' | 'alfamart'
  /** Who pays. */
  customer_details?: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details?: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface AkulakuChargeInput extends CommonChargeInput {
  payment_type: 'akulaku'
  /** Who pays. */
  customer_details: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface KredivoChargeInput extends CommonChargeInput {
  payment_type: 'kredivo'
  /** Who pays. */
  customer_details: CustomerDetails
  /** What is ordered; the sum must be the gross amount. At most 200. */
  item_details: ItemDetails[]
  /** How long the payer has to pay. */
  custom_expiry?: CustomExpiry
}

export interface Payment {
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The gateway's id of the payment; null until the gateway has answered. */
  transaction_id: string | null
  /** The payment method. */
  payment_type: PaymentType
  /** The bank of the virtual account, or the acquiring bank of a card. */
  bank: string | null
  /** The convenience store where the payer pays in cash. */
  store: string | null
  /** The acquirer of a QRIS payment. */
  acquirer: string | null
  /** The app that paid a QRIS payment. */
  issuer: string | null
  /** The card number with its middle digits hidden. */
  masked_card: string | null
  /**
   * The token of the saved card, which is never stored: only in the first reply to a charge with
   * `save_token_id` and in `check_status` for its owner; null elsewhere.
   */
  saved_token_id: string | null
  /** When the token of the saved card expires; null without it. */
  saved_token_id_expired_at: Timestamp | null
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The fraud check of a card payment; `challenge` waits for a staff member to decide. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  /** The gateway's latest status code. */
  status_code: string | null
  /** The gateway's latest message. */
  status_message: string | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** The virtual account number to transfer to. */
  va_number: string | null
  /** The bill key of a Mandiri bill payment. */
  bill_key: string | null
  /** The biller code of a Mandiri bill payment. */
  biller_code: string | null
  /** The code the payer shows at the convenience store. */
  payment_code: string | null
  /** The page to send the payer to, such as the 3-D Secure page. */
  redirect_url: string | null
  /** The link that opens the payment in the payer’s wallet app. */
  deeplink_url: string | null
  /** The text of the QR code that the payer scans. */
  qr_string: string | null
  /** The steps the gateway offers the payer. */
  payer_instructions: PayerInstruction[]
  /** The amount that a card has reserved, in rupiah with two decimals. */
  authorized_amount: Money
  /** The amount that was captured, in rupiah with two decimals. */
  captured_amount: Money
  /** The amount that was refunded so far, in rupiah with two decimals. */
  refund_amount: Money
  /**
   * What the payer's bank took back; null after a partial chargeback, whose amount the gateway
   * does not report.
   */
  charged_back_amount: Money | null
  /**
   * What you have of it: captured, minus refunded, minus charged back; `0.00` while `is_paid` is
   * false. An amount that the gateway does not report is not subtracted.
   */
  net_amount: Money
  /** The largest amount that can be refunded now. */
  refundable_amount: Money
  /** Why nothing can be refunded now; null where it can. */
  refund_unavailable_reason: string | null
  /** The refunds of the payment, oldest first. */
  refunds: Refund[]
  /** The items of the order. */
  items: PaymentItem[]
  /** The invoice that was paid with it; null for a charge of yours. */
  invoice_id: Uuid | null
  /** The checkout on whose page the payer chose it; null for any other payment. */
  checkout_id: Uuid | null
  /** The subscription whose cycle it is; null for any other payment. */
  subscription_id: Uuid | null
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** The first of your own texts; the gateway shows it in its reports. */
  custom_field1: string | null
  /** The second of your own texts. */
  custom_field2: string | null
  /** The third of your own texts. */
  custom_field3: string | null
  /** When the gateway created the transaction. */
  transaction_time: Timestamp | null
  /** When the gateway settled the money. */
  settlement_time: Timestamp | null
  /** Until when the payer can pay. */
  expiry_time: Timestamp | null
  /** When the payment was first seen as paid. */
  paid_at: Timestamp | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** Whether the payment waits for the payer. */
  is_pending: boolean
  /** Whether the payment was denied or cancelled, expired or failed. */
  is_failed: boolean
  /** Whether the payment expired, or is pending and past its expiry time. */
  is_expired: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
  /** When the payment last changed here. */
  updated_at: Timestamp | null
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
  /** The gateway's name of the step, such as `generate-qr-code`. */
  name: string
  /** The HTTP method to call the URL with. */
  method: string
  /** Where the payer, or the payer’s app, goes on. */
  url: string
}

export interface Refund {
  /** The id of the refund. */
  id: Uuid
  /** The key under which the gateway knows the refund; unique. */
  refund_key: string
  /** The refunded amount, in rupiah with two decimals. */
  amount: Money
  /** Why the money was refunded. */
  reason: string | null
  /** Whether the refund was sent to the payment provider at once. */
  is_direct: boolean
  /** `pending`: the gateway has not answered clearly yet, and the amount stays reserved. */
  status: 'pending' | 'succeeded' | 'failed'
  /**
   * Whether it was requested here, found at the gateway (made in its dashboard), or paid outside
   * the gateway and recorded by staff.
   */
  source: 'service' | 'gateway' | 'outside'
  /**
   * The gateway's status code of the answer that confirmed or refused the refund; null until
   * then, and for a refund found at the gateway.
   */
  status_code: string | null
  /** The gateway's message of that answer. */
  status_message: string | null
  /** When the gateway confirmed the refund. */
  confirmed_at: Timestamp | null
  /** When the refund was created here. */
  created_at: Timestamp | null
  /** The number of the transfer of a refund outside the gateway. */
  reference: string | null
}

export interface PaymentItem {
  /** The id of the item. */
  id: Uuid
  /** Your own id of the item. */
  item_id: string | null
  /** The name of the item, as the payer sees it. */
  name: string
  /** The price of one, in rupiah with two decimals. */
  price: Money
  /** How many were ordered. */
  quantity: number
  /** The brand of the item. */
  brand: string | null
  /** The category of the item. */
  category: string | null
  /** The merchant who sells the item. */
  merchant_name: string | null
  /** The page of the item in the shop. */
  url: string | null
  /** Price times quantity, in rupiah with two decimals. */
  subtotal: Money
}

export interface PaymentSummary {
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The payment method. */
  payment_type: PaymentType
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The email address of the customer. */
  customer_email: string | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
}

export interface PaymentListQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StatusChecked {
  /** The payment after the check. */
  payment: Payment
  /** The gateway's reply, without its secrets but the saved token of the caller's own card. */
  gateway_response: unknown
}

export interface RefundInput {
  /** The amount to refund in whole rupiah. */
  amount: AmountInput
  /** Why it is refunded; the gateway stores it too. Up to 255 characters. */
  reason?: string
  /** Whether to send the refund to the payment provider at once. */
  direct?: boolean
}

export interface Refunded {
  /** The payment after the refund. */
  payment: Payment
  /** The refund that was made. */
  refund: Refund
}

export interface CaptureInput {
  /** The amount to capture in whole rupiah; all that was authorized by default. */
  amount?: AmountInput
}

export interface InvoiceSummary {
  /** The id of the invoice. */
  id: Uuid
  /** The number that is printed on the invoice. */
  invoice_number: string
  /** The order id, under which the gateway knows the payments of the invoice. */
  order_id: string
  /** The gateway's status, or `initiated` (not answered clearly yet) or `failure` (refused). */
  status: InvoiceStatus
  /** The name of the customer. */
  customer_name: string
  /** The email address of the customer. */
  customer_email: string
  /** The sum of all items, in rupiah with two decimals. */
  total_amount: Money
  /** The last day to pay, in Jakarta. */
  due_date: string
  /** Whether the due date has passed and the invoice is not paid. */
  is_overdue: boolean
  /** When the invoice was created here. */
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
  /** Only invoices in this status. */
  status?: InvoiceStatus
  /** Only invoices of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only invoices that are due before this day, as 2026-01-31. 10 to 10 characters. */
  due_before?: string
  /** Only invoices that are due after this day, as 2026-01-31. 10 to 10 characters. */
  due_after?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export type InvoiceInput = PaymentLinkInvoiceInput | VirtualAccountInvoiceInput

export interface Items {
  /** Your own id of the item. 1 to 30 characters. */
  item_id?: string
  /** The item, as it is printed on the invoice. 1 to 150 characters. */
  description: string
  /** The price of one in whole rupiah. */
  price: AmountInput
  /** How many are ordered; 1 by default. 1 to 99999999. */
  quantity?: number
}

export interface CommonInvoiceInput {
  /** The name of the customer. 1 to 40 characters. */
  customer_name: string
  /**
   * The email address of the customer; the gateway sends the invoice to it. Up to 255
   * characters.
   */
  customer_email: string
  /**
   * The phone number of the customer, with the country code and without a plus. Fits
   * `^[1-9][0-9]{4,14}$`.
   */
  customer_phone?: string
  /** Your own id of the customer. 1 to 36 characters. */
  customer_id?: string
  /** The last day to pay in Jakarta, as 2026-01-31. Up to 10 characters. */
  due_date: string
  /** The day of the invoice in Jakarta, as 2026-01-31; today by default. Up to 10 characters. */
  invoice_date?: string
  /** What is billed; the sum is the amount of the invoice. At most 200. */
  items: Items[]
  /** Notes that are printed on the invoice. Up to 1000 characters. */
  notes?: string
  /** Your own order id, unique; one is made where it is left out. 1 to 36 characters. */
  order_id?: string
  /** The number of the invoice; one is made where it is left out. 1 to 40 characters. */
  invoice_number?: string
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface PaymentLinkInvoiceInput extends CommonInvoiceInput {
  payment_type?: 'payment_link'
  /** The payment methods that the payment link offers; all by default. At most 40. */
  enabled_payments?: string[]
}

export interface VirtualAccounts {
  /** The bank of the virtual account. */
  bank: VirtualAccountsBank
  /** The account number you want; the gateway chooses one by default. Fits `^[0-9]{1,18}$`. */
  number?: string
}

export type VirtualAccountsBank =
  | 'bca_va'
  | 'mandiri_bill'
  | 'bni_va'
  | 'bri_va'
  | 'cimb_va'
  | 'permata_va'

export interface VirtualAccountInvoiceInput extends CommonInvoiceInput {
  payment_type: 'virtual_account'
  /** The virtual accounts to open, for `virtual_account`. At most 6. */
  virtual_accounts: VirtualAccounts[]
}

export interface Invoice {
  /** The id of the invoice. */
  id: Uuid
  /** The number that is printed on the invoice. */
  invoice_number: string
  /** The order id, under which the gateway knows the payments of the invoice. */
  order_id: string
  /** The gateway's id of the invoice; null until it has answered. */
  gateway_invoice_id: string | null
  /** The gateway's status, or `initiated` (not answered clearly yet) or `failure` (refused). */
  status: InvoiceStatus
  /** The name of the customer. */
  customer_name: string
  /** The email address of the customer. */
  customer_email: string
  /** The phone number of the customer. */
  customer_phone: string | null
  /** Your own id of the customer. */
  customer_id: string | null
  /** The sum of all items, in rupiah with two decimals. */
  total_amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** The day the invoice was issued, in Jakarta. */
  invoice_date: string
  /** The last day to pay, in Jakarta. */
  due_date: string
  /** When the invoice was paid. */
  paid_at: Timestamp | null
  /** The notes that are printed on the invoice. */
  notes: string | null
  /** Why the invoice was voided. */
  void_reason: string | null
  /** The page where the customer pays. */
  payment_link_url: string | null
  /** The invoice as a PDF file. */
  pdf_url: string | null
  /** The virtual accounts the customer can transfer to. */
  virtual_accounts: InvoiceVirtualAccount[]
  /** The items of the invoice. */
  items: InvoiceItem[]
  /** The payments of the invoice, oldest first. */
  payment_ids: Uuid[]
  /** Whether the due date has passed and the invoice is not paid. */
  is_overdue: boolean
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the invoice was created here. */
  created_at: Timestamp | null
  /** When the invoice last changed here. */
  updated_at: Timestamp | null
}

export interface InvoiceVirtualAccount {
  /** The bank of the account, such as `bca_va`. */
  name: string
  /** The account number to transfer to. */
  number: string
}

export interface InvoiceItem {
  /** The id of the item. */
  id: Uuid
  /** Your own id of the item. */
  item_id: string | null
  /** The item, as it is printed on the invoice. */
  description: string
  /** How many were ordered. */
  quantity: number
  /** The price of one, in rupiah with two decimals. */
  price: Money
  /** Price times quantity, in rupiah with two decimals. */
  subtotal: Money
}

export interface VoidInput {
  /** Why the invoice is voided. Up to 255 characters. */
  reason?: string
}

export interface SubscriptionSummary {
  /** The id of the subscription. */
  id: Uuid
  /** The name of the subscription. */
  name: string
  /** The payment method of every cycle. */
  payment_type: 'credit_card' | 'gopay'
  /** The amount of one cycle, in rupiah with two decimals. */
  amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** How many interval units one cycle lasts. */
  interval: number
  /** The unit of the interval. */
  interval_unit: 'day' | 'week' | 'month'
  /** How many cycles there are to be; null: until it is cancelled. */
  max_interval: number | null
  /** How many cycles were paid. */
  current_interval: number
  /**
   * The gateway's `active` or `inactive`, or a status of ours, which a refresh does not
   * overwrite.
   */
  status: SubscriptionStatus
  /** When the gateway charges the next cycle. */
  next_execution_at: Timestamp | null
  /** When the subscription was created here. */
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
  /** Only subscriptions in this status. */
  status?: SubscriptionStatus
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export type SubscriptionInput = CreditCardSubscriptionInput | GopaySubscriptionInput

export interface SubscriptionInputCustomerDetails {
  /** The first name. 1 to 255 characters. */
  first_name?: string
  /** The last name. 1 to 255 characters. */
  last_name?: string
  /** The email address. 1 to 255 characters. */
  email?: string
  /** The phone number. 1 to 255 characters. */
  phone?: string
}

export interface CommonSubscriptionInput {
  /** The name of the subscription. 1 to 255 characters. */
  name: string
  /** The amount of one cycle in whole rupiah. */
  amount: AmountInput
  /**
   * The token of a saved card, or the payment option token of a linked wallet; it is sent on and
   * never stored. 1 to 1000 characters.
   */
  token: string
  /** How many interval units one cycle lasts; 1 by default. 1 to 1000. */
  interval?: number
  /** The unit of the interval; month by default. */
  interval_unit?: 'day' | 'week' | 'month'
  /** How many cycles there are to be; until it is cancelled by default. 1 to 10000. */
  max_interval?: number
  /** When the first cycle is charged, with a zone; at once by default. 1 to 40 characters. */
  start_time?: string
  /** How many retry units the gateway waits before a retry. 1 to 1000. */
  retry_interval?: number
  /** The unit of the retry interval. */
  retry_interval_unit?: 'minute' | 'hour' | 'day'
  /** How often the gateway retries a cycle that failed. 0 to 3. */
  retry_max_interval?: number
  /** Who pays. */
  customer_details?: SubscriptionInputCustomerDetails
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface CreditCardSubscriptionInput extends CommonSubscriptionInput {
  payment_type: 'credit_card'
}

export interface SubscriptionInputGopay {
  /** The gateway's id of the linked GoPay account. 1 to 255 characters. */
  account_id: string
}

export interface GopaySubscriptionInput extends CommonSubscriptionInput {
  payment_type: 'gopay'
  /** Only for `gopay`. */
  gopay: SubscriptionInputGopay
}

export interface Subscription {
  /** The id of the subscription. */
  id: Uuid
  /** The name of the subscription. */
  name: string
  /** The payment method of every cycle. */
  payment_type: 'credit_card' | 'gopay'
  /** The amount of one cycle, in rupiah with two decimals. */
  amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** How many interval units one cycle lasts. */
  interval: number
  /** The unit of the interval. */
  interval_unit: 'day' | 'week' | 'month'
  /** How many cycles there are to be; null: until it is cancelled. */
  max_interval: number | null
  /** How many cycles were paid. */
  current_interval: number
  /**
   * The gateway's `active` or `inactive`, or a status of ours, which a refresh does not
   * overwrite.
   */
  status: SubscriptionStatus
  /** When the gateway charges the next cycle. */
  next_execution_at: Timestamp | null
  /** When the subscription was created here. */
  created_at: Timestamp
  /** The gateway's id of the subscription; null until it has answered. */
  gateway_subscription_id: string | null
  /** When the first cycle is charged. */
  start_time: Timestamp | null
  /** How many retry units the gateway waits before a retry. */
  retry_interval: number | null
  /** The unit of the retry interval. */
  retry_interval_unit: 'minute' | 'hour' | 'day' | null
  /** How often the gateway retries a cycle that failed. */
  retry_max_interval: number | null
  /** The payment of the latest cycle. */
  last_payment_id: Uuid | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the subscription last changed here. */
  updated_at: Timestamp
}

export interface CheckoutSummary {
  /** The id of the checkout. */
  id: Uuid
  /** The order id, under which the gateway knows the payments of the checkout. */
  order_id: string
  /**
   * `initiated` (not answered clearly yet), `failure` (there is no page), `open`, `completed`
   * (paid), `expired` or `cancelled`.
   */
  status: CheckoutStatus
  /** The amount to pay, in rupiah with two decimals. */
  amount: Money
  /** What it is for. */
  description: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The payment that counts; null until one is paid. */
  payment_id: Uuid | null
  /** When the page ends; null until the gateway has answered. */
  expires_at: Timestamp | null
  /** When the checkout was created here. */
  created_at: Timestamp | null
}

export type CheckoutStatus =
  | 'initiated'
  | 'failure'
  | 'open'
  | 'completed'
  | 'expired'
  | 'cancelled'

export interface CheckoutListQuery {
  /** Only checkouts in this status. */
  status?: CheckoutStatus
  /** Only checkouts of this order id. 1 to 50 characters. */
  order_id?: string
  /** Only checkouts created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only checkouts created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface CheckoutInput {
  /** The amount to pay in whole rupiah. */
  amount: AmountInput
  /** Your own order id, never used before; one is made where it is left out. 1 to 50 characters. */
  order_id?: string
  /** What it is for, for you and your staff; the payer does not see it. 1 to 255 characters. */
  description?: string
  /** What is ordered; the sum must be the amount. At most 200. */
  item_details?: ItemDetails[]
  /** Who pays. */
  customer_details?: CustomerDetails
  /** The methods the payer can choose from; all by default. At most 11. */
  payment_types?: PaymentType[]
  /** How long the payer can choose a method on the page; a day by default. 5 to 10080. */
  page_expiry_minutes?: number
  /**
   * How long the payer can pay by the chosen method; the method's own time by default. 1 to
   * 43200.
   */
  payment_expiry_minutes?: number
  /** Where the payer returns to from the page. Read the checkout there. Up to 1000 characters. */
  return_url?: string
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface Checkout {
  /** The id of the checkout. */
  id: Uuid
  /** The order id, under which the gateway knows the payments of the checkout. */
  order_id: string
  /**
   * `initiated` (not answered clearly yet), `failure` (there is no page), `open`, `completed`
   * (paid), `expired` or `cancelled`.
   */
  status: CheckoutStatus
  /** The amount to pay, in rupiah with two decimals. */
  amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** What it is for. */
  description: string | null
  /** The methods the payer can choose from; null: all. */
  payment_types: PaymentType[] | null
  /** Where the payer returns to from the page. */
  return_url: string | null
  /** How long the payer can choose a method on the page. */
  page_expiry_minutes: number
  /** How long the payer can pay by the chosen method; null: the method's own time. */
  payment_expiry_minutes: number | null
  /** When the page ends; null until the gateway has answered. */
  expires_at: Timestamp | null
  /** When the first payment was paid. */
  completed_at: Timestamp | null
  /** The payment that counts; null until one is paid. */
  payment_id: Uuid | null
  /** The payments made on the page, oldest first: one for each method the payer chose. */
  payment_ids: Uuid[]
  /**
   * After a cancellation: whether the gateway closed the page. If false, the payer may still pay
   * until `expires_at`; such money opens an alarm.
   */
  page_closed: boolean | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** What is ordered. */
  items: CheckoutItem[]
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the checkout was created here. */
  created_at: Timestamp | null
  /** When the checkout last changed here. */
  updated_at: Timestamp | null
  /** The page's token for the gateway's popup script; null once the page has ended. */
  token: string | null
  /** The page's address for the payer; null once the page has ended. */
  redirect_url: string | null
}

export interface CheckoutItem {
  /** Your own id of the item. */
  item_id: string | null
  /** The name of the item. */
  name: string
  /** The price of one, in rupiah with two decimals. */
  price: Money
  /** How many were ordered. */
  quantity: number
}

export interface PublishedEvent {
  /** What happened; later releases may add to the list. */
  type: PublishedEventType
  /** When it happened. */
  timestamp: Timestamp
  /** The event itself. */
  data: PublishedEventData
}

export type PublishedEventType =
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
  | 'checkout_created'
  | 'checkout_completed'
  | 'checkout_expired'
  | 'checkout_cancelled'
  | 'alarm_opened'
  | 'endpoint_disabled'
  | 'gateway_silent'
  | 'refund_request_opened'

export interface PublishedEventData {
  /** The id of the event, the same wherever it is published: deduplicate by it. */
  id: Uuid
  /** The number of the event among the events of its object, from 1 without gaps. */
  sequence: number
  /**
   * The payment, invoice or subscription as it stood at that moment, in the form that its own
   * route replies with.
   */
  object: Record<string, unknown>
  /** The status of the object before. */
  previous_status: string | null
  /** Where the change came from. */
  source: PublishedEventDataSource
  /** The notification that caused it, if one did. */
  notification_id?: Uuid
  /** Of `payment_refunded`: the refund that was made. */
  refund?: Record<string, unknown>
}

export type PublishedEventDataSource =
  | 'charge'
  | 'notification'
  | 'check_status'
  | 'action'
  | 'sweep'
  | 'resolver'
  | 'staff'

export interface EventListQuery {
  /**
   * Where to continue: the `next` of the last page, or `now`; without it, from the oldest event
   * that is stored. 1 to 200 characters.
   */
  after?: string
  /** Only events of these types, with commas between them. 1 to 1000 characters. */
  types?: string
  /** Only events of this owner; staff see those of every owner without it. 1 to 255 characters. */
  owner_id?: string
  /** The most events of one page: 1 to 500, 100 by default. */
  limit?: number
}

export interface WebhookEndpoint {
  /** The id of the endpoint. */
  id: Uuid
  /** The owner whose events it gets; null: the events of every owner. */
  owner_id: string | null
  /** Where events are posted to. */
  url: string
  /** The types it gets; null: every type of payments, invoices and subscriptions. */
  types: PublishedEventType[] | null
  /** For your own use. */
  description: string
  /** `paused` by you, `disabled` by the service; in both states events wait. */
  state: 'enabled' | 'paused' | 'disabled'
  /** Why the service disabled it. */
  disabled_reason: string | null
  /** Since when every attempt failed; null after a success. */
  failing_since: Timestamp | null
  /** The key that verifies `v1a` signatures, if it was asked for. */
  public_key: string | null
  /** When the endpoint was created. */
  created_at: Timestamp
  /** When it was last changed. */
  updated_at: Timestamp
}

export interface WebhookEndpointListQuery {
  /** Only endpoints in this state. */
  state?: 'enabled' | 'paused' | 'disabled'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface WebhookEndpointInput {
  /** Where events are posted to: https, port 443, a public address. 1 to 2000 characters. */
  url: string
  /** Only these types; null or left out: every type of payments, invoices and subscriptions. */
  types?: PublishedEventType[] | null
  /** For your own use. Up to 200 characters. */
  description?: string
  /** For staff: the events of every owner instead of your own. */
  all_owners?: boolean
  /** Sign with Ed25519 (`v1a`) as well; the public key is shown. */
  ed25519?: boolean
}

export interface WebhookEndpointWithSecret {
  /** The id of the endpoint. */
  id: Uuid
  /** The owner whose events it gets; null: the events of every owner. */
  owner_id: string | null
  /** Where events are posted to. */
  url: string
  /** The types it gets; null: every type of payments, invoices and subscriptions. */
  types: PublishedEventType[] | null
  /** For your own use. */
  description: string
  /** `paused` by you, `disabled` by the service; in both states events wait. */
  state: 'enabled' | 'paused' | 'disabled'
  /** Why the service disabled it. */
  disabled_reason: string | null
  /** Since when every attempt failed; null after a success. */
  failing_since: Timestamp | null
  /** The key that verifies `v1a` signatures, if it was asked for. */
  public_key: string | null
  /** When the endpoint was created. */
  created_at: Timestamp
  /** When it was last changed. */
  updated_at: Timestamp
  /** The secret that signs, shown this once: store it where the receiver finds it. */
  secret: string
}

export interface WebhookEndpointChange {
  /** Where events are posted to: https, port 443, a public address. 1 to 2000 characters. */
  url?: string
  /** Only these types; null or left out: every type of payments, invoices and subscriptions. */
  types?: PublishedEventType[] | null
  /** For your own use. Up to 200 characters. */
  description?: string
}

export interface WebhookEnableInput {
  /**
   * Continue with the events from this time on instead of where it stopped; earlier ones are
   * sent again, later ones skipped. 10 to 40 characters.
   */
  from?: string
}

export interface WebhookDeleteInput {
  /** Why it is deleted, for the audit; required of staff. 3 to 255 characters. */
  reason?: string
}

export interface QueuedDeliveries {
  /** The endpoint. */
  id: Uuid
  /** The id of a test event, as in `webhook-id`; null of a resend. */
  event_id: Uuid | null
  /** How many events a worker sends now; the log shows them. */
  queued: number
}

export interface WebhookResendInput {
  /**
   * Send the event of this delivery again. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  delivery_id?: string
  /** Send the events of all deliveries from this time on again. 10 to 40 characters. */
  from?: string
  /** Only of deliveries before this time; now if left out. 10 to 40 characters. */
  to?: string
  /** Of a range, only those that came to this. */
  outcome?: 'delivered' | 'failed'
}

export interface WebhookDelivery {
  /** The id of the attempt. */
  id: Uuid
  /** The endpoint. */
  endpoint_id: Uuid
  /** The id of the event, as in `webhook-id`. */
  event_id: Uuid
  /** The type of the event; `webhook_test` of a test. */
  type: string
  /** The payment, invoice or subscription of the event; null of a test. */
  object_id: Uuid | null
  /** The number of the event among those of its object; null of a test. */
  sequence: number | null
  /** The owner of that object; null of a test. */
  owner_id: string | null
  /** Which attempt it was, from 1. */
  attempt: number
  /** What came of it; only 2xx is a delivery. */
  outcome: 'delivered' | 'failed'
  /** What failed; null if it was delivered. */
  error_class: ErrorClass | null
  /** Where it was posted to. */
  url: string
  /** The HTTP status of the response; null without one. */
  response_status: number | null
  /** The first 2 kB of the response. */
  response_body: string
  /** How long it took, in milliseconds. */
  duration_ms: number
  /** When the attempt ended. */
  created_at: Timestamp
}

export type ErrorClass =
  | 'address_refused'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'redirect'
  | 'status'

export interface WebhookDeliveryListQuery {
  /**
   * The endpoint whose deliveries are listed. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  endpoint_id: string
  /** Only attempts that came to this. */
  outcome?: 'delivered' | 'failed'
  /**
   * Only attempts to deliver this event. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  event_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface WebhookDeliveryDetail {
  /** The id of the attempt. */
  id: Uuid
  /** The endpoint. */
  endpoint_id: Uuid
  /** The id of the event, as in `webhook-id`. */
  event_id: Uuid
  /** The type of the event; `webhook_test` of a test. */
  type: string
  /** The payment, invoice or subscription of the event; null of a test. */
  object_id: Uuid | null
  /** The number of the event among those of its object; null of a test. */
  sequence: number | null
  /** The owner of that object; null of a test. */
  owner_id: string | null
  /** Which attempt it was, from 1. */
  attempt: number
  /** What came of it; only 2xx is a delivery. */
  outcome: 'delivered' | 'failed'
  /** What failed; null if it was delivered. */
  error_class: ErrorClass | null
  /** Where it was posted to. */
  url: string
  /** The HTTP status of the response; null without one. */
  response_status: number | null
  /** The first 2 kB of the response. */
  response_body: string
  /** How long it took, in milliseconds. */
  duration_ms: number
  /** When the attempt ended. */
  created_at: Timestamp
  /** The body that was posted; null of a test or a dropped event. */
  request_body: string | null
  /** When the event is tried again; null if it is not. */
  next_attempt_at: Timestamp | null
}

export interface StaffIdentity {
  /** The name under which the caller is recorded. */
  owner_id: string
  /** What the caller may do. */
  scopes: Scopes[]
  /** The gateway environment of this installation. */
  environment: 'production' | 'sandbox'
  /** The cells, if payments of all of them can be listed here. */
  cells?: CellsOfService
}

export type Scopes =
  | 'payments:write'
  | 'payments:refund'
  | 'payments:capture'
  | 'invoices:write'
  | 'subscriptions:write'
  | 'webhooks:write'
  | 'staff:read'
  | 'staff:act'
  | 'staff:manage'

export interface CellsOfService {
  /** The name of this cell. */
  here: string
  /** The other cells. */
  others: OtherCell[]
}

export interface OtherCell {
  /** The name of the cell. */
  name: string
  /** Where staff open its dashboard; null: not configured. */
  dashboard_url: string | null
}

export interface StaffPaymentSummary {
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The payment method. */
  payment_type: PaymentType
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The email address of the customer. */
  customer_email: string | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
  /** The owner of the payment. */
  owner_id: string
  /** The gateway's id of the payment. */
  transaction_id: string | null
  /** The bank of the virtual account, or the acquiring bank of a card. */
  bank: string | null
  /** The convenience store where the payer pays in cash. */
  store: string | null
  /** The fraud check of a card payment. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  /** The amount that was refunded so far, in rupiah with two decimals. */
  refund_amount: Money
  /** The first and last name of the customer. */
  customer_name: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** The virtual account number to transfer to. */
  va_number: string | null
  /** The bill key of a Mandiri bill payment. */
  bill_key: string | null
  /** The code the payer shows at the convenience store. */
  payment_code: string | null
  /** Until when the payer can pay. */
  expiry_time: Timestamp | null
  /** When the payment was first seen as paid. */
  paid_at: Timestamp | null
}

export interface StaffPaymentListQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments still pending past their expiry time. */
  overdue?: 'true'
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only the payment with this id of the gateway's. 1 to 100 characters. */
  transaction_id?: string
  /** Only payments into this virtual account. 1 to 100 characters. */
  va_number?: string
  /** Only payments with this Mandiri bill key. 1 to 100 characters. */
  bill_key?: string
  /** Only payments with this code for a convenience store. 1 to 100 characters. */
  payment_code?: string
  /** Only payments of exactly this amount, as 150000.00. 1 to 20 characters. */
  gross_amount?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments of this invoice. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /**
   * Only payments made on the page of this checkout. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  checkout_id?: string
  /**
   * Only payments into a virtual account of this bank, or by cards it acquires. Fits
   * `^[a-z0-9_]{2,20}$`.
   */
  bank?: string
  /** Only payments first paid at this time or later; with a zone. 1 to 40 characters. */
  paid_from?: string
  /** Only payments first paid before this time; with a zone. 1 to 40 characters. */
  paid_before?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** In which order; `newest` first by default. */
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffPaymentExportQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments still pending past their expiry time. */
  overdue?: 'true'
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only the payment with this id of the gateway's. 1 to 100 characters. */
  transaction_id?: string
  /** Only payments into this virtual account. 1 to 100 characters. */
  va_number?: string
  /** Only payments with this Mandiri bill key. 1 to 100 characters. */
  bill_key?: string
  /** Only payments with this code for a convenience store. 1 to 100 characters. */
  payment_code?: string
  /** Only payments of exactly this amount, as 150000.00. 1 to 20 characters. */
  gross_amount?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments of this invoice. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /**
   * Only payments made on the page of this checkout. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  checkout_id?: string
  /**
   * Only payments into a virtual account of this bank, or by cards it acquires. Fits
   * `^[a-z0-9_]{2,20}$`.
   */
  bank?: string
  /** Only payments first paid at this time or later; with a zone. 1 to 40 characters. */
  paid_from?: string
  /** Only payments first paid before this time; with a zone. 1 to 40 characters. */
  paid_before?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** In which order; `newest` first by default. */
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
}

export interface PaymentTotals {
  /** How many payments match the filters. */
  count: number
  /** The sum of their amounts, in rupiah with two decimals. */
  gross_amount: Money
  /** False: estimated from a sample, because counting all would be slow. */
  exact: boolean
}

export interface StaffPayment {
  /** The payment. */
  payment: Payment
  /** The owner of the payment. */
  owner_id: string
  /** The subscription it is a cycle of. */
  subscription_id: Uuid | null
  /** The invoice it pays. */
  invoice_id: Uuid | null
  /** What the gateway is expected to charge for it, by the rate card. */
  expected: ExpectedFees
  /** Grows by one with every transition. */
  version: number
  /** When the gateway is asked about it next; null: not at all. */
  next_check_at: Timestamp | null
  /** How often the gateway was asked since the last transition. */
  check_attempts: number
  /** Why the payment is in its status. */
  why: PaymentWhy
  /** What can be done with it now, and why not. */
  actions: PossibleAction[]
  /** Whether and how much can be refunded now. */
  refund: PossibleRefund
  /** Refunds that need or needed a second staff member. */
  refund_requests: RefundRequest[]
  /** Every transition, oldest first. */
  transitions: Transition[]
  /** The latest calls to the gateway, oldest first. */
  operations: Operation[]
  /** The latest notifications, oldest first. */
  notifications: NotificationSummary[]
  /** The events that were published, oldest first. */
  events: ObjectEvent[]
  /** The latest alarms, newest first. */
  alarms: Alarm[]
  /** The notes of staff. */
  notes: StaffNote[]
  /** The audit entries, newest first. */
  acts: StaffAct[]
}

export interface ExpectedFees {
  /** The expected fee; null if it is not paid, or no rate is known. */
  expected_fee: Money | null
  /** The VAT on the fee. */
  expected_vat: Money | null
  /** What should be paid out: the net amount less fee and VAT. */
  expected_net: Money | null
}

export interface PaymentWhy {
  /** Why the payment is in its status. */
  code: PaymentWhyCode
  /** Where the latest transition came from. */
  source: PublishedEventDataSource | null
  /** When the latest transition was recorded. */
  occurred_at: Timestamp | null
  /** The notification or operation that proves it. */
  evidence_id: Uuid | null
  /** Why it happened, where that needs words. */
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

export interface PossibleAction {
  /** The action. */
  name: PossibleActionName
  /** Whether it is possible now. */
  allowed: boolean
  /** The error code that it would be refused with; null where it is possible. */
  refusal: string | null
  /** The same in words. */
  why_not: string | null
}

export type PossibleActionName = 'cancel' | 'expire' | 'capture' | 'approve' | 'deny'

export interface PossibleRefund {
  /** Whether it is possible now. */
  allowed: boolean
  /** The error code that it would be refused with; null where it is possible. */
  refusal: string | null
  /** The same in words. */
  why_not: string | null
  /** The largest amount that can be refunded now. */
  refundable_amount: Money
  /** Whether a part can be refunded. */
  partial: boolean
  /** Until when the payment method allows a refund. */
  window_ends_at: Timestamp | null
  /** Whether a refund outside the gateway can be recorded. */
  outside: boolean
}

export interface RefundRequest {
  /** The id of the request. */
  id: Uuid
  /** The payment to refund. */
  payment_id: Uuid
  /** The owner of the payment. */
  owner_id: string
  /** The amount to refund, in rupiah with two decimals. */
  amount: Money
  /** Why it is to be refunded. */
  reason: string
  /** Whether the refund is to be sent to the payment provider at once. */
  is_direct: boolean
  /** The caller who requested the refund. */
  requested_by: string
  /** Whether that caller is a staff member. */
  requested_by_staff: boolean
  /** `held` waits for a second staff member. */
  state: 'held' | 'approved' | 'declined' | 'expired'
  /** The staff member who approved or declined it. */
  decided_by: string | null
  /** When it was approved or declined. */
  decided_at: Timestamp | null
  /** Why it was approved or declined. */
  decision_reason: string | null
  /** When the refund was requested. */
  created_at: Timestamp
  /** Until when it can be approved. */
  expires_at: Timestamp
  /** Whether it was paid outside the gateway and is only recorded. */
  outside: boolean
  /** The number of the transfer, if it was paid outside the gateway. */
  reference: string | null
  /** What else proves that it was paid. */
  evidence: string | null
}

export interface Transition {
  /** What kind of object changed. */
  object_kind: 'payment' | 'invoice' | 'subscription' | 'checkout'
  /** The object that changed. */
  object_id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** The version of the object after the transition. */
  version: number
  /** The status before; null for the first. */
  from_status: string | null
  /** The status after. */
  to_status: string
  /** Where the change came from. */
  source: PublishedEventDataSource
  /** The notification or operation that proves the transition. */
  evidence_id: Uuid | null
  /** Why it happened, where that needs words. */
  reason: string | null
  /** When the transition was recorded. */
  occurred_at: Timestamp
}

export interface Operation {
  /** The id of the operation; it is also the idempotency key at the gateway. */
  id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** Which call to the gateway it is. */
  kind: OperationKind
  /** What kind of object it changes. */
  subject_kind: 'payment' | 'invoice' | 'subscription' | 'checkout'
  /** The object it changes. */
  subject_id: Uuid
  /** The refund it makes; null for other operations. */
  refund_id: Uuid | null
  /** What was sent, without tokens, card data and keys. */
  request: Record<string, unknown>
  /** What the gateway answered; null until it has. */
  reply: Record<string, unknown> | null
  /** `unknown`: it was sent and its outcome is unknown; the resolver queries the gateway. */
  state: 'started' | 'succeeded' | 'refused' | 'unknown'
  /** How many attempts there were; only the latest may record a result. */
  attempt: number
  /** When the resolver takes it up next; null where it has ended. */
  due_at: Timestamp | null
  /** When it was last sent. */
  sent_at: Timestamp
  /** How often it was sent. */
  sends: number
  /** When the operation was created. */
  created_at: Timestamp
  /** When the operation last changed. */
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
  | 'create_checkout'
  | 'cancel_checkout'

export interface NotificationSummary {
  /** The id of the notification. */
  id: Uuid
  /** The payment it is about; null where the order is unknown here. */
  payment_id: Uuid | null
  /** The owner of the payment; null where the order is unknown here. */
  owner_id: string | null
  /** The order id, as the gateway sent it. */
  order_id: string | null
  /** The gateway's id of the payment, as it was sent. */
  transaction_id: string | null
  /** The status, as the gateway sent it. */
  transaction_status: string | null
  /** The fraud status, as the gateway sent it. */
  fraud_status: string | null
  /** The payment method, as the gateway sent it. */
  payment_type: string | null
  /** The status code, as the gateway sent it. */
  status_code: string | null
  /** The amount, as the gateway sent it. */
  gross_amount: string | null
  /** What became of it; `deferred`: the gateway is asked before the payment changes. */
  effect: Effect
  /** Why it had this effect. */
  reason: string | null
  /** Which server key verified it: `current` or `previous`. */
  verified_with: string | null
  /** When it was received. */
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
  /** The id of the event. */
  id: Uuid
  /** The signal of the event. */
  type: ObjectEventType
  /** The number of the event among the events of its object, from 1. */
  sequence: number
  /** The status before the event. */
  previous_status: string | null
  /** Where the change came from. */
  source: PublishedEventDataSource
  /** The notification that caused the event. */
  notification_id: Uuid | null
  /** When the event happened. */
  occurred_at: Timestamp
  /** Subscribers that have not received it yet. */
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
  | 'checkout_created'
  | 'checkout_completed'
  | 'checkout_expired'
  | 'checkout_cancelled'

export interface Alarm {
  /** The id of the alarm. */
  id: Uuid
  /** What happened; the runbook says what to do about each kind. */
  kind: AlarmKind
  /** What kind of object the alarm is about. */
  subject_kind: SubjectKind
  /** The object the alarm is about. */
  subject_id: Uuid
  /** The owner of the object; null where no owner is known. */
  owner_id: string | null
  /** What was seen, in words. */
  detail: string
  /** When the alarm was opened. */
  created_at: Timestamp
  /** When the alarm was closed; null while it is open. */
  closed_at: Timestamp | null
  /** The staff member or process that closed the alarm. */
  closed_by: string | null
  /** What was found, one line for each note. */
  note: string | null
  /** Since when a staff member works on the alarm. */
  taken_at: Timestamp | null
  /** The staff member who works on the alarm. */
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
  | 'endpoint_disabled'
  | 'paid_twice'

export type SubjectKind =
  | 'payment'
  | 'invoice'
  | 'subscription'
  | 'checkout'
  | 'notification'
  | 'operation'
  | 'event'
  | 'endpoint'

export interface StaffNote {
  /** The id of the note. */
  id: Uuid
  /** The payment the note is about. */
  subject_id: Uuid
  /** The owner of the payment. */
  owner_id: string | null
  /** The staff member who wrote the note. */
  author: string
  /** The note. */
  text: string
  /** When the note was written. */
  created_at: Timestamp
}

export interface StaffAct {
  /** The id of the audit entry. */
  id: Uuid
  /** When it was done. */
  occurred_at: Timestamp
  /** Who did it. */
  actor: string
  /** What kind of actor that is. */
  actor_kind: 'owner' | 'staff' | 'system'
  /** What was done, such as `payment.refund`. */
  action: string
  /** The reason that was given. */
  reason: string | null
  /** The request it was done with. */
  request_id: string | null
  /** The operation at the gateway that it started. */
  operation_id: Uuid | null
}

export interface PaymentPulse {
  /** The id of the payment. */
  id: Uuid
  /** Grows by one with every transition. */
  version: number
  /** When the payment last changed. */
  updated_at: Timestamp
  /** When its refund requests last changed. */
  refund_requests_at: Timestamp | null
}

export interface NoteInput {
  /** The note; the other staff members read it. 1 to 2000 characters. */
  text: string
}

export interface StaffActInput {
  /** Why it is done; it is stored in the audit. Up to 255 characters. */
  reason?: string
}

export interface StaffReasonInput {
  /** Why it is done; it is stored in the audit. 3 to 255 characters. */
  reason: string
}

export interface StaffCaptureInput {
  /** The amount to capture in whole rupiah; all that was authorized by default. */
  amount?: AmountInput
  /** Why it is done; it is stored in the audit. 3 to 255 characters. */
  reason: string
}

export interface StaffRefundInput {
  /** The amount to refund in whole rupiah. */
  amount: AmountInput
  /** Why it is done; it is stored in the audit. 3 to 255 characters. */
  reason: string
  /** Whether to send the refund to the payment provider at once. */
  direct?: boolean
}

export interface OutsideRefundInput {
  /** The amount that was refunded, in whole rupiah. */
  amount: AmountInput
  /** Why it is done; it is stored in the audit. 3 to 255 characters. */
  reason: string
  /** The number of the bank transfer, as the bank shows it. 3 to 100 characters. */
  reference: string
  /** What else proves it, such as where the slip is kept. Up to 1000 characters. */
  evidence?: string
}

export interface CellPaymentPage {
  /** The payments of this page. */
  results: CellPaymentSummary[]
  /**
   * The `cursor` of the next page; null on the last. While a cell is unreachable there is always
   * one, which keeps its place.
   */
  next_cursor: string | null
  /** Cells that did not answer, whose payments are missing here; they follow once it answers. */
  unreachable: string[]
}

export interface CellPaymentSummary {
  /** The cell that has the payment. */
  cell: string
  /** The id of the payment. */
  id: Uuid
  /** The order id, under which the gateway knows the payment; unique. */
  order_id: string
  /** The payment method. */
  payment_type: PaymentType
  /** The amount the payer is asked to pay, in rupiah with two decimals. */
  gross_amount: Money
  /**
   * The gateway's own status, or `initiated`: stored, and the gateway has not answered clearly
   * yet.
   */
  transaction_status: TransactionStatus
  /** The email address of the customer. */
  customer_email: string | null
  /** Whether the merchant has the money, in whole or in part; a payment in review is not paid. */
  is_paid: boolean
  /** When the payment was created here. */
  created_at: Timestamp | null
  /** The owner of the payment. */
  owner_id: string
  /** The gateway's id of the payment. */
  transaction_id: string | null
  /** The bank of the virtual account, or the acquiring bank of a card. */
  bank: string | null
  /** The convenience store where the payer pays in cash. */
  store: string | null
  /** The fraud check of a card payment. */
  fraud_status: 'accept' | 'challenge' | 'deny' | null
  /** The amount that was refunded so far, in rupiah with two decimals. */
  refund_amount: Money
  /** The first and last name of the customer. */
  customer_name: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** The virtual account number to transfer to. */
  va_number: string | null
  /** The bill key of a Mandiri bill payment. */
  bill_key: string | null
  /** The code the payer shows at the convenience store. */
  payment_code: string | null
  /** Until when the payer can pay. */
  expiry_time: Timestamp | null
  /** When the payment was first seen as paid. */
  paid_at: Timestamp | null
}

export interface StaffCellListPaymentsQuery {
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments still pending past their expiry time. */
  overdue?: 'true'
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
  /** Only the payment with this order id. 1 to 100 characters. */
  order_id?: string
  /** Only payments of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only the payment with this id of the gateway's. 1 to 100 characters. */
  transaction_id?: string
  /** Only payments into this virtual account. 1 to 100 characters. */
  va_number?: string
  /** Only payments with this Mandiri bill key. 1 to 100 characters. */
  bill_key?: string
  /** Only payments with this code for a convenience store. 1 to 100 characters. */
  payment_code?: string
  /** Only payments of exactly this amount, as 150000.00. 1 to 20 characters. */
  gross_amount?: string
  /**
   * Only payments of this subscription. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subscription_id?: string
  /** Only payments of this invoice. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  invoice_id?: string
  /**
   * Only payments made on the page of this checkout. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  checkout_id?: string
  /**
   * Only payments into a virtual account of this bank, or by cards it acquires. Fits
   * `^[a-z0-9_]{2,20}$`.
   */
  bank?: string
  /** Only payments first paid at this time or later; with a zone. 1 to 40 characters. */
  paid_from?: string
  /** Only payments first paid before this time; with a zone. 1 to 40 characters. */
  paid_before?: string
  /** Only payments created at this time or later; with a zone. 1 to 40 characters. */
  created_from?: string
  /** Only payments created before this time; with a zone. 1 to 40 characters. */
  created_before?: string
  /** In which order; `newest` first by default. */
  sort?: 'newest' | 'oldest' | 'highest' | 'lowest'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /**
   * Where the page begins: the `next_cursor` of the page before, unchanged. 1 to 4000
   * characters.
   */
  cursor?: string
}

export interface Searched {
  /** One entry for each reading of the term that found payments. */
  matches: SearchMatch[]
  /** Everything that changed up to then is found. */
  fresh_at: Timestamp
  /** Whether a part of an order id or a name is found, and not only its beginning. */
  parts: boolean
}

export interface SearchMatch {
  /** Which property of a payment the term was read as. */
  kind: SearchMatchKind
  /** The term as that property writes it. */
  value: string
  /** The first payments that match. */
  results: StaffPaymentSummary[]
  /** How many of them, the first ones, are equal to the term; others begin with it. */
  equal: number
  /** Whether more payments match than are shown. */
  more: boolean
}

export type SearchMatchKind =
  | 'id'
  | 'transaction_id'
  | 'order_id'
  | 'customer_name'
  | 'customer_phone'
  | 'customer_email'
  | 'va_number'
  | 'bill_key'
  | 'payment_code'
  | 'refund_key'
  | 'card_last_four'
  | 'gross_amount'
  | 'created_on'

export interface StaffSearchPaymentsQuery {
  /**
   * A name, phone number, email address, part of an order id, other id or number, refund key,
   * last four digits of a card, amount or day. 1 to 255 characters.
   */
  q: string
}

export interface Customer {
  /** The payments, newest first. */
  payments: StaffPaymentSummary[]
  /** The invoices, newest first. */
  invoices: InvoiceSummary[]
  /** The subscriptions, newest first. */
  subscriptions: SubscriptionSummary[]
  /** The checkouts, newest first. */
  checkouts: CheckoutSummary[]
  /** Whether there are more of a kind than the 100 newest, which are shown. */
  more: boolean
  /** Everything that changed up to then is included. */
  fresh_at: Timestamp
}

export interface StaffCustomerGetQuery {
  /** The email address, as a whole. 3 to 255 characters. */
  email?: string
  /** The phone number in any spelling, as 0812… or +62 812…. 5 to 30 characters. */
  phone?: string
}

export interface StaffRefundRequestListQuery {
  /** Only requests in this state. */
  state?: 'held' | 'approved' | 'declined' | 'expired'
  /**
   * Only requests about this payment. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  payment_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface ReasonInput {
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason: string
}

export interface StaffRefund {
  /** The id of the refund. */
  id: Uuid
  /** The payment that was refunded. */
  payment_id: Uuid
  /** The order id of the payment. */
  order_id: string
  /** The payment method. */
  payment_type: PaymentType
  /** The owner of the payment. */
  owner_id: string
  /** The key under which the refund is known. */
  refund_key: string
  /** The refunded amount, in rupiah with two decimals. */
  amount: Money
  /** Why it was refunded. */
  reason: string
  /** Whether the refund was sent to the payment provider at once. */
  is_direct: boolean
  /** `pending`: the gateway has not answered clearly yet. */
  status: 'pending' | 'succeeded' | 'failed'
  /** Where it was made; `outside`: by staff, outside the gateway. */
  source: 'service' | 'gateway' | 'outside'
  /** The gateway's message of its answer. */
  status_message: string | null
  /** Who requested it. */
  requested_by: string | null
  /** Who else approved it. */
  approved_by: string | null
  /** The number of the transfer, if it was paid outside the gateway. */
  reference: string | null
  /** What else proves that it was paid. */
  evidence: string | null
  /** When it was confirmed. */
  confirmed_at: Timestamp | null
  /** When it was created here. */
  created_at: Timestamp
}

export interface StaffRefundListQuery {
  /** Only refunds in this status. */
  status?: 'pending' | 'succeeded' | 'failed'
  /** Only refunds from this source. */
  source?: 'service' | 'gateway' | 'outside'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StaffCheckoutInput {
  /** The owner that the checkout and its payments are to belong to. 1 to 255 characters. */
  owner_id: string
  /** The amount to pay in whole rupiah. */
  amount: AmountInput
  /** Your own order id, never used before; one is made where it is left out. 1 to 50 characters. */
  order_id?: string
  /** What it is for, for you and your staff; the payer does not see it. 1 to 255 characters. */
  description?: string
  /** What is ordered; the sum must be the amount. At most 200. */
  item_details?: ItemDetails[]
  /** Who pays. */
  customer_details?: CustomerDetails
  /** The methods the payer can choose from; all by default. At most 11. */
  payment_types?: PaymentType[]
  /** How long the payer can choose a method on the page; a day by default. 5 to 10080. */
  page_expiry_minutes?: number
  /**
   * How long the payer can pay by the chosen method; the method's own time by default. 1 to
   * 43200.
   */
  payment_expiry_minutes?: number
  /** Where the payer returns to from the page. Read the checkout there. Up to 1000 characters. */
  return_url?: string
  /** Your own data; it is stored and returned as it was given. */
  metadata?: Record<string, unknown>
}

export interface ExportScheduleList {
  /** Whether a channel of e-mail and the public address are set up; else none is sent. */
  by_mail: boolean
  /** All schedules, by name. */
  results: ExportSchedule[]
}

export interface ExportSchedule {
  /** The id of the schedule. */
  id: Uuid
  /** Its name in the list. */
  name: string
  /** How long the period of one export is. */
  every: 'day' | 'week' | 'month'
  /** The form of the file. */
  format: 'csv' | 'xlsx'
  /** Whether the day counts on which a payment was created or paid. */
  day_of: 'created' | 'paid'
  /** Of the mail. */
  language: 'en' | 'id'
  /** Who gets the mail. */
  recipients: string[]
  /** Only payments in this status. */
  status: string | null
  /** Only payments with this payment method. */
  payment_type: string | null
  /** Only payments by this bank. */
  bank: string | null
  /** Only payments of this owner. */
  owner_id: string | null
  /** Who made it. */
  created_by: string
  /** When it was made. */
  created_at: Timestamp
  /** The first day in Jakarta of the period whose mail comes next. */
  period_from: string
  /** When that mail is sent. */
  due_at: Timestamp
  /** When the last mail was sent; null: none yet. */
  sent_at: Timestamp | null
  /** Whether sending failed and is tried again every five minutes. */
  failed: boolean
}

export interface ExportScheduleInput {
  /** The name in the list; no other schedule may have it. It is in no mail. 1 to 80 characters. */
  name: string
  /** How long the period of one export is. */
  every: 'day' | 'week' | 'month'
  /** The form of the file. */
  format: 'csv' | 'xlsx'
  /** Which day counts: `paid`, by default, or `created`. */
  day_of?: 'created' | 'paid'
  /** Of the mail; `id` by default. */
  language?: 'en' | 'id'
  /** Who gets the mail. The link in it takes a sign-in as staff. At most 20. */
  recipients: string[]
  /** Only payments in this status. */
  status?: TransactionStatus
  /** Only payments with this payment method. */
  payment_type?: PaymentType
  /** Only payments by this bank. Fits `^[a-z0-9_]{2,20}$`. */
  bank?: string
  /** Only payments of this owner. 1 to 255 characters. */
  owner_id?: string
}

export interface Overview {
  /** The first day of the period in Jakarta, as 2026-01-31. */
  from: string
  /** The last day of the period in Jakarta, as 2026-01-31. */
  until: string
  /** What was paid, by day and payment method. */
  received: ReceivedOnDay[]
  /** As many days just before the period, to compare with. */
  previous: PreviousPeriod
  /** Success rate and time to pay, by payment method. */
  methods: MethodFigures[]
  /** The same by payment method and bank, where there is a bank. */
  banks: BankFigures[]
  /** Why payments ended without money, the most frequent first; at most 20. */
  failures: FailureFigures[]
  /** What was refunded, by day. */
  refunds: RefundedOnDay[]
  /** What the payments are expected to cost, by payment method, the dearest first. */
  costs: MethodCosts[]
  /** Payments still pending past their expiry time. */
  overdue: Waiting
}

export interface ReceivedOnDay {
  /** The day in Jakarta, as 2026-01-31. */
  day: string
  /** The payment method. */
  payment_type: PaymentType
  /** How many payments were paid. */
  count: number
  /** Their sum, in rupiah with two decimals. */
  amount: Money
}

export interface PreviousPeriod {
  /** The day in Jakarta, as 2026-01-31. */
  from: string
  /** The day in Jakarta, as 2026-01-31. */
  until: string
  /** What was paid, in rupiah with two decimals. */
  received: Money
  /** How many payments were paid. */
  payments: number
  /** What was refunded, in rupiah with two decimals. */
  refunded: Money
  /** How many refunds were made. */
  refunds: number
}

export interface MethodFigures {
  /** The payment method. */
  payment_type: PaymentType
  /** How many payments were created. */
  created: number
  /** How many of them were paid. */
  paid: number
  /** How many are neither paid nor ended yet. */
  open: number
  /** Half of the payers took no longer than this, in seconds; null where none paid. */
  median_s: number | null
  /** Nine of ten payers took no longer than this, in seconds; null where none paid. */
  slow_s: number | null
}

export interface BankFigures {
  /** The payment method. */
  payment_type: PaymentType
  /** The bank of the virtual account, or the acquiring bank of the card. */
  bank: string
  /** How many payments were created. */
  created: number
  /** How many of them were paid. */
  paid: number
  /** How many are neither paid nor ended yet. */
  open: number
  /** Half of the payers took no longer than this, in seconds; null where none paid. */
  median_s: number | null
  /** Nine of ten payers took no longer than this, in seconds; null where none paid. */
  slow_s: number | null
}

export interface FailureFigures {
  /** The payment method. */
  payment_type: PaymentType
  /** How they ended. */
  transaction_status: string
  /** The gateway's status code. */
  status_code: string | null
  /** The gateway's message. */
  status_message: string | null
  /** How many payments ended so. */
  count: number
}

export interface RefundedOnDay {
  /** The day in Jakarta, as 2026-01-31. */
  day: string
  /** How many refunds were made. */
  count: number
  /** Their sum, in rupiah with two decimals. */
  amount: Money
}

export interface MethodCosts {
  /** The payment method. */
  payment_type: PaymentType
  /** How many payments were paid and not reversed. */
  count: number
  /** Their sum, in rupiah with two decimals. */
  amount: Money
  /** The expected fees, rounded once for each rate. */
  expected_fee: Money
  /** The VAT on them. */
  expected_vat: Money
  /** For how many of them no rate is known; they are left out of the fees. */
  unrated: number
}

export interface Waiting {
  /** How many wait; counting stops at 100. */
  count: number
  /** How long the oldest has waited, in seconds. */
  oldest_s: number
}

export interface StaffOverviewGetQuery {
  /**
   * The first day in Jakarta, as 2026-01-31; 30 days in all by default. Fits
   * `^\d{4}-\d{2}-\d{2}$`.
   */
  from?: string
  /** The last day in Jakarta, as 2026-01-31; today by default. Fits `^\d{4}-\d{2}-\d{2}$`. */
  until?: string
}

export interface LedgerBalances {
  /** The day in Jakarta at whose end the balances are; null: now. */
  day: string | null
  /** The last closed day in Jakarta; null where none was closed. */
  closed_until: string | null
  /** Since when every payment must be in the ledger; null while older payments may be missing. */
  complete_at: Timestamp | null
  /** How many payments are not in the ledger yet; 0 once it is complete. */
  unbooked_payments: number
  /** The sum of all balances, which is always 0.00. */
  sum: Money
  /** Every account that has postings. */
  accounts: LedgerAccount[]
}

export interface LedgerAccount {
  /** The account, as gateway:pending or sales:shop. */
  account: string
  /** What was moved to the account. */
  debit: Money
  /** What was moved from the account. */
  credit: Money
  /** Debit less credit; accounts that give, such as sales, are negative. */
  balance: Money
}

export interface StaffLedgerGetBalancesQuery {
  /**
   * At the end of this day in Jakarta, as 2026-01-31; now by default. Fits
   * `^\d{4}-\d{2}-\d{2}$`.
   */
  day?: string
}

export interface LedgerAccountDays {
  /** The account. */
  account: string
  /** The first day in Jakarta. */
  from: string
  /** The last day in Jakarta. */
  until: string
  /** The balance before the first day. */
  opening_balance: Money
  /** The balance at the end of the last day. */
  closing_balance: Money
  /** The days with postings, the latest first. */
  days: LedgerAccountDay[]
}

export interface LedgerAccountDay {
  /** The day in Jakarta. */
  day: string
  /** What was moved to the account. */
  debit: Money
  /** What was moved from the account. */
  credit: Money
  /** The balance at the end of the day. */
  balance: Money
  /** Whether the day is closed. */
  closed: boolean
}

export interface StaffLedgerGetAccountQuery {
  /** The account, as gateway:pending or sales:shop. 1 to 300 characters. */
  account: string
  /**
   * The first day in Jakarta, as 2026-01-01; 30 days back by default. Fits
   * `^\d{4}-\d{2}-\d{2}$`.
   */
  from?: string
  /** The last day in Jakarta, as 2026-01-31; today by default. Fits `^\d{4}-\d{2}-\d{2}$`. */
  until?: string
}

export interface LedgerClosings {
  /** The closed days, the latest first. */
  closings: LedgerClosing[]
}

export interface LedgerClosing {
  /** The last closed day in Jakarta: it and all days before take no more postings. */
  day: string
  /** When it was closed. */
  closed_at: Timestamp
  /** Since when its totals are stored; null while an older transaction runs: repeat the request. */
  sealed_at: Timestamp | null
  /** The staff member who closed it. */
  closed_by: string
}

export interface StaffLedgerExportMonthQuery {
  /** The month in Jakarta, as 2026-01. Fits `^20\d{2}-(0[1-9]|1[0-2])$`. */
  month: string
}

export interface LedgerEntry {
  /** The payment or refund that it is about. */
  id: Uuid
  /** When it was booked. */
  created_at: Timestamp
  /** What kind of object it is about. */
  object_kind: 'payment' | 'refund' | 'matching' | 'payout'
  /** The payment that it counts for. */
  payment_id: Uuid | null
  /** The owner of the payment. */
  owner_id: string | null
  /** What was moved. */
  postings: LedgerPosting[]
}

export interface LedgerPosting {
  /** The version of the object. */
  version: number
  /** What happened. */
  kind: LedgerPostingKind
  /** The place in its journal, from 1. */
  line: number
  /** The account that the amount was moved from. */
  source: string
  /** The account that the amount was moved to. */
  destination: string
  /** The amount, in rupiah with two decimals. */
  amount: Money
  /** When it happened, as the gateway gives it where it does. */
  occurred_at: Timestamp
  /** The day in Jakarta in whose figures it is. */
  booked_on: string
}

export type LedgerPostingKind =
  | 'received'
  | 'received_late'
  | 'reversed'
  | 'refunded'
  | 'refunded_outside'
  | 'refund_reversed'
  | 'charged_back'
  | 'chargeback_reversed'
  | 'late_accepted'
  | 'corrected'
  | 'fee_charged'
  | 'vat_charged'
  | 'fee_adjusted'
  | 'paid_out'
  | 'payout_received'
  | 'decided'
  | 'decision_undone'
  | 'moved_out'
  | 'moved_in'

export interface StaffLedgerListJournalQuery {
  /**
   * Only what was booked about this payment and its refunds. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  payment_id?: string
  /**
   * Only postings in the figures of this day in Jakarta, as 2026-01-31; without a payment, today
   * by default. Fits `^\d{4}-\d{2}-\d{2}$`.
   */
  day?: string
  /** Only postings from or to this account, as sales:shop. 1 to 300 characters. */
  account?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface LedgerCloseInput {
  /**
   * The last day in Jakarta to be closed, as 2026-01-31; it must be over. Fits
   * `^\d{4}-\d{2}-\d{2}$`.
   */
  day: string
}

export interface FeeRates {
  /** How fee and VAT are rounded, each for itself. */
  rounding: 'half_up' | 'down' | 'up' | 'sen'
  /** The rates, by method and bank, the latest first. */
  rates: FeeRate[]
}

export interface FeeRate {
  /** The id of the rate. */
  id: Uuid
  /** The payment method. */
  payment_type: PaymentType
  /** The bank or store; null: all that have no rate of their own. */
  channel: string | null
  /** The first day in Jakarta on which it holds. */
  valid_from: string
  /** Of the amount, in percent. */
  percent: string
  /** For each payment, in rupiah with two decimals. */
  fixed_amount: Money
  /** Of the fee, in percent. */
  vat_percent: string
  /** Who pays the fee; a fee of the payer costs the merchant nothing. */
  borne_by: 'merchant' | 'payer'
  /** Where it is from: the gateway's pages, other pages, or set by the merchant. */
  origin: 'documented' | 'third_party' | 'merchant'
  /** A remark about where it is from. */
  note: string
  /** When it was set. */
  updated_at: Timestamp
  /** The staff member who set it. */
  updated_by: string
}

export interface FeeRateInput {
  /** The payment method. */
  payment_type: PaymentType
  /** Only this bank or store, as bca; all by default. Fits `^[a-z0-9_]{1,40}$`. */
  channel?: string
  /** The first day in Jakarta on which it holds, as 2026-01-31. Fits `^\d{4}-\d{2}-\d{2}$`. */
  valid_from: string
  /**
   * Of the amount, in percent with at most four decimals; 0 by default. Fits
   * `^(100|[0-9]{1,2})(\.[0-9]{1,4})?$`.
   */
  percent?: string
  /** For each payment, in rupiah; 0 by default. */
  fixed_amount?: AmountInput
  /** Of the fee, in percent; 11 by default. Fits `^(100|[0-9]{1,2})(\.[0-9]{1,4})?$`. */
  vat_percent?: string
  /** Who pays the fee; the merchant by default. */
  borne_by?: 'merchant' | 'payer'
  /** Where the rate is from, such as the contract. Up to 255 characters. */
  reason?: string
}

export interface ReconciliationExceptionRow {
  /** The payment, refund or line that it is about. */
  id: Uuid
  /** When it was found. */
  created_at: Timestamp
  /** When it changed last. */
  updated_at: Timestamp
  /** The payment that it is about. */
  payment_id: Uuid | null
  /** The owner of the payment. */
  owner_id: string | null
  /** The order id. */
  order_id: string | null
  /** The gateway's line that was compared. */
  gateway_line_id: Uuid | null
  /** The bank's line. */
  bank_line_id: Uuid | null
  /** Of a bank's line: the payout that it is. */
  payout_id: Uuid | null
  /** The day in Jakarta on which it is on the gateway's balance. */
  day: string
  /** The business day by which staff should have decided. */
  due_on: string | null
  /** What it is about. */
  kind: ReconciliationExceptionRowKind
  /** `missing_here`: only they have it; `missing_there`: only we have it. */
  state: ReconciliationExceptionRowState
  /** What is wrong; null if nothing is. */
  cause: Cause | null
  /** The key by which both sides were found to be the same. */
  matched_by: MatchedBy
  /** Which statement the line is of. */
  source: string
  /** The reference of the line. */
  reference: string | null
  /** What we have. */
  ours: Money | null
  /** What the gateway states, before fees. */
  theirs: Money | null
  /** What the bank received. */
  received: Money | null
  /** The fee and VAT that the gateway states. */
  fee: Money | null
  /** The fee and VAT that the rate card expects. */
  expected_fee: Money | null
  /** By how much the gateway's balance differs from the ledger because of it. */
  effect: Money
  /** The fee that was posted. */
  booked_fee: Money
  /** The VAT that was posted. */
  booked_vat: Money
  /** The rounding difference that was posted. */
  booked_adjustment: Money
  /** Whether an action about it waits for a second staff member. */
  waits_for_second_person: boolean
  /** What is usually done about it. */
  proposed_action: ProposedAction | null
  /** What can be done about it. */
  actions: ProposedAction[]
}

export type ReconciliationExceptionRowKind =
  | 'payment'
  | 'refund'
  | 'chargeback'
  | 'payout'
  | 'bank'
  | 'balance'
  | 'other'

export type ReconciliationExceptionRowState =
  | 'expected'
  | 'matched'
  | 'mismatched'
  | 'missing_here'
  | 'missing_there'
  | 'duplicate'
  | 'late'
  | 'resolved'

export type Cause =
  | 'amount_differs'
  | 'fee_differs'
  | 'fee_missing'
  | 'currency_differs'
  | 'order_differs'
  | 'day_differs'
  | 'paid_there'
  | 'unpaid_there'
  | 'reversed_there'
  | 'refunded_there'
  | 'charged_back_there'
  | 'charged_back_here'
  | 'missing_there'
  | 'missing_here'
  | 'paid_twice'
  | 'transaction_differs'
  | 'duplicate_line'
  | 'sources_differ'
  | 'refund_missing_here'
  | 'refund_missing_there'
  | 'refund_amount_differs'
  | 'refund_unfinished'
  | 'refund_of_unknown_order'
  | 'refund_duplicate'
  | 'chargeback_amount_known'
  | 'chargeback_amount_differs'
  | 'chargeback_of_unknown_order'
  | 'payout_missing_at_bank'
  | 'payout_not_completed'
  | 'payout_amount_differs'
  | 'payout_twice_at_bank'
  | 'payout_returned'
  | 'payout_failed_but_received'
  | 'payout_sum_differs'
  | 'payout_unknown_at_gateway'
  | 'paid_out_twice'
  | 'bank_statement_missing'
  | 'balance_gap'
  | 'other_movement'
  | 'unreadable_line'

export type MatchedBy =
  | 'transaction_id'
  | 'order_id_amount'
  | 'order_id'
  | 'refund_key'
  | 'order_id_refund'
  | 'payout_reference'
  | 'sender_amount'
  | 'batch'
  | ''

export type ProposedAction = 'refresh' | 'adopt' | 'post_fee' | 'write_off' | 'accept'

export interface StaffReconciliationListExceptionsQuery {
  /** Only exceptions of this cause. */
  cause?: Cause
  /** Only exceptions about this. */
  kind?: ReconciliationExceptionRowKind
  /** Only exceptions of this day in Jakarta, as 2026-01-31. Fits `^\d{4}-\d{2}-\d{2}$`. */
  day?: string
  /**
   * Only exceptions about this payment. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  payment_id?: string
  /** Only those that staff should have decided by now. */
  overdue?: boolean | 'true' | 'false'
  /** Also those that were decided or solved themselves. */
  closed?: boolean | 'true' | 'false'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface ReconciliationException {
  /** The payment, refund or line that it is about. */
  id: Uuid
  /** When it was found. */
  created_at: Timestamp
  /** When it changed last. */
  updated_at: Timestamp
  /** The payment that it is about. */
  payment_id: Uuid | null
  /** The owner of the payment. */
  owner_id: string | null
  /** The order id. */
  order_id: string | null
  /** The gateway's line that was compared. */
  gateway_line_id: Uuid | null
  /** The bank's line. */
  bank_line_id: Uuid | null
  /** Of a bank's line: the payout that it is. */
  payout_id: Uuid | null
  /** The day in Jakarta on which it is on the gateway's balance. */
  day: string
  /** The business day by which staff should have decided. */
  due_on: string | null
  /** What it is about. */
  kind: ReconciliationExceptionRowKind
  /** `missing_here`: only they have it; `missing_there`: only we have it. */
  state: ReconciliationExceptionRowState
  /** What is wrong; null if nothing is. */
  cause: Cause | null
  /** The key by which both sides were found to be the same. */
  matched_by: MatchedBy
  /** Which statement the line is of. */
  source: string
  /** The reference of the line. */
  reference: string | null
  /** What we have. */
  ours: Money | null
  /** What the gateway states, before fees. */
  theirs: Money | null
  /** What the bank received. */
  received: Money | null
  /** The fee and VAT that the gateway states. */
  fee: Money | null
  /** The fee and VAT that the rate card expects. */
  expected_fee: Money | null
  /** By how much the gateway's balance differs from the ledger because of it. */
  effect: Money
  /** The fee that was posted. */
  booked_fee: Money
  /** The VAT that was posted. */
  booked_vat: Money
  /** The rounding difference that was posted. */
  booked_adjustment: Money
  /** Whether an action about it waits for a second staff member. */
  waits_for_second_person: boolean
  /** What is usually done about it. */
  proposed_action: ProposedAction | null
  /** What can be done about it. */
  actions: ProposedAction[]
  /** What was done about it, oldest first. */
  history: ReconciliationAction[]
}

export interface ReconciliationAction {
  /** The id of the action. */
  id: Uuid
  /** The exception. */
  item_id: Uuid
  /** When it was requested. */
  created_at: Timestamp
  /** When a second staff member approved it. */
  decided_at: Timestamp | null
  /** When it was undone. */
  undone_at: Timestamp | null
  /** What was done. */
  action: ProposedAction
  /** `held` waits for a second staff member. */
  state: 'held' | 'done' | 'undone'
  /** The amount at stake. */
  amount: Money
  /** The account that it moved from; null if nothing was posted. */
  source: string | null
  /** The account that it moved to. */
  destination: string | null
  /** Why it was done. */
  reason: string
  /** The staff member who did or requested it. */
  requested_by: string
  /** The second staff member. */
  decided_by: string | null
  /** The staff member who undid it. */
  undone_by: string | null
  /** Why it was undone. */
  undo_reason: string | null
}

export interface ReconciliationActInput {
  /**
   * `refresh`: query the gateway; `adopt`: import the order; `post_fee`, `write_off`: post the
   * difference; `accept`: post nothing.
   */
  action: ProposedAction
  /** Why it is done; it is stored permanently. 3 to 255 characters. */
  reason: string
  /** For `adopt`: the owner that the payment is to belong to. 1 to 255 characters. */
  owner_id?: string
}

export interface BalanceProofs {
  /** The first day. */
  from: string
  /** The last day. */
  to: string
  /** The days, newest first; those of which the balance was read. */
  days: BalanceProof[]
  /** The open exceptions of all days. */
  exceptions: ExceptionCount[]
}

export interface BalanceProof {
  /** The day in Jakarta. */
  day: string
  /** When it was computed. */
  computed_at: Timestamp
  /** The business day after which everything must be explained. */
  due_on: string
  /** The gateway's balance at the beginning of the day. */
  opening: Money
  /** The gateway's balance at the end of the day. */
  closing: Money
  /** What the ledger moved on that day. */
  movements: BalanceMovement[]
  /** What explains the difference between balance and ledger. */
  causes: BalanceCause[]
  /** What nothing explains. */
  unexplained: Money
  /** `waiting`: statements may still come. */
  state: 'proved' | 'waiting' | 'unexplained'
}

export interface BalanceMovement {
  /** What was posted, as received or fee_charged. */
  kind: string
  /** By how much it changed the gateway's account in the ledger. */
  amount: Money
}

export interface BalanceCause {
  /** Why the balance differs, as missing_here or captured_not_settled. */
  cause: string
  /** How many. */
  count: number
  /** By how much together. */
  amount: Money
}

export interface ExceptionCount {
  /** What is wrong. */
  cause: Cause
  /** How many are open. */
  count: number
  /** How many of them should have been decided. */
  overdue: number
  /** What is at stake together. */
  amount: Money
}

export interface StaffReconciliationGetBalanceProofsQuery {
  /** The first day in Jakarta; 30 days before the last by default. Fits `^\d{4}-\d{2}-\d{2}$`. */
  from?: string
  /** The last day in Jakarta; today by default. Fits `^\d{4}-\d{2}-\d{2}$`. */
  to?: string
}

export interface PayoutRow {
  /** The id of the payout here. */
  id: Uuid
  /** When it was first seen. */
  created_at: Timestamp
  /** The day in Jakarta on which it was requested. */
  day: string
  /** The business day by which staff should have decided. */
  due_on: string | null
  /** `expected`: not at the bank yet. */
  state: ReconciliationExceptionRowState
  /** What is wrong; null if nothing is. */
  cause: Cause | null
  /** What the bank shows of it. */
  reference: string | null
  /** Always null: a payout has payments of all owners. */
  owner_id: string | null
  /** The key by which the bank's line was found. */
  matched_by: MatchedBy
  /** What the gateway says it paid. */
  stated: Money | null
  /** What the bank received; null if nothing was seen yet. */
  received: Money | null
}

export interface StaffReconciliationListPayoutsQuery {
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface Payout {
  /** The id of the payout here. */
  id: Uuid
  /** When it was first seen. */
  created_at: Timestamp
  /** The day in Jakarta on which it was requested. */
  day: string
  /** The business day by which staff should have decided. */
  due_on: string | null
  /** `expected`: not at the bank yet. */
  state: ReconciliationExceptionRowState
  /** What is wrong; null if nothing is. */
  cause: Cause | null
  /** What the bank shows of it. */
  reference: string | null
  /** Always null: a payout has payments of all owners. */
  owner_id: string | null
  /** The key by which the bank's line was found. */
  matched_by: MatchedBy
  /** What the gateway says it paid. */
  stated: Money | null
  /** What the bank received; null if nothing was seen yet. */
  received: Money | null
  /** What the payments inside add up to after fees; null without a report. */
  expected: Money | null
  /** How many lines of reports name this payout. */
  lines: number
  /** The first 500 of them. */
  inside: InsidePayout[]
}

export interface InsidePayout {
  /** The gateway's line. */
  line_id: Uuid
  /** What it is. */
  kind: 'payment' | 'refund' | 'chargeback'
  /** The order id. */
  order_id: string | null
  /** The payment here. */
  payment_id: Uuid | null
  /** The amount before the fee. */
  amount: Money
  /** The fee with VAT. */
  fee: Money | null
  /** How the payment compares; null if it was not compared. */
  state: ReconciliationExceptionRowState | null
  /** What is wrong with it; null if nothing is. */
  cause: Cause | null
}

export interface StaffNotificationListQuery {
  /** Only those with this effect. */
  effect?: Effect
  /** Only those about this order id. 1 to 100 characters. */
  order_id?: string
  /** Only those about this payment. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  payment_id?: string
  /** Only those that changed no payment: unmatched, mismatched or failed. */
  attention?: boolean | 'true' | 'false'
  /** Leave out those that repeat another or came too late to matter. */
  relevant?: boolean | 'true' | 'false'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface NotificationDetail {
  /** The id of the notification. */
  id: Uuid
  /** The payment it is about; null where the order is unknown here. */
  payment_id: Uuid | null
  /** The owner of the payment; null where the order is unknown here. */
  owner_id: string | null
  /** The order id, as the gateway sent it. */
  order_id: string | null
  /** The gateway's id of the payment, as it was sent. */
  transaction_id: string | null
  /** The status, as the gateway sent it. */
  transaction_status: string | null
  /** The fraud status, as the gateway sent it. */
  fraud_status: string | null
  /** The payment method, as the gateway sent it. */
  payment_type: string | null
  /** The status code, as the gateway sent it. */
  status_code: string | null
  /** The amount, as the gateway sent it. */
  gross_amount: string | null
  /** What became of it; `deferred`: the gateway is asked before the payment changes. */
  effect: Effect
  /** Why it had this effect. */
  reason: string | null
  /** Which server key verified it: `current` or `previous`. */
  verified_with: string | null
  /** When it was received. */
  created_at: Timestamp
  /** The payload as it was received, without its signature. */
  raw_payload: Record<string, unknown>
}

export interface Replayed {
  /** The id of the new notification that the replay wrote. */
  id: Uuid
  /** What became of it; `deferred`: the gateway is asked before the payment changes. */
  effect: Effect
  /** Why it had this effect, and who replayed it. */
  reason: string | null
  /** The payment it is about; null where the order is unknown here. */
  payment_id: Uuid | null
  /** The notification that was replayed. */
  replay_of: Uuid
}

export interface StaffOperationListQuery {
  /**
   * All operations about this object, instead of the open ones. Fits
   * `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   */
  subject_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface HandInput {
  /**
   * `look`: look it up at the gateway now; `done` or `refused`: end it so where the gateway
   * shows nothing.
   */
  outcome: 'look' | 'done' | 'refused'
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason: string
  /** The gateway's id of the payment that a charge made. 1 to 100 characters. */
  transaction_id?: string
  /**
   * The gateway's id of the invoice or subscription that was created. Fits
   * `^[A-Za-z0-9._~-]{1,100}$`.
   */
  gateway_id?: string
}

export interface Resolved {
  /** The operation as it is now. */
  operation: Operation
  /** The payment that it is about, as it is now. */
  payment?: Payment
  /** The invoice that it is about, as it is now. */
  invoice?: Invoice
  /** The subscription that it is about, as it is now. */
  subscription?: Subscription
  /** The checkout that it is about, as it is now. */
  checkout?: CheckoutRecord
}

export interface CheckoutRecord {
  /** The id of the checkout. */
  id: Uuid
  /** The order id, under which the gateway knows the payments of the checkout. */
  order_id: string
  /**
   * `initiated` (not answered clearly yet), `failure` (there is no page), `open`, `completed`
   * (paid), `expired` or `cancelled`.
   */
  status: CheckoutStatus
  /** The amount to pay, in rupiah with two decimals. */
  amount: Money
  /** The currency; always `IDR`. */
  currency: string
  /** What it is for. */
  description: string | null
  /** The methods the payer can choose from; null: all. */
  payment_types: PaymentType[] | null
  /** Where the payer returns to from the page. */
  return_url: string | null
  /** How long the payer can choose a method on the page. */
  page_expiry_minutes: number
  /** How long the payer can pay by the chosen method; null: the method's own time. */
  payment_expiry_minutes: number | null
  /** When the page ends; null until the gateway has answered. */
  expires_at: Timestamp | null
  /** When the first payment was paid. */
  completed_at: Timestamp | null
  /** The payment that counts; null until one is paid. */
  payment_id: Uuid | null
  /** The payments made on the page, oldest first: one for each method the payer chose. */
  payment_ids: Uuid[]
  /**
   * After a cancellation: whether the gateway closed the page. If false, the payer may still pay
   * until `expires_at`; such money opens an alarm.
   */
  page_closed: boolean | null
  /** The first name of the customer. */
  customer_first_name: string | null
  /** The last name of the customer. */
  customer_last_name: string | null
  /** The email address of the customer. */
  customer_email: string | null
  /** The phone number of the customer. */
  customer_phone: string | null
  /** What is ordered. */
  items: CheckoutItem[]
  /** Your own data, stored as it was given. */
  metadata: Record<string, unknown>
  /** When the checkout was created here. */
  created_at: Timestamp | null
  /** When the checkout last changed here. */
  updated_at: Timestamp | null
}

export interface StaffAlarmListQuery {
  /** Only alarms of this kind. */
  kind?: AlarmKind
  /** Only alarms about this object. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  subject_id?: string
  /** Also alarms that are closed. */
  closed?: boolean | 'true' | 'false'
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface DeadEvent {
  /** The subscriber that failed. */
  subscriber: string
  /** What kind of object the event is about. */
  object_kind: ObjectKind
  /** The object the event is about; its later events wait. */
  object_id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** The id of the event. */
  event_id: Uuid
  /** The number of the event among the events of its object, from 1. */
  sequence: number
  /** How often the event was delivered in vain. */
  attempts: number
  /** What the subscriber failed with the last time. */
  error: string
  /** When it is delivered again; null: it waits for a staff member. */
  retry_at: Timestamp | null
  /** The id of the entry: one subscriber and one object. */
  id: Uuid
  /** The type of the event. */
  type: PublishedEventType
  /** When it last failed. */
  created_at: Timestamp
}

export type ObjectKind = 'payment' | 'invoice' | 'subscription' | 'checkout' | 'operator'

export interface StaffEventListQuery {
  /** Only events that this subscriber failed at. 1 to 100 characters. */
  subscriber?: string
  /** Only events about this object. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface ReleaseInput {
  /** The subscriber that failed. 1 to 100 characters. */
  subscriber: string
  /** The object whose events wait. Fits `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`. */
  object_id: string
  /** Why it is done; it is stored in the audit. 3 to 500 characters. */
  reason?: string
}

export interface ReleasedEvent {
  /** The subscriber that failed. */
  subscriber: string
  /** What kind of object the event is about. */
  object_kind: ObjectKind
  /** The object the event is about; its later events wait. */
  object_id: Uuid
  /** The owner of the object. */
  owner_id: string
  /** The id of the event. */
  event_id: Uuid
  /** The number of the event among the events of its object, from 1. */
  sequence: number
  /** How often the event was delivered in vain. */
  attempts: number
  /** What the subscriber failed with the last time. */
  error: string
  /** When it is delivered again; null: it waits for a staff member. */
  retry_at: Timestamp | null
  /** When it last failed. */
  died_at: Timestamp
}

export interface StaffKey {
  /** The id of the key; the key itself is not stored. */
  id: Uuid
  /** The owner that the key acts as. */
  owner_id: string
  /** The name that was given to the key. */
  name: string
  /** Whether the key belongs to a staff member. */
  staff: boolean
  /** What the caller may do. */
  scopes: Scopes[]
  /** When the key stops working; null: never. */
  expires_at: Timestamp | null
  /** When the key was revoked; null: it is in use. */
  revoked_at: Timestamp | null
  /** When the key was created. */
  created_at: Timestamp
  /** When the key was last used, accurate to a minute; null: never. */
  used_at: Timestamp | null
}

export interface KeyInput {
  /** Shown in the list of keys. 1 to 255 characters. */
  name: string
  /** The owner that the key acts as; left out for a staff key. 1 to 255 characters. */
  owner_id?: string
  /** Whether it is a staff key, which acts in the name of the person who makes it. */
  staff?: boolean
  /** What it allows. At most 9. */
  scopes: Scopes[]
  /** Without it the key does not expire. 1 to 3650. */
  expires_in_days?: number
  /** Why; it is stored in the audit. Up to 255 characters. */
  reason?: string
}

export interface CreatedKey {
  /** The id of the key. */
  id: Uuid
  /** The key, shown this once. */
  key: string
  /** The owner that the key acts as. */
  owner_id: string
  /** Shown in the list of keys. */
  name: string
  /** Whether it is a staff key. */
  staff: boolean
  /** What it allows. */
  scopes: Scopes[]
  /** When the key stops working; null: never. */
  expires_at: Timestamp | null
}

export interface KeyRevocation {
  /** Why; it is stored in the audit. Up to 255 characters. */
  reason?: string
}

export interface EndedById {
  /** The id of what was ended. */
  id: Uuid
}

export interface StaffHealthReport {
  /** The time in the database. */
  now: Timestamp
  /** When the latest webhook notification was received. */
  last_notification_at: Timestamp | null
  /** When the latest payment was created. */
  last_payment_at: Timestamp | null
  /** The circuit breaker of this process. */
  breaker: BreakerState
  /** Operations without a known outcome. */
  operations: Waiting
  /** Payments still pending past their expiry time. */
  overdue: Waiting
  /** Payments whose check at the gateway is due. */
  checks: Waiting
  /** Background jobs that are due; null where no worker has run yet. */
  jobs: Waiting | null
  /** Open alarms by kind. */
  alarms: OpenAlarms[]
  /** How far each subscriber is behind. */
  subscribers: SubscriberLag[]
  /** The worker processes, the latest report first. */
  workers: WorkerPulse[]
}

export interface BreakerState {
  /** Whether calls to the gateway are stopped, because it keeps failing. */
  open: boolean
  /** How often that happened since the process started. */
  openings: number
}

export interface OpenAlarms {
  /** The kind of the alarms. */
  kind: AlarmKind
  /** How many are open. */
  count: number
}

export interface SubscriberLag {
  /** The name of the subscriber. */
  subscriber: string
  /** The age of the oldest event it has not received, in seconds. */
  lag_s: number
  /** How many events it failed at and gave up. */
  dead: number
}

export interface WorkerPulse {
  /** The id of the worker process. */
  id: string
  /** Where it runs. */
  description: string
  /** When it started. */
  started_at: Timestamp
  /** When it last reported. */
  beat_at: Timestamp
  /** How long ago that was, in milliseconds. */
  silent_ms: number
}

export interface Pulse {
  /** When the latest webhook notification was received. */
  last_notification_at: Timestamp | null
  /** When the latest payment was created. */
  last_payment_at: Timestamp | null
  /** How many alarms are open. */
  open_alarms: number
  /** How many refunds wait for a second staff member. */
  held_refunds: number
}

export interface StatementImportInput {
  /** The name of the file, for people. 1 to 200 characters. */
  file_name: string
  /** What the file is. */
  format: Format
  /** The file, in base64; at most 8 MiB before that. Up to 11184812 characters. */
  content_base64: string
  /**
   * The stored mapping of its columns, or the name to store `columns` under. 1 to 100
   * characters.
   */
  mapping?: string
  /** The name of the column of each field. */
  columns?: Columns
}

export type Format = 'portal_csv' | 'portal_xlsx' | 'bca_csv' | 'mandiri_csv' | 'mt940' | 'camt053'

export interface Columns {
  /** The column of the time. 1 to 200 characters. */
  time?: string
  /** The column of the amount. 1 to 200 characters. */
  amount?: string
  /** The column of the fee. 1 to 200 characters. */
  fee?: string
  /** The column of the type, such as payment or refund. 1 to 200 characters. */
  type?: string
  /** The column of the status. 1 to 200 characters. */
  status?: string
  /** The column of the payment method. 1 to 200 characters. */
  channel?: string
  /** The column of the order id. 1 to 200 characters. */
  order_id?: string
  /** The column of the gateway’s transaction id. 1 to 200 characters. */
  transaction_id?: string
  /** The column of the reference, such as that of a payout. 1 to 200 characters. */
  reference?: string
  /** The column of the description. 1 to 200 characters. */
  description?: string
  /** Whether 01/02/2026 has the day or the month first, where a file has both. */
  date_order?: 'dmy' | 'mdy'
}

export interface ImportedStatement {
  /** The id of the import. */
  id: Uuid
  /** When it was imported. */
  created_at: Timestamp
  /** The name of the file. */
  file_name: string
  /** What the file is. */
  format: Format
  /** Whose statement it is. */
  side: 'gateway' | 'bank'
  /** The size of the file. */
  bytes: number
  /** Lines of the file: new, known before and refused ones together. */
  lines_read: number
  /** Lines that were stored. */
  lines_new: number
  /** Lines that another file had before. */
  lines_known: number
  /** Lines that could not be read. */
  lines_refused: number
  /** The SHA-256 of the file, in hex. */
  sha256: string
  /** Of the file, its format and its mapping: the same again is the same import. */
  fingerprint: string
  /** The staff member who imported it. */
  imported_by: string
  /**
   * What the file says of itself: account, opening_balance, closing_balance, balanced,
   * other_lines.
   */
  summary: Record<string, unknown>
  /** Whether the same file was imported before, so that nothing was changed. */
  repeated: boolean
}

export interface StatementImport {
  /** The id of the import. */
  id: Uuid
  /** When it was imported. */
  created_at: Timestamp
  /** The name of the file. */
  file_name: string
  /** What the file is. */
  format: Format
  /** Whose statement it is. */
  side: 'gateway' | 'bank'
  /** The size of the file. */
  bytes: number
  /** Lines of the file: new, known before and refused ones together. */
  lines_read: number
  /** Lines that were stored. */
  lines_new: number
  /** Lines that another file had before. */
  lines_known: number
  /** Lines that could not be read. */
  lines_refused: number
  /** The SHA-256 of the file, in hex. */
  sha256: string
  /** Of the file, its format and its mapping: the same again is the same import. */
  fingerprint: string
  /** The staff member who imported it. */
  imported_by: string
  /**
   * What the file says of itself: account, opening_balance, closing_balance, balanced,
   * other_lines.
   */
  summary: Record<string, unknown>
}

export interface StatementLine {
  /** The id of this version of the line. */
  id: Uuid
  /** When it was read. */
  created_at: Timestamp
  /** The file that it came in; null: read from the gateway. */
  import_id: Uuid | null
  /** The number of the line in its file. */
  line_number: number | null
  /** What the versions of one line have in common. */
  line_key: string
  /** From 1; a line that changed at its source has several. */
  version: number
  /** Whose statement it is in. */
  side: 'gateway' | 'bank'
  /** Where it was read. */
  source: StatementLineSource
  /** What it is about. */
  kind: StatementLineKind
  /** The day in Jakarta. */
  day: string | null
  /** The time, where the source says it. */
  occurred_at: Timestamp | null
  /** As the source signs it; at a bank, credit is positive. */
  amount: Money | null
  /** The fee, where the source says it. */
  fee: Money | null
  /** The balance after the line, where the source says it. */
  balance: Money | null
  /** The currency. */
  currency: string | null
  /** The status, in the words of the source. */
  status: string | null
  /** The account. */
  account: string | null
  /** The order that it is about. */
  order_id: string | null
  /** The id of the gateway’s that it is about. */
  transaction_id: string | null
  /** The reference; that of a payout begins with WLST. */
  reference: string | null
  /** The payment method, in the words of the source. */
  channel: string | null
  /** The description. */
  description: string | null
  /** The whole line, as it was read. */
  raw: Record<string, unknown>
}

export type StatementLineSource =
  | 'balance_api'
  | 'history_api'
  | 'portal_csv'
  | 'portal_xlsx'
  | 'bca_csv'
  | 'mandiri_csv'
  | 'mt940'
  | 'camt053'

export type StatementLineKind =
  | 'payment'
  | 'withdrawal'
  | 'disbursement'
  | 'top_up'
  | 'refund'
  | 'chargeback'
  | 'balance'
  | 'entry'
  | 'other'
  | 'unreadable'

export interface StaffStatementListLinesQuery {
  /** Whose statement. */
  side?: 'gateway' | 'bank'
  /** Where it was read. */
  source?: StatementLineSource
  /** Only lines of this day in Jakarta, as 2026-01-31. 1 to 100 characters. */
  day?: string
  /** Only lines about this order. 1 to 100 characters. */
  order_id?: string
  /** Only lines with this reference. 1 to 100 characters. */
  reference?: string
  /** Only lines of this file. */
  import_id?: Uuid
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface StatementMappings {
  /** The mappings, by name. */
  mappings: StatementMapping[]
}

export interface StatementMapping {
  /** Its name. */
  name: string
  /** The name of the column of each field. */
  columns: StatementColumns
  /** When it was stored. */
  updated_at: Timestamp
  /** The staff member who stored it. */
  updated_by: string
}

/** The name of the column of each field. */
export interface StatementColumns {
  /** The column of the time. 1 to 200 characters. */
  time?: string
  /** The column of the amount. 1 to 200 characters. */
  amount?: string
  /** The column of the fee. 1 to 200 characters. */
  fee?: string
  /** The column of the type, such as payment or refund. 1 to 200 characters. */
  type?: string
  /** The column of the status. 1 to 200 characters. */
  status?: string
  /** The column of the payment method. 1 to 200 characters. */
  channel?: string
  /** The column of the order id. 1 to 200 characters. */
  order_id?: string
  /** The column of the gateway’s transaction id. 1 to 200 characters. */
  transaction_id?: string
  /** The column of the reference, such as that of a payout. 1 to 200 characters. */
  reference?: string
  /** The column of the description. 1 to 200 characters. */
  description?: string
  /** Whether 01/02/2026 has the day or the month first, where a file has both. */
  date_order?: 'dmy' | 'mdy'
}

export interface StatementMappingInput {
  /** The name that imports give; a mapping of this name is replaced. 1 to 100 characters. */
  name: string
  /** The name of the column of each field. */
  columns: Columns
  /** Why it is done; it is stored in the audit. 3 to 255 characters. */
  reason?: string
}

export interface StatementColumnsInput {
  /** What the file is. */
  format: 'portal_csv' | 'portal_xlsx'
  /** The file, in base64; at most 8 MiB before that. Up to 11184812 characters. */
  content_base64: string
}

export interface StatementFileColumns {
  /** The columns of the file, in its order. */
  columns: string[]
  /** The first lines. */
  samples: string[][]
  /** The fields whose columns are known by their names. */
  known: StatementColumns
}

export interface StatementImportDetail {
  /** The id of the import. */
  id: Uuid
  /** When it was imported. */
  created_at: Timestamp
  /** The name of the file. */
  file_name: string
  /** What the file is. */
  format: Format
  /** Whose statement it is. */
  side: 'gateway' | 'bank'
  /** The size of the file. */
  bytes: number
  /** Lines of the file: new, known before and refused ones together. */
  lines_read: number
  /** Lines that were stored. */
  lines_new: number
  /** Lines that another file had before. */
  lines_known: number
  /** Lines that could not be read. */
  lines_refused: number
  /** The SHA-256 of the file, in hex. */
  sha256: string
  /** Of the file, its format and its mapping: the same again is the same import. */
  fingerprint: string
  /** The staff member who imported it. */
  imported_by: string
  /**
   * What the file says of itself: account, opening_balance, closing_balance, balanced,
   * other_lines.
   */
  summary: Record<string, unknown>
  /** The first 1,000 lines that could not be read. */
  refusals: RefusedLine[]
}

export interface RefusedLine {
  /** The number of the line in the file. */
  line_number: number
  /** Why it could not be read. */
  reason: string
  /** The line as it is in the file, cut to 2,000 characters. */
  content: string
}

export interface StaffPerson {
  /** The id of the person. */
  id: Uuid
  /** The name under which actions are recorded. It never changes. */
  staff_id: string
  /** The address with which the person signs in. */
  email: string
  /** The name of the person. */
  name: string
  /** The role, which decides what the person may do. */
  role: string
  /** Whether the person signs in with password and code. */
  has_password: boolean
  /** Whether the account is linked to the identity provider. */
  has_oidc: boolean
  /** Whether the person signs in with a passkey. */
  has_passkey: boolean
  /** When the account was created. */
  created_at: Timestamp
  /** When the person last signed in; null: never. */
  signed_in_at: Timestamp | null
  /** When the account was disabled; null: it is in use. */
  disabled_at: Timestamp | null
  /** Until when passwords are refused after too many wrong ones. */
  locked_until: Timestamp | null
  /** Until when the one-time link is valid; null: there is none. */
  link_expires_at: Timestamp | null
}

export interface InvitationInput {
  /** The address with which the person signs in. Fits `^[^@\s]{1,120}@[^@\s]{1,120}$`. */
  email: string
  /** The name of the person. 1 to 255 characters. */
  name: string
  /** The name of the role. Fits `^[a-z][a-z0-9_-]{0,39}$`. */
  role: string
  /**
   * The name in the audit, for ever; by default the e-mail address before the @. 1 to 100
   * characters.
   */
  staff_id?: string
}

export interface InvitedPerson {
  /** The id of the person. */
  id: Uuid
  /** The name under which actions are recorded. It never changes. */
  staff_id: string
  /** The address with which the person signs in. */
  email: string
  /** The name of the person. */
  name: string
  /** The role, which decides what the person may do. */
  role: string
  /** Whether the person signs in with password and code. */
  has_password: boolean
  /** Whether the account is linked to the identity provider. */
  has_oidc: boolean
  /** Whether the person signs in with a passkey. */
  has_passkey: boolean
  /** When the account was created. */
  created_at: Timestamp
  /** When the person last signed in; null: never. */
  signed_in_at: Timestamp | null
  /** When the account was disabled; null: it is in use. */
  disabled_at: Timestamp | null
  /** Until when passwords are refused after too many wrong ones. */
  locked_until: Timestamp | null
  /** Until when the one-time link is valid; null: there is none. */
  link_expires_at: Timestamp | null
  /** For the link dashboard/#/join?token=…, shown this once. */
  link_token: string
}

export interface PersonChange {
  /** The name of the person. 1 to 255 characters. */
  name?: string
  /** The name of the role. Fits `^[a-z][a-z0-9_-]{0,39}$`. */
  role?: string
  /** Whether the person may not sign in. */
  disabled?: boolean
  /** Why; it is stored in the audit. Up to 255 characters. */
  reason?: string
}

export interface StaffRoleList {
  /** All roles. */
  results: StaffRole[]
}

export interface StaffRole {
  /** The name of the role. */
  name: string
  /** What it allows. */
  scopes: Scopes[]
  /** How many people have it, without disabled ones. */
  people: number
  /** When it was last changed. */
  updated_at: Timestamp
}

export interface StaffRoleInput {
  /** The name of the role. Fits `^[a-z][a-z0-9_-]{0,39}$`. */
  name: string
  /** What it allows. At most 9. */
  scopes: Scopes[]
  /** Why; it is stored in the audit. Up to 255 characters. */
  reason?: string
}

export interface StaffSession {
  /** The id of the session. */
  id: Uuid
  /** The person; null if a staff key opened it. */
  person_id: Uuid | null
  /** The name under which actions are recorded. */
  owner_id: string
  /** How it was opened. */
  method: 'password' | 'passkey' | 'oidc' | 'key'
  /** When it was opened. */
  created_at: Timestamp
  /** When it was last used, accurate to a minute. */
  used_at: Timestamp
  /** When it ends at the latest. */
  expires_at: Timestamp
  /** When it was ended; null: it was not. */
  ended_at: Timestamp | null
}

export interface AuditRow {
  /** The id of the entry. */
  id: Uuid
  /** Its position in the chain; null until it is sealed, a few seconds later. */
  seq: number | null
  /** When it happened. */
  occurred_at: Timestamp
  /** Who did it. */
  actor: string
  /** An owner, a staff member, or the service itself. */
  actor_kind: 'owner' | 'staff' | 'system'
  /** What was done, as `payment.refund`. */
  action: string
  /** The kind of object it was done to. */
  subject_kind: string
  /** The object; `-` for several. */
  subject_id: string
  /** The owner of the object. */
  owner_id: string | null
  /** The reason that was given. */
  reason: string | null
  /** The request, as in the log. */
  request_id: string | null
  /** The operation at the gateway. */
  operation_id: Uuid | null
  /** More about it, as JSON. */
  detail: string
}

export interface StaffAuditListQuery {
  /** Only what this person or program did. 1 to 255 characters. */
  actor?: string
  /** Only what was done to this object. 1 to 255 characters. */
  subject_id?: string
  /** Only this action, as `payment.refund`. Up to 100 characters. */
  action?: string
  /** Only from this time on. Up to 40 characters. */
  since?: string
  /** Only before this time. Up to 40 characters. */
  until?: string
  /** Only entries before this position: the `seq` of the last row. */
  before_seq?: number
  /** How many rows: 1 to 500, 50 by default. */
  limit?: number
}

export interface StaffAuditExportQuery {
  /** Only what this person or program did. 1 to 255 characters. */
  actor?: string
  /** Only what was done to this object. 1 to 255 characters. */
  subject_id?: string
  /** Only this action, as `payment.refund`. Up to 100 characters. */
  action?: string
  /** Only from this time on. Up to 40 characters. */
  since?: string
  /** Only before this time. Up to 40 characters. */
  until?: string
}
