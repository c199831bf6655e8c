// The verdict over three independent records: what callers were answered, what our database holds,
// and what the gateway's ledger says. Returns one sentence per broken promise, none otherwise.
import {
  compareLedger,
  type LedgerOrder,
  type PaymentTotals,
} from '../../packages/service/src/services/verify/compare_ledger.ts'

/** What callers and the gateway were promised. */
export interface Acknowledged {
  /** Every 201 of a charge. */
  charges: readonly { id: string; order_id: string }[]
  /** Every order whose charge was refused definitely: the caller will not look again. */
  refused_orders: readonly string[]
  /** Every charge that was accepted into the queue. */
  queued_orders: readonly string[]
  /** Every 200 of a refund. */
  refunds: readonly { payment_id: string; refund_id: string }[]
  /** Every 200 of the webhook. */
  notifications: readonly string[]
}

/** Deliveries, in the order of the first delivery of each event. */
export interface OurEvents {
  events: readonly { id: string; object_id: string; sequence: number }[]
  effects: readonly { event_id: string; object_id: string; sequence: number }[]
}

/** What the double-entry ledger has of an order, from its postings; amounts in rupiah. */
export interface BookedOrder {
  order_id: string
  received: number
  refunded: number
  /** Money in fraud review is not booked. */
  in_review: boolean
}

export interface Records {
  payments: readonly PaymentTotals[]
  booked: readonly BookedOrder[]
  refunds: ReadonlyMap<string, string>
  notifications: ReadonlySet<string>
  events: OurEvents
  /** Operations still open, jobs still due. */
  open: { operations: number; jobs: number }
  theirs: ReadonlyMap<string, LedgerOrder>
  acknowledged: Acknowledged
  /** Broken promises by `verifyDatabase`. */
  broken: readonly { id: string; promise: string; violations: number }[]
  /** How long a new charge took after the last fault ended; null if none succeeded. */
  first_charge_ms: number | null
}

export const LIVE_WITHIN_MS = 60_000
const EXAMPLES_MAX = 3

/** Everything that is wrong, as sentences; empty if every promise was kept. */
export const judge = (records: Records): string[] => [
  ...records.broken.map(
    ({ id, promise, violations }) => `${id} broken by ${violations}: ${promise}`,
  ),
  ...compareLedger(records.payments, records.theirs).flatMap(({ promise, items }) =>
    faulty(promise, items),
  ),
  ...bookedFaults(records),
  ...chargeFaults(records),
  ...acknowledgedFaults(records),
  ...eventFaults(records.events),
  ...livenessFaults(records),
]

/** One sentence with the number of items and a few of them; none without items. */
export const faulty = (promise: string, items: readonly string[]): string[] =>
  items.length === 0
    ? []
    : [`${promise}: ${items.length}, such as ${items.slice(0, EXAMPLES_MAX).join(', ')}`]

/** Our ledger against the simulator's, which the service cannot write to. */
function bookedFaults({ booked, theirs }: Records): string[] {
  const judged = booked
    .filter(({ in_review }) => !in_review)
    .map(({ order_id, received, refunded }) => {
      const order = theirs.get(order_id)
      const kept = (order?.captured ?? 0) - (order?.reversed ?? 0) - (order?.fees ?? 0)
      const back = kept === 0 ? 0 : (order?.refunded ?? 0)
      const said = `${order_id} ${received} less ${refunded}, not ${kept} less ${back}`
      return { right: received === kept && refunded === back, said }
    })
  const wrong = judged.filter(({ right }) => !right).map(({ said }) => said)
  return faulty("I-42 orders whose postings are not the gateway's amounts", wrong)
}

function chargeFaults({ payments, theirs, acknowledged }: Records): string[] {
  const standing = Map.groupBy(
    payments.filter(({ refused }) => !refused),
    ({ order_id }) => order_id,
  )
  const known = new Set(payments.map(({ order_id }) => order_id))
  const made = (order_id: string): number => theirs.get(order_id)?.charges ?? 0
  return [
    ...faulty(
      'I-20 acknowledged charges without their payment',
      acknowledged.charges
        .filter(({ id, order_id }) => !standing.get(order_id)?.some((row) => row.id === id))
        .map(({ order_id }) => order_id),
    ),
    ...faulty(
      'I-20 acknowledged charges the gateway does not know',
      acknowledged.charges.map(({ order_id }) => order_id).filter((id) => made(id) === 0),
    ),
    ...faulty(
      'queued charges that were never made',
      acknowledged.queued_orders.filter((order_id) => !known.has(order_id)),
    ),
    ...faulty(
      'charges called refused that were made',
      acknowledged.refused_orders.filter((order_id) => made(order_id) > 0),
    ),
  ]
}

function acknowledgedFaults({ notifications, refunds, acknowledged }: Records): string[] {
  return [
    ...faulty(
      'I-19 acknowledged notifications without their row',
      acknowledged.notifications.filter((id) => !notifications.has(id)),
    ),
    ...faulty(
      'acknowledged refunds that did not succeed',
      acknowledged.refunds
        .filter(({ refund_id }) => refunds.get(refund_id) !== 'succeeded')
        .map(({ refund_id }) => refund_id),
    ),
  ]
}

function eventFaults({ events, effects }: OurEvents): string[] {
  const delivered = new Set(effects.map(({ event_id }) => event_id))
  const written = new Set(events.map(({ id }) => id))
  const last = new Map<string, number>()
  const early: string[] = []
  for (const { event_id, object_id, sequence } of effects) {
    if (sequence !== (last.get(object_id) ?? 0) + 1) early.push(event_id)
    last.set(object_id, sequence)
  }
  const ids = effects.map(({ event_id }) => event_id)
  return [
    ...faulty(
      'I-24 events that were not delivered',
      events.map(({ id }) => id).filter((id) => !delivered.has(id)),
    ),
    ...faulty(
      'I-24 effects of events that were never written',
      ids.filter((id) => !written.has(id)),
    ),
    ...(delivered.size < ids.length
      ? [`I-24 effects doubled: ${ids.length - delivered.size}`]
      : []),
    ...faulty('I-25 events delivered out of order', early),
  ]
}

function livenessFaults({ open, first_charge_ms }: Records): string[] {
  const late = first_charge_ms === null || first_charge_ms > LIVE_WITHIN_MS
  return [
    ...(open.operations > 0 ? [`I-38 operations still open: ${open.operations}`] : []),
    ...(open.jobs > 0 ? [`I-38 jobs still due: ${open.jobs}`] : []),
    ...(late ? [`I-38 a new charge after the faults: ${String(first_charge_ms)} ms`] : []),
  ]
}
