// The client against the simulator, both real, over HTTP: each of the twenty-six wire operations
// with success, refusal, time-out and an unreadable reply, counted in the simulator's ledger.
import { appendFileSync } from 'node:fs'
import {
  GatewayError,
  OPERATIONS,
  PAYMENT_TYPES,
  signNotification,
  type OperationName,
  type PaymentType,
} from 'gapura'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  closeHarness,
  HURRIED_MS,
  openHarness,
  injectFault,
  type Harness,
  type LedgerCall,
} from './harness.ts'
import { chargeOf, SCENARIOS } from './scenarios.ts'

const operations = Object.keys(OPERATIONS) as OperationName[]
const TRIES = 3

// By hand, not from the table under test: repeating one of the others could move money twice.
const RETRIED: ReadonlySet<OperationName> = new Set([
  'get_status',
  'get_status_b2b',
  'point_inquiry',
  'get_bin',
  'get_pay_account',
  'get_subscription',
  'get_invoice',
])
const CARD_READS: ReadonlySet<OperationName> = new Set(['get_card_token', 'register_card'])

/** Without these fields the payer cannot pay (gateway-protocol.md#payment-types). */
const PAYER_NEEDS: Record<PaymentType, string[]> = {
  credit_card: ['masked_card', 'approval_code'],
  bank_transfer: ['va_numbers', 'expiry_time'],
  echannel: ['bill_key', 'biller_code'],
  gopay: ['actions'],
  qris: ['qr_string', 'actions', 'acquirer'],
  shopeepay: ['actions'],
  ovo: ['payer_phone_number', 'expiry_time'],
  dana: ['actions'],
  cstore: ['payment_code', 'store'],
  akulaku: ['redirect_url'],
  kredivo: ['redirect_url'],
}

/** What the ledger must contain for each cell of the table. */
const CELLS: Record<string, (call: LedgerCall) => boolean> = {
  success: (call) => call.fault === undefined && call.work_done,
  // With 202 the gateway has processed the request and refused it.
  refusal: (call) => call.fault === undefined && (!call.work_done || call.status_code === '202'),
  'time-out': (call) => call.fault === 'timeout_after' && call.http_status === null,
  garbage: (call) => call.fault === 'truncated_json',
}

let harness: Harness

beforeAll(async () => {
  harness = await openHarness()
})
beforeEach(() => harness.renew())
afterAll(() => closeHarness(harness))

async function ledgerOf(operation: OperationName): Promise<LedgerCall[]> {
  return (await harness.ledger()).filter((call) => call.operation === operation)
}

const failureOf = async (attempt: Promise<unknown>): Promise<GatewayError> => {
  const outcome = await attempt.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(GatewayError)
  return outcome as GatewayError
}

describe.each(operations)('%s', (operation) => {
  const { prepare, refused, code } = SCENARIOS[operation]
  const tries = RETRIED.has(operation) ? TRIES : 1
  const writes = !RETRIED.has(operation) && !CARD_READS.has(operation)

  test('succeeds', async () => {
    const call = await prepare(harness)
    await expect(call()).resolves.toBeDefined()
  })

  test(`is refused: ${code}`, async () => {
    const error = await failureOf(refused(harness))
    expect(error).toMatchObject({ code, operation })
    // A duplicate is the only refusal after which the request may have had an effect.
    expect(error.definite).toBe(code !== 'gateway_duplicate')
  })

  test.each([
    ['times out', 'timeout_after'],
    ['gets an unreadable reply', 'truncated_json'],
  ])('%s after the work was done: the failure is not definite', async (_, effect) => {
    const call = await prepare(harness)
    await harness.renew(HURRIED_MS)
    await injectFault(harness, operation, effect, tries)
    const error = await failureOf(call())
    expect(error.code).toBe(writes ? 'outcome_unknown' : 'gateway_failed')
    expect(error.definite).toBe(false)
    const struck = (await ledgerOf(operation)).filter(({ fault }) => fault === effect)
    // The client retries a read; it never retries a write.
    expect(struck).toHaveLength(tries)
    expect(struck.every(({ work_done }) => work_done)).toBe(true)
  })
})

