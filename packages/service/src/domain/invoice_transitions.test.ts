import { describe, expect, test } from 'vitest'
import { INVOICE_STATUSES } from './invoice.ts'
import {
  mayVoid,
  decideInvoiceTransition,
  type ReportedInvoiceStatus,
} from './invoice_transitions.ts'

const REPORTED: ReportedInvoiceStatus[] = [
  'failure',
  'draft',
  'pending',
  'overdue',
  'paid',
  'expired',
  'voided',
]

const TABLE = `
initiated  move  move  move  move  ask   move  move
failure    stale ask   ask   ask   ask   ask   ask
draft      stale stale move  move  ask   move  move
pending    stale stale stale move  ask   move  move
overdue    stale stale stale stale ask   move  move
paid       stale stale stale stale stale stale ask
expired    stale stale ask   ask   ask   stale move
voided     stale stale stale stale ask   stale stale`

const pairs = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .flatMap(([from, ...answers]) =>
    answers.map((answer, column) => ({
      from: INVOICE_STATUSES.find((status) => status === from) ?? 'initiated',
      to: REPORTED[column] ?? 'failure',
      answer,
    })),
  )

describe('every pair', () => {
  test('is listed: eight known by seven reported', () => {
    expect(pairs).toHaveLength(8 * 7)
  })

  test.each(pairs)('$from → $to: $answer', ({ from, to, answer }) => {
    expect(decideInvoiceTransition(from, to, 'report').kind).toBe(answer)
    const looked = decideInvoiceTransition(from, to, 'gateway_answer').kind
    expect(looked).toBe(answer === 'stale' ? 'stale' : 'move')
  })
})

test('paid is accepted only from the gateway’s answer, in every state', () => {
  for (const from of INVOICE_STATUSES) {
    expect(decideInvoiceTransition(from, 'paid', 'report').kind).not.toBe('move')
  }
})

test('signals: created once accepted, paid, voided, and nothing else', () => {
  expect(decideInvoiceTransition('initiated', 'pending', 'report')).toMatchObject({
    signal: 'invoice_created',
  })
  // It was taken for refused and exists.
  expect(decideInvoiceTransition('failure', 'pending', 'gateway_answer')).toMatchObject({
    signal: 'invoice_created',
  })
  expect(decideInvoiceTransition('initiated', 'failure', 'report')).toMatchObject({ signal: null })
  expect(decideInvoiceTransition('pending', 'overdue', 'report')).toMatchObject({ signal: null })
  expect(decideInvoiceTransition('overdue', 'voided', 'report')).toMatchObject({
    signal: 'invoice_voided',
  })
  expect(decideInvoiceTransition('pending', 'paid', 'gateway_answer')).toMatchObject({
    signal: 'invoice_paid',
  })
})

test('money for a voided invoice is late money', () => {
  expect(decideInvoiceTransition('voided', 'paid', 'gateway_answer')).toMatchObject({
    surprise: 'late_money',
  })
  expect(decideInvoiceTransition('expired', 'paid', 'gateway_answer')).toMatchObject({
    surprise: 'late_money',
  })
  expect(decideInvoiceTransition('pending', 'paid', 'gateway_answer')).toMatchObject({
    surprise: null,
  })
  expect(decideInvoiceTransition('expired', 'voided', 'report')).toMatchObject({ surprise: null })
  expect(decideInvoiceTransition('paid', 'voided', 'gateway_answer')).toMatchObject({
    surprise: 'reversal',
  })
})

test.each(INVOICE_STATUSES)('void from %s', (status) => {
  expect(mayVoid(status)).toBe(status === 'pending' || status === 'overdue')
})
