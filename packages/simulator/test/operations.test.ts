// Rules that hold for every gateway operation.
import { describe, expect, test } from 'vitest'
import { OPERATIONS, type Operation } from '../src/http/operations.ts'
import { listOf, Rig, type Answer, type Body } from './rig.ts'

const rig = new Rig().install()
const CASES = OPERATIONS.map((operation): [string, Operation] => [operation.operation, operation])

const pathOf = ({ path, auth }: Operation): string => {
  const named = path.replaceAll(/\{\w+\}/g, 'unknown')
  return auth === 'client' ? `${named}?client_key=SB-Mid-client-simulator` : named
}

async function call(operation: Operation, headers?: Record<string, string>): Promise<Answer> {
  const body = operation.method === 'GET' ? undefined : {}
  return await rig.wire(`${operation.method} ${pathOf(operation)}`, body, headers)
}

const lastEntry = async (): Promise<Body> =>
  listOf(await rig.sim('GET /_sim/ledger?kind=call'), 'entries').at(-1) ?? {}

test('the thirty-two wire operations are all here, but the local verify_signature', () => {
  expect(CASES.map(([name]) => name).sort()).toEqual([
    'approve',
    'cancel',
    'cancel_checkout',
    'cancel_subscription',
    'capture',
    'charge',
    'create_access_token',
    'create_checkout',
    'create_invoice',
    'create_pay_account',
    'create_subscription',
    'deny',
    'direct_refund',
    'disable_subscription',
    'enable_subscription',
    'expire',
    'get_balance_mutation',
    'get_bin',
    'get_card_token',
    'get_history',
    'get_invoice',
    'get_pay_account',
    'get_status',
    'get_status_b2b',
    'get_subscription',
    'list_history',
    'point_inquiry',
    'refund',
    'register_card',
    'unbind_pay_account',
    'update_subscription',
    'void_invoice',
  ])
})

describe('HTTP 401 without a valid key, in the shape of the family', () => {
  test.each(CASES)('%s', async (_name, operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown')
    const answer = await rig.wire(`${operation.method} ${path}`, undefined, { authorization: 'x' })
    expect(answer.http_status).toBe(401)
    const shape = {
      core: 'status_code',
      subscription: 'status_message',
      invoice: 'error_messages',
      snap: 'error_messages',
      balance: 'error_messages',
      bi_snap: 'responseCode',
    }
    if (operation.family === 'bin') expect(answer.text).toBe('Unauthorized')
    else expect(answer.body).toHaveProperty(shape[operation.family])
  })
})

describe('an unknown object: a refusal in the shape of its family, never a fault of the simulator', () => {
  test.each(CASES)('%s', async (_name, operation) => {
    const answer = await call(operation)
    expect(answer.body).not.toHaveProperty('simulator_error')
    if (operation.family === 'core') {
      expect(answer.http_status).toBe(200)
      expect(String(answer.body['status_code'])).toMatch(/^4\d\d$/)
    } else {
      expect(answer.http_status).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toHaveProperty('status_code')
    }
  })
})

describe('the ledger records the operation and its path template', () => {
  test.each(CASES)('%s', async (name, operation) => {
    const answer = await call(operation, { 'idempotency-key': 'key-1' })
    expect(await lastEntry()).toMatchObject({
      operation: name,
      method: operation.method,
      path: operation.path,
      http_status: answer.http_status,
      idempotency_key: 'key-1',
      work_done: false,
    })
  })
})

describe('HTTP 500 on request, in the shape of the family', () => {
  test.each(CASES)('%s', async (name, operation) => {
    await rig.fault({ effect: 'status', match: { operation: name } })
    const answer = await call(operation)
    expect(answer.http_status).toBe(500)
    const shape = {
      core: 'status_code',
      subscription: 'status_message',
      invoice: 'error_messages',
      bin: 'errors',
      snap: 'error_messages',
      balance: 'error_messages',
      bi_snap: 'responseCode',
    }
    expect(answer.body).toHaveProperty(shape[operation.family])
    expect(await lastEntry()).toMatchObject({ fault: 'status', work_done: false })
    if (operation.path.includes('{account_id}')) {
      expect(await lastEntry()).toMatchObject({ resource_id: 'unknown' })
    }
  })
})

describe('a body that is not JSON is refused without an internal error', () => {
  const posts = CASES.filter(([, { method }]) => method !== 'GET')
  test.each(posts)('%s', async (_name, operation) => {
    const answer = await rig.wire(`${operation.method} ${pathOf(operation)}`, '{"half":')
    expect(answer.body).not.toHaveProperty('simulator_error')
    const refused = answer.http_status >= 400 || String(answer.body['status_code']).startsWith('4')
    expect(refused).toBe(true)
  })
})

test('a body of more than a mebibyte is refused', async () => {
  const answer = await rig.wire('POST /v2/charge', JSON.stringify({ x: 'x'.repeat(1_100_000) }))
  expect(answer.http_status).toBe(413)
})

test('five hundred charges at once: each has one transaction, one notification and one ledger entry', async () => {
  const charges = Array.from({ length: 500 }, (_, index) =>
    rig.charge(`order-${index}`, { payment_type: 'gopay' }),
  )
  const ids = (await Promise.all(charges)).map((body) => body['transaction_id'])
  expect(new Set(ids).size).toBe(500)
  await rig.quiet()
  expect(rig.hook.received).toHaveLength(500)
  const summary = await rig.sim('GET /_sim/ledger/summary')
  expect(summary).toMatchObject({ calls: { charge: 500 } })
})

test('the same order fifty times at once: one transaction and forty-nine 406', async () => {
  const charges = Array.from({ length: 50 }, () => rig.charge('order-1', { payment_type: 'gopay' }))
  const codes = (await Promise.all(charges)).map((body) => body['status_code'])
  expect(codes.filter((code) => code === '201')).toHaveLength(1)
  expect(codes.filter((code) => code === '406')).toHaveLength(49)
})
