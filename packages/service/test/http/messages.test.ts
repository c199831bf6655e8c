// What a developer reads in the first hour: each message names the field and says what it must be.
import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../src/domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { createGapura } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { useHttp, type Json } from './http_bench.ts'

const http = useHttp()

const AMOUNT = 'must be an amount in whole rupiah, such as 44000 or "44000"'

const faultsOf = async (path: string, body: unknown): Promise<Record<string, string>> => {
  const reply = await http.post(path, { body })
  expect([reply.status, reply.body['code']]).toEqual([400, 'invalid_request'])
  const errors = reply.body['errors'] as { field: string; message: string }[]
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]))
}

describe('invalid_request', () => {
  test('an enum lists its values, in a body and in a query', async () => {
    const body = { payment_type: 'bitcoin', gross_amount: 1_000, qris_acquirer: 'none' }
    expect(await faultsOf('/charge/', body)).toEqual({
      payment_type: `must be one of ${PAYMENT_TYPES.join(', ')}`,
      qris_acquirer: 'must be one of gopay, airpay, airpay shopee',
    })
    const listed = await http.get('/payments/?status=paid')
    expect(listed.body['errors']).toEqual([
      { field: 'status', message: `must be one of ${PAYMENT_STATUSES.join(', ')}` },
    ])
  })

  test('a missing field is named as a field, at any depth', async () => {
    expect(await faultsOf('/charge/', {})).toEqual({
      payment_type: 'is required',
      gross_amount: 'is required',
    })
    const body = { payment_type: 'qris', gross_amount: 1_000, item_details: [{ name: 'tea' }] }
    expect(await faultsOf('/charge/', body)).toEqual({ 'item_details.0.price': 'is required' })
  })

  test.each([[true], [null], [[]], ['1'.repeat(30)]])(
    'gross_amount %j is answered with what an amount must be',
    async (gross_amount) => {
      const body = { payment_type: 'qris', gross_amount }
      expect(await faultsOf('/charge/', body)).toEqual({ gross_amount: AMOUNT })
    },
  )

  test('a value of another type is answered with the type in words', async () => {
    const body = {
      payment_type: 'credit_card',
      gross_amount: 1_000,
      capture: 'yes',
      installment_term: 'three',
      customer_details: { email: 5, name: 'Ani' },
    }
    expect(await faultsOf('/charge/', body)).toEqual({
      capture: 'must be true or false',
      installment_term: 'must be a whole number',
      'customer_details.email': 'must be a string',
      'customer_details.name': 'unknown field',
    })
    expect(await faultsOf('/charge/', [])).toEqual({ body: 'must be an object' })
    const listed = await http.get('/payments/?page_size=many')
    expect(listed.body['errors']).toEqual([
      { field: 'page_size', message: 'must be a whole number' },
    ])
  })
})

test('a phone number that the gateway does not know is not blamed on the server key', async () => {
  const body = { payment_type: 'ovo', gross_amount: 1_000, payer_phone_number: '081200000000' }
  const reply = await http.post('/charge/', { body })
  expect([reply.status, reply.body['code']]).toEqual([400, 'gateway_not_found'])
  expect((reply.body['gateway'] as Json)['status_message']).toContain('phone number')
  expect(reply.body['detail']).toContain('gateway.status_message')
  expect(`${String(reply.body['title'])} ${String(reply.body['detail'])}`).not.toMatch(
    /server key/i,
  )
})

test('no key and an unknown key are both 401, and say which of the two it is', async () => {
  const { gateway } = { gateway: { server_key: 'SB-Mid-server-messages' } }
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway,
  })
  try {
    const ask = async (headers: Record<string, string>) => {
      const reply = await gapura.fetchHandler(
        new Request('http://shop.example/payments/', { headers }),
      )
      const body = (await reply.json()) as Json
      return [reply.status, body['detail'], reply.headers.get('www-authenticate')]
    }
    expect(await ask({})).toEqual([
      401,
      'Send an API key or token as Authorization: Bearer.',
      'Bearer realm="gapura"',
    ])
    expect(await ask({ authorization: `Bearer gpk_${'0'.repeat(32)}` })).toEqual([
      401,
      expect.stringContaining('unknown, expired, revoked'),
      'Bearer realm="gapura", error="invalid_token"',
    ])
  } finally {
    await gapura.close()
  }
})
