// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.
import { path, type Call } from '../call.ts'
import type {
  Checkouts,
  Events,
  Invoices,
  Payments,
  Resources,
  StaffAlarms,
  StaffAudit,
  StaffCells,
  StaffCheckouts,
  StaffCustomer,
  StaffEvents,
  StaffExports,
  StaffFees,
  StaffHealth,
  StaffInvoices,
  StaffKeys,
  StaffLedger,
  StaffMe,
  StaffNotifications,
  StaffOperations,
  StaffOverview,
  StaffPayments,
  StaffPeople,
  StaffPulse,
  StaffReconciliation,
  StaffRefundRequests,
  StaffRefunds,
  StaffRoles,
  StaffSearch,
  StaffSessions,
  StaffStatements,
  StaffSubscriptions,
  Subscriptions,
  WebhookDeliveries,
  WebhookEndpoints,
} from './model.ts'

const payments = (call: Call): Payments => ({
  create: (input, options) => call.write('POST', '/charge/', input, options),
  list: (query, options) => call.list('/payments/', query, options),
  get: (id, options) => call.read(path`/payments/${id}/`, undefined, options),
  checkStatus: (id, options) => call.read(path`/payments/${id}/check_status/`, undefined, options),
  cancel: (id, options) => call.write('POST', path`/payments/${id}/cancel/`, undefined, options),
  expire: (id, options) => call.write('POST', path`/payments/${id}/expire/`, undefined, options),
  refund: (id, input, options) => call.write('POST', path`/payments/${id}/refund/`, input, options),
  capture: (id, input, options) =>
    call.write('POST', path`/payments/${id}/capture/`, input, options),
})

const invoices = (call: Call): Invoices => ({
  list: (query, options) => call.list('/invoices/', query, options),
  create: (input, options) => call.write('POST', '/invoices/', input, options),
  get: (id, options) => call.read(path`/invoices/${id}/`, undefined, options),
  void: (id, input, options) => call.write('POST', path`/invoices/${id}/void/`, input, options),
})

const subscriptions = (call: Call): Subscriptions => ({
  list: (query, options) => call.list('/subscriptions/', query, options),
  create: (input, options) => call.write('POST', '/subscriptions/', input, options),
  get: (id, options) => call.read(path`/subscriptions/${id}/`, undefined, options),
  actOn: (id, actionName, options) =>
    call.write('POST', path`/subscriptions/${id}/${actionName}/`, undefined, options),
})

const checkouts = (call: Call): Checkouts => ({
  list: (query, options) => call.list('/checkouts/', query, options),
  create: (input, options) => call.write('POST', '/checkouts/', input, options),
  get: (id, options) => call.read(path`/checkouts/${id}/`, undefined, options),
  cancel: (id, options) => call.write('POST', path`/checkouts/${id}/cancel/`, undefined, options),
})

const events = (call: Call): Events => ({
  list: (query, options) => call.feed('/events/', query, options),
})

const webhookEndpoints = (call: Call): WebhookEndpoints => ({
  list: (query, options) => call.list('/webhook_endpoints/', query, options),
  create: (input, options) => call.write('POST', '/webhook_endpoints/', input, options),
  get: (id, options) => call.read(path`/webhook_endpoints/${id}/`, undefined, options),
  update: (id, input, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/update/`, input, options),
  pause: (id, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/pause/`, undefined, options),
  enable: (id, input, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/enable/`, input, options),
  rotate: (id, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/rotate/`, undefined, options),
  delete: (id, input, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/delete/`, input, options),
  test: (id, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/test/`, undefined, options),
  resend: (id, input, options) =>
    call.write('POST', path`/webhook_endpoints/${id}/resend/`, input, options),
})

const webhookDeliveries = (call: Call): WebhookDeliveries => ({
  list: (query, options) => call.list('/webhook_deliveries/', query, options),
  get: (id, options) => call.read(path`/webhook_deliveries/${id}/`, undefined, options),
})

const staffMe = (call: Call): StaffMe => ({
  get: (options) => call.read('/staff/me/', undefined, options),
})

const staffPayments = (call: Call): StaffPayments => ({
  list: (query, options) => call.list('/staff/payments/', query, options),
  export: (query, options) => call.file('/staff/payments/export/', query, options),
  exportXlsx: (query, options) => call.file('/staff/payments/export_xlsx/', query, options),
  total: (query, options) => call.read('/staff/payments/totals/', query, options),
  get: (id, options) => call.read(path`/staff/payments/${id}/`, undefined, options),
  pulse: (id, options) => call.read(path`/staff/payments/${id}/pulse/`, undefined, options),
  note: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/notes/`, input, options),
  refresh: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/refresh/`, input, options),
  cancel: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/cancel/`, input, options),
  expire: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/expire/`, input, options),
  capture: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/capture/`, input, options),
  approve: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/approve/`, input, options),
  deny: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/deny/`, input, options),
  refund: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/refund/`, input, options),
  recordRefund: (id, input, options) =>
    call.write('POST', path`/staff/payments/${id}/record_refund/`, input, options),
})

