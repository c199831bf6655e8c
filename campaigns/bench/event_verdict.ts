// One event for each transition, by independent rules: from the rows of transitions and events, and
// from the history of each order at the gateway. The service's table of transitions is not used.
import type { GatewayEffects, GatewayStep, GatewayTransaction } from './gateway_effects.ts'
import { faulty } from './verdict.ts'

export interface TransitionRow {
  object_id: string
  object_kind: string
  version: number
  from_status: string | null
  to_status: string
}

export interface EventRow {
  object_id: string
  object_kind: string
  type: string
  /** Of the object as it was published. */
  version: number
  order_id: string | null
  gateway_subscription_id: string | null
}

export interface Published {
  transitions: readonly TransitionRow[]
  events: readonly EventRow[]
}

export const judgeEvents = (published: Published, effects: GatewayEffects): string[] => [
  ...judgeTransitions(published),
  ...judgeHistories(published, effects),
  ...judgeCycles(published, effects),
]

/** A payment in one of these was not yet published as paid. */
const UNPAID = new Set(['initiated', 'pending', 'authorize'])
/** Reaching one of these is always published, from any status. */
const PUBLISHED: Record<string, ReadonlySet<string>> = {
  payment: new Set([
    'pending',
    'cancel',
    'expire',
    'failure',
    'refund',
    'partial_refund',
    'chargeback',
    'partial_chargeback',
  ]),
  invoice: new Set(['paid', 'voided']),
  subscription: new Set(['disabled', 'cancelled']),
}
const PAID = new Set(['capture', 'settlement'])

function mustPublish({ object_kind, from_status, to_status }: TransitionRow): boolean {
  if (from_status === null) return false
  if (PUBLISHED[object_kind]?.has(to_status) === true) return true
  // The gateway charges no more.
  if (object_kind === 'subscription') return from_status === 'active' && to_status === 'inactive'
  return object_kind === 'payment' && PAID.has(to_status) && UNPAID.has(from_status)
}

/** Counted cycles change no status: their events belong to no transition. */
const WITHOUT_TRANSITION = new Set(['subscription_charged'])

function judgeTransitions({ transitions, events }: Published): string[] {
  const place = (row: { object_id: string; version: number }): string =>
    `${row.object_id} version ${row.version}`
  const of = Map.groupBy(
    events.filter(({ type }) => !WITHOUT_TRANSITION.has(type)),
    place,
  )
  const known = new Set(transitions.map(place))
  return [
    ...faulty(
      'transitions published more than once',
      [...of].filter(([, rows]) => rows.length > 1).map(([where]) => where),
    ),
    ...faulty(
      'transitions never published',
      transitions
        .filter((row) => mustPublish(row) && !of.has(place(row)))
        .map((row) => `${place(row)} to ${row.to_status}`),
    ),
    ...faulty(
      'events of no transition',
      [...of.keys()].filter((where) => !known.has(where)),
    ),
  ]
}

/** The signal of a status that the gateway went through; undefined where it has none. */
function signalOf({ status, fraud_status }: GatewayStep, first: boolean): string | undefined {
  if (status === 'authorize') return first ? 'payment_received' : undefined
  if (PAID.has(status) && fraud_status === 'challenge') return 'payment_received'
  if (PAID.has(status) && fraud_status === 'deny') return 'payment_denied'
  return SIGNALS[status]
}

const SIGNALS: Record<string, string> = {
  pending: 'payment_received',
  capture: 'payment_settled',
  settlement: 'payment_settled',
  deny: 'payment_denied',
  cancel: 'payment_cancelled',
  expire: 'payment_expired',
  failure: 'payment_failed',
  refund: 'payment_refunded',
  partial_refund: 'payment_refunded',
  chargeback: 'payment_charged_back',
  partial_chargeback: 'payment_charged_back',
}
/** Published once however often the gateway reports it: money is received only once. */
const ONCE = new Set(['payment_settled', 'payment_denied'])

/** The signals of a transaction as often as each may be published, and the last one. */
function expectedOf({ history }: GatewayTransaction) {
  const all = history.flatMap((step, at) => signalOf(step, at === 0) ?? [])
  const most = all.filter((signal, at) => !ONCE.has(signal) || all.indexOf(signal) === at)
  return { most, last: all.at(-1) }
}

/**
 * Without payments that only failed, where the same order has another payment: a refused charge
 * leaves its order id free, and what follows belongs to the other payment.
 */
function withoutFailed(events: readonly EventRow[]): EventRow[] {
  const payments = [...Map.groupBy(events, ({ object_id }) => object_id).values()]
  const others = payments.filter((rows) => rows.some(({ type }) => type !== 'payment_failed'))
  return others.length === 0 ? [...events] : others.flat()
}

function judgeHistories({ events }: Published, { transactions }: GatewayEffects): string[] {
  const of = Map.groupBy(
    events.filter(({ object_kind }) => object_kind === 'payment'),
    ({ order_id }) => order_id ?? '',
  )
  const orders = Map.groupBy(transactions, ({ order_id }) => order_id)
  const too_often: string[] = []
  const missing: string[] = []
  for (const [order_id, same] of orders) {
    const expected = same.map(expectedOf)
    const most = expected.flatMap((one) => one.most)
    const published = Map.groupBy(withoutFailed(of.get(order_id) ?? []), ({ type }) => type)
    for (const [type, rows] of published) {
      const times = most.filter((signal) => signal === type).length
      if (rows.length > times) too_often.push(`${type} of ${order_id}`)
    }
    // Of several transactions of a page, one without money may have ended unseen.
    const last = expected.length === 1 ? expected[0]?.last : undefined
    if (last !== undefined && !published.has(last)) missing.push(`${last} of ${order_id}`)
  }
  return [
    ...faulty('statuses of the gateway published too often', too_often),
    ...faulty('last statuses of the gateway never published', missing),
  ]
}

/** One event for each cycle that the gateway charged successfully. */
function judgeCycles({ events }: Published, { transactions }: GatewayEffects): string[] {
  const charged = Map.groupBy(
    transactions.filter(({ history }) => history.some(({ status }) => PAID.has(status))),
    ({ subscription_id }) => subscription_id,
  )
  const published = Map.groupBy(
    events.filter(({ type }) => type === 'subscription_charged'),
    ({ gateway_subscription_id }) => gateway_subscription_id ?? undefined,
  )
  const ids = new Set([...charged.keys(), ...published.keys()])
  ids.delete(undefined)
  const wrong = [...ids].flatMap((id) => {
    const cycles = charged.get(id)?.length ?? 0
    const times = published.get(id)?.length ?? 0
    return cycles === times ? [] : [`${id} ${times} times for ${cycles} cycles`]
  })
  return faulty('cycles of subscriptions not published exactly once', wrong)
}
