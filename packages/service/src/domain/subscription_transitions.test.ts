import { describe, expect, test } from 'vitest'
import { SUBSCRIPTION_STATUSES } from './subscription.ts'
import {
  decideSubscriptionTransition,
  isSubscriptionAction,
  SUBSCRIPTION_ACTION,
  SUBSCRIPTION_ACTIONS,
  type ReportedSubscriptionStatus,
} from './subscription_transitions.ts'

const REPORTED: ReportedSubscriptionStatus[] = ['failure', 'active', 'inactive']

const TABLE = `
initiated  move  move  move
failure    stale ask   ask
active     stale stale ask
inactive   stale ask   stale
disabled   stale stale stale
cancelled  stale stale stale`

const pairs = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .flatMap(([from, ...answers]) =>
    answers.map((answer, column) => ({
      from: SUBSCRIPTION_STATUSES.find((status) => status === from) ?? 'initiated',
      to: REPORTED[column] ?? 'failure',
      answer,
    })),
  )

describe('every pair', () => {
  test('is listed: six known by three reported', () => {
    expect(pairs).toHaveLength(6 * 3)
  })

  test.each(pairs)('$from → $to: $answer', ({ from, to, answer }) => {
    expect(decideSubscriptionTransition(from, to, 'report').kind).toBe(answer)
    const looked = decideSubscriptionTransition(from, to, 'gateway_answer').kind
    expect(looked).toBe(answer === 'stale' ? 'stale' : 'move')
  })
})

test('subscription_created is emitted once, when the gateway accepts', () => {
  expect(decideSubscriptionTransition('initiated', 'active', 'report')).toMatchObject({
    signal: 'subscription_created',
  })
  // It was taken for refused and exists.
  expect(decideSubscriptionTransition('failure', 'active', 'gateway_answer')).toMatchObject({
    signal: 'subscription_created',
  })
  expect(decideSubscriptionTransition('initiated', 'failure', 'report')).toMatchObject({
    signal: null,
  })
  expect(decideSubscriptionTransition('inactive', 'active', 'gateway_answer')).toMatchObject({
    signal: null,
  })
})

test('subscription_disabled is emitted when the gateway stops charging by itself', () => {
  expect(decideSubscriptionTransition('active', 'inactive', 'gateway_answer')).toMatchObject({
    signal: 'subscription_disabled',
  })
})

describe('actions', () => {
  test.each(
    SUBSCRIPTION_ACTIONS.flatMap((action) =>
      SUBSCRIPTION_STATUSES.map((from) => [action, from] as const),
    ),
  )('%s from %s', (action, from) => {
    const allowed = {
      disable: ['active'],
      enable: ['disabled', 'inactive'],
      cancel: ['active', 'inactive', 'disabled'],
    }[action]
    expect(SUBSCRIPTION_ACTION[action].from.includes(from)).toBe(allowed.includes(from))
  })

  test('are known by their names', () => {
    expect(SUBSCRIPTION_ACTIONS.every(isSubscriptionAction)).toBe(true)
    expect(['update', 'Cancel', ''].some(isSubscriptionAction)).toBe(false)
  })

  test('nothing leads out of cancelled', () => {
    for (const action of SUBSCRIPTION_ACTIONS) {
      expect(SUBSCRIPTION_ACTION[action].from).not.toContain('cancelled')
    }
  })
})
