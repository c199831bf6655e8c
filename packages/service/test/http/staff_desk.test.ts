// What staff look after beside payments, over HTTP: the inbox, alarms, operations, events, keys and
// the figures, each held against the document the SDK is made from.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/store/sql/values.ts'
import { ALARM, ALARM_PAGE } from '../../src/http/staff/alarms.ts'
import { HEALTH, KEY_PAGE, PULSE } from '../../src/http/staff/desk.ts'
import { OVERVIEW } from '../../src/http/staff/overview.ts'
import { DEAD_EVENT_PAGE } from '../../src/http/staff/events.ts'
import {
  NOTIFICATION_DETAIL,
  NOTIFICATION_PAGE,
  REPLAYED,
} from '../../src/http/staff/notifications.ts'
import { OPERATION_PAGE, RESOLVED } from '../../src/http/staff/operations.ts'
import { PAYMENT_PULSE } from '../../src/http/staff/payment_schemas.ts'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp()
const AS = { as: 'clerk' } as const

const fits = (schema: TSchema, value: unknown) =>
  expect([...Compile(schema).Errors(value)]).toEqual([])
const rowsOf = (body: Json): Json[] => body['results'] as Json[]

/** A settled payment whose notification has arrived. */
async function notified() {
  const payment = await http.charged('gopay')
  await http.control(`transactions/${String(payment['order_id'])}/pay`)
  await expect
    .poll(async () => (await http.get(`/payments/${payment.id}/`)).body['is_paid'], {
      timeout: 10_000,
    })
    .toBe(true)
  return payment
}

describe('/staff/notifications/', () => {
  test('200 lists them, shows one with its payload, and replays it', async () => {
    const payment = await notified()
    const { body } = await http.get(
      `/staff/notifications/?order_id=${String(payment['order_id'])}&effect=applied`,
      AS,
    )
    fits(NOTIFICATION_PAGE, body)
    const [first] = rowsOf(body)
    const one = await http.get(`/staff/notifications/${String(first?.['id'])}/`, AS)
    fits(NOTIFICATION_DETAIL, one.body)
    expect(one.body['raw_payload']).toMatchObject({ order_id: payment['order_id'] })
    expect(one.text).not.toContain('signature_key')
    const replayed = await http.post(`/staff/notifications/${String(first?.['id'])}/replay/`, AS)
    fits(REPLAYED, replayed.body)
    expect(replayed.body).toMatchObject({ effect: 'stale', replay_of: first?.['id'] })
  })

  test('200 attention=true lists only the notification that matches no payment', async () => {
    const payload = { order_id: 'nowhere', transaction_status: 'settlement' }
    const id = newId()
    await http.database.sql(
      `insert into gapura.gateway_notification (id, order_id, effect, raw_payload)
       values ($1, 'nowhere', 'mismatch', $2)`,
      [id, JSON.stringify(payload)],
    )
    await notified()
    const { body } = await http.get('/staff/notifications/?attention=true', AS)
    expect(rowsOf(body).map((row) => row['id'])).toEqual([id])
  })
})

describe('/staff/alarms/', () => {
  test('200 taken, noted and closed, each with its name', async () => {
    const id = newId()
    await http.database.sql(
      `insert into gapura.gateway_alarm (id, kind, subject_kind, subject_id, owner_id, detail)
       values ($1, 'late_money', 'payment', $2, 'ani', 'paid late')`,
      [id, newId()],
    )
    fits(ALARM_PAGE, (await http.get('/staff/alarms/', AS)).body)
    const taken = await http.post(`/staff/alarms/${id}/take/`, AS)
    fits(ALARM, taken.body)
    expect(taken.body).toMatchObject({ taken_by: 'desk', closed_at: null })
    await http.post(`/staff/alarms/${id}/note/`, { ...AS, body: { reason: 'asked the shop' } })
    const closed = await http.post(`/staff/alarms/${id}/close/`, {
      ...AS,
      body: { reason: 'refunded' },
    })
    fits(ALARM, closed.body)
    expect(closed.body).toMatchObject({ closed_by: 'desk', note: 'desk: asked the shop\nrefunded' })
    for (const act of ['take', 'note', 'close']) {
      const body = act === 'take' ? {} : { reason: 'too late' }
      const again = await http.post(`/staff/alarms/${id}/${act}/`, { ...AS, body })
      expect(again.status).toBe(404)
    }
  })
})

