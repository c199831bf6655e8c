// No field can be set that the schema does not list (I-32): sends every writable route the name of
// every column, one at a time, at every depth of its body.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { ROUTES } from '../../src/main/routes.ts'
import { useAccess } from './access_rig.ts'
import { inputsOf } from './access_rows.ts'

const access = useAccess()
const { http } = access
const made = inputsOf(http)
const ID = '01890000-0000-7000-8000-000000000000'
const anId = async (): Promise<string> => await Promise.resolve(ID)

const given = (body: object) => async () => await Promise.resolve(body)

/** Names that an attacker would try without knowing our tables. */
const GUESSED = [
  'id owner owner_id user user_id account tenant caller staff is_staff is_admin admin role scopes',
  'status state transaction_status fraud_status is_paid paid paid_at refundable_amount amount_paid',
  'version created_at updated_at notification_url callback webhook_url server_key',
]
  .join(' ')
  .split(' ')

interface Writable {
  path: string
  body?: () => Promise<object>
  /** Objects inside the body that are closed as well. */
  inner?: string[]
}

const WRITABLE: Record<string, Writable> = {
  'POST /charge/': {
    path: '/charge/',
    body: made.charge,
    inner: ['customer_details', 'customer_details.shipping_address', 'item_details.0'],
  },
  'POST /payments/{pk}/cancel/': { path: '/payments/PAYMENT/cancel/' },
  'POST /payments/{pk}/expire/': { path: '/payments/PAYMENT/expire/' },
  'POST /payments/{pk}/refund/': {
    path: '/payments/PAID/refund/',
    body: given({ amount: 1_000 }),
  },
  'POST /payments/{pk}/capture/': {
    path: '/payments/AUTHORIZED/capture/',
    body: given({ amount: 1_000 }),
  },
  'POST /invoices/': { path: '/invoices/', body: made.invoice, inner: ['items.0'] },
  'POST /invoices/{pk}/void/': {
    path: '/invoices/INVOICE/void/',
    body: given({ reason: 'mistake' }),
  },
  'POST /checkouts/': {
    path: '/checkouts/',
    body: made.checkout,
    inner: ['item_details.0', 'customer_details'],
  },
  'POST /checkouts/{pk}/cancel/': { path: '/checkouts/CHECKOUT/cancel/' },
  'POST /subscriptions/': { path: '/subscriptions/', body: made.subscription },
  'POST /subscriptions/{pk}/{action_name}/': { path: '/subscriptions/SUBSCRIPTION/disable/' },
}

