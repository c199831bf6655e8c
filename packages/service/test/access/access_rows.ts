// One row for each route: its kind, and what an authorised caller gets. A route of the router
// without a row here is a fault.
import type { Scope } from '../../src/domain/caller.ts'
import type { useHttp } from '../http/http_bench.ts'
import { insertDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { newId } from '../../src/store/sql/values.ts'
import { eventually } from '../store/test_database.ts'
import { staffRowsOf, type StaffRow } from './staff_rows.ts'

/** Makes an object of ani's in a state in which the route succeeds. */
type Make = () => Promise<string>
/** A body that the route accepts; a new one for each call. */
type Body = () => Promise<object>

export type Row =
  /** Open to everyone: the same status for every role. */
  | { kind: 'public'; status: number; body?: Body }
  /** Needs any known caller. */
  | { kind: 'known' }
  | { kind: 'list'; make: Make; query?: () => string }
  | { kind: 'create'; scope: Scope; body: Body }
  | { kind: 'read'; make: Make }
  | { kind: 'change'; scope: Scope; make: Make; body?: Body }
  | StaffRow

export type Rows = ReadonlyMap<string, Row>

type Http = ReturnType<typeof useHttp>

const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

/** Bodies of what can be created, and ani's objects in each state. */
export function inputsOf(http: Http) {
  const invoice = async () =>
    await Promise.resolve({
      customer_name: 'Ani Victim',
      customer_email: 'ani.victim@example.com',
      due_date,
      items: [{ description: 'Lamp', price: 12_000, quantity: 2 }],
    })
  const checkout = async () =>
    await Promise.resolve({
      amount: 24_000,
      item_details: [{ name: 'Lamp', price: 12_000, quantity: 2 }],
      customer_details: { first_name: 'Ani', email: 'ani.victim@example.com' },
    })
  const subscription = async () => {
    const card = { card_number: '4811111111111114', card_exp_month: '12', card_exp_year: '2035' }
    const token = String((await http.parts.cards.registerCard(card)).saved_token_id)
    return {
      name: 'Teh Bulanan',
      amount: 50_000,
      payment_type: 'credit_card',
      token,
      interval: 1,
      interval_unit: 'month',
      max_interval: 12,
    }
  }
  const charge = async () =>
    await http.chargeOf('bank_transfer', { order_id: http.fresh('matrix') })
  const posted =
    (path: string, body: Body): Make =>
    async () =>
      (await http.post(path, { body: await body() })).body.id
  const endpoint = async () =>
    await Promise.resolve({ url: `https://shop.example/${http.fresh('hook')}` })
  let delivered_to = ''
  /** One row of the log of an endpoint of ani's. */
  const delivered = async () => {
    const id = newId()
    delivered_to = (await http.post('/webhook_endpoints/', { body: await endpoint() })).body.id
    const test = { object_id: null, sequence: null, owner_id: null, type: 'webhook_test' }
    const answer = {
      outcome: 'delivered',
      error_class: null,
      response_status: 204,
      duration_ms: 1,
    } as const
    const sent = { event_id: id, url: 'https://shop.example/', attempt: 1, response_body: '' }
    const row = {
      id,
      endpoint_id: delivered_to,
      created_at: new Date(),
      ...test,
      ...answer,
      ...sent,
    }
    await http.database.do(async (tx) => await insertDeliveries(tx, [row]))
    return id
  }
  let after = ''
  const since = () => `?after=${after}`
  /** Its event can be read once every writer that began before it has ended. */
  const published = async () => {
    after = String((await http.get('/events/?after=now')).body['next'])
    const { id } = await http.charged()
    const look = async () => (await http.get(`/events/${since()}`)).text
    await eventually(look, (text) => text.includes(id))
    return id
  }
  return {
    charge,
    invoice,
    checkout,
    subscription,
    published,
    since,
    payment: async () => (await http.charged()).id,
    paid: async () => (await http.settled()).id,
    authorized: async () => (await http.charged('credit_card', { capture: false })).id,
    ownInvoice: posted('/invoices/', invoice),
    ownCheckout: posted('/checkouts/', checkout),
    ownSubscription: posted('/subscriptions/', subscription),
    endpoint,
    ownEndpoint: posted('/webhook_endpoints/', endpoint),
    delivered,
    ofDelivered: () => `?endpoint_id=${delivered_to}`,
  }
}

/** A page's own files hold no owner's data. */
const isPageFile = (path: string): boolean =>
  /^\/(?:docs|dashboard)\/(?:assets\/)?[\w-]+\.(?:js|css|svg)$/.test(path)

export function rowOf(rows: Rows, method: string, path: string): Row | undefined {
  // HEAD is GET without the body, and is judged as GET.
  const named = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (named.startsWith('GET ') && isPageFile(path)) return { kind: 'public', status: 200 }
  return rows.get(named)
}

export function rowsOf(http: Http): Rows {
  const { charge, invoice, checkout, subscription, ...made } = inputsOf(http)
  const { payment, paid, authorized, ownInvoice, ownCheckout, ownSubscription } = made
  const amount = async () => await Promise.resolve({ amount: 1_000 })
  const forged = async () => {
    const { order_id, gross_amount } = await http.charged()
    const words = { status_code: '200', transaction_status: 'settlement', signature_key: 'x' }
    return { order_id, gross_amount, ...words }
  }
  return new Map<string, Row>([
    ['POST /charge/', { kind: 'create', scope: 'payments:write', body: charge }],
    ['GET /payments/', { kind: 'list', make: payment }],
    ['GET /payments/:pk/', { kind: 'read', make: payment }],
    ['GET /payments/:pk/check_status/', { kind: 'read', make: payment }],
    ['POST /payments/:pk/cancel/', { kind: 'change', scope: 'payments:write', make: payment }],
    ['POST /payments/:pk/expire/', { kind: 'change', scope: 'payments:write', make: payment }],
    [
      'POST /payments/:pk/refund/',
      { kind: 'change', scope: 'payments:refund', make: paid, body: amount },
    ],
    [
      'POST /payments/:pk/capture/',
      { kind: 'change', scope: 'payments:capture', make: authorized, body: amount },
    ],
    ['POST /notification/', { kind: 'public', status: 403, body: forged }],
    ['GET /invoices/', { kind: 'list', make: ownInvoice }],
    ['POST /invoices/', { kind: 'create', scope: 'invoices:write', body: invoice }],
    ['GET /invoices/:pk/', { kind: 'read', make: ownInvoice }],
    ['POST /invoices/:pk/void/', { kind: 'change', scope: 'invoices:write', make: ownInvoice }],
    ['GET /checkouts/', { kind: 'list', make: ownCheckout }],
    ['POST /checkouts/', { kind: 'create', scope: 'payments:write', body: checkout }],
    ['GET /checkouts/:pk/', { kind: 'read', make: ownCheckout }],
    ['POST /checkouts/:pk/cancel/', { kind: 'change', scope: 'payments:write', make: ownCheckout }],
    ['GET /subscriptions/', { kind: 'list', make: ownSubscription }],
    ['POST /subscriptions/', { kind: 'create', scope: 'subscriptions:write', body: subscription }],
    ['GET /subscriptions/:pk/', { kind: 'read', make: ownSubscription }],
    [
      'POST /subscriptions/:pk/:action_name/',
      { kind: 'change', scope: 'subscriptions:write', make: ownSubscription },
    ],
    ['GET /events/', { kind: 'list', make: made.published, query: made.since }],
    ['GET /webhook_endpoints/', { kind: 'list', make: made.ownEndpoint }],
    ['POST /webhook_endpoints/', { kind: 'create', scope: 'webhooks:write', body: made.endpoint }],
    ['GET /webhook_endpoints/:pk/', { kind: 'read', make: made.ownEndpoint }],
    ...['update', 'pause', 'enable', 'rotate', 'delete', 'test', 'resend'].map(
      (action): [string, Row] => [
        `POST /webhook_endpoints/:pk/${action}/`,
        {
          kind: 'change',
          scope: 'webhooks:write',
          make: made.ownEndpoint,
          ...(action === 'update' && {
            body: async () => await Promise.resolve({ description: 'x' }),
          }),
          ...(action === 'resend' && {
            body: async () => await Promise.resolve({ from: '2026-01-01' }),
          }),
        },
      ],
    ),
    ['GET /webhook_deliveries/', { kind: 'list', make: made.delivered, query: made.ofDelivered }],
    ['GET /webhook_deliveries/:pk/', { kind: 'read', make: made.delivered }],
    ['GET /openapi.json', { kind: 'known' }],
    ['GET /docs/', { kind: 'public', status: 200 }],
    ...staffRowsOf(http, made),
  ])
}