describe('/staff/operations/', () => {
  test('200 all about a payment; 400 without a reason, and where it has ended', async () => {
    const payment = await http.charged()
    await http.post(`/payments/${payment.id}/cancel/`)
    const { body } = await http.get(`/staff/operations/?subject_id=${payment.id}`, AS)
    fits(OPERATION_PAGE, body)
    expect(rowsOf(body).map((row) => row['kind'])).toEqual(['cancel', 'charge'])
    const url = `/staff/operations/${String(rowsOf(body)[0]?.['id'])}/resolve/`
    const resolve = async (input: object) => await http.post(url, { ...AS, body: input })
    expect((await resolve({ outcome: 'look' })).status).toBe(400)
    const ended = await resolve({ outcome: 'done', reason: 'seen at the gateway' })
    expect(ended.body).toMatchObject({
      status: 400,
      errors: [{ message: 'it has ended: succeeded' }],
    })
  })

  test('200 one without an outcome is listed, looked at and ended', async () => {
    const payment = await http.charged()
    await http.strike('cancel', 'drop_after', { times: 20 })
    await http.strike('get_status', 'timeout_before', { times: 20 })
    const unclear = await http.post(`/payments/${payment.id}/cancel/`)
    expect(unclear.body['code']).toBe('outcome_unknown')
    await http.calm()
    const open = rowsOf((await http.get('/staff/operations/', AS)).body)
    const found = open.find((row) => row['subject_id'] === payment.id)
    expect(found).toMatchObject({ kind: 'cancel', state: 'unknown' })
    const resolved = await http.post(`/staff/operations/${String(found?.['id'])}/resolve/`, {
      ...AS,
      body: { outcome: 'look', reason: 'the customer asks' },
    })
    fits(RESOLVED, resolved.body)
    expect(resolved.body).toMatchObject({
      operation: { state: 'succeeded' },
      payment: { transaction_status: 'cancel' },
    })
  })
})