for (const name of ['refresh', 'cancel', 'expire', 'approve', 'deny']) {
  const body = async () => await Promise.resolve({ reason: 'mistake' })
  const path = `/staff/payments/PAYMENT/${name}/`
  WRITABLE[`POST /staff/payments/{pk}/${name}/`] = { path, body }
}
for (const name of ['disable', 'enable', 'cancel']) {
  const body = async () => await Promise.resolve({ reason: 'mistake' })
  const path = `/staff/subscriptions/SUBSCRIPTION/${name}/`
  WRITABLE[`POST /staff/subscriptions/{pk}/${name}/`] = { path, body }
}
for (const [name, text] of [
  ['take', undefined],
  ['note', 'mistake'],
  ['close', 'mistake'],
] as const) {
  const path = `/staff/alarms/ALARM/${name}/`
  const body = async () => await Promise.resolve({ reason: text })
  WRITABLE[`POST /staff/alarms/{pk}/${name}/`] = { path, ...(text !== undefined && { body }) }
}
for (const name of ['approve', 'decline']) {
  const body = async () => await Promise.resolve({ reason: 'mistake' })
  const path = `/staff/refund_requests/REQUEST/${name}/`
  WRITABLE[`POST /staff/refund_requests/{pk}/${name}/`] = { path, body }
}
for (const [name, body] of Object.entries({
  update: { description: 'new' },
  pause: undefined,
  enable: { from: '2026-01-01T00:00:00Z' },
  rotate: undefined,
  delete: { reason: 'mistake' },
  test: undefined,
  resend: { from: '2026-01-01T00:00:00Z' },
})) {
  WRITABLE[`POST /webhook_endpoints/{pk}/${name}/`] = {
    path: `/webhook_endpoints/ENDPOINT/${name}/`,
    ...(body && { body: async () => await Promise.resolve(body) }),
  }
}
const released = async () => await Promise.resolve({ subscriber: 'unknown', object_id: ID })
const to = (path: string, body: object) => ({ path, body: given(body) })
const decided = (path: string, action?: string) => ({
  path: `/staff/reconciliation/${path}/`,
  body: given({ reason: 'mistake', ...(action !== undefined && { action }) }),
})
Object.assign(WRITABLE, {
  'POST /webhook_endpoints/': { path: '/webhook_endpoints/', body: made.endpoint },
  'POST /staff/payments/{pk}/refund/': to('/staff/payments/PAID/refund/', {
    amount: 1_000,
    reason: 'mistake',
  }),
  'POST /staff/payments/{pk}/record_refund/': {
    path: '/staff/payments/PAID/record_refund/',
    body: async () =>
      await Promise.resolve({ amount: 1_000, reason: 'mistake', reference: 'TRF-1' }),
  },
  'POST /staff/payments/{pk}/capture/': to('/staff/payments/AUTHORIZED/capture/', {
    amount: 1_000,
    reason: 'mistake',
  }),
  'POST /staff/invoices/{pk}/void/': to('/staff/invoices/INVOICE/void/', { reason: 'mistake' }),
  'POST /staff/payments/{pk}/notes/': to('/staff/payments/PAYMENT/notes/', { text: 'a note' }),
  'POST /staff/notifications/{pk}/replay/': { path: '/staff/notifications/NOTICE/replay/' },
  'POST /staff/operations/{pk}/resolve/': to('/staff/operations/OPERATION/resolve/', {
    outcome: 'look',
    reason: 'mistake',
  }),
  'POST /staff/fees/rates/': to('/staff/fees/rates/', {
    payment_type: 'qris',
    valid_from: '2026-01-31',
  }),
  'POST /staff/ledger/close-day/': to('/staff/ledger/close-day/', { day: '2026-01-31' }),
  'POST /staff/reconciliation/exceptions/{pk}/act/': decided('exceptions/ITEM/act', 'accept'),
  'POST /staff/reconciliation/actions/{pk}/approve/': decided('actions/ITEM/approve'),
  'POST /staff/reconciliation/actions/{pk}/undo/': decided('actions/ITEM/undo'),
  'POST /staff/people/': to('/staff/people/', { email: 'x@x.example', name: 'X', role: 'viewer' }),
  'POST /staff/people/{pk}/update/': to('/staff/people/PERSON/update/', { name: 'X' }),
  'POST /staff/people/{pk}/link/': { path: '/staff/people/PERSON/link/' },
  'POST /staff/people/{pk}/sign_out/': { path: '/staff/people/PERSON/sign_out/' },
  'POST /staff/roles/': { path: '/staff/roles/', body: given({ name: 'x', scopes: [] }) },
  'POST /staff/sessions/{pk}/end/': { path: '/staff/sessions/SESSION/end/' },
  'POST /staff/keys/': to('/staff/keys/', { name: 'x', owner_id: 'ani', scopes: [] }),
  'POST /staff/keys/{pk}/revoke/': { path: '/staff/keys/KEY/revoke/', body: given({}) },
  'POST /staff/events/retry/': { path: '/staff/events/retry/', body: released },
  'POST /staff/events/skip/': { path: '/staff/events/skip/', body: released },
})

const writableRoutes = ROUTES.filter(
  ({ method, access: open }) => method === 'POST' && open !== 'public',
)

test('every route that writes is listed here', () => {
  const names = writableRoutes.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(WRITABLE).sort()).toEqual(names.sort())
})

async function columns(): Promise<string[]> {
  const found = await http.database.sql(
    `select distinct column_name::text as name
     from information_schema.columns
     where table_schema = $1`,
    [http.database.db.schema],
  )
  return found.map(({ name }) => String(name))
}

async function addressOf(path: string): Promise<string> {
  const word = /[A-Z]{2,}/.exec(path)?.[0]
  const makers: Record<string, () => Promise<string>> = {
    PAYMENT: made.payment,
    PAID: made.paid,
    AUTHORIZED: made.authorized,
    INVOICE: made.ownInvoice,
    SUBSCRIPTION: made.ownSubscription,
    CHECKOUT: made.ownCheckout,
    ENDPOINT: made.ownEndpoint,
    ALARM: anId,
    NOTICE: anId,
    OPERATION: anId,
    REQUEST: anId,
    PERSON: anId,
    SESSION: anId,
    KEY: anId,
    ITEM: anId,
  }
  const make = makers[word ?? '']
  return make === undefined ? path : path.replace(word ?? '', await make())
}

