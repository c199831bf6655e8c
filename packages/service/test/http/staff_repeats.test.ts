// A staff member whose reply was lost sends the request again: every POST of staff either gives the
// kept reply of its Idempotency-Key, or can happen only once. The interface document says which.
import { describe, expect, test } from 'vitest'
import { openApiDocument, ROUTES } from '../../src/main/routes.ts'
import { newId } from '../../src/store/sql/values.ts'
import { useHttp, type Json, type Sent } from './http_bench.ts'

const http = useHttp({ refunds: { second_person_above: 50_000 } })
const AS = { as: 'clerk' } as const

/** The same request twice, under one key. */
async function twice(path: string, sent: Sent = {}) {
  const request = { ...AS, key: `again-${newId()}`, ...sent }
  return { first: await http.post(path, request), second: await http.post(path, request) }
}

const auditOf = async (action: string, subject_id: string) =>
  await http.database.sql(
    'select 1 from gapura.audit_unsealed where action = $1 and subject_id = $2',
    [action, subject_id],
  )

describe('a key that is kept', () => {
  test('the same staff refund twice with one key is one refund', async () => {
    const { id, order_id } = await http.settled()
    const body = { amount: 10_000, reason: 'one cup was cold' }
    const { first, second } = await twice(`/staff/payments/${id}/refund/`, { body })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await http.ledger(order_id)).toMatchObject({ refunded: 10_000 })
    expect(await auditOf('payment.refund', id)).toHaveLength(1)
  })

  test('the key of a staff refund is refused for another amount', async () => {
    const { id, order_id } = await http.settled()
    const url = `/staff/payments/${id}/refund/`
    await http.post(url, { ...AS, key: 'reused-1', body: { amount: 10_000, reason: 'cold' } })
    const other = await http.post(url, {
      ...AS,
      key: 'reused-1',
      body: { amount: 20_000, reason: 'cold' },
    })
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await http.ledger(order_id)).toMatchObject({ refunded: 10_000 })
  })

  test.each(['cancel', 'expire'])('%s twice gives the kept reply', async (action) => {
    const { id } = await http.charged()
    const { first, second } = await twice(`/staff/payments/${id}/${action}/`, {
      body: { reason: 'asked by the shop' },
    })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await auditOf(`payment.${action}`, id)).toHaveLength(1)
  })

  test('capture twice gives the kept reply', async () => {
    const { id } = await http.charged('credit_card', { capture: false })
    const body = { amount: 100_000, reason: 'sent today' }
    const { first, second } = await twice(`/staff/payments/${id}/capture/`, { body })
    expect(first.body).toMatchObject({ captured_amount: '100000.00' })
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  test('a note on a payment twice is one note', async () => {
    const { id } = await http.charged()
    const body = { text: 'asked the shop' }
    const { first, second } = await twice(`/staff/payments/${id}/notes/`, { body })
    expect(second.body).toEqual(first.body)
    const notes = await http.database.sql('select 1 from gapura.staff_note where subject_id = $1', [
      id,
    ])
    expect(notes).toHaveLength(1)
  })
})

describe('what can happen only once', () => {
  const alarm = async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
       values ($1, 'late_money', 'payment', $2, 'ani', 'paid late')`,
      [id, newId()],
    )
    return id
  }

  test('a note on an alarm twice is one line and one entry of the audit', async () => {
    const id = await alarm()
    const body = { reason: 'asked the shop' }
    const { first, second } = await twice(`/staff/alarms/${id}/note/`, { body })
    expect(second.body).toEqual(first.body)
    expect(second.body['note']).toBe('desk: asked the shop')
    expect(await auditOf('alarm.note', id)).toHaveLength(1)
    await http.post(`/staff/alarms/${id}/note/`, { ...AS, body: { reason: 'they answered' } })
    const third = await http.post(`/staff/alarms/${id}/note/`, { ...AS, body })
    expect(third.body['note']).toBe(
      'desk: asked the shop\ndesk: they answered\ndesk: asked the shop',
    )
  })

  test('an alarm is closed once', async () => {
    const id = await alarm()
    const body = { reason: 'refunded' }
    const { first, second } = await twice(`/staff/alarms/${id}/close/`, { body })
    expect([first.status, second.status]).toEqual([200, 404])
    expect(await auditOf('alarm.close', id)).toHaveLength(1)
  })

  test('a held refund approved twice is one refund', async () => {
    const { id, order_id } = await http.settled()
    const held = await http.post(`/payments/${id}/refund/`, { body: { amount: 60_000 } })
    const request = /request ([0-9a-f-]{36})/.exec(held.text)?.[1] ?? ''
    const { first, second } = await twice(`/staff/refund_requests/${request}/approve/`, {
      body: { reason: 'seen the photo' },
    })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await http.ledger(order_id)).toMatchObject({ refunded: 60_000 })
    expect(await auditOf('refund.approve', request)).toHaveLength(1)
  })

  test('a held refund declined twice is declined once', async () => {
    const { id } = await http.settled()
    const held = await http.post(`/payments/${id}/refund/`, { body: { amount: 60_000 } })
    const request = /request ([0-9a-f-]{36})/.exec(held.text)?.[1] ?? ''
    const body = { reason: 'never came back' }
    const { first, second } = await twice(`/staff/refund_requests/${request}/decline/`, { body })
    expect(second.body).toEqual(first.body)
    expect(await auditOf('refund.decline', request)).toHaveLength(1)
  })
})

describe('the interface document', () => {
  const { paths } = openApiDocument('0') as {
    paths: Record<string, { post?: { parameters: Json[]; responses: Record<string, Json> } }>
  }

  test('says of each POST of staff whether its key is kept', () => {
    const kept: string[] = []
    for (const { method, path } of ROUTES) {
      if (method !== 'POST' || !path.startsWith('/staff/')) continue
      const post = paths[path]?.post
      const key = post?.parameters.find(({ name }) => name === 'Idempotency-Key')
      const needed = !String(key?.['description']).startsWith('Not needed, and not kept: ')
      if (needed) kept.push(path)
      expect([path, '422' in (post?.responses ?? {})]).toEqual([path, needed])
    }
    const actions = ['notes', 'cancel', 'expire', 'capture', 'approve', 'deny', 'refund']
    actions.push('record_refund')
    const objects = [
      'invoices/{pk}/void',
      'subscriptions/{pk}/disable',
      'subscriptions/{pk}/enable',
    ]
    expect(kept).toEqual([
      ...actions.map((action) => `/staff/payments/{pk}/${action}/`),
      '/staff/checkouts/',
      '/staff/checkouts/{pk}/cancel/',
      ...[...objects, 'subscriptions/{pk}/cancel'].map((path) => `/staff/${path}/`),
    ])
  })
})
