// The same matrix for callers without HTTP: every function of the API and of the staff API.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller, type Scope } from '../../src/domain/caller.ts'
import type { GapuraApi, GapuraStaff } from '../../src/main/api.ts'
import { useAccess } from './access_rig.ts'
import { inputsOf } from './access_rows.ts'

const access = useAccess()
const made = inputsOf(access.http)
const RATE = { payment_type: 'qris', valid_from: '2026-01-31' } as const
const MISSING = '01890000-0000-7000-8000-000000000000'

const budi: Caller = { owner_id: 'budi', staff: false, scopes: SCOPES }
const desk = (...scopes: Scope[]): Caller => ({ owner_id: 'desk', staff: true, scopes })

/** The result of a call: its code, or that it was done. */
const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  await call.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
/** All text of an error. */
const wordsOf = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => 'done',
    (error: unknown) => JSON.stringify({ ...(error as object), message: String(error) }),
  )

type Of = (api: GapuraApi, caller: Caller, id: string) => Promise<unknown>
/** By id; the others create or list for the caller itself. */
const API: Record<keyof GapuraApi, Of | 'own'> = {
  createCharge: 'own',
  queueCharge: 'own',
  listPayments: 'own',
  listEvents: 'own',
  getPayment: (api, caller, id) => api.getPayment(caller, id),
  checkStatus: (api, caller, id) => api.checkStatus(caller, id),
  getStatus: (api, caller, id) => api.getStatus(caller, id),
  cancelPayment: (api, caller, id) => api.cancelPayment(caller, id),
  expirePayment: (api, caller, id) => api.expirePayment(caller, id),
  refundPayment: (api, caller, id) => api.refundPayment(caller, id, { amount: 1_000 }),
  queueRefund: (api, caller, id) => api.queueRefund(caller, id, { amount: 1_000 }),
  capturePayment: (api, caller, id) => api.capturePayment(caller, id, {}),
  approvePayment: (api, caller, id) => api.approvePayment(caller, id),
  denyPayment: (api, caller, id) => api.denyPayment(caller, id),
  createInvoice: 'own',
  listInvoices: 'own',
  getInvoice: (api, caller, id) => api.getInvoice(caller, id),
  getInvoiceStatus: (api, caller, id) => api.getInvoiceStatus(caller, id),
  voidInvoice: (api, caller, id) => api.voidInvoice(caller, id, {}),
  createCheckout: 'own',
  listCheckouts: 'own',
  getCheckout: (api, caller, id) => api.getCheckout(caller, id),
  cancelCheckout: (api, caller, id) => api.cancelCheckout(caller, id),
  createSubscription: 'own',
  listSubscriptions: 'own',
  getSubscription: (api, caller, id) => api.getSubscription(caller, id),
  getSubscriptionStatus: (api, caller, id) => api.getSubscriptionStatus(caller, id),
  updateSubscription: (api, caller, id) => api.updateSubscription(caller, id, { name: 'Kopi' }),
  disableSubscription: (api, caller, id) => api.disableSubscription(caller, id),
  enableSubscription: (api, caller, id) => api.enableSubscription(caller, id),
  cancelSubscription: (api, caller, id) => api.cancelSubscription(caller, id),
  createWebhookEndpoint: 'own',
  listWebhookEndpoints: 'own',
  getWebhookEndpoint: (api, caller, id) => api.getWebhookEndpoint(caller, id),
  updateWebhookEndpoint: (api, caller, id) => api.updateWebhookEndpoint(caller, id, {}),
  pauseWebhookEndpoint: (api, caller, id) => api.pauseWebhookEndpoint(caller, id),
  enableWebhookEndpoint: (api, caller, id) => api.enableWebhookEndpoint(caller, id),
  rotateWebhookEndpoint: (api, caller, id) => api.rotateWebhookEndpoint(caller, id),
  testWebhookEndpoint: (api, caller, id) => api.testWebhookEndpoint(caller, id),
  resendWebhookEndpoint: (api, caller, id) =>
    api.resendWebhookEndpoint(caller, id, { from: '2026-01-01T00:00:00Z' }),
  deleteWebhookEndpoint: (api, caller, id) => api.deleteWebhookEndpoint(caller, id),
  // By the endpoint in its query, or by the delivery, whose endpoint is looked up first.
  listWebhookDeliveries: 'own',
  getWebhookDelivery: 'own',
}
const BY_ID = Object.entries(API).flatMap(([name, call]) => (call === 'own' ? [] : [[name, call]]))
const reads = (name: string): boolean => /^get|^check/.test(name)

