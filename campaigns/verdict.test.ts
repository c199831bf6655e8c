// Shows that each part of the verdict can fail: plants one difference into records that agree.
import { describe, expect, test } from 'vitest'
import { judge, type Records } from './bench/verdict.ts'

const totals = {
  charges: 1,
  authorized: 0,
  released: 0,
  captured: 150_000,
  settled: 150_000,
  refunded: 50_000,
  reversed: 0,
  charged_back: 0,
  fees: 0,
}

const agreeing = (): Records => ({
  payments: [
    {
      id: 'p-1',
      order_id: 'o-1',
      transaction_status: 'partial_refund',
      refused: false,
      captured: 150_000,
      refunded: 50_000,
      reserved: 0,
    },
    {
      id: 'p-2',
      order_id: 'o-2',
      transaction_status: 'initiated',
      refused: true,
      captured: 0,
      refunded: 0,
      reserved: 0,
    },
  ],
  booked: [{ order_id: 'o-1', received: 150_000, refunded: 50_000, in_review: false }],
  refunds: new Map([['r-1', 'succeeded']]),
  notifications: new Set(['n-1']),
  events: {
    events: [
      { id: 'e-1', object_id: 'p-1', sequence: 1 },
      { id: 'e-2', object_id: 'p-1', sequence: 2 },
    ],
    effects: [
      { event_id: 'e-1', object_id: 'p-1', sequence: 1 },
      { event_id: 'e-2', object_id: 'p-1', sequence: 2 },
    ],
  },
  open: { operations: 0, jobs: 0 },
  theirs: new Map([['o-1', { ...totals, transaction_status: 'partial_refund' }]]),
  acknowledged: {
    charges: [{ id: 'p-1', order_id: 'o-1' }],
    refused_orders: ['o-2'],
    queued_orders: ['o-1'],
    refunds: [{ payment_id: 'p-1', refund_id: 'r-1' }],
    notifications: ['n-1'],
  },
  broken: [],
  first_charge_ms: 20,
})

const theirs = (changed: object): Records['theirs'] =>
  new Map([['o-1', { ...totals, transaction_status: 'partial_refund', ...changed }]])
const payment = (changed: object): Records['payments'] =>
  agreeing().payments.map((one) => (one.id === 'p-1' ? { ...one, ...changed } : one))
const acknowledged = (changed: object): Records['acknowledged'] => ({
  ...agreeing().acknowledged,
  ...changed,
})
const eventsWith = (changed: Partial<Records['events']>): Records['events'] => ({
  ...agreeing().events,
  ...changed,
})
const [first, second] = agreeing().events.effects

