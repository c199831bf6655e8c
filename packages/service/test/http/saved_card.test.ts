// A card that is saved by a charge and charged by a subscription: the token reaches its owner in a
// reply and is stored nowhere (ADR 0019).
import { describe, expect, test } from 'vitest'
import { jobsSchema } from '../../src/store/maintenance/jobs.ts'
import { readTables } from '../canary/surfaces.ts'
import type { Answer } from './http_bench.ts'
import { useSubscriptionHttp } from './subscription_http_bench.ts'

const { http, created, hearNotices } = useSubscriptionHttp()
const SAVED_TOKEN = /^48111111[A-Za-z]{20}1114$/

const saving = async (more: object = {}) =>
  await http.chargeOf('credit_card', {
    order_id: http.fresh('saving'),
    save_token_id: true,
    ...more,
  })

/** Every column of every table of ours and of the queue, and every log line. */
async function everythingWritten(): Promise<string> {
  const { db, sql } = http.database
  const rows = await readTables(sql, [db.schema, jobsSchema(db)])
  return [...rows.map(({ text }) => text), JSON.stringify(http.log)].join('\n')
}

async function expectCharged(token: unknown): Promise<void> {
  const subscription = await created({ token, interval_unit: 'day' })
  expect(subscription).toMatchObject({ status: 'active' })
  await http.control('clock/advance', { days: 1 })
  const { body } = await http.get(`/payments/?subscription_id=${subscription.id}`)
  expect(body['results']).toMatchObject([{ is_paid: true, gross_amount: '50000.00' }])
}

describe('a charge with save_token_id and without 3-D Secure', () => {
  test('gives the token in its reply; a subscription with it is active and charged', async () => {
    await hearNotices()
    const { status, body } = await http.post('/charge/', { body: await saving() })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      transaction_status: 'capture',
      saved_token_id: expect.stringMatching(SAVED_TOKEN),
      saved_token_id_expired_at: expect.stringMatching(/^2035-.*Z$/),
    })
    await expectCharged(body['saved_token_id'])
  })

  test('leaves the token in no column of the database and in no log line', async () => {
    await hearNotices()
    const { body } = await http.post('/charge/', { body: await saving(), key: http.fresh('key') })
    const token = String(body['saved_token_id'])
    expect(token).toMatch(SAVED_TOKEN)
    await http.get(`/payments/${body.id}/check_status/`)
    await http.control(`transactions/${String(body['order_id'])}/settle`)
    await expectCharged(token)
    const written = await everythingWritten()
    expect(written).toContain(body.id)
    expect(written).not.toContain(token)
  })

  test('gives a repeat of its key the same reply without the token', async () => {
    const sent = { body: await saving(), key: http.fresh('key') }
    const first = await http.post('/charge/', sent)
    const again = await http.post('/charge/', sent)
    expect(first.body['saved_token_id']).toMatch(SAVED_TOKEN)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual({
      ...first.body,
      saved_token_id: null,
      saved_token_id_expired_at: null,
    })
    expect((await http.get(`/payments/${first.body.id}/`)).body['saved_token_id']).toBeNull()
  })

  test('whose answer is lost gives the token as the gateway shows it afterwards', async () => {
    await http.strike('charge', 'drop_after')
    const { status, body } = await http.post('/charge/', { body: await saving() })
    await http.calm()
    expect(status).toBe(201)
    expect(body['saved_token_id']).toMatch(SAVED_TOKEN)
  })

  test('that the bank denies gives no token', async () => {
    const token_id = await http.token('4911111111111113')
    const { body } = await http.post('/charge/', { body: await saving({ token_id }) })
    expect(body).toMatchObject({ transaction_status: 'deny', saved_token_id: null })
  })
})

describe('a charge with save_token_id and 3-D Secure', () => {
  const check = async (id: string, as = 'ani'): Promise<Answer> =>
    await http.get(`/payments/${id}/check_status/`, { as })

  const approved = async () => {
    const { body } = await http.post('/charge/', { body: await saving({ authentication: true }) })
    expect(body).toMatchObject({ transaction_status: 'pending', saved_token_id: null })
    expect((await check(body.id)).body['payment']).toMatchObject({ saved_token_id: null })
    await http.control(`transactions/${String(body['order_id'])}/finish_3ds`)
    return body.id
  }

  test('shows its owner the token in check_status once the payer has passed', async () => {
    await hearNotices()
    const id = await approved()
    const { payment, gateway_response } = (await check(id)).body as unknown as {
      payment: { saved_token_id: string }
      gateway_response: object
    }
    const token = payment.saved_token_id
    expect(payment).toMatchObject({ transaction_status: 'capture' })
    expect(token).toMatch(SAVED_TOKEN)
    expect(gateway_response).toMatchObject({ saved_token_id: token })
    expect(gateway_response).not.toHaveProperty('signature_key')
    await expectCharged(token)
    expect(await everythingWritten()).not.toContain(token)
  })

  test('shows the token neither to staff nor to a caller that may only read', async () => {
    const id = await approved()
    const { payment } = (await check(id)).body as unknown as { payment: { saved_token_id: string } }
    for (const as of ['clerk', 'payer']) {
      const { status, text } = await check(id, as)
      expect([as, status]).toEqual([as, 200])
      expect(text).not.toContain(payment.saved_token_id)
    }
  })
})