const staffCells = (call: Call): StaffCells => ({
  listPayments: (query, options) => call.read('/staff/cells/payments/', query, options),
})

const staffSearch = (call: Call): StaffSearch => ({
  payments: (query, options) => call.read('/staff/search/', query, options),
})

const staffCustomer = (call: Call): StaffCustomer => ({
  get: (query, options) => call.read('/staff/customer/', query, options),
})

const staffRefundRequests = (call: Call): StaffRefundRequests => ({
  list: (query, options) => call.list('/staff/refund_requests/', query, options),
  approve: (id, input, options) =>
    call.write('POST', path`/staff/refund_requests/${id}/approve/`, input, options),
  decline: (id, input, options) =>
    call.write('POST', path`/staff/refund_requests/${id}/decline/`, input, options),
})

const staffRefunds = (call: Call): StaffRefunds => ({
  list: (query, options) => call.list('/staff/refunds/', query, options),
})

const staffCheckouts = (call: Call): StaffCheckouts => ({
  create: (input, options) => call.write('POST', '/staff/checkouts/', input, options),
  cancel: (id, input, options) =>
    call.write('POST', path`/staff/checkouts/${id}/cancel/`, input, options),
})

const staffInvoices = (call: Call): StaffInvoices => ({
  void: (id, input, options) =>
    call.write('POST', path`/staff/invoices/${id}/void/`, input, options),
})

const staffSubscriptions = (call: Call): StaffSubscriptions => ({
  disable: (id, input, options) =>
    call.write('POST', path`/staff/subscriptions/${id}/disable/`, input, options),
  enable: (id, input, options) =>
    call.write('POST', path`/staff/subscriptions/${id}/enable/`, input, options),
  cancel: (id, input, options) =>
    call.write('POST', path`/staff/subscriptions/${id}/cancel/`, input, options),
})

const staffExports = (call: Call): StaffExports => ({
  list: (options) => call.read('/staff/exports/', undefined, options),
  create: (input, options) => call.write('POST', '/staff/exports/', input, options),
  delete: (id, input, options) =>
    call.write('POST', path`/staff/exports/${id}/delete/`, input, options),
})

const staffOverview = (call: Call): StaffOverview => ({
  get: (query, options) => call.read('/staff/overview/', query, options),
})

const staffLedger = (call: Call): StaffLedger => ({
  getBalances: (query, options) => call.read('/staff/ledger/balances/', query, options),
  getAccount: (query, options) => call.read('/staff/ledger/account/', query, options),
  listClosings: (options) => call.read('/staff/ledger/closings/', undefined, options),
  exportMonth: (query, options) => call.file('/staff/ledger/month/', query, options),
  exportXlsxMonth: (query, options) => call.file('/staff/ledger/month_xlsx/', query, options),
  listJournal: (query, options) => call.list('/staff/ledger/journal/', query, options),
  closeDay: (input, options) => call.write('POST', '/staff/ledger/close-day/', input, options),
})

const staffFees = (call: Call): StaffFees => ({
  listRates: (options) => call.read('/staff/fees/rates/', undefined, options),
  setRate: (input, options) => call.write('POST', '/staff/fees/rates/', input, options),
})

const staffReconciliation = (call: Call): StaffReconciliation => ({
  listExceptions: (query, options) =>
    call.list('/staff/reconciliation/exceptions/', query, options),
  getException: (id, options) =>
    call.read(path`/staff/reconciliation/exceptions/${id}/`, undefined, options),
  actOnException: (id, input, options) =>
    call.write('POST', path`/staff/reconciliation/exceptions/${id}/act/`, input, options),
  approveAction: (id, input, options) =>
    call.write('POST', path`/staff/reconciliation/actions/${id}/approve/`, input, options),
  undoAction: (id, input, options) =>
    call.write('POST', path`/staff/reconciliation/actions/${id}/undo/`, input, options),
  getBalanceProofs: (query, options) => call.read('/staff/reconciliation/proofs/', query, options),
  listPayouts: (query, options) => call.list('/staff/reconciliation/payouts/', query, options),
  getPayout: (id, options) =>
    call.read(path`/staff/reconciliation/payouts/${id}/`, undefined, options),
})

const staffNotifications = (call: Call): StaffNotifications => ({
  list: (query, options) => call.list('/staff/notifications/', query, options),
  get: (id, options) => call.read(path`/staff/notifications/${id}/`, undefined, options),
  replay: (id, options) =>
    call.write('POST', path`/staff/notifications/${id}/replay/`, undefined, options),
})