describe('figures', () => {
  test('GET /staff/health/ and /staff/pulse/', async () => {
    await notified()
    const { body } = await http.get('/staff/health/', AS)
    fits(HEALTH, body)
    expect(body).toMatchObject({ breaker: { open: false } })
    const pulse = await http.get('/staff/pulse/', AS)
    fits(PULSE, pulse.body)
    expect(pulse.text).not.toContain('ani')
  })

  test('GET /staff/payments/{pk}/pulse/ moves when the payment does', async () => {
    const payment = await http.charged()
    const version = async () => (await http.get(`/staff/payments/${payment.id}/pulse/`, AS)).body
    const before = await version()
    fits(PAYMENT_PULSE, before)
    await http.post(`/payments/${payment.id}/cancel/`)
    expect((await version())['version']).not.toBe(before['version'])
  })

  test('GET /staff/overview/ adds up to what was paid and paid back', async () => {
    const before = (await http.get('/staff/overview/', AS)).body
    const sum = (body: Json, list: string) =>
      (body[list] as Json[]).reduce((total, row) => total + Number(row['amount']), 0)
    const { id } = await notified()
    await http.charged('bank_transfer')
    await http.post(`/staff/payments/${id}/refund/`, {
      ...AS,
      body: { amount: 40_000, reason: 'came broken' },
    })
    const after = (await http.get('/staff/overview/', AS)).body
    fits(OVERVIEW, after)
    expect(sum(after, 'received') - sum(before, 'received')).toBe(150_000)
    expect(sum(after, 'refunds') - sum(before, 'refunds')).toBe(40_000)
    const methods = after['methods'] as Json[]
    expect(methods.find((row) => row['payment_type'] === 'bank_transfer')).toMatchObject({
      paid: 0,
      median_s: null,
    })
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    expect(after).toMatchObject({ until: today })
    const yesterday = (await http.get('/staff/overview/?from=2026-01-01&until=2026-01-02', AS)).body
    expect(yesterday).toMatchObject({ received: [], methods: [], refunds: [] })
  })

  test('GET /staff/overview/ has the median and 90th percentile of the time to pay', async () => {
    for (const minutes of [1, 2, 3, 4, 50]) {
      const { id } = await notified()
      await http.database.sql(
        `update gapura.gateway_payment
         set created_at = '2026-06-01 03:00Z', paid_at = '2026-06-01 03:00Z'::timestamptz + $2 * interval '1 minute'
         where id = $1`,
        [id, minutes],
      )
    }
    const { body } = await http.get('/staff/overview/?from=2026-06-01&until=2026-06-02', AS)
    fits(OVERVIEW, body)
    expect(body['methods']).toEqual([
      { payment_type: 'gopay', created: 5, paid: 5, open: 0, median_s: 180, slow_s: 3_000 },
    ])
    expect(body['received']).toMatchObject([{ day: '2026-06-01', count: 5, amount: '750000.00' }])
  })

  test('GET /staff/overview/ has banks and failures; a refused charge is a failure and no payment', async () => {
    const ends = [
      [`paid_at = '2026-07-01 03:02Z', transaction_status = 'settlement', captured_amount = 0`],
      [`transaction_status = 'expire', status_code = '407', status_message = 'late'`],
      [`transaction_status = 'expire', status_code = '407', status_message = 'late'`],
      [
        `transaction_status = 'failure', status_code = '500', status_message = null, refused = true`,
      ],
      [`status_code = '201'`],
    ]
    for (const [end] of ends) {
      const { id } = await http.charged('bank_transfer')
      await http.database.sql(
        `update gapura.gateway_payment set created_at = '2026-07-01 03:00Z', ${end} where id = $1`,
        [id],
      )
    }
    const { body } = await http.get('/staff/overview/?from=2026-07-01&until=2026-07-01', AS)
    fits(OVERVIEW, body)
    const figures = { created: 4, paid: 1, open: 1, median_s: 120, slow_s: 120 }
    expect(body['methods']).toEqual([{ payment_type: 'bank_transfer', ...figures }])
    expect(body['banks']).toEqual([{ payment_type: 'bank_transfer', bank: 'bca', ...figures }])
    const failed = { payment_type: 'bank_transfer', transaction_status: 'expire' }
    expect(body['failures']).toEqual([
      { ...failed, status_code: '407', status_message: 'late', count: 2 },
      {
        ...failed,
        transaction_status: 'failure',
        status_code: '500',
        status_message: null,
        count: 1,
      },
    ])
  })

  test('400 for a period without end, or turned round', async () => {
    for (const query of ['from=2024-01-01&until=2026-01-01', 'from=2026-02-02&until=2026-02-01']) {
      expect((await http.get(`/staff/overview/?${query}`, AS)).status).toBe(400)
    }
    expect((await http.get('/staff/overview/?from=2026-02-30', AS)).status).toBe(400)
  })
})

describe('/staff/keys/ and /staff/events/', () => {
  test('200 every owner’s keys without what opens anything', async () => {
    const { key } = await http.parts.gapura.createApiKey({
      owner_id: 'budi',
      name: 'till 1',
      staff: false,
      scopes: ['payments:write'],
    })
    const { body, text } = await http.get('/staff/keys/', AS)
    fits(KEY_PAGE, body)
    expect(rowsOf(body)[0]).toMatchObject({ owner_id: 'budi', name: 'till 1' })
    expect(text).not.toContain(key)
    expect(text).not.toContain('key_hash')
  })

  test('200 no dead event; 404 where none stands still', async () => {
    fits(DEAD_EVENT_PAGE, (await http.get('/staff/events/', AS)).body)
    const body = { subscriber: 'unknown', object_id: newId() }
    expect((await http.post('/staff/events/retry/', { ...AS, body })).status).toBe(404)
    expect((await http.post('/staff/events/skip/', { ...AS, body })).status).toBe(404)
  })
})
