// The same matrix for callers without HTTP: every function of the API.
import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, type Caller, type Scope } from '../../src/domain/caller.ts'
import type { GapuraApi } from '../../src/main/api.ts'
import { useAccess } from './access_rig.ts'
import { inputsOf } from './access_rows.ts'

const access = useAccess()
const made = inputsOf(access.http)
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
