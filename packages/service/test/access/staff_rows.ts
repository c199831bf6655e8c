// The rows of the staff routes. Each call gets an object of its own, so that it can succeed.
import { newId } from '../../src/store/sql/values.ts'
import { SCOPES, type Scope } from '../../src/domain/caller.ts'
import type { useHttp } from '../http/http_bench.ts'

/** For staff with this scope only; for other callers the route does not exist (ADR 0020). */
export interface StaffRow {
  kind: 'staff'
  scope: Scope | null
  make?: () => Promise<string>
  body?: () => Promise<object>
  query?: string
  status?: number
}

type Made = Record<
  'payment' | 'paid' | 'authorized' | 'ownCheckout' | 'ownInvoice' | 'ownSubscription',
  () => Promise<string>
>
type Http = ReturnType<typeof useHttp>
type Row = StaffRow | { kind: 'public'; status: number; body?: () => Promise<object> }

const staff = (row: Omit<StaffRow, 'kind'>): StaffRow => ({ kind: 'staff', ...row })

/** Something that was compared. */
async function itemOf(http: Http, kind: string, state: string, cause: string): Promise<string> {
  const id = newId()
  await http.database.sql(
    `insert into gapura.reconciliation_item (id, day, kind, state, cause)
     values ($1, '2026-01-31', $2, $3, $4)`,
    [id, kind, state, cause],
  )
  return id
}

