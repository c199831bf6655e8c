import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/gateway/secret.ts'
import { otherReadings, signNotification, verifyingKey } from '../../src/gateway/signature.ts'
import { clientOf, SERVER_KEY } from './reply_server.ts'

describe('the official vectors', () => {
  const TEST_KEY = 'SB-Mid-server-test'
  test.each([
    ['ORDER-sandbox-0001', '200', '150000.00', TEST_KEY, 'd65b4adf', '672e4'],
    ['ORDER-sandbox-0002', '201', '75000.00', TEST_KEY, 'db70270f', 'd876a'],
    ['ORDER-sandbox-0003', '202', '50000.00', TEST_KEY, 'a51d1bd2', '692c6'],
    ['1111', '200', '100000.00', 'askvnoibnosifnboseofinbofinfgbiufglnbfg', 'edc076b2', '4c231'],
  ])('%s / %s / %s', (order_id, status_code, gross_amount, key, head, tail) => {
    const signature = signNotification({ order_id, status_code, gross_amount }, key)
    expect(signature).toMatch(new RegExp(`^${head}[0-9a-f]{115}${tail}$`))
  })
})

describe('verifySignature', () => {
  const fields = { order_id: 'order-1', status_code: '200', gross_amount: '10000.00' }
  const client = () =>
    clientOf('http://127.0.0.1:9', { previous_server_key: 'SB-Mid-server-retiring' })

  test('accepts the current keys, returns which one, and rejects all others', () => {
    const current = signNotification(fields, SERVER_KEY)
    const previous = signNotification(fields, 'SB-Mid-server-retiring')
    const stranger = signNotification(fields, 'SB-Mid-server-stranger')
    expect(client().verifySignature({ ...fields, signature_key: current })).toBe(true)
    expect(client().verifySignature({ ...fields, signature_key: previous })).toBe(true)
    expect(client().verifySignature({ ...fields, signature_key: stranger })).toBe(false)
    expect(client().verifiedWith(fields, current)).toBe('current')
    expect(client().verifiedWith(fields, previous)).toBe('previous')
    expect(client().verifiedWith(fields, stranger)).toBeNull()
  })

  test('accepts another key in place of the configured ones', () => {
    const signature_key = signNotification(fields, 'SB-Mid-server-other')
    const server_key = 'SB-Mid-server-other'
    expect(client().verifySignature({ ...fields, signature_key, server_key })).toBe(true)
    const ours = signNotification(fields, SERVER_KEY)
    expect(client().verifySignature({ ...fields, signature_key: ours, server_key })).toBe(false)
  })

  test('an empty key is a configuration error, not a key an attacker could sign with', () => {
    const signature_key = signNotification(fields, '')
    expect(() => client().verifySignature({ ...fields, signature_key, server_key: '' })).toThrow(
      'server_key must not be empty',
    )
  })

  test.each(['', 'x', 'a'.repeat(127), 'a'.repeat(129), 'é'.repeat(128), 'a'.repeat(100_000)])(
    'a signature of another length is false, never an exception (%#)',
    (signature_key) => {
      expect(client().verifySignature({ ...fields, signature_key })).toBe(false)
    },
  )

  test('rejects upper case, which the gateway does not write', () => {
    const signature_key = signNotification(fields, SERVER_KEY).toUpperCase()
    expect(client().verifySignature({ ...fields, signature_key })).toBe(false)
  })

  // ORD-1 + 201 + 2005000000.00 and ORD-1201 + 200 + 5000000.00 are the same bytes: only the
  // formats of code and amount keep a digit from moving into the order id and back.
  test('signs the received strings, and rejects malformed ones', () => {
    const keys = [new Secret(SERVER_KEY)]
    for (const shifted of [
      { order_id: 'order-12', status_code: '00', gross_amount: '10000.00' },
      { order_id: 'order-1', status_code: '2001', gross_amount: '0000.00' },
      { order_id: 'order-1', status_code: '200', gross_amount: '10000.0' },
      { order_id: 'order-1', status_code: '200', gross_amount: '1e4' },
      { order_id: 'order-1', status_code: '200', gross_amount: '10000' },
    ]) {
      expect(verifyingKey(shifted, signNotification(shifted, SERVER_KEY), keys)).toBe(-1)
    }
    const whole = { ...fields, gross_amount: '10000' }
    expect(verifyingKey(fields, signNotification(whole, SERVER_KEY), keys)).toBe(-1)
    expect(verifyingKey(fields, signNotification(fields, SERVER_KEY), keys)).toBe(0)
  })

  test('returns the first of two equal keys', () => {
    const keys = [new Secret(SERVER_KEY), new Secret(SERVER_KEY)]
    expect(verifyingKey(fields, signNotification(fields, SERVER_KEY), keys)).toBe(0)
  })
})

describe('other readings of the signed characters', () => {
  const read = (order_id: string, gross_amount: string, status_code = '200') =>
    otherReadings({ order_id, status_code, gross_amount })

  test('are none for an id that ends in a letter and most amounts', () => {
    expect(read('ord-KTJ8EV3K7QPNC9D3-a', '150000.00')).toEqual([])
    expect(read('A-1', '150000.00')).toEqual([])
  })

  test('are an order with more digits, and one with fewer', () => {
    const short = { order_id: 'A-1', status_code: '200', gross_amount: '20050000.00' }
    const long = { order_id: 'A-1200', status_code: '200', gross_amount: '50000.00' }
    expect(read(short.order_id, short.gross_amount)).toEqual([long])
    expect(read(long.order_id, long.gross_amount)).toEqual([short])
    expect(signNotification(short, 'k')).toBe(signNotification(long, 'k'))
  })

  test('never have an empty order id', () => {
    const shorter = { order_id: '20015', status_code: '200', gross_amount: '7200500.00' }
    expect(read('200152007', '500.00')).toEqual([shorter])
  })

  test('never have an amount with a leading zero: it is no amount, and no signature of it is valid', () => {
    expect(read('A-1', '20005000.00')).toEqual([])
    const shifted = { order_id: 'A-1', status_code: '200', gross_amount: '0150000.00' }
    expect(verifyingKey(shifted, signNotification(shifted, 'k'), [new Secret('k')])).toBe(-1)
  })
})
