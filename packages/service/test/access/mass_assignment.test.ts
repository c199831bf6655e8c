// No field can be set that the schema does not list (I-32): sends every writable route the name of
// every column, at every depth of its body. Each must be refused by its own name.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { ROUTES } from '../../src/main/routes.ts'
import { useAccess } from './access_rig.ts'
import { inputsOf } from './access_rows.ts'
import { given, STAFF_WRITABLE, type Writable } from './staff_writable.ts'

const access = useAccess()
const { http } = access
const made = inputsOf(http)
const ID = '01890000-0000-7000-8000-000000000000'
const anId = async (): Promise<string> => await Promise.resolve(ID)

/** Names that an attacker would try without knowing our tables. */
const GUESSED = [
  'id owner owner_id user user_id account tenant caller staff is_staff is_admin admin role scopes',
  'status state transaction_status fraud_status is_paid paid paid_at refundable_amount amount_paid',
  'version created_at updated_at notification_url callback webhook_url server_key',
]
  .join(' ')
  .split(' ')

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

const REASONED = {
  payments: ['PAYMENT', 'refresh', 'cancel', 'expire', 'approve', 'deny'],
  checkouts: ['CHECKOUT', 'cancel'],
  invoices: ['INVOICE', 'void'],
  subscriptions: ['SUBSCRIPTION', 'disable', 'enable', 'cancel'],
  refund_requests: ['REQUEST', 'approve', 'decline'],
  exports: ['SCHEDULE', 'delete'],
  alarms: ['ALARM', 'note', 'close'],
}
for (const [kind, [id, ...names]] of Object.entries(REASONED)) {
  for (const name of names) {
    const path = `/staff/${kind}/${id}/${name}/`
    WRITABLE[`POST /staff/${kind}/{pk}/${name}/`] = { path, body: given({ reason: 'mistake' }) }
  }
}
WRITABLE['POST /staff/alarms/{pk}/take/'] = { path: '/staff/alarms/ALARM/take/' }
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
    ...(body && { body: given(body) }),
  }
}
Object.assign(WRITABLE, {
  'POST /webhook_endpoints/': { path: '/webhook_endpoints/', body: made.endpoint },
  'POST /staff/payments/{pk}/refund/': {
    path: '/staff/payments/PAID/refund/',
    body: given({ amount: 1_000, reason: 'mistake' }),
  },
  'POST /staff/payments/{pk}/record_refund/': {
    path: '/staff/payments/PAID/record_refund/',
    body: given({ amount: 1_000, reason: 'mistake', reference: 'TRF-1' }),
  },
  'POST /staff/payments/{pk}/capture/': {
    path: '/staff/payments/AUTHORIZED/capture/',
    body: given({ amount: 1_000, reason: 'mistake' }),
  },
  'POST /staff/invoices/{pk}/void/': {
    path: '/staff/invoices/INVOICE/void/',
    body: given({ reason: 'mistake' }),
  },
  'POST /staff/checkouts/': {
    path: '/staff/checkouts/',
    body: async () => ({ owner_id: 'ani', ...(await made.checkout()) }),
    inner: ['item_details.0', 'customer_details'],
  },
  'POST /staff/payments/{pk}/notes/': {
    path: '/staff/payments/PAYMENT/notes/',
    body: given({ text: 'a note' }),
  },
  'POST /staff/notifications/{pk}/replay/': { path: '/staff/notifications/NOTICE/replay/' },
  'POST /staff/operations/{pk}/resolve/': {
    path: '/staff/operations/OPERATION/resolve/',
    body: given({ outcome: 'look', reason: 'mistake' }),
  },
  'POST /staff/exports/': {
    path: '/staff/exports/',
    body: given({ name: 'x', every: 'day', format: 'csv', recipients: ['x@shop.example'] }),
  },
  ...STAFF_WRITABLE,
})

/** As many faults as the validator names at once. */
const NAMES_AT_ONCE = 8

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
    SCHEDULE: anId,
  }
  const make = makers[word ?? '']
  return make === undefined ? path : path.replace(word ?? '', await make())
}

/** The same body with more members in the object at this place. */
function withMembers(body: object, place: string, names: readonly string[]): object {
  const copy = structuredClone(body) as Record<string, unknown>
  const steps = place === '' ? [] : place.split('.')
  let inside = copy
  for (const step of steps) inside = inside[step] as Record<string, unknown>
  for (const name of names) inside[name] = 'planted'
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
       (select count(*) from gapura.statement_import) as imports,
       (select count(*) from gapura.statement_mapping) as mappings,
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
    const as = url.startsWith('/staff/') ? 'clerk' : 'ani'
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const some = names.slice(at, at + NAMES_AT_ONCE)
      const answer = await http.post(url, { as, body: withMembers(body, place, some) })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      const refused = some.map((field) => ({
        field: place === '' ? field : `${place}.${field}`,
        message: 'unknown field',
      }))
      expect(answer.body['errors']).toHaveLength(some.length)
      expect(answer.body['errors']).toEqual(expect.arrayContaining(refused))
    }
    // One alone is refused as well: the others did not take its place.
    const alone = await http.post(url, { as, body: withMembers(body, place, names.slice(0, 1)) })
    expect(alone.status).toBe(400)
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