const staffOperations = (call: Call): StaffOperations => ({
  list: (query, options) => call.list('/staff/operations/', query, options),
  resolve: (id, input, options) =>
    call.write('POST', path`/staff/operations/${id}/resolve/`, input, options),
})

const staffAlarms = (call: Call): StaffAlarms => ({
  list: (query, options) => call.list('/staff/alarms/', query, options),
  take: (id, options) => call.write('POST', path`/staff/alarms/${id}/take/`, undefined, options),
  note: (id, input, options) => call.write('POST', path`/staff/alarms/${id}/note/`, input, options),
  close: (id, input, options) =>
    call.write('POST', path`/staff/alarms/${id}/close/`, input, options),
})

const staffEvents = (call: Call): StaffEvents => ({
  list: (query, options) => call.list('/staff/events/', query, options),
  retry: (input, options) => call.write('POST', '/staff/events/retry/', input, options),
  skip: (input, options) => call.write('POST', '/staff/events/skip/', input, options),
})

const staffKeys = (call: Call): StaffKeys => ({
  list: (query, options) => call.list('/staff/keys/', query, options),
  create: (input, options) => call.write('POST', '/staff/keys/', input, options),
  revoke: (id, input, options) =>
    call.write('POST', path`/staff/keys/${id}/revoke/`, input, options),
})

const staffHealth = (call: Call): StaffHealth => ({
  get: (options) => call.read('/staff/health/', undefined, options),
})

const staffPulse = (call: Call): StaffPulse => ({
  get: (options) => call.read('/staff/pulse/', undefined, options),
})

const staffStatements = (call: Call): StaffStatements => ({
  upload: (input, options) => call.write('POST', '/staff/statements/', input, options),
  list: (query, options) => call.list('/staff/statements/', query, options),
  listLines: (query, options) => call.list('/staff/statements/lines/', query, options),
  listMappings: (options) => call.read('/staff/statements/mappings/', undefined, options),
  setMapping: (input, options) => call.write('POST', '/staff/statements/mappings/', input, options),
  readColumns: (input, options) => call.write('POST', '/staff/statements/columns/', input, options),
  get: (id, options) => call.read(path`/staff/statements/${id}/`, undefined, options),
})

const staffPeople = (call: Call): StaffPeople => ({
  list: (query, options) => call.list('/staff/people/', query, options),
  invite: (input, options) => call.write('POST', '/staff/people/', input, options),
  update: (id, input, options) =>
    call.write('POST', path`/staff/people/${id}/update/`, input, options),
  link: (id, options) => call.write('POST', path`/staff/people/${id}/link/`, undefined, options),
  signOut: (id, options) =>
    call.write('POST', path`/staff/people/${id}/sign_out/`, undefined, options),
})

const staffRoles = (call: Call): StaffRoles => ({
  list: (options) => call.read('/staff/roles/', undefined, options),
  set: (input, options) => call.write('POST', '/staff/roles/', input, options),
})

const staffSessions = (call: Call): StaffSessions => ({
  list: (query, options) => call.list('/staff/sessions/', query, options),
  end: (id, options) => call.write('POST', path`/staff/sessions/${id}/end/`, undefined, options),
})

const staffAudit = (call: Call): StaffAudit => ({
  list: (query, options) => call.read('/staff/audit/', query, options),
  export: (query, options) => call.file('/staff/audit/export/', query, options),
})

export const resourcesOf = (call: Call): Resources => ({
  payments: payments(call),
  invoices: invoices(call),
  subscriptions: subscriptions(call),
  checkouts: checkouts(call),
  events: events(call),
  webhookEndpoints: webhookEndpoints(call),
  webhookDeliveries: webhookDeliveries(call),
  staff: {
    me: staffMe(call),
    payments: staffPayments(call),
    cells: staffCells(call),
    search: staffSearch(call),
    customer: staffCustomer(call),
    refundRequests: staffRefundRequests(call),
    refunds: staffRefunds(call),
    checkouts: staffCheckouts(call),
    invoices: staffInvoices(call),
    subscriptions: staffSubscriptions(call),
    exports: staffExports(call),
    overview: staffOverview(call),
    ledger: staffLedger(call),
    fees: staffFees(call),
    reconciliation: staffReconciliation(call),
    notifications: staffNotifications(call),
    operations: staffOperations(call),
    alarms: staffAlarms(call),
    events: staffEvents(call),
    keys: staffKeys(call),
    health: staffHealth(call),
    pulse: staffPulse(call),
    statements: staffStatements(call),
    people: staffPeople(call),
    roles: staffRoles(call),
    sessions: staffSessions(call),
    audit: staffAudit(call),
  },
})
