import { describe, expect, test } from 'vitest'
import {
  FRAUD_STATUSES,
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
