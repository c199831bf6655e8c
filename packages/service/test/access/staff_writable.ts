// The bodies of the staff routes that write, beside those of payments.

export interface Writable {
  path: string
  body?: () => Promise<object>
  /** Objects inside the body that are closed as well. */
  inner?: string[]
}

export const given = (body: object) => async () => await Promise.resolve(body)
const ID = '01890000-0000-7000-8000-000000000000'
const released = given({ subscriber: 'unknown', object_id: ID })

const FILE = {
  format: 'portal_csv',
  content_base64: Buffer.from('Date,Amount').toString('base64'),
}

export const STAFF_WRITABLE: Readonly<Record<string, Writable>> = {
  'POST /staff/fees/rates/': {
    path: '/staff/fees/rates/',
    body: given({ payment_type: 'qris', valid_from: '2026-01-31' }),
  },
  'POST /staff/ledger/close-day/': {
    path: '/staff/ledger/close-day/',
    body: given({ day: '2026-01-31' }),
  },
  'POST /staff/statements/': {
    path: '/staff/statements/',
    body: given({ ...FILE, file_name: 'a.csv', columns: { time: 'Date', amount: 'Amount' } }),
    inner: ['columns'],
  },
  'POST /staff/statements/mappings/': {
    path: '/staff/statements/mappings/',
    body: given({ name: 'x', columns: { time: 'Date', amount: 'Amount' } }),
    inner: ['columns'],
  },
  'POST /staff/statements/columns/': { path: '/staff/statements/columns/', body: given(FILE) },
  'POST /staff/reconciliation/exceptions/{pk}/act/': {
    path: '/staff/reconciliation/exceptions/ITEM/act/',
    body: given({ action: 'accept', reason: 'mistake' }),
  },
  'POST /staff/reconciliation/actions/{pk}/approve/': {
    path: '/staff/reconciliation/actions/ITEM/approve/',
    body: given({ reason: 'mistake' }),
  },
  'POST /staff/reconciliation/actions/{pk}/undo/': {
    path: '/staff/reconciliation/actions/ITEM/undo/',
    body: given({ reason: 'mistake' }),
  },
  'POST /staff/people/': {
    path: '/staff/people/',
    body: given({ email: 'x@x.example', name: 'X', role: 'viewer' }),
  },
  'POST /staff/people/{pk}/update/': {
    path: '/staff/people/PERSON/update/',
    body: given({ name: 'X' }),
  },
  'POST /staff/people/{pk}/link/': { path: '/staff/people/PERSON/link/' },
  'POST /staff/people/{pk}/sign_out/': { path: '/staff/people/PERSON/sign_out/' },
  'POST /staff/roles/': { path: '/staff/roles/', body: given({ name: 'x', scopes: [] }) },
  'POST /staff/sessions/{pk}/end/': { path: '/staff/sessions/SESSION/end/' },
  'POST /staff/keys/': {
    path: '/staff/keys/',
    body: given({ name: 'x', owner_id: 'ani', scopes: [] }),
  },
  'POST /staff/keys/{pk}/revoke/': { path: '/staff/keys/KEY/revoke/', body: given({}) },
  'POST /staff/events/retry/': { path: '/staff/events/retry/', body: released },
  'POST /staff/events/skip/': { path: '/staff/events/skip/', body: released },
}
