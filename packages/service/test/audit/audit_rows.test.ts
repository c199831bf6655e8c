// Which audit entries actions leave (I-36), over real HTTP and through the staff API.
import { describe, expect, test } from 'vitest'
import { SCOPES, type Caller } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { checkInvariants } from '../../src/services/verify/check_invariants.ts'
import { openAlarm } from '../../src/store/staff/alarms.ts'
import { newId } from '../../src/store/sql/values.ts'
import { inputsOf } from '../access/access_rows.ts'
import { useHttp, type Json } from '../http/http_bench.ts'

const http = useHttp()
const made = inputsOf(http)
const dewi: Caller = { owner_id: 'dewi', staff: true, scopes: SCOPES }
const reason = 'the customer asked for it'

/** The audit entries written during the work. */
async function noted(work: () => Promise<unknown>): Promise<Json[]> {
  const [before] = await http.database.sql('select count(*) as n from gapura.audit_unsealed')
  await work()
  return await http.database.sql(
    `select actor, actor_kind, action, subject_kind, subject_id, owner_id, reason, request_id,
       operation_id, detail::jsonb as detail
     from gapura.audit_unsealed
     order by occurred_at, id
     offset $1`,
    [before?.['n']],
  )
}

const sent = { headers: { 'x-request-id': 'request-of-ani' } }

describe('a money action', () => {
  test('is recorded with caller, action, amount, request and operation; the reason stays on the refund', async () => {
    const id = await made.paid()
    const rows = await noted(async () => {
      const body = { amount: 1_000, reason }
      await http.post(`/payments/${id}/refund/`, { ...sent, body })
    })
    const [operation] = await http.database.sql(
      "select id from gapura.gateway_operation where subject_id = $1 and kind = 'refund'",
      [id],
    )
    expect(rows).toEqual([
      {
        actor: 'ani',
        actor_kind: 'owner',
        action: 'payment.refund',
        subject_kind: 'payment',
        subject_id: id,
        owner_id: 'ani',
        reason: null,
        request_id: 'request-of-ani',
        operation_id: operation?.['id'],
        detail: { amount: '1000.00' },
      },
    ])
  })

  test('of staff on another owner’s payment names both', async () => {
    const id = await made.payment()
    const rows = await noted(
      async () => await http.post(`/payments/${id}/cancel/`, { as: 'clerk' }),
    )
    expect(rows).toMatchObject([
      {
        actor: 'desk',
        actor_kind: 'staff',
        action: 'payment.cancel',
        owner_id: 'ani',
        reason: null,
      },
    ])
  })

  test.each([
    ['/invoices/ID/void/', made.ownInvoice, 'invoice.void_invoice'],
    ['/subscriptions/ID/disable/', made.ownSubscription, 'subscription.disable_subscription'],
    ['/payments/ID/expire/', made.payment, 'payment.expire'],
    ['/payments/ID/capture/', made.authorized, 'payment.capture'],
  ])('%s', async (path, make, action) => {
    const id = await make()
    const rows = await noted(async () => await http.post(path.replace('ID', id)))
    expect(rows).toMatchObject([{ actor: 'ani', action, subject_id: id, owner_id: 'ani' }])
  })

  test('that was refused or is a repeat leaves no (further) entry', async () => {
    const id = await made.payment()
    const body = { amount: 1_000 }
    expect(await noted(async () => await http.post(`/payments/${id}/refund/`, { body }))).toEqual(
      [],
    )
    const key = http.fresh('key')
    const rows = await noted(async () => {
      await http.post(`/payments/${id}/cancel/`, { key })
      await http.post(`/payments/${id}/cancel/`, { key })
    })
    expect(rows).toHaveLength(1)
  })
})

describe('a new object', () => {
  test.each([
    ['/invoices/', made.invoice, 'invoice.create_invoice'],
    ['/subscriptions/', made.subscription, 'subscription.create_subscription'],
    ['/checkouts/', made.checkout, 'checkout.create_checkout'],
  ])('at %s names its creator if that is staff', async (path, input, action) => {
    const by = async (as: 'ani' | 'clerk') =>
      await noted(async () => await http.post(path, { as, body: await input() }))
    expect(await by('clerk')).toMatchObject([
      { actor: 'desk', actor_kind: 'staff', action, operation_id: expect.any(String) as string },
    ])
    expect(await by('ani')).toEqual([])
  })
})

describe('a read', () => {
  test.each([
    ['/payments/ID/', made.payment, 'payment.read'],
    ['/payments/ID/check_status/', made.payment, 'payment.check_status'],
    ['/invoices/ID/', made.ownInvoice, 'invoice.read'],
    ['/subscriptions/ID/', made.ownSubscription, 'subscription.read'],
  ])(
    'of another owner’s %s by staff is recorded; the owner’s own is not',
    async (path, make, action) => {
      const id = await make()
      const url = path.replace('ID', id)
      const rows = await noted(async () => await http.get(url, { as: 'staff', ...sent }))
      expect(rows).toMatchObject([
        { actor: 'desk', action, subject_id: id, owner_id: 'ani', request_id: 'request-of-ani' },
      ])
      expect(await noted(async () => await http.get(url))).toEqual([])
      expect(await noted(async () => await http.get(url, { as: 'budi' }))).toEqual([])
    },
  )

  test.each([
    ['/payments/', made.payment, 'payment.list'],
    ['/invoices/', made.ownInvoice, 'invoice.list'],
    ['/subscriptions/', made.ownSubscription, 'subscription.list'],
  ])('of a page of %s records what was on it, and no address', async (path, make, action) => {
    const ids = [await make(), await make()]
    const url = `${path}?page_size=2`
    const rows = await noted(async () => await http.get(url, { as: 'staff' }))
    expect(rows).toMatchObject([{ actor: 'desk', action, detail: { owners: ['ani'] } }])
    const [{ detail } = { detail: undefined }] = rows as { detail?: { ids: string[] } }[]
    expect(detail?.ids.toSorted()).toEqual(ids.toSorted())
    expect(JSON.stringify(rows)).not.toContain('@')
    expect(await noted(async () => await http.get(url))).toEqual([])
  })

  test('that cannot be recorded is not answered', async () => {
    const id = await made.payment()
    await http.database.sql(
      'alter table gapura.audit_unsealed add constraint full_disk check (false) not valid',
    )
    const shown = await http.get(`/payments/${id}/`, { as: 'staff' })
    await http.database.sql('alter table gapura.audit_unsealed drop constraint full_disk')
    expect(shown.status).toBe(500)
    expect(shown.text).not.toContain(id)
  })
})

