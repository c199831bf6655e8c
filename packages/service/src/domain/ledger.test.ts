import { describe, expect, test } from 'vitest'
import { bookable, bookedOf, bookingNow, bookingOf, type Posting } from './ledger.ts'
import type { GatewayPayment } from './payment.ts'

const NOW = new Date('2026-11-17T00:30:00Z')
const BEFORE = new Date('2026-11-16T16:59:00Z')
const NOTHING = { booked_received: 0n, booked_refunded: 0n, booked_charged_back: 0n }

const paymentOf = (more: Partial<GatewayPayment> = {}): GatewayPayment =>
  ({
    owner_id: 'shop',
    transaction_status: 'settlement',
    fraud_status: null,
    captured_amount: 8_000n,
    refunded_amount: 0n,
    settlement_time: null,
    ...NOTHING,
    ...more,
  }) as GatewayPayment

const times = { received_at: new Date(1), refunded_at: new Date(2), charged_back_at: new Date(3) }
const inShort = ({ kind, source, destination, amount, occurred_at }: Posting) => [
  kind,
  `${source} > ${destination}`,
  amount,
  occurred_at.getTime(),
]
const postingsOf = (payment: GatewayPayment, late = false) =>
  bookingOf(payment, { ...times, late }).postings.map(inShort)

describe('what must be booked of a payment', () => {
  test.each([
    ['pending', null, NOTHING],
    ['capture', 'challenge', NOTHING],
    ['settlement', null, { ...NOTHING, booked_received: 8_000n, booked_refunded: 2_500n }],
    // Also if the list of its refunds is short.
    ['refund', null, { ...NOTHING, booked_received: 8_000n, booked_refunded: 8_000n }],
    [
      'chargeback',
      'accept',
      { booked_received: 8_000n, booked_refunded: 2_500n, booked_charged_back: 5_500n },
    ],
    // The amount of a partial chargeback is not known.
    ['partial_chargeback', null, { ...NOTHING, booked_received: 8_000n, booked_refunded: 2_500n }],
    ['cancel', null, NOTHING],
  ] as const)('%s (%s)', (transaction_status, fraud_status, wanted) => {
    const payment = paymentOf({ transaction_status, fraud_status, refunded_amount: 2_500n })
    expect(bookable(payment)).toEqual(wanted)
  })
})

describe('postings', () => {
  test('money that arrives is a sale, and is booked once', () => {
    const { payment } = bookingOf(paymentOf(), { ...times, late: false })
    expect(postingsOf(paymentOf())).toEqual([
      ['received', 'sales:shop > gateway:pending', 8_000n, 1],
    ])
    expect(bookedOf(payment)).toEqual({ ...NOTHING, booked_received: 8_000n })
    const again = bookingOf(payment, { ...times, late: false })
    expect(again.postings).toEqual([])
    expect(again.payment).toBe(payment)
  })

  test('late money waits in suspense', () => {
    expect(postingsOf(paymentOf(), true)).toEqual([
      ['received_late', 'suspense:late > gateway:pending', 8_000n, 1],
    ])
  })

  test('a refund adds postings only for what grew since the last one', () => {
    const booked = { booked_received: 8_000n, booked_refunded: 1_000n }
    const refunded = paymentOf({ transaction_status: 'partial_refund', ...booked })
    expect(postingsOf({ ...refunded, refunded_amount: 2_500n })).toEqual([
      ['refunded', 'gateway:pending > refunds:shop', 1_500n, 2],
    ])
    expect(postingsOf({ ...refunded, refunded_amount: 400n })).toEqual([
      ['refund_reversed', 'refunds:shop > gateway:pending', 600n, 2],
    ])
  })

  test('a chargeback takes what is left, and one that was won brings it back', () => {
    const booked = { booked_received: 8_000n, booked_refunded: 2_500n }
    const money = { refunded_amount: 2_500n, ...booked }
    expect(postingsOf(paymentOf({ transaction_status: 'chargeback', ...money }))).toEqual([
      ['charged_back', 'gateway:pending > chargebacks:shop', 5_500n, 3],
    ])
    const won = { transaction_status: 'partial_refund', booked_charged_back: 5_500n } as const
    expect(postingsOf(paymentOf({ ...money, ...won }))).toEqual([
      ['chargeback_reversed', 'chargebacks:shop > gateway:pending', 5_500n, 3],
    ])
  })

  test('a payment that is cancelled after all gives back what was received', () => {
    const cancelled = paymentOf({ transaction_status: 'cancel', booked_received: 8_000n })
    expect(postingsOf(cancelled)).toEqual([['reversed', 'gateway:pending > sales:shop', 8_000n, 1]])
  })
})

describe('the time of a booking that is made now', () => {
  const timeOf = (more: Partial<GatewayPayment>) =>
    bookingNow(paymentOf(more), NOW, false).postings.map(({ occurred_at }) => occurred_at)

  test('money came when the gateway settled it', () => {
    expect(timeOf({ settlement_time: BEFORE })).toEqual([BEFORE])
  })

  test('is now without a settlement time, and with one in the future', () => {
    expect(timeOf({})).toEqual([NOW])
    expect(timeOf({ settlement_time: new Date(NOW.getTime() + 1) })).toEqual([NOW])
  })

  test('a reversal and a refund happen now, whenever the money was settled', () => {
    const booked = { booked_received: 8_000n, settlement_time: BEFORE }
    expect(timeOf({ ...booked, transaction_status: 'cancel' })).toEqual([NOW])
    expect(timeOf({ ...booked, transaction_status: 'refund' })).toEqual([NOW])
  })

  test('late money is not a sale', () => {
    const [posting] = bookingNow(paymentOf(), NOW, true).postings
    expect(posting?.kind).toBe('received_late')
  })
})
