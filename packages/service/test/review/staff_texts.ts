// Every function of the in-process staff API with a text in it.
import type { Caller } from '../../src/domain/caller.ts'
import type { GapuraStaff } from '../../src/main/api.ts'

/** Objects that each function would really change, by the kind in its path. */
export type TextIds = Record<
  | 'payments'
  | 'alarms'
  | 'operations'
  | 'refund_requests'
  | 'events'
  | 'checkouts'
  | 'exports'
  | 'invoices'
  | 'subscriptions'
  | 'people'
  | 'keys'
  | 'roles'
  | 'reconciliation',
  string
>

export type Written = (staff: GapuraStaff, caller: Caller) => Promise<unknown>

/** Every function of the in-process staff API; undefined for one that takes no free text. */
export const inProcessTexts = (
  ids: TextIds,
  sentence: string,
): Record<keyof GapuraStaff, Written | undefined> => ({
  getMe: undefined,
  getOverview: undefined,
  listExportSchedules: undefined,
  createExportSchedule: (staff, caller) =>
    staff.createExportSchedule(caller, {
      name: sentence,
      every: 'day',
      format: 'csv',
      recipients: ['x@shop.example'],
    }),
  deleteExportSchedule: (staff, caller) =>
    staff.deleteExportSchedule(caller, ids.exports, { reason: sentence }),
  listFeeRates: undefined,
  setFeeRate: (staff, caller) =>
    staff.setFeeRate(caller, {
      payment_type: 'qris',
      valid_from: '2026-01-31',
      reason: sentence,
    }),
  listExceptions: undefined,
  getException: undefined,
  actOnException: (staff, caller) =>
    staff.actOnException(caller, ids.payments, { action: 'accept', reason: sentence }),
  approveReconciliation: (staff, caller) =>
    staff.approveReconciliation(caller, ids.payments, { reason: sentence }),
  undoReconciliation: (staff, caller) =>
    staff.undoReconciliation(caller, ids.payments, { reason: sentence }),
  getBalanceProofs: undefined,
  listPayouts: undefined,
  getPayout: undefined,
  runReconciliation: undefined,
  listBankHolidays: undefined,
  setBankHoliday: (staff, caller) =>
    staff.setBankHoliday(caller, {
      day: '2027-03-10',
      closed: true,
      name: sentence.slice(0, 100),
    }),
  getLedgerAccount: undefined,
  listLedgerClosings: undefined,
  exportLedgerMonth: undefined,
  exportLedgerMonthWorkbook: undefined,
  listStatementMappings: undefined,
  readStatementColumns: undefined,
  setStatementMapping: (staff, caller) =>
    staff.setStatementMapping(caller, {
      name: 'daily',
      columns: { time: 'Time', amount: 'Amount' },
      reason: sentence,
    }),
  getLedgerBalances: undefined,
  listLedgerJournal: undefined,
  closeLedgerDay: undefined,
  backfillLedger: undefined,
  correctLedger: (staff, caller) => staff.correctLedger(caller, ids.payments, { reason: sentence }),
  getHealth: undefined,
  getPulse: undefined,
  listKeys: undefined,
  listPayments: undefined,
  listCellPayments: undefined,
  exportPayments: undefined,
  exportWorkbook: undefined,
  getCustomer: undefined,
  listRefunds: undefined,
  totalPayments: undefined,
  searchPayments: undefined,
  getPayment: undefined,
  getPaymentPulse: undefined,
  getNotification: undefined,
  takeAlarm: undefined,
  addPaymentNote: (staff, caller) => staff.addPaymentNote(caller, ids.payments, { text: sentence }),
  refreshPayment: (staff, caller) =>
    staff.refreshPayment(caller, ids.payments, { reason: sentence }),
  cancelPayment: (staff, caller) => staff.cancelPayment(caller, ids.payments, { reason: sentence }),
  expirePayment: (staff, caller) => staff.expirePayment(caller, ids.payments, { reason: sentence }),
  capturePayment: (staff, caller) =>
    staff.capturePayment(caller, ids.payments, { reason: sentence }),
  approvePayment: (staff, caller) =>
    staff.approvePayment(caller, ids.payments, { reason: sentence }),
  denyPayment: (staff, caller) => staff.denyPayment(caller, ids.payments, { reason: sentence }),
  recordOutsideRefund: (staff, caller) =>
    staff.recordOutsideRefund(caller, ids.payments, {
      amount: 1_000,
      reason: sentence,
      reference: 'TRF-1',
    }),
  refundPayment: (staff, caller) =>
    staff.refundPayment(caller, ids.payments, { amount: 1_000, reason: sentence }),
  createCheckout: (staff, caller) =>
    staff.createCheckout(caller, { owner_id: 'ani', amount: 1_000, description: sentence }),
  cancelCheckout: (staff, caller) =>
    staff.cancelCheckout(caller, ids.checkouts, { reason: sentence }),
  voidInvoice: (staff, caller) => staff.voidInvoice(caller, ids.invoices, { reason: sentence }),
  disableSubscription: (staff, caller) =>
    staff.disableSubscription(caller, ids.subscriptions, { reason: sentence }),
  enableSubscription: (staff, caller) =>
    staff.enableSubscription(caller, ids.subscriptions, { reason: sentence }),
  cancelSubscription: (staff, caller) =>
    staff.cancelSubscription(caller, ids.subscriptions, { reason: sentence }),
  noteAlarm: (staff, caller) => staff.noteAlarm(caller, ids.alarms, { reason: sentence }),
  listNotifications: undefined,
  listOperations: undefined,
  listAlarms: undefined,
  listDeadEvents: undefined,
  listAudit: undefined,
  exportAudit: undefined,
  listPeople: undefined,
  listRoles: undefined,
  listSessions: undefined,
  linkPerson: undefined,
  signOutPerson: undefined,
  endSession: undefined,
  invitePerson: (staff, caller) =>
    staff.invitePerson(caller, { email: 'x@shop.example', name: sentence, role: 'viewer' }),
  updatePerson: (staff, caller) => staff.updatePerson(caller, ids.alarms, { reason: sentence }),
  setRole: (staff, caller) => staff.setRole(caller, { name: 'x', scopes: [], reason: sentence }),
  createKey: (staff, caller) =>
    staff.createKey(caller, { name: sentence, owner_id: 'ani', scopes: [] }),
  revokeKey: (staff, caller) => staff.revokeKey(caller, ids.alarms, { reason: sentence }),
  listStatementImports: undefined,
  getStatementImport: undefined,
  listStatementLines: undefined,
  importStatement: (staff, caller) =>
    staff.importStatement(caller, {
      file_name: sentence.slice(0, 200),
      format: 'bca_csv',
      content_base64: '',
    }),
  paymentHistory: undefined,
  invoiceHistory: undefined,
  checkoutHistory: undefined,
  subscriptionHistory: undefined,
  listRefundRequests: undefined,
  replayNotification: undefined,
  approveRefund: (staff, caller) =>
    staff.approveRefund(caller, ids.refund_requests, { reason: sentence }),
  declineRefund: (staff, caller) =>
    staff.declineRefund(caller, ids.refund_requests, { reason: sentence }),
  resolveOperation: (staff, caller) =>
    staff.resolveOperation(caller, ids.operations, { outcome: 'look', reason: sentence }),
  closeAlarm: (staff, caller) => staff.closeAlarm(caller, ids.alarms, { reason: sentence }),
  retireSubscriber: (staff, caller) =>
    staff.retireSubscriber(caller, { subscriber: 'mail', reason: sentence }),
  retryEvent: (staff, caller) =>
    staff.retryEvent(caller, { subscriber: 'mail', object_id: ids.events, reason: sentence }),
  skipEvent: (staff, caller) =>
    staff.skipEvent(caller, { subscriber: 'mail', object_id: ids.events, reason: sentence }),
  erasePerson: (staff, caller) => staff.erasePerson(caller, { owner_id: 'ani', reason: sentence }),
  adoptOrder: (staff, caller) =>
    staff.adoptOrder(caller, { order_id: 'made-elsewhere', owner_id: 'ani', reason: sentence }),
})

/** Where it is not the reason. */
export const TEXT_FIELDS: Readonly<Record<string, string>> = {
  addPaymentNote: 'text',
  createCheckout: 'description',
  createExportSchedule: 'name',
  invitePerson: 'name',
  createKey: 'name',
  importStatement: 'file_name',
  setBankHoliday: 'name',
}
