// Every text of staff that the in-process API takes, with a sentence in it.
import type { Caller } from '../../src/domain/caller.ts'
import type { GapuraStaff } from '../../src/main/api.ts'

export type Written = (staff: GapuraStaff, caller: Caller) => Promise<unknown>

type Subjects =
  | 'payments'
  | 'alarms'
  | 'operations'
  | 'refund_requests'
  | 'events'
  | 'invoices'
  | 'subscriptions'

/** Every function of the in-process staff API; undefined for one that takes no free text. */
export const staffTexts = (
  ids: Readonly<Record<Subjects, string>>,
  SENTENCE: string,
): Record<keyof GapuraStaff, Written | undefined> => ({
  getMe: undefined,
  getOverview: undefined,
  listFeeRates: undefined,
  setFeeRate: (staff, caller) =>
    staff.setFeeRate(caller, {
      payment_type: 'qris',
      valid_from: '2026-01-31',
      reason: SENTENCE,
    }),
  listExceptions: undefined,
  getException: undefined,
  actOnException: (staff, caller) =>
    staff.actOnException(caller, ids.payments, { action: 'accept', reason: SENTENCE }),
  approveReconciliation: (staff, caller) =>
    staff.approveReconciliation(caller, ids.payments, { reason: SENTENCE }),
  undoReconciliation: (staff, caller) =>
    staff.undoReconciliation(caller, ids.payments, { reason: SENTENCE }),
  getBalanceProofs: undefined,
  listPayouts: undefined,
  getPayout: undefined,
  runReconciliation: undefined,
  listBankHolidays: undefined,
  setBankHoliday: (staff, caller) =>
    staff.setBankHoliday(caller, {
      day: '2027-03-10',
      closed: true,
      name: SENTENCE.slice(0, 100),
    }),
  getLedgerBalances: undefined,
  listLedgerJournal: undefined,
  getLedgerAccount: undefined,
  listLedgerClosings: undefined,
  exportLedgerMonth: undefined,
  exportLedgerMonthWorkbook: undefined,
  closeLedgerDay: undefined,
  backfillLedger: undefined,
  correctLedger: (staff, caller) => staff.correctLedger(caller, ids.payments, { reason: SENTENCE }),
  getHealth: undefined,
  getPulse: undefined,
  listKeys: undefined,
  listPayments: undefined,
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
  addPaymentNote: (staff, caller) => staff.addPaymentNote(caller, ids.payments, { text: SENTENCE }),
  refreshPayment: (staff, caller) =>
    staff.refreshPayment(caller, ids.payments, { reason: SENTENCE }),
  cancelPayment: (staff, caller) => staff.cancelPayment(caller, ids.payments, { reason: SENTENCE }),
  expirePayment: (staff, caller) => staff.expirePayment(caller, ids.payments, { reason: SENTENCE }),
  capturePayment: (staff, caller) =>
    staff.capturePayment(caller, ids.payments, { reason: SENTENCE }),
  approvePayment: (staff, caller) =>
    staff.approvePayment(caller, ids.payments, { reason: SENTENCE }),
  denyPayment: (staff, caller) => staff.denyPayment(caller, ids.payments, { reason: SENTENCE }),
  recordOutsideRefund: (staff, caller) =>
    staff.recordOutsideRefund(caller, ids.payments, {
      amount: 1_000,
      reason: SENTENCE,
      reference: 'TRF-1',
    }),
  refundPayment: (staff, caller) =>
    staff.refundPayment(caller, ids.payments, { amount: 1_000, reason: SENTENCE }),
  voidInvoice: (staff, caller) => staff.voidInvoice(caller, ids.invoices, { reason: SENTENCE }),
  disableSubscription: (staff, caller) =>
    staff.disableSubscription(caller, ids.subscriptions, { reason: SENTENCE }),
  enableSubscription: (staff, caller) =>
    staff.enableSubscription(caller, ids.subscriptions, { reason: SENTENCE }),
  cancelSubscription: (staff, caller) =>
    staff.cancelSubscription(caller, ids.subscriptions, { reason: SENTENCE }),
  noteAlarm: (staff, caller) => staff.noteAlarm(caller, ids.alarms, { reason: SENTENCE }),
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
    staff.invitePerson(caller, { email: 'x@shop.example', name: SENTENCE, role: 'viewer' }),
  updatePerson: (staff, caller) => staff.updatePerson(caller, ids.alarms, { reason: SENTENCE }),
  setRole: (staff, caller) => staff.setRole(caller, { name: 'x', scopes: [], reason: SENTENCE }),
  createKey: (staff, caller) =>
    staff.createKey(caller, { name: SENTENCE, owner_id: 'ani', scopes: [] }),
  revokeKey: (staff, caller) => staff.revokeKey(caller, ids.alarms, { reason: SENTENCE }),
  listStatementImports: undefined,
  getStatementImport: undefined,
  listStatementLines: undefined,
  listStatementMappings: undefined,
  readStatementColumns: undefined,
  setStatementMapping: (staff, caller) =>
    staff.setStatementMapping(caller, {
      name: 'daily',
      columns: { time: 'Time', amount: 'Amount' },
      reason: SENTENCE,
    }),
  importStatement: (staff, caller) =>
    staff.importStatement(caller, {
      file_name: SENTENCE.slice(0, 200),
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
    staff.approveRefund(caller, ids.refund_requests, { reason: SENTENCE }),
  declineRefund: (staff, caller) =>
    staff.declineRefund(caller, ids.refund_requests, { reason: SENTENCE }),
  resolveOperation: (staff, caller) =>
    staff.resolveOperation(caller, ids.operations, { outcome: 'look', reason: SENTENCE }),
  closeAlarm: (staff, caller) => staff.closeAlarm(caller, ids.alarms, { reason: SENTENCE }),
  retireSubscriber: (staff, caller) =>
    staff.retireSubscriber(caller, { subscriber: 'mail', reason: SENTENCE }),
  retryEvent: (staff, caller) =>
    staff.retryEvent(caller, { subscriber: 'mail', object_id: ids.events, reason: SENTENCE }),
  skipEvent: (staff, caller) =>
    staff.skipEvent(caller, { subscriber: 'mail', object_id: ids.events, reason: SENTENCE }),
  erasePerson: (staff, caller) => staff.erasePerson(caller, { owner_id: 'ani', reason: SENTENCE }),
  adoptOrder: (staff, caller) =>
    staff.adoptOrder(caller, { order_id: 'made-elsewhere', owner_id: 'ani', reason: SENTENCE }),
})