export function staffRowsOf(http: Http, made: Made): [string, Row][] {
  const { payment, paid, authorized, ownCheckout, ownInvoice, ownSubscription } = made
  const reason = async () => await Promise.resolve({ reason: 'as the matrix asks' })
  const amount = async () => await Promise.resolve({ amount: 1_000, reason: 'a part' })
  const link = async () => await Promise.resolve({ owner_id: 'ani', amount: 44_000 })
  const rate = async () =>
    await Promise.resolve({ payment_type: 'qris', valid_from: '2026-01-31', percent: '0.6' })
  const closedDay = async () => await Promise.resolve({ day: '2026-01-31' })
  const file = {
    format: 'portal_csv',
    content_base64: Buffer.from('Date,Amount').toString('base64'),
  }
  const columns = { time: 'Date', amount: 'Amount' }
  const imported = async () =>
    (
      await http.parts.gapura.staff.importStatement(ROOT, {
        ...file,
        format: 'portal_csv',
        file_name: 'a.csv',
      })
    ).id
  const recorded = async () => ({ ...(await amount()), reference: 'TRF-1' })
  const given = (body: object) => async () => await Promise.resolve(body)
  const note = async () => await Promise.resolve({ text: 'a note of the matrix' })
  const release = async () => await Promise.resolve({ subscriber: 'unknown', object_id: newId() })
  const hand = async () => await Promise.resolve({ outcome: 'look', reason: 'as the matrix asks' })
  const alarm = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
       values ($1, 'late_money', 'payment', $2, 'ani', 'paid late')`,
      [id, newId()],
    )
    return id
  }
  const held = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.refund_request
         (id, payment_id, owner_id, amount, reason, requested_by, requested_by_staff, expires_at)
       values ($1, $2, 'ani', 1000, 'a part', 'ani', false, gapura.now() + interval '1 hour')`,
      [id, await paid()],
    )
    return id
  }
  const notification = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.gateway_notification (id, order_id, effect, raw_payload)
       values ($1, 'nowhere', 'unmatched', $2)`,
      [id, JSON.stringify(REPORT)],
    )
    return id
  }
  const exception = async () => await itemOf(http, 'payment', 'missing_there', 'missing_there')
  const payout = async () => await itemOf(http, 'payout', 'expected', '')
  const accepted = async () => ({ action: 'accept', ...(await reason()) })
  const heldAction = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.reconciliation_action
         (id, item_id, action, state, amount, reason, requested_by, former_state, former_cause,
          former_effect)
       values ($1, $2, 'accept', 'held', 1000, 'a part', 'ani', 'missing_there', 'missing_there', 0)`,
      [id, await exception()],
    )
    return id
  }
  const read = { scope: 'staff:read' } as const
  const act = { scope: 'staff:act' } as const
  const challenged = async () => (await http.charged('bank_transfer')).id
  return [
    ['GET /staff/me/', staff({ scope: null })],
    ['GET /staff/payments/', staff(read)],
    // There is one cell here, and no list over several.
    ['GET /staff/cells/payments/', staff({ ...read, status: 404 })],
    ['GET /staff/payments/export/', staff(read)],
    ['GET /staff/payments/export_xlsx/', staff(read)],
    ['GET /staff/payments/totals/', staff(read)],
    ['GET /staff/search/', staff({ ...read, query: '?q=order-1' })],
    ['GET /staff/customer/', staff({ ...read, query: '?phone=0812345678' })],
    ['GET /staff/payments/:pk/', staff({ ...read, make: payment })],
    ['GET /staff/payments/:pk/pulse/', staff({ ...read, make: payment })],
    ['POST /staff/payments/:pk/notes/', staff({ ...act, make: payment, body: note })],
    ['POST /staff/payments/:pk/refresh/', staff({ ...read, make: payment })],
    ['POST /staff/payments/:pk/cancel/', staff({ ...WRITE, make: payment, body: reason })],
    ['POST /staff/payments/:pk/expire/', staff({ ...WRITE, make: payment, body: reason })],
    ['POST /staff/payments/:pk/refund/', staff({ ...REFUND, make: paid, body: amount })],
    ['POST /staff/payments/:pk/capture/', staff({ ...CAPTURE, make: authorized, body: amount })],
    // Nothing is in review here: an authorised caller gets that refusal.
    [
      'POST /staff/payments/:pk/approve/',
      staff({ ...CAPTURE, make: challenged, body: reason, status: 400 }),
    ],
    [
      'POST /staff/payments/:pk/deny/',
      staff({ ...CAPTURE, make: challenged, body: reason, status: 400 }),
    ],
    ['POST /staff/checkouts/', staff({ ...WRITE, body: link, status: 201 })],
    ['POST /staff/checkouts/:pk/cancel/', staff({ ...WRITE, make: ownCheckout, body: reason })],
    [
      'POST /staff/invoices/:pk/void/',
      staff({ scope: 'invoices:write', make: ownInvoice, body: reason }),
    ],
    ...['disable', 'enable', 'cancel'].map((name): [string, Row] => [
      `POST /staff/subscriptions/:pk/${name}/`,
      staff({
        scope: 'subscriptions:write',
        make: ownSubscription,
        body: reason,
        // It is active: an authorised caller gets that refusal.
        ...(name === 'enable' && { status: 400 }),
      }),
    ]),
    ['GET /staff/refunds/', staff(read)],
    [
      'POST /staff/payments/:pk/record_refund/',
      // The gateway refunds this payment itself.
      staff({ ...REFUND, make: paid, body: recorded, status: 400 }),
    ],
    ['GET /staff/refund_requests/', staff(read)],
    ['POST /staff/refund_requests/:pk/approve/', staff({ ...REFUND, make: held, body: reason })],
    ['POST /staff/refund_requests/:pk/decline/', staff({ ...REFUND, make: held, body: reason })],
    ['GET /staff/overview/', staff(read)],
    ['GET /staff/exports/', staff(read)],
    ['POST /staff/exports/', staff({ ...act, body: async () => scheduleOf(newId()), status: 201 })],
    // There is none: an authorised caller gets that answer.
    ['POST /staff/exports/:pk/delete/', staff({ ...act, make: GONE, body: reason, status: 404 })],
    ['GET /staff/fees/rates/', staff(read)],
    ['POST /staff/fees/rates/', staff({ ...act, body: rate })],
    ['GET /staff/reconciliation/exceptions/', staff(read)],
    ['GET /staff/reconciliation/exceptions/:pk/', staff({ ...read, make: exception })],
    [
      'POST /staff/reconciliation/exceptions/:pk/act/',
      staff({ ...act, make: exception, body: accepted }),
    ],
    [
      'POST /staff/reconciliation/actions/:pk/approve/',
      staff({ ...act, make: heldAction, body: reason }),
    ],
    [
      'POST /staff/reconciliation/actions/:pk/undo/',
      staff({ ...act, make: heldAction, body: reason }),
    ],
    ['GET /staff/reconciliation/proofs/', staff(read)],
    ['GET /staff/reconciliation/payouts/', staff(read)],
    ['GET /staff/reconciliation/payouts/:pk/', staff({ ...read, make: payout })],
    ['GET /staff/ledger/balances/', staff(read)],
    ['GET /staff/ledger/journal/', staff({ ...read, query: '?day=2026-01-31' })],
    ['GET /staff/ledger/account/', staff({ ...read, query: '?account=gateway:pending' })],
    ['GET /staff/ledger/closings/', staff(read)],
    ['GET /staff/ledger/month/', staff({ ...read, query: '?month=2026-01' })],
    ['GET /staff/ledger/month_xlsx/', staff({ ...read, query: '?month=2026-01' })],
    ['GET /staff/statements/', staff(read)],
    ['POST /staff/statements/', staff({ ...act, body: given({ ...file, file_name: 'a.csv' }) })],
    ['GET /staff/statements/lines/', staff(read)],
    ['GET /staff/statements/mappings/', staff(read)],
    ['POST /staff/statements/mappings/', staff({ ...act, body: given({ name: 'x', columns }) })],
    ['POST /staff/statements/columns/', staff({ ...act, body: given(file) })],
    ['GET /staff/statements/:pk/', staff({ ...read, make: imported })],
    ['POST /staff/ledger/close-day/', staff({ ...act, body: closedDay })],
    ['GET /staff/notifications/', staff(read)],
    ['GET /staff/notifications/:pk/', staff({ ...read, make: notification })],
    ['POST /staff/notifications/:pk/replay/', staff({ ...act, make: notification })],
    ['GET /staff/operations/', staff(read)],
    // No alarm is open: an authorised caller gets that answer.
    ['POST /staff/operations/:pk/resolve/', staff({ ...act, make: GONE, body: hand, status: 404 })],
    ['GET /staff/alarms/', staff(read)],
    ['POST /staff/alarms/:pk/take/', staff({ ...act, make: alarm })],
    ['POST /staff/alarms/:pk/note/', staff({ ...act, make: alarm, body: reason })],
    ['POST /staff/alarms/:pk/close/', staff({ ...act, make: alarm, body: reason })],
    ['GET /staff/events/', staff(read)],
    ['POST /staff/events/retry/', staff({ ...act, body: release, status: 404 })],
    ['POST /staff/events/skip/', staff({ ...act, body: release, status: 404 })],
    ['GET /staff/keys/', staff(read)],
    ['GET /staff/health/', staff(read)],
    ['GET /staff/pulse/', staff(read)],
    ...peopleRowsOf(http),
    ['GET /dashboard/', { kind: 'public', status: 200 }],
    ['GET /sign_in/', { kind: 'public', status: 200 }],
    // A body without its fields signs no one in or out.
    ...[
      '/sign_in/password/',
      '/sign_in/key/',
      '/sign_in/join/',
      '/sign_in/invitation/',
      '/sign_in/passkey/',
      '/sign_in/join/passkey/',
      '/sign_in/join/passkey/options/',
    ].map((path): [string, Row] => [`POST ${path}`, { kind: 'public', status: 400 }]),
    ['POST /sign_in/passkey/options/', { kind: 'public', status: 200 }],
    ['POST /sign_out/', { kind: 'public', status: 400, body: wrong }],
  ]
}