describe('staff actions', () => {
  const staff = () => http.parts.gapura.staff

  test('closing an alarm is recorded with the reason and an id of its own', async () => {
    const id = newId()
    const about = {
      subject_kind: 'payment',
      subject_id: await made.payment(),
      owner_id: 'ani',
    } as const
    await http.database.do(
      async (tx) => await openAlarm(tx, { id, kind: 'amount_mismatch', detail: 'x', ...about }),
    )
    const rows = await noted(async () => await staff().closeAlarm(dewi, id, { reason }))
    expect(rows).toMatchObject([
      { actor: 'dewi', action: 'alarm.close', subject_id: id, owner_id: 'ani', reason },
    ])
    expect(String(rows[0]?.['request_id'])).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('reading a history and replaying a notification are recorded', async () => {
    const { id, order_id } = await http.charged()
    const fields = { order_id: String(order_id), status_code: '201', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, http.parts.simulator.server_key)
    const body = { ...fields, transaction_status: 'pending', signature_key }
    const webhook = await noted(async () => await http.post('/notification/', { body, as: '' }))
    // The webhook's transaction does not write an audit entry.
    expect(webhook).toEqual([])
    const [kept] = await http.database.sql(
      'select id from gapura.gateway_notification where order_id = $1 limit 1',
      [order_id],
    )
    const replayed = String(kept?.['id'])
    const rows = await noted(async () => {
      await staff().paymentHistory(dewi, id)
      await staff().replayNotification(dewi, replayed)
    })
    expect(rows).toMatchObject([
      { actor: 'dewi', action: 'payment.history', subject_id: id },
      { actor: 'dewi', action: 'notification.replay', subject_id: replayed },
    ])
  })

  test('resolving an operation and adopting an order are recorded', async () => {
    const id = await made.payment()
    await http.strike('cancel', 'timeout_before')
    await http.control('faults', { effect: 'drop_before', match: { operation: 'get_status' } })
    await http.post(`/payments/${id}/cancel/`)
    await http.calm()
    const [open] = await http.database.sql(
      "update gapura.gateway_operation set due_at = gapura.now() where subject_id = $1 and state in ('started', 'unknown') returning id",
      [id],
    )
    const operation = String(open?.['id'])
    const rows = await noted(
      async () => await staff().resolveOperation(dewi, operation, { outcome: 'look', reason }),
    )
    expect(rows).toMatchObject([
      {
        actor: 'dewi',
        action: 'operation.resolve',
        subject_id: operation,
        owner_id: 'ani',
        reason,
      },
    ])
    const order_id = http.fresh('elsewhere')
    const charge = { payment_type: 'qris', transaction_details: { order_id, gross_amount: 5_000 } }
    await http.parts.cards.charge(charge as never)
    const adopted = await noted(
      async () => await staff().adoptOrder(dewi, { order_id, owner_id: 'ani', reason }),
    )
    expect(adopted).toMatchObject([
      { actor: 'dewi', action: 'payment.adopt', owner_id: 'ani', reason, detail: { order_id } },
    ])
  })

  test('are listed with filters, sealed or not', async () => {
    const id = await made.payment()
    await http.get(`/payments/${id}/`, { as: 'staff' })
    const found = await staff().listAudit(dewi, { subject_id: id })
    expect(found).toMatchObject([{ action: 'payment.read', seq: null }])
    const since = new Date(Date.now() + 60_000).toISOString()
    expect(await staff().listAudit(dewi, { actor: 'desk', since })).toEqual([])
    await expect(staff().listAudit(dewi, { since: 'soon' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

test('making and revoking keys are recorded', async () => {
  const { gapura } = http.parts
  const order = {
    owner_id: 'shop',
    name: 'till',
    staff: false,
    scopes: ['payments:write'] as const,
  }
  let id = ''
  const rows = await noted(async () => {
    ;({ id } = await gapura.createApiKey({ ...order, by: 'dewi', reason }))
    await gapura.revokeApiKey(id, { by: 'eka' })
    await gapura.revokeApiKey(id, { by: 'eka' })
  })
  expect(rows).toMatchObject([
    { actor: 'dewi', actor_kind: 'system', action: 'key.create', subject_id: id, reason },
    { actor: 'eka', action: 'key.revoke', subject_id: id, owner_id: 'shop', reason: null },
  ])
  expect(rows[0]?.['detail']).toMatchObject({ name: 'till', scopes: ['payments:write'] })
})

test('leave every invariant intact', async () => {
  const checked = await checkInvariants(http.database.db)
  expect(checked.filter(({ violations }) => violations > 0)).toEqual([])
})
