import { describe, expect, test } from 'vitest'
import {
  answerFor,
  mayTransition,
  decideTransition,
  type Known,
  type Report,
} from './payment_transitions.ts'
import {
  PAYMENT_STATUSES,
  REPORTED_STATUSES,
  type PaymentStatus,
  type ReportedStatus,
} from './payment_status.ts'
import type { PaymentSignal } from './signals.ts'

// The table once more, written down by hand from the design and not from the code it tests.
const TABLE = `
initiated           move  move  move  move  move  move  move  move  ask   ask   ask   ask
pending             stale move  move  move  move  move  move  move  ask   ask   ask   ask
authorize           stale stale move  move  move  move  move  ask   ask   ask   ask   ask
capture             stale stale stale move  ask   move  ask   ask   ask   ask   ask   ask
settlement          stale stale stale stale ask   ask   ask   ask   move  move  move  move
partial_refund      stale stale stale stale ask   ask   ask   ask   stale move  move  move
refund              stale stale stale stale ask   stale stale stale stale stale ask   ask
partial_chargeback  stale stale stale stale ask   stale stale stale ask   ask   stale move
chargeback          stale stale stale stale stale stale stale stale ask   ask   stale stale
deny                stale ask   ask   ask   stale stale stale stale ask   ask   ask   ask
cancel              stale stale ask   ask   stale stale stale stale ask   ask   ask   ask
expire              stale stale ask   ask   stale stale stale stale ask   ask   ask   ask
failure             ask   ask   ask   ask   stale stale stale stale ask   ask   ask   ask`

const rows = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
const pairs = rows.flatMap(([from, ...answers]) =>
  answers.map((answer, column) => ({
    from: PAYMENT_STATUSES.find((status) => status === from) ?? 'initiated',
    to: REPORTED_STATUSES[column] ?? 'pending',
    answer,
  })),
)

const known = (status: PaymentStatus, more: Partial<Known> = {}): Known => ({
  status,
  fraud: null,
  was_paid: false,
  refunded_amount: 0n,
  ...more,
})
const report = (status: Report['status'], more: Partial<Report> = {}): Report => ({
  status,
  fraud: null,
  refund_amount: null,
  ...more,
})

describe('every pair of the table', () => {
  test('is listed: thirteen known by twelve reported', () => {
    expect(pairs).toHaveLength(13 * 12)
    expect(rows.map(([from]) => from)).toEqual([...new Set(rows.map(([from]) => from))])
  })

  test.each(pairs)('$from → $to: $answer', ({ from, to, answer }) => {
    expect(answerFor(known(from), report(to))).toBe(answer)
    const decided = decideTransition(known(from), report(to), 'report')
    expect(decided.kind).toBe(answer)
    const looked = decideTransition(known(from), report(to), 'gateway_answer')
    expect(looked.kind).toBe(answer === 'stale' ? 'stale' : 'move')
    expect(mayTransition(from, to)).toBe(answer === 'move')
  })
})

describe('a fraud review under capture', () => {
  const inReview = known('capture', { fraud: 'challenge' })

  test('challenge → accept is a move and the moment of payment_settled', () => {
    expect(
      decideTransition(inReview, report('capture', { fraud: 'accept' }), 'report'),
    ).toMatchObject({
      kind: 'move',
      to: 'capture',
      signal: 'payment_settled',
    })
  })

  test('challenge → deny by either status is a move and emits payment_denied', () => {
    for (const status of ['capture', 'deny'] as const) {
      expect(decideTransition(inReview, report(status, { fraud: 'deny' }), 'report')).toMatchObject(
        {
          kind: 'move',
          signal: 'payment_denied',
        },
      )
    }
  })

  test('a repeated challenge, or one after the end of the review, is stale', () => {
    expect(answerFor(inReview, report('capture', { fraud: 'challenge' }))).toBe('stale')
    const accepted = known('capture', { fraud: 'accept', was_paid: true })
    expect(answerFor(accepted, report('capture', { fraud: 'challenge' }))).toBe('stale')
  })

  test('a verdict after the end of the review is stale', () => {
    const accepted = known('capture', { fraud: 'accept', was_paid: true })
    expect(answerFor(accepted, report('capture', { fraud: 'deny' }))).toBe('stale')
  })

  test('silence about the review is no verdict: it stays in review', () => {
    expect(answerFor(inReview, report('capture'))).toBe('stale')
  })

  test('a settlement without a word of fraud ends the review it has passed', () => {
    expect(decideTransition(inReview, report('settlement'), 'report')).toMatchObject({
      fraud: null,
      signal: 'payment_settled',
    })
  })

  test('a settlement in review emits payment_settled when the review ends, not before', () => {
    const challenged = report('settlement', { fraud: 'challenge' })
    const first = decideTransition(known('pending'), challenged, 'report')
    expect(first).toMatchObject({ signal: 'payment_received', fraud: 'challenge' })
    const held = known('settlement', { fraud: 'challenge' })
    expect(
      decideTransition(held, report('settlement', { fraud: 'accept' }), 'report'),
    ).toMatchObject({
      signal: 'payment_settled',
    })
  })

  test('a denial that the fraud system reported emits nothing when the bank reports it', () => {
    const denied = known('capture', { fraud: 'deny' })
    expect(decideTransition(denied, report('deny'), 'gateway_answer')).toMatchObject({
      signal: null,
    })
  })

  test('a report that says nothing of fraud keeps the verdict', () => {
    const accepted = known('pending', { fraud: 'accept' })
    expect(decideTransition(accepted, report('settlement'), 'report')).toMatchObject({
      fraud: 'accept',
    })
  })

  test('capture settles without emitting payment_settled a second time', () => {
    const captured = known('capture', { fraud: 'accept', was_paid: true })
    expect(decideTransition(captured, report('settlement'), 'report')).toEqual({
      kind: 'move',
      turns_back: false,
      to: 'settlement',
      fraud: 'accept',
      signal: null,
      surprise: null,
    })
  })
})