const PLANTED: { what: string; plant: Partial<Records>; says: string }[] = [
  {
    what: 'an invariant the database breaks alone',
    plant: { broken: [{ id: 'I-13', promise: 'versions', violations: 2 }] },
    says: 'I-13 broken by 2: versions',
  },
  {
    what: 'a posting that the gateway knows nothing of',
    plant: { booked: [{ order_id: 'o-1', received: 150_000, refunded: 0, in_review: false }] },
    says: "I-42 orders whose postings are not the gateway's amounts: 1, such as o-1 150000 less 0, not 150000 less 50000",
  },
  {
    what: 'an order charged twice',
    plant: { theirs: theirs({ charges: 2 }) },
    says: 'I-03 orders charged more than once: 1, such as o-1',
  },
  {
    what: 'two payments of one order',
    plant: { payments: [...agreeing().payments, ...payment({ id: 'p-3' }).slice(0, 1)] },
    says: 'I-03 orders with more than one payment in our database: 1, such as o-1',
  },
  {
    what: 'an order only the gateway knows',
    plant: {
      theirs: new Map([...theirs({}), ['o-9', { ...totals, transaction_status: 'pending' }]]),
    },
    says: 'I-21 orders at the gateway that our database does not know: 1, such as o-9',
  },
  {
    what: 'a 201 whose payment is gone',
    plant: { acknowledged: acknowledged({ charges: [{ id: 'p-7', order_id: 'o-1' }] }) },
    says: 'I-20 acknowledged charges without their payment: 1, such as o-1',
  },
  {
    what: 'a 201 the gateway never heard of',
    plant: { theirs: new Map() },
    says: 'I-20 acknowledged charges the gateway does not know: 1, such as o-1',
  },
  {
    what: 'a queued charge that vanished',
    plant: { acknowledged: acknowledged({ queued_orders: ['o-8'] }) },
    says: 'queued charges that were never made: 1, such as o-8',
  },
  {
    what: 'a wrong guess',
    plant: { acknowledged: acknowledged({ refused_orders: ['o-1'] }) },
    says: 'charges called refused that were made: 1, such as o-1',
  },
  {
    what: 'a wrong guess in our own database',
    plant: {
      payments: payment({ refused: true, captured: 0, refunded: 0 }),
      acknowledged: acknowledged({ charges: [], refunds: [] }),
    },
    says: 'charges recorded as refused that were made: 1, such as o-1',
  },
  {
    what: 'another status',
    plant: { payments: payment({ transaction_status: 'settlement' }) },
    says: 'statuses other than the gateway has: 1, such as o-1 settlement, not partial_refund',
  },
  {
    what: 'another captured amount',
    plant: { theirs: theirs({ captured: 140_000 }) },
    says: 'I-10 captured amounts other than the ledger has: 1, such as o-1 (partial_refund, there partial_refund) 150000, not 140000',
  },
  {
    what: 'another refunded amount',
    plant: { theirs: theirs({ refunded: 100_000 }) },
    says: 'I-10 refunded amounts other than the ledger has: 1, such as o-1 50000, not 100000',
  },
  {
    what: 'a reservation that was not released',
    plant: { payments: payment({ reserved: 10 }) },
    says: 'refunds still reserved: 1, such as o-1',
  },
  {
    what: 'a 200 whose notification is gone',
    plant: { notifications: new Set() },
    says: 'I-19 acknowledged notifications without their row: 1, such as n-1',
  },
  {
    what: 'a 200 whose refund failed',
    plant: { refunds: new Map([['r-1', 'failed']]) },
    says: 'acknowledged refunds that did not succeed: 1, such as r-1',
  },
  {
    what: 'an event that was not delivered',
    plant: { events: eventsWith({ effects: first ? [first] : [] }) },
    says: 'I-24 events that were not delivered: 1, such as e-2',
  },
  {
    what: 'an effect without its event',
    plant: { events: eventsWith({ events: agreeing().events.events.slice(0, 1) }) },
    says: 'I-24 effects of events that were never written: 1, such as e-2',
  },
  {
    what: 'an effect twice',
    plant: { events: eventsWith({ effects: first && second ? [first, second, second] : [] }) },
    says: 'I-24 effects doubled: 1',
  },
  {
    what: 'events out of their order',
    plant: { events: eventsWith({ effects: first && second ? [second, first] : [] }) },
    says: 'I-25 events delivered out of order: 2, such as e-2, e-1',
  },
  {
    what: 'an operation left open',
    plant: { open: { operations: 1, jobs: 0 } },
    says: 'I-38 operations still open: 1',
  },
  {
    what: 'a job left due',
    plant: { open: { operations: 0, jobs: 4 } },
    says: 'I-38 jobs still due: 4',
  },
  {
    what: 'a service that does not come back',
    plant: { first_charge_ms: null },
    says: 'I-38 a new charge after the faults: null ms',
  },
  {
    what: 'a service that comes back late',
    plant: { first_charge_ms: 61_000 },
    says: 'I-38 a new charge after the faults: 61000 ms',
  },
]

describe('the verdict', () => {
  test('reports nothing for records that agree', () => {
    expect(judge(agreeing())).toEqual([])
  })

  test('reports nothing when a refused charge was made by a later payment of the same order', () => {
    const { payments } = agreeing()
    const refused = { ...payments[0], id: 'p-3', refused: true, captured: 0, refunded: 0 }
    const later = { ...agreeing(), payments: [...payments, refused as Records['payments'][number]] }
    expect(judge(later)).toEqual([])
  })

  test.each(PLANTED)('reports $what', ({ plant, says }) => {
    expect(judge({ ...agreeing(), ...plant })).toContain(says)
  })
})
