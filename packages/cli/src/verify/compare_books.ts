// Our payments against the gateway's ledger, order by order. What the database can say of itself
// alone is not asked here.
import type { TheirOrder } from './simulator_ledger.ts'

/** A payment as our database has it; amounts in whole rupiah. */
export interface OurPayment {
  id: string
  order_id: string
  transaction_status: string
  refused: boolean
  captured: number
  refunded: number
  reserved: number
}

/** One way in which the books may differ, and where they do. */
export interface Difference {
  promise: string
  items: readonly string[]
}

/** What was captured went back with these; a ledger shows it as reversed. */
const GIVEN_BACK = new Set(['cancel', 'deny', 'expire', 'failure'])

type Ours = readonly OurPayment[]
type Theirs = ReadonlyMap<string, TheirOrder>

/** Every promise the two books can break together, the kept ones too. */
export const compareBooks = (payments: Ours, theirs: Theirs): Difference[] => [
  ...compareOrders(payments, theirs),
  ...compareMoney(payments, theirs),
]

function compareOrders(payments: Ours, theirs: Theirs): Difference[] {
  const standing = Map.groupBy(
    payments.filter(({ refused }) => !refused),
    ({ order_id }) => order_id,
  )
  const known = new Set(payments.map(({ order_id }) => order_id))
  const made = [...theirs].map(([order_id, { charges }]) => ({ order_id, charges }))
  const named = (orders: typeof made): string[] => orders.map(({ order_id }) => order_id)
  return [
    {
      promise: 'I-03 orders charged more than once',
      items: named(made.filter(({ charges }) => charges > 1)),
    },
    {
      promise: 'I-03 orders with more than one payment on our books',
      items: [...standing].filter(([, rows]) => rows.length > 1).map(([order_id]) => order_id),
    },
    {
      promise: 'I-21 orders at the gateway that our database does not know',
      items: named(made.filter(({ order_id, charges }) => charges > 0 && !known.has(order_id))),
    },
    {
      promise: 'charges our books call refused that were made',
      items: named(
        made.filter(
          ({ order_id, charges }) => charges > 0 && known.has(order_id) && !standing.has(order_id),
        ),
      ),
    },
  ]
}

function compareMoney(payments: Ours, theirs: Theirs): Difference[] {
  const faults = { status: [] as string[], kept: [] as string[], refunded: [] as string[] }
  const reserved: string[] = []
  const standing = new Set(payments.flatMap(({ order_id, refused }) => (refused ? [] : order_id)))
  for (const payment of payments) {
    const { order_id, transaction_status, captured, refunded, refused } = payment
    if (payment.reserved !== 0) reserved.push(order_id)
    // A refused charge leaves its order id free (ADR 0003): what came of the next one is not its
    // own.
    const order = refused && standing.has(order_id) ? undefined : theirs.get(order_id)
    // Never made there: whatever we call it, nothing may have moved here.
    const there = order?.transaction_status ?? (refused ? transaction_status : 'no such order')
    if (!refused && there !== transaction_status)
      faults.status.push(`${order_id} ${transaction_status}, not ${there}`)
    const kept = GIVEN_BACK.has(transaction_status) ? 0 : captured
    const theirs_kept = (order?.captured ?? 0) - (order?.reversed ?? 0) - (order?.fees ?? 0)
    const called = `${order_id} (${refused ? 'refused' : transaction_status}, there ${there})`
    if (kept !== theirs_kept) faults.kept.push(`${called} ${kept}, not ${theirs_kept}`)
    const paid_back = order?.refunded ?? 0
    if (refunded !== paid_back) faults.refunded.push(`${order_id} ${refunded}, not ${paid_back}`)
  }
  return [
    { promise: 'statuses other than the gateway has', items: faults.status },
    { promise: 'I-10 captured amounts other than the ledger has', items: faults.kept },
    { promise: 'I-10 refunded amounts other than the ledger has', items: faults.refunded },
    { promise: 'refunds still reserved', items: reserved },
  ]
}
