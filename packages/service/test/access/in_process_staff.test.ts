// The same matrix for callers without HTTP: every function of the staff API.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller, type Scope } from '../../src/domain/caller.ts'
import type { GapuraStaff } from '../../src/main/api.ts'
import { useAccess } from './access_rig.ts'
import { inputsOf } from './access_rows.ts'

const access = useAccess()
const RATE = { payment_type: 'qris', valid_from: '2026-01-31' } as const
const SCHEDULE = {
  name: 'x',
  every: 'day' as const,
  format: 'csv' as const,
  recipients: ['x@shop.example'],
}
const MISSING = '01890000-0000-7000-8000-000000000000'

const budi: Caller = { owner_id: 'budi', staff: false, scopes: SCOPES }
const desk = (...scopes: Scope[]): Caller => ({ owner_id: 'desk', staff: true, scopes })

let payment = ''
beforeAll(async () => {
  payment = await inputsOf(access.http).payment()
})

/** The result of a call: its code, or that it was done. */
const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  await call.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

type By = (staff: GapuraStaff, caller: Caller) => Promise<unknown>
const reason = 'looked into'
/** These need the refund scope as well. */
const withRefund = (caller: Caller): Caller => ({
  ...caller,
  scopes: [...caller.scopes, 'payments:refund'],
})
const HOLIDAY = { day: '2027-03-10', closed: true, name: 'Idul Fitri' }
const STAFF: Record<Exclude<keyof GapuraStaff, 'getMe'>, [Scope, By]> = {
  getOverview: ['staff:read', (staff, caller) => staff.getOverview(caller)],
  getHealth: ['staff:read', (staff, caller) => staff.getHealth(caller)],
  getPulse: ['staff:read', (staff, caller) => staff.getPulse(caller)],
  listKeys: ['staff:read', (staff, caller) => staff.listKeys(caller)],
  listPayments: ['staff:read', (staff, caller) => staff.listPayments(caller)],
  listCellPayments: ['staff:read', (staff, caller) => staff.listCellPayments(caller)],
  exportPayments: ['staff:read', (staff, caller) => staff.exportPayments(caller)],
  exportWorkbook: ['staff:read', (staff, caller) => staff.exportWorkbook(caller)],
  totalPayments: ['staff:read', (staff, caller) => staff.totalPayments(caller)],
  searchPayments: ['staff:read', (staff, caller) => staff.searchPayments(caller, { q: 'x' })],
  getCustomer: [
    'staff:read',
    (staff, caller) => staff.getCustomer(caller, { email: 'ani@example.com' }),
  ],
  getPayment: ['staff:read', (staff, caller) => staff.getPayment(caller, payment)],
  getPaymentPulse: ['staff:read', (staff, caller) => staff.getPaymentPulse(caller, payment)],
  getNotification: ['staff:read', (staff, caller) => staff.getNotification(caller, MISSING)],
  refreshPayment: ['staff:read', (staff, caller) => staff.refreshPayment(caller, payment)],
  addPaymentNote: [
    'staff:act',
    (staff, caller) => staff.addPaymentNote(caller, MISSING, { text: reason }),
  ],
  cancelPayment: [
    'payments:write',
    (staff, caller) => staff.cancelPayment(caller, MISSING, { reason }),
  ],
  expirePayment: [
    'payments:write',
    (staff, caller) => staff.expirePayment(caller, MISSING, { reason }),
  ],
  capturePayment: [
    'payments:capture',
    (staff, caller) => staff.capturePayment(caller, MISSING, { reason }),
  ],
  approvePayment: [
    'payments:capture',
    (staff, caller) => staff.approvePayment(caller, MISSING, { reason }),
  ],
  denyPayment: [
    'payments:capture',
    (staff, caller) => staff.denyPayment(caller, MISSING, { reason }),
  ],
  listRefunds: ['staff:read', (staff, caller) => staff.listRefunds(caller)],
  recordOutsideRefund: [
    'staff:act',
    (staff, caller) => {
      const input = { amount: 1_000, reason, reference: 'TRF-1' }
      return staff.recordOutsideRefund(withRefund(caller), MISSING, input)
    },
  ],
  refundPayment: [
    'payments:refund',
    (staff, caller) => staff.refundPayment(caller, MISSING, { amount: 1_000, reason }),
  ],
  createCheckout: [
    'payments:write',
    (staff, caller) => staff.createCheckout(caller, { owner_id: caller.owner_id, amount: 44_000 }),
  ],
  cancelCheckout: [
    'payments:write',
    (staff, caller) => staff.cancelCheckout(caller, MISSING, { reason }),
  ],
  voidInvoice: [
    'invoices:write',
    (staff, caller) => staff.voidInvoice(caller, MISSING, { reason }),
  ],
  disableSubscription: [
    'subscriptions:write',
    (staff, caller) => staff.disableSubscription(caller, MISSING, { reason }),
  ],
  enableSubscription: [
    'subscriptions:write',
    (staff, caller) => staff.enableSubscription(caller, MISSING, { reason }),
  ],
  cancelSubscription: [
    'subscriptions:write',
    (staff, caller) => staff.cancelSubscription(caller, MISSING, { reason }),
  ],
  takeAlarm: ['staff:act', (staff, caller) => staff.takeAlarm(caller, MISSING)],
  noteAlarm: ['staff:act', (staff, caller) => staff.noteAlarm(caller, MISSING, { reason })],
  listNotifications: ['staff:read', (staff, caller) => staff.listNotifications(caller)],
  listOperations: ['staff:read', (staff, caller) => staff.listOperations(caller)],
  listAlarms: ['staff:read', (staff, caller) => staff.listAlarms(caller)],
  listDeadEvents: ['staff:read', (staff, caller) => staff.listDeadEvents(caller)],
  listExportSchedules: ['staff:read', (staff, caller) => staff.listExportSchedules(caller)],
  createExportSchedule: [
    'staff:act',
    (staff, caller) => staff.createExportSchedule(caller, SCHEDULE),
  ],
  deleteExportSchedule: [
    'staff:act',
    (staff, caller) => staff.deleteExportSchedule(caller, MISSING, { reason }),
  ],
  listFeeRates: ['staff:read', (staff, caller) => staff.listFeeRates(caller)],
  setFeeRate: ['staff:act', (staff, caller) => staff.setFeeRate(caller, RATE)],
  listExceptions: ['staff:read', (staff, caller) => staff.listExceptions(caller)],
  getException: ['staff:read', (staff, caller) => staff.getException(caller, MISSING)],
  actOnException: [
    'staff:act',
    (staff, caller) => staff.actOnException(caller, MISSING, { action: 'accept', reason }),
  ],
  approveReconciliation: [
    'staff:act',
    (staff, caller) => staff.approveReconciliation(caller, MISSING, { reason }),
  ],
  undoReconciliation: [
    'staff:act',
    (staff, caller) => staff.undoReconciliation(caller, MISSING, { reason }),
  ],
  getBalanceProofs: ['staff:read', (staff, caller) => staff.getBalanceProofs(caller)],
  listPayouts: ['staff:read', (staff, caller) => staff.listPayouts(caller)],
  getPayout: ['staff:read', (staff, caller) => staff.getPayout(caller, MISSING)],
  runReconciliation: ['staff:act', (staff, caller) => staff.runReconciliation(caller)],
  listBankHolidays: ['staff:read', (staff, caller) => staff.listBankHolidays(caller)],
  setBankHoliday: ['staff:act', (staff, caller) => staff.setBankHoliday(caller, HOLIDAY)],
  getLedgerBalances: ['staff:read', (staff, caller) => staff.getLedgerBalances(caller)],
  listLedgerJournal: [
    'staff:read',
    (staff, caller) => staff.listLedgerJournal(caller, { payment_id: MISSING }),
  ],
  getLedgerAccount: [
    'staff:read',
    (staff, caller) => staff.getLedgerAccount(caller, { account: 'gateway:pending' }),
  ],
  listLedgerClosings: ['staff:read', (staff, caller) => staff.listLedgerClosings(caller)],
  exportLedgerMonth: [
    'staff:read',
    (staff, caller) => staff.exportLedgerMonth(caller, { month: '2026-01' }),
  ],
  exportLedgerMonthWorkbook: [
    'staff:read',
    (staff, caller) => staff.exportLedgerMonthWorkbook(caller, { month: '2026-01' }),
  ],
  closeLedgerDay: [
    'staff:act',
    (staff, caller) => staff.closeLedgerDay(caller, { day: '2026-01-31' }),
  ],
  backfillLedger: ['staff:act', (staff, caller) => staff.backfillLedger(caller, {})],
  correctLedger: ['staff:act', (staff, caller) => staff.correctLedger(caller, MISSING, { reason })],
  listAudit: ['staff:read', (staff, caller) => staff.listAudit(caller)],
  exportAudit: ['staff:read', (staff, caller) => staff.exportAudit(caller)],
  listPeople: ['staff:manage', (staff, caller) => staff.listPeople(caller)],
  invitePerson: ['staff:manage', (staff, caller) => staff.invitePerson(caller, NEW_PERSON)],
  updatePerson: ['staff:manage', (staff, caller) => staff.updatePerson(caller, MISSING, {})],
  linkPerson: ['staff:manage', (staff, caller) => staff.linkPerson(caller, MISSING)],
  signOutPerson: ['staff:manage', (staff, caller) => staff.signOutPerson(caller, MISSING)],
  listRoles: ['staff:manage', (staff, caller) => staff.listRoles(caller)],
  setRole: ['staff:manage', (staff, caller) => staff.setRole(caller, { name: 'x', scopes: [] })],
  listSessions: ['staff:manage', (staff, caller) => staff.listSessions(caller)],
  endSession: ['staff:manage', (staff, caller) => staff.endSession(caller, MISSING)],
  createKey: ['staff:manage', (staff, caller) => staff.createKey(caller, NEW_KEY)],
  revokeKey: ['staff:manage', (staff, caller) => staff.revokeKey(caller, MISSING)],
  paymentHistory: ['staff:read', (staff, caller) => staff.paymentHistory(caller, payment)],
  invoiceHistory: ['staff:read', (staff, caller) => staff.invoiceHistory(caller, MISSING)],
  checkoutHistory: ['staff:read', (staff, caller) => staff.checkoutHistory(caller, MISSING)],
  subscriptionHistory: [
    'staff:read',
    (staff, caller) => staff.subscriptionHistory(caller, MISSING),
  ],
  importStatement: [
    'staff:act',
    (staff, caller) =>
      staff.importStatement(caller, {
        file_name: 'empty.csv',
        format: 'mandiri_csv',
        content_base64: Buffer.from('Date,Description,Debit,Credit').toString('base64'),
      }),
  ],
  listStatementImports: ['staff:read', (staff, caller) => staff.listStatementImports(caller)],
  getStatementImport: ['staff:read', (staff, caller) => staff.getStatementImport(caller, MISSING)],
  listStatementLines: ['staff:read', (staff, caller) => staff.listStatementLines(caller)],
  listStatementMappings: ['staff:read', (staff, caller) => staff.listStatementMappings(caller)],
  setStatementMapping: [
    'staff:act',
    (staff, caller) => staff.setStatementMapping(caller, { name: 'daily', columns: COLUMNS }),
  ],
  readStatementColumns: [
    'staff:act',
    (staff, caller) =>
      staff.readStatementColumns(caller, {
        format: 'portal_csv',
        content_base64: Buffer.from('Date,Amount').toString('base64'),
      }),
  ],
  listRefundRequests: ['staff:read', (staff, caller) => staff.listRefundRequests(caller)],
  approveRefund: [
    'staff:act',
    (staff, caller) => staff.approveRefund(withRefund(caller), MISSING, { reason }),
  ],
  declineRefund: [
    'staff:act',
    (staff, caller) => staff.declineRefund(withRefund(caller), MISSING, { reason }),
  ],
  replayNotification: ['staff:act', (staff, caller) => staff.replayNotification(caller, MISSING)],
  resolveOperation: [
    'staff:act',
    (staff, caller) => staff.resolveOperation(caller, MISSING, { outcome: 'look', reason }),
  ],
  closeAlarm: ['staff:act', (staff, caller) => staff.closeAlarm(caller, MISSING, { reason })],
  retireSubscriber: [
    'staff:act',
    (staff, caller) => staff.retireSubscriber(caller, { subscriber: 'x' }),
  ],
  retryEvent: [
    'staff:act',
    (staff, caller) => staff.retryEvent(caller, { subscriber: 'x', object_id: MISSING }),
  ],
  skipEvent: [
    'staff:act',
    (staff, caller) => staff.skipEvent(caller, { subscriber: 'x', object_id: MISSING }),
  ],
  erasePerson: [
    'staff:act',
    (staff, caller) =>
      staff.erasePerson(caller, { email: 'unknown@example.com', reason, dry_run: true }),
  ],
  adoptOrder: [
    'staff:act',
    (staff, caller) => staff.adoptOrder(caller, { order_id: 'none', owner_id: 'ani', reason }),
  ],
}

const NEW_PERSON = { email: 'x@shop.example', name: 'X', role: 'unknown' }
const COLUMNS = { time: 'Date', amount: 'Amount' }
const NEW_KEY = { name: 'x', owner_id: 'ani', scopes: [] }

describe('the staff API', () => {
  test('has no function without a row', () => {
    expect(Object.keys(access.gapura.staff).sort()).toEqual([...Object.keys(STAFF), 'getMe'].sort())
  })

  test('getMe takes staff, and no scope', async () => {
    const { staff } = access.gapura
    expect(await codeOf(staff.getMe(budi))).toBe('forbidden')
    expect(await staff.getMe(desk())).toMatchObject({ owner_id: 'desk', scopes: [] })
  })

  test.each(Object.entries(STAFF))('%s needs staff and its scope', async (_name, [scope, call]) => {
    const { staff } = access.gapura
    const others = SCOPES.filter((one) => one !== scope)
    for (const caller of [budi, desk(), desk(...others), { ...budi, scopes: [scope] }]) {
      expect(await codeOf(call(staff, caller))).toBe('forbidden')
    }
    expect(await codeOf(call(staff, desk(scope)))).not.toBe('forbidden')
  })
})