let payment = ''
let invoice = ''
let subscription = ''
let checkout = ''
let endpoint = ''
beforeAll(async () => {
  payment = await made.payment()
  invoice = await made.ownInvoice()
  subscription = await made.ownSubscription()
  checkout = await made.ownCheckout()
  endpoint = await made.ownEndpoint()
})
const targetOf = (name: string): string =>
  name.includes('Webhook')
    ? endpoint
    : name.includes('Invoice')
      ? invoice
      : name.includes('Subscription')
        ? subscription
        : name.includes('Checkout')
          ? checkout
          : payment

describe('the in-process API', () => {
  test('has no function without a row', () => {
    expect(Object.keys(access.gapura.api).sort()).toEqual(Object.keys(API).sort())
  })

  test.each(BY_ID as [string, Of][])('%s is not for another owner', async (name, call) => {
    const { api } = access.gapura
    const id = targetOf(name)
    expect(await codeOf(call(api, budi, id))).toBe('not_found')
    expect(await wordsOf(call(api, budi, id))).toBe(await wordsOf(call(api, budi, MISSING)))
    const not_acting = SCOPES.filter((scope) => scope !== 'staff:act')
    for (const staff of [desk(), desk(...not_acting)]) {
      expect(await codeOf(call(api, staff, id))).toBe(reads(name) ? 'done' : 'forbidden')
    }
  })
})

type By = (staff: GapuraStaff, caller: Caller) => Promise<unknown>
const reason = 'looked into'
/** These need the refund scope as well. */
const withRefund = (caller: Caller): Caller => ({
  ...caller,
  scopes: [...caller.scopes, 'payments:refund'],
})
const STAFF: Record<Exclude<keyof GapuraStaff, 'getMe'>, [Scope, By]> = {
  getOverview: ['staff:read', (staff, caller) => staff.getOverview(caller)],
  getHealth: ['staff:read', (staff, caller) => staff.getHealth(caller)],
  getPulse: ['staff:read', (staff, caller) => staff.getPulse(caller)],
  listKeys: ['staff:read', (staff, caller) => staff.listKeys(caller)],
  listPayments: ['staff:read', (staff, caller) => staff.listPayments(caller)],
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
  listFeeRates: ['staff:read', (staff, caller) => staff.listFeeRates(caller)],
  setFeeRate: ['staff:act', (staff, caller) => staff.setFeeRate(caller, RATE)],
  getLedgerBalances: ['staff:read', (staff, caller) => staff.getLedgerBalances(caller)],
  listLedgerJournal: [
    'staff:read',
    (staff, caller) => staff.listLedgerJournal(caller, { payment_id: MISSING }),
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

describe('an error beside the object', () => {
  test('about a duplicate order id of another owner names nothing of that owner', async () => {
    const { order_id } = await access.http.charged()
    const body = await access.http.chargeOf('bank_transfer', { order_id })
    const answer = await access.http.post('/charge/', { body, as: 'budi' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'duplicate_order' } })
    const [row] = await access.http.database.sql(
      'select id, transaction_id, va_number from gapura.gateway_payment where order_id = $1',
      [order_id],
    )
    for (const mark of Object.values(row ?? {})) expect(answer.text).not.toContain(String(mark))
  })

  test('a cursor made for one owner lists nothing of that owner to another', async () => {
    await access.http.charged()
    await access.http.charged()
    const page = (await access.http.get('/payments/?page_size=1')).body
    const path = String(page['next']).replace(/^\/api\/pay/, '')
    const theirs = await access.http.get(path, { as: 'budi' })
    expect(theirs.status).toBe(200)
    for (const { id } of theirs.body['results'] as { id: string }[]) {
      const [row] = await access.http.database.sql(
        'select owner_id from gapura.gateway_payment where id = $1',
        [id],
      )
      expect(row).toEqual({ owner_id: 'budi' })
    }
  })
})