describe('partial refunds', () => {
  const partly = known('partial_refund', { was_paid: true, refunded_amount: 5_000n })

  test('move when the sum grew, and are stale when it did not', () => {
    expect(answerFor(partly, report('partial_refund', { refund_amount: 7_000n }))).toBe('move')
    expect(answerFor(partly, report('partial_refund', { refund_amount: 5_000n }))).toBe('stale')
    expect(answerFor(partly, report('partial_refund'))).toBe('stale')
  })
})

describe('the signal of each landing', () => {
  test('a charge that was taken for refused and is pending emits payment_received', () => {
    const found = decideTransition(known('failure'), report('pending'), 'gateway_answer')
    expect(found).toMatchObject({ kind: 'move', signal: 'payment_received' })
  })

  const landings: [PaymentStatus, Report['status'], PaymentSignal | null][] = [
    ['initiated', 'pending', 'payment_received'],
    ['initiated', 'authorize', 'payment_received'],
    ['pending', 'authorize', null],
    ['initiated', 'settlement', 'payment_settled'],
    ['pending', 'capture', 'payment_settled'],
    ['pending', 'settlement', 'payment_settled'],
    ['pending', 'deny', 'payment_denied'],
    ['pending', 'cancel', 'payment_cancelled'],
    ['pending', 'expire', 'payment_expired'],
    ['pending', 'failure', 'payment_failed'],
    ['settlement', 'partial_refund', 'payment_refunded'],
    ['settlement', 'refund', 'payment_refunded'],
    ['settlement', 'partial_chargeback', 'payment_charged_back'],
    ['settlement', 'chargeback', 'payment_charged_back'],
  ]
  test.each(landings)('%s → %s emits %s', (from, to, signal) => {
    expect(decideTransition(known(from), report(to), 'report')).toMatchObject({
      kind: 'move',
      signal,
    })
  })

  test('a challenged capture is received, not settled', () => {
    const challenged = report('capture', { fraud: 'challenge' })
    expect(decideTransition(known('initiated'), challenged, 'report')).toMatchObject({
      signal: 'payment_received',
    })
  })

  test('a jump over several states emits only the signal of the last', () => {
    const jump = decideTransition(known('pending'), report('refund'), 'gateway_answer')
    expect(jump).toMatchObject({ kind: 'move', signal: 'payment_refunded' })
  })
})

describe('surprises', () => {
  test.each(['deny', 'cancel', 'expire', 'failure'] as const)(
    'money after %s is never believed by report and is late_money when the gateway says so',
    (from) => {
      expect(decideTransition(known(from), report('settlement'), 'report').kind).toBe('ask')
      expect(decideTransition(known(from), report('settlement'), 'gateway_answer')).toMatchObject({
        signal: 'payment_settled',
        surprise: 'late_money',
      })
    },
  )

  test("a settlement that turns into a denial is a reversal, and only on the gateway's answer", () => {
    const settled = known('settlement', { was_paid: true })
    expect(decideTransition(settled, report('deny'), 'report').kind).toBe('ask')
    expect(decideTransition(settled, report('deny'), 'gateway_answer')).toMatchObject({
      signal: 'payment_denied',
      surprise: 'reversal',
    })
  })

  test('money that comes back after a reversal emits payment_settled again', () => {
    const reversed = known('deny', { was_paid: true })
    expect(decideTransition(reversed, report('settlement'), 'gateway_answer')).toMatchObject({
      signal: 'payment_settled',
      surprise: 'late_money',
    })
  })

  test('cancelling a captured card is no surprise', () => {
    const captured = known('capture', { fraud: 'accept', was_paid: true })
    expect(decideTransition(captured, report('cancel'), 'report')).toMatchObject({ surprise: null })
  })
})

describe('an answer that only a query of our own may apply turns back', () => {
  const turnsBack = (status: PaymentStatus, reported: ReportedStatus): boolean | undefined => {
    const decision = decideTransition(known(status), report(reported), 'gateway_answer')
    return decision.kind === 'move' ? decision.turns_back : undefined
  }

  test.each([
    ['cancel', 'capture'],
    ['expire', 'settlement'],
    ['expire', 'refund'],
    ['failure', 'pending'],
    ['deny', 'authorize'],
    ['settlement', 'expire'],
    ['settlement', 'deny'],
    ['partial_refund', 'expire'],
    ['chargeback', 'partial_refund'],
    ['chargeback', 'refund'],
    ['partial_chargeback', 'refund'],
  ] as const)('from %s to %s, which it may have been before', (status, reported) =>
    expect(turnsBack(status, reported)).toBe(true),
  )

  test.each([
    ['initiated', 'refund'],
    ['pending', 'refund'],
    ['authorize', 'partial_refund'],
    ['capture', 'refund'],
    ['capture', 'chargeback'],
    ['pending', 'settlement'],
    ['settlement', 'refund'],
    ['partial_refund', 'chargeback'],
  ] as const)('not from %s to %s, which comes after it', (status, reported) =>
    expect(turnsBack(status, reported)).toBe(false),
  )
})
