// Shows that each rule of the verdict over events can fail: plants one fault into records that
// agree.
import { describe, expect, test } from 'vitest'
import { judgeEvents, type Published } from './bench/event_verdict.ts'
import type { GatewayEffects, GatewayTransaction } from './bench/gateway_effects.ts'

const transaction = (more: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
  transaction_id: 't-1',
  order_id: 'o-1',
  origin: 'charge',
  charged_amount: 150_000,
  captured: 150_000,
  custom: {},
  refunds: [],
  history: [
    { status: 'pending', cause: 'charge' },
    { status: 'settlement', cause: 'paid' },
    { status: 'partial_refund', cause: 'refund' },
  ],
  ...more,
})

const published = (): Published => ({
  transitions: [
    { from_status: null, to_status: 'initiated' },
    { from_status: 'initiated', to_status: 'pending' },
    { from_status: 'pending', to_status: 'settlement' },
    { from_status: 'settlement', to_status: 'partial_refund' },
  ].map((row, at) => ({ ...row, object_id: 'p-1', object_kind: 'payment', version: at + 1 })),
  events: [
    event('payment_received', 2),
    event('payment_settled', 3),
    event('payment_refunded', 4),
    {
      ...event('subscription_charged', 3),
      object_id: 's',
      object_kind: 'subscription',
      order_id: null,
      gateway_subscription_id: 's-1',
    },
  ],
})

const event = (type: string, version: number): Published['events'][number] => ({
  object_id: 'p-1',
  object_kind: 'payment',
  type,
  version,
  order_id: 'o-1',
  gateway_subscription_id: null,
})

const charged = transaction({
  order_id: 'cycle',
  origin: 'subscription',
  subscription_id: 's-1',
  history: [{ status: 'settlement', cause: 'subscription' }],
})
/** The cycle's own payment is published under its own order. */
const cycle_events = [{ ...event('payment_settled', 1), object_id: 'c', order_id: 'cycle' }]
const cycle_transitions = [
  {
    object_id: 'c',
    object_kind: 'payment',
    version: 1,
    from_status: 'initiated',
    to_status: 'settlement',
  },
]
const at_gateway: GatewayEffects = {
  transactions: [transaction(), charged],
  invoices: [],
  subscriptions: [],
  refused_charges: new Set(),
}
const agreeing = (): Published => ({
  transitions: [...published().transitions, ...cycle_transitions],
  events: [...published().events, ...cycle_events],
})
const without = (type: string): Published => ({
  ...agreeing(),
  events: agreeing().events.filter((one) => one.type !== type),
})
const adding = (...events: Published['events']): Published => ({
  ...agreeing(),
  events: [...agreeing().events, ...events],
})

const PLANTED_EVENTS: { what: string; rows: Published; says: string[] }[] = [
  {
    what: 'two events for one transition',
    rows: adding(event('payment_refunded', 4)),
    says: [
      'transitions published more than once: 1, such as p-1 version 4',
      'statuses of the gateway published too often: 1, such as payment_refunded of o-1',
    ],
  },
  {
    what: 'no event for a transition',
    rows: without('payment_refunded'),
    says: [
      'transitions never published: 1, such as p-1 version 4 to partial_refund',
      'last statuses of the gateway never published: 1, such as payment_refunded of o-1',
    ],
  },
  {
    what: 'a status published again under a transition of its own',
    rows: {
      transitions: [
        ...agreeing().transitions,
        {
          object_id: 'p-1',
          object_kind: 'payment',
          version: 5,
          from_status: 'partial_refund',
          to_status: 'partial_refund',
        },
      ],
      events: [...agreeing().events, event('payment_refunded', 5)],
    },
    says: ['statuses of the gateway published too often: 1, such as payment_refunded of o-1'],
  },
  {
    what: 'a signal of a status that the gateway never took',
    rows: {
      transitions: [
        ...agreeing().transitions,
        {
          object_id: 'p-1',
          object_kind: 'payment',
          version: 5,
          from_status: 'partial_refund',
          to_status: 'cancel',
        },
      ],
      events: [...agreeing().events, event('payment_cancelled', 5)],
    },
    says: ['statuses of the gateway published too often: 1, such as payment_cancelled of o-1'],
  },
  {
    what: 'an event of no transition',
    rows: { ...agreeing(), transitions: agreeing().transitions.slice(0, -1) },
    says: ['events of no transition: 1, such as c version 1'],
  },
  {
    what: 'a cycle that was never published',
    rows: without('subscription_charged'),
    says: [
      'cycles of subscriptions not published exactly once: 1, such as s-1 0 times for 1 cycles',
    ],
  },
]

describe('the verdict over events', () => {
  test('reports nothing when each transition was published once', () => {
    expect(judgeEvents(agreeing(), at_gateway)).toEqual([])
  })

  test('reports nothing for a failed charge of an order that was charged again', () => {
    const failed = { ...event('payment_failed', 2), object_id: 'p-0' }
    const row = { object_id: 'p-0', object_kind: 'payment', version: 2 }
    const step = { ...row, from_status: 'initiated', to_status: 'failure' }
    const rows = adding(failed)
    const transitions = [...rows.transitions, step]
    expect(judgeEvents({ ...rows, transitions }, at_gateway)).toEqual([])
  })

  test('counts the payments of a page together', () => {
    const of_page = transaction({
      transaction_id: 't-2',
      history: [{ status: 'deny', cause: 'denied' }],
    })
    const pages = { ...at_gateway, transactions: [transaction(), of_page, charged] }
    const row = { object_id: 'p-2', object_kind: 'payment' }
    const denied = { ...event('payment_denied', 2), object_id: 'p-2' }
    const once = {
      transitions: [
        ...agreeing().transitions,
        { ...row, version: 2, from_status: 'initiated', to_status: 'deny' },
      ],
      events: [...agreeing().events, denied],
    }
    expect(judgeEvents(once, pages)).toEqual([])
    const twice = {
      transitions: [
        ...once.transitions,
        { ...row, version: 3, from_status: 'deny', to_status: 'deny' },
      ],
      events: [...once.events, { ...denied, version: 3 }],
    }
    expect(judgeEvents(twice, pages)).toEqual([
      'statuses of the gateway published too often: 1, such as payment_denied of o-1',
    ])
  })

  test('reports a charge published as failed that the gateway made', () => {
    const row = { object_id: 'p-1', object_kind: 'payment', version: 2 }
    const rows = {
      transitions: [
        ...cycle_transitions,
        { ...row, from_status: 'initiated', to_status: 'failure' },
      ],
      events: [
        ...agreeing().events.filter(({ object_id }) => object_id !== 'p-1'),
        event('payment_failed', 2),
      ],
    }
    expect(judgeEvents(rows, at_gateway)).toEqual([
      'statuses of the gateway published too often: 1, such as payment_failed of o-1',
      'last statuses of the gateway never published: 1, such as payment_refunded of o-1',
    ])
  })

  test.each(PLANTED_EVENTS)('reports $what', ({ rows, says }) => {
    expect(judgeEvents(rows, at_gateway)).toEqual(says)
  })
})