/** The same body with one more member in the object at this place. */
function withMember(body: object, place: string, name: string): object {
  const copy = structuredClone(body) as Record<string, unknown>
  const steps = place === '' ? [] : place.split('.')
  let inside = copy
  for (const step of steps) inside = inside[step] as Record<string, unknown>
  inside[name] = 'planted'
  return copy
}

const rowsOfAllTables = async (): Promise<unknown> =>
  await http.database.sql(
    `select
       (select count(*) from gapura.gateway_payment) as payments,
       (select count(*) from gapura.gateway_invoice) as invoices,
       (select count(*) from gapura.gateway_subscription) as subscriptions,
       (select count(*) from gapura.gateway_checkout) as checkouts,
       (select count(*) from gapura.gateway_refund) as refunds,
       (select count(*) from gapura.ledger_closing) as closed_days,
       (select count(*) from gapura.fee_rate) as rates,
       (select count(*) from gapura.gateway_operation) as operations,
       (select sum(hashtext(endpoint::text)) from gapura.webhook_endpoint as endpoint) as endpoints,
       (select sum(version) from gapura.gateway_payment) as versions`,
  )

/** The names that the route's own schema lists at this place. */
function listed(name: string, body: object | undefined, place: string): Set<string> {
  const route = writableRoutes.find(({ method, path }) => `${method} ${path}` === name)
  let schema: Schema | undefined = route?.input
  for (const step of place === '' ? [] : place.split('.')) {
    schema = step === '0' ? schema?.items : schema?.properties?.[step]
  }
  expect(body === undefined || schema !== undefined).toBe(true)
  return new Set(Object.keys(schema?.properties ?? {}))
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
}

describe.each(Object.entries(WRITABLE))('%s', (name, { path, body: make, inner = [] }) => {
  test.each(['', ...inner])('400 for every field not listed, at %j', async (place) => {
    const url = await addressOf(path)
    const body = (await make?.()) ?? {}
    const known = listed(name, await make?.(), place)
    const names = [...new Set([...(await columns()), ...GUESSED])].filter((one) => !known.has(one))
    expect(names.length).toBeGreaterThan(100)
    const before = await rowsOfAllTables()
    for (const field of names) {
      const as = url.startsWith('/staff/') ? 'clerk' : 'ani'
      const answer = await http.post(url, { as, body: withMember(body, place, field) })
      const where = place === '' ? field : `${place}.${field}`
      const errors = [{ field: where, message: 'unknown field' }]
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } })
    }
    expect(await rowsOfAllTables()).toEqual(before)
  })
})

describe('where names are free', () => {
  test('metadata sets nothing but metadata', async () => {
    const metadata = { owner_id: 'budi', id: 'x', transaction_status: 'settlement', staff: 'true' }
    const { id } = await http.charged('bank_transfer', { metadata })
    const [row] = await http.database.sql(
      `select id, owner_id, transaction_status, paid_at, metadata
       from gapura.gateway_payment where id = $1`,
      [id],
    )
    expect(row).toEqual({
      id,
      owner_id: 'ani',
      transaction_status: 'pending',
      paid_at: null,
      metadata,
    })
  })

  test('an authentic notification sets nothing but the gateway’s own fields', async () => {
    const { id, order_id } = await http.charged()
    const snapshot = async () =>
      await http.database.sql('select * from gapura.gateway_payment where id = $1', [id])
    const before = await snapshot()
    const [row] = before
    const gross_amount = String(row?.['gross_amount'])
    const fields = { order_id: String(order_id), status_code: '201', gross_amount }
    const signature_key = signNotification(fields, http.parts.simulator.server_key)
    const planted = Object.fromEntries((await columns()).map((one) => [one, '1']))
    const stated = { transaction_status: 'pending', transaction_id: row?.['transaction_id'] }
    const body = { ...planted, ...fields, ...stated, signature_key, payment_type: 'bank_transfer' }
    expect((await http.post('/notification/', { body, as: '' })).status).toBe(200)
    const [after] = await snapshot()
    // The gateway may fill empty details (I-12); nothing that is set is changed.
    const kept = Object.entries(row ?? {}).filter(
      ([name, value]) => value !== null && name !== 'updated_at',
    )
    for (const [column, value] of kept) expect([column, after?.[column]]).toEqual([column, value])
    expect(after).toMatchObject({ owner_id: 'ani', version: row?.['version'], paid_at: null })
  })
})