describe('a charge', () => {
  test.each(PAYMENT_TYPES)(
    'by %s is answered with the fields of its type',
    async (payment_type) => {
      const order_id = harness.fresh(payment_type)
      const payload = await chargeOf(harness, payment_type, order_id)
      const reply = await harness.client.charge(payload)
      expect(reply).toMatchObject({ order_id, payment_type, gross_amount: '150000.00' })
      expect(PAYER_NEEDS[payment_type].filter((field) => !(field in reply))).toEqual([])
    },
  )

  test('whose answer was lost is found by get_status and replayed by its key, made once', async () => {
    const order_id = harness.fresh('lost')
    const payload = await chargeOf(harness, 'qris', order_id)
    const options = { idempotency_key: harness.fresh('key') }
    await injectFault(harness, 'charge', 'drop_after', 1)
    const error = await failureOf(harness.client.charge(payload, options))
    expect(error.code).toBe('outcome_unknown')
    await expect(harness.client.getStatus(order_id)).resolves.toMatchObject({
      transaction_status: 'pending',
    })
    // get_status has no QR code; the replay under the same key has it.
    const replayed = await harness.client.charge(payload, options)
    expect(replayed).toMatchObject({ order_id, transaction_status: 'pending' })
    expect('qr_string' in replayed).toBe(true)
    const again = await failureOf(harness.client.charge(payload, { idempotency_key: 'another' }))
    expect(again.code).toBe('gateway_duplicate')
  })

  test('denied by the bank is a result, not an error', async () => {
    const payload = await chargeOf(
      harness,
      'credit_card',
      harness.fresh('denied'),
      '4911111111111113',
    )
    await expect(harness.client.charge(payload)).resolves.toMatchObject({
      status_code: '202',
      transaction_status: 'deny',
    })
  })
})

describe('verify_signature', () => {
  const fields = { order_id: 'ORDER-sandbox-0001', status_code: '200', gross_amount: '150000.00' }

  test('accepts the official vector and refuses it altered', () => {
    const server_key = 'SB-Mid-server-test'
    const signature_key = signNotification(fields, server_key)
    expect(signature_key.slice(0, 8)).toBe('d65b4adf')
    const verify = (changed: object) =>
      harness.client.verifySignature({ ...fields, signature_key, server_key, ...changed })
    expect(verify({})).toBe(true)
    expect(verify({ gross_amount: '150000.01' })).toBe(false)
    expect(verify({ signature_key: '' })).toBe(false)
  })

  test('accepts what the simulator signs', async () => {
    const order_id = harness.fresh('signed')
    await harness.client.charge({
      payment_type: 'gopay',
      transaction_details: { order_id, gross_amount: 25_000 },
    })
    const status = await harness.client.getStatus(order_id)
    const { status_code, gross_amount, signature_key } = status
    expect(
      harness.client.verifySignature({
        order_id,
        status_code: String(status_code),
        gross_amount: String(gross_amount),
        signature_key: signature_key ?? '',
      }),
    ).toBe(true)
  })
})

test('the ledger contains every cell of the table', async () => {
  const calls = await harness.ledger()
  const cells = operations.flatMap((operation) =>
    Object.entries(CELLS).map(([cell, fits]) => ({
      operation,
      cell,
      count: calls.filter((call) => call.operation === operation && fits(call)).length,
    })),
  )
  expect(cells.filter(({ count }) => count === 0)).toEqual([])
  expect(cells).toHaveLength((26 + 2) * 4)
  // The npm script prints these counts.
  const summary = process.env['CONTRACT_SUMMARY']
  if (summary !== undefined) appendFileSync(summary, JSON.stringify(cells))
})