const wrong = async () => await Promise.resolve({ everywhere: 'yes' })

const ROOT = { owner_id: 'root', staff: true, scopes: SCOPES }

/** Accounts, roles, sessions, keys and the audit. */
function peopleRowsOf(http: Http): [string, Row][] {
  const manage = { scope: 'staff:manage' } as const
  const read = { scope: 'staff:read' } as const
  const { gapura } = http.parts
  const invited = () => {
    const staff_id = newId()
    return { email: `${staff_id}@shop.example`, name: 'New', role: 'viewer', staff_id }
  }
  const person = async () => (await gapura.staff.invitePerson(ROOT, invited())).id
  const key = async () => (await gapura.createApiKey({ owner_id: 'ani', name: 'till' })).id
  const session = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.staff_session (id, person_id, method, token_hash, expires_at)
       values ($1, $2, 'password', encode(sha256($3::bytea), 'hex'), gapura.now() + interval '1 hour')`,
      [id, await person(), id],
    )
    return id
  }
  const body = (value: object) => async () => await Promise.resolve(value)
  return [
    ['GET /staff/people/', staff(manage)],
    ['POST /staff/people/', staff({ ...manage, body: async () => invited(), status: 201 })],
    [
      'POST /staff/people/:pk/update/',
      staff({ ...manage, make: person, body: body({ name: 'Newer' }) }),
    ],
    ['POST /staff/people/:pk/link/', staff({ ...manage, make: person })],
    ['POST /staff/people/:pk/sign_out/', staff({ ...manage, make: person })],
    ['GET /staff/roles/', staff(manage)],
    [
      'POST /staff/roles/',
      staff({ ...manage, body: body({ name: 'matrix', scopes: ['staff:read'] }) }),
    ],
    ['GET /staff/sessions/', staff(manage)],
    ['POST /staff/sessions/:pk/end/', staff({ ...manage, make: session })],
    [
      'POST /staff/keys/',
      staff({ ...manage, body: body({ name: 'k', owner_id: 'ani', scopes: [] }), status: 201 }),
    ],
    ['POST /staff/keys/:pk/revoke/', staff({ ...manage, make: key })],
    ['GET /staff/audit/', staff(read)],
    ['GET /staff/audit/export/', staff(read)],
  ]
}

const scheduleOf = (name: string) => ({
  name,
  every: 'day',
  format: 'csv',
  recipients: ['finance@shop.example'],
})

const WRITE = { scope: 'payments:write' } as const
const REFUND = { scope: 'payments:refund' } as const
const CAPTURE = { scope: 'payments:capture' } as const
const GONE = async (): Promise<string> => await Promise.resolve(newId())

const REPORT = {
  order_id: 'nowhere',
  transaction_id: 'nowhere',
  transaction_status: 'settlement',
  status_code: '200',
  gross_amount: '1000.00',
}
