import { describe, expect, test } from 'vitest'
import {
  FRAUD_STATUSES,
  isKnownFraud,
  paid,
  parseFraudStatus,
  parseReportedStatus,
  PAYMENT_STATUSES,
  REPORTED_STATUSES,
  statusCodeFits,
} from './payment_status.ts'

test("there are thirteen statuses, twelve of them the gateway's", () => {
  expect(PAYMENT_STATUSES).toHaveLength(13)
  expect(REPORTED_STATUSES).toHaveLength(12)
  expect(REPORTED_STATUSES).not.toContain('initiated')
})

describe('paid', () => {
  const PAID = ['capture', 'settlement', 'partial_refund', 'partial_chargeback']
  const pairs = PAYMENT_STATUSES.flatMap((status) =>
    [null, ...FRAUD_STATUSES].map((fraud) => ({ status, fraud })),
  )
  test.each(pairs)('$status with fraud $fraud', ({ status, fraud }) => {
    const expected = PAID.includes(status) && (fraud === null || fraud === 'accept')
    expect(paid(status, fraud)).toBe(expected)
  })
})

describe('words from the gateway', () => {
  test('are read in any case, and unknown ones move nothing', () => {
    expect(parseReportedStatus('PENDING')).toBe('pending')
    expect(parseReportedStatus('settlement')).toBe('settlement')
    expect(parseReportedStatus('initiated')).toBeUndefined()
    expect(parseReportedStatus('teleported')).toBeUndefined()
    expect(parseReportedStatus(200)).toBeUndefined()
  })

  test("fraud: absent stays absent, OVO's spelling is understood", () => {
    expect(parseFraudStatus(undefined)).toBeUndefined()
    expect(parseFraudStatus('ACCEPT')).toBe('accept')
    expect(parseFraudStatus('denied')).toBe('deny')
    expect(parseFraudStatus('')).toBeUndefined()
  })

  test.each(['perhaps', 'rejected', 'review', 'challenged', 7, {}])(
    'fraud %j is no word we know: in review, never paid',
    (word) => {
      const fraud = parseFraudStatus(word) ?? null
      expect(fraud).toBe('challenge')
      expect(paid('capture', fraud)).toBe(false)
    },
  )

  test('nothing is absent', () => {
    expect(parseFraudStatus(null)).toBeUndefined()
  })
})

test('a fraud word is known if it is absent or one of the gateway in any case', () => {
  for (const word of [undefined, null, '', 'accept', 'Deny', 'denied', 'challenge', 'CHALLENGE'])
    expect(isKnownFraud(word)).toBe(true)
  for (const word of ['review', 'challenged', 7, {}]) expect(isKnownFraud(word)).toBe(false)
})

describe('every status has exactly these codes', () => {
  const CODES = ['', '200', '201', '202', '300', '407']
  const FITTING: Readonly<Record<string, readonly string[]>> = {
    pending: ['201'],
    capture: ['200'],
    'capture challenge': ['201'],
    'capture deny': ['202'],
    authorize: ['200'],
    'authorize challenge': ['200', '201'],
    deny: ['202'],
    cancel: ['202'],
    failure: ['202'],
    expire: ['202', '407'],
  }
  const pairs = REPORTED_STATUSES.flatMap((status) =>
    [null, ...FRAUD_STATUSES].map((fraud) => ({ status, fraud })),
  )
  test.each(pairs)('$status with fraud $fraud', ({ status, fraud }) => {
    const fitting = FITTING[`${status} ${fraud}`] ?? FITTING[status] ?? ['200']
    expect(CODES.filter((code) => statusCodeFits(code, status, fraud))).toEqual(fitting)
  })
})

describe('status_code and status belong together', () => {
  test.each([
    ['201', 'pending', null, true],
    ['200', 'pending', null, false],
    ['200', 'settlement', 'accept', true],
    ['201', 'settlement', 'accept', false],
    ['202', 'settlement', null, false],
    ['200', 'capture', 'accept', true],
    ['201', 'capture', 'challenge', true],
    ['200', 'capture', 'challenge', false],
    ['202', 'capture', 'deny', true],
    ['200', 'authorize', 'accept', true],
    ['202', 'deny', 'deny', true],
    ['200', 'deny', null, false],
    ['202', 'cancel', null, true],
    ['202', 'expire', null, true],
    ['407', 'expire', null, true],
    ['200', 'refund', null, true],
    ['200', 'partial_refund', 'accept', true],
    ['200', 'chargeback', null, true],
  ] as const)('%s with %s (%s): %s', (code, status, fraud, fits) => {
    expect(statusCodeFits(code, status, fraud)).toBe(fits)
  })
})
