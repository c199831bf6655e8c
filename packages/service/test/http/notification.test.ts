import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { eventually } from '../store/test_database.ts'
import { useHttp } from './http_bench.ts'

const http = useHttp()

const notice = (order_id: unknown, more: object = {}) => {
  const fields = { order_id: String(order_id), status_code: '200', gross_amount: '150000.00' }
  const signature_key = signNotification(fields, http.parts.simulator.server_key)
  return { ...fields, transaction_status: 'settlement', signature_key, ...more }
}
const notify = async (body: unknown) => await http.post('/notification/', { body, as: '' })
const rows = async () =>
  await http.database.sql('select id::text, order_id from gapura.gateway_notification')
const settlements = async (order_id: unknown) =>
  await http.database.sql(
    `select id from gapura.gateway_notification
     where order_id = $1 and transaction_status = 'settlement'`,
    [order_id],
  )

describe('POST /notification/', () => {
  test('200 with the id of a row that is on disk, and the payment has moved', async () => {
    const { id, order_id, transaction_id } = await http.charged('qris')
    const { status, body } = await notify(notice(order_id, { transaction_id }))
    expect([status, Object.keys(body)]).toEqual([200, ['status', 'notification_id']])
    expect(await rows()).toContainEqual({ id: body['notification_id'], order_id })
    const read = await http.get(`/payments/${id}/`)
    expect(read.body).toMatchObject({ transaction_status: 'settlement', is_paid: true })
  })

  test("200 to the simulator's own webhook, sent after the payer paid", async () => {
    const { id, order_id } = await http.charged('bank_transfer')
    await http.control(`transactions/${String(order_id)}/pay`)
    const read = await eventually(
      async () => await http.get(`/payments/${id}/`),
      ({ body }) => body['transaction_status'] === 'settlement',
    )
    expect(read.body['transaction_status']).toBe('settlement')
  })

  test('200 for the same notification sent twice, and for an unknown order', async () => {
    const { order_id, transaction_id } = await http.charged('qris')
    const body = notice(order_id, { transaction_id })
    const first = await notify(body)
    const second = await notify(body)
    expect(second.status).toBe(200)
    expect(second.body['notification_id']).not.toBe(first.body['notification_id'])
    expect((await notify(notice('unknown'))).status).toBe(200)
  })

  test('200 without the slash: a redirect would lose it', async () => {
    const { order_id } = await http.charged('qris')
    const answer = await http.post('/notification', { body: notice(order_id), as: '' })
    expect(answer.status).toBe(200)
  })
})

describe('POST /notification/ of an unsigned kind', () => {
  const subscription = { id: 'unknown', name: 'unknown', amount: '1', status: 'active' }

  test.each([
    ['a cycle', { event_name: 'subscription.charge', transaction: {}, subscription }],
    ['a creation', { ...subscription, schedule: {} }],
    ['a pay account', { account_id: 'a', account_status: 'DISABLED', status_code: '204' }],
  ])(
    '200 for %s, without the id of a row that does not exist, and a log line',
    async (_kind, body) => {
      const before = http.log.length
      const answer = await notify(body)
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
      expect(http.log.slice(before)).toContainEqual({
        level: 'info',
        fields: expect.objectContaining({ effect: 'ignored' }) as object,
      })
    },
  )
})

describe('POST /notification/ refuses', () => {
  test('403 signature_invalid: forged or altered, no row, and nothing about keys in the answer', async () => {
    const { id, order_id } = await http.charged('qris')
    for (const more of [{ signature_key: 'x' }, { gross_amount: '1.00' }, { status_code: '201' }]) {
      const answer = await notify(notice(order_id, more))
      expect(answer).toMatchObject({ status: 403, body: { code: 'signature_invalid' } })
      expect(answer.text).not.toContain(http.parts.simulator.server_key)
    }
    expect(await settlements(order_id)).toEqual([])
    expect((await http.get(`/payments/${id}/`)).body['transaction_status']).toBe('pending')
  })

  test.each([{}, [], 'text', { hello: 1 }])(
    '400 invalid_request: the shape of %j',
    async (body) => {
      expect(await notify(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    },
  )

  test('405 for GET, with Allow', async () => {
    const { status, headers } = await http.get('/notification/')
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })
})
