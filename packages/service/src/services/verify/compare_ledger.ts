// Compares our payments with the gateway's ledger, order by order. The invariants cover what the
// database can show on its own.

/** A payment as our database has it; amounts in rupiah. */
export interface PaymentTotals {
  id: string
  order_id: string
  transaction_status: string
  refused: boolean
  /** The payments of one checkout are one order of the ledger. */
  checkout_id?: string | null
  captured: number
  refunded: number
  reserved: number
}

/** An order as the gateway's ledger has it; amounts in rupiah, over all its transactions. */
export interface LedgerOrder {
  transaction_status: string
  charges: number
  captured: number
  refunded: number
  reversed: number
  fees: number
}

/** One way in which payments and ledger may differ, and the orders where they do. */
export interface LedgerDifference {
  promise: string
  items: readonly string[]
}

/** In these states a captured amount was returned; the ledger shows it as reversed. */
const RETURNED = new Set(['cancel', 'deny', 'expire', 'failure'])

type Payments = readonly PaymentTotals[]
export type Ledger = ReadonlyMap<string, LedgerOrder>

/** One entry for each comparison; an entry without items found no difference. */
export const compareLedger = (payments: Payments, ledger: Ledger): LedgerDifference[] => [
  ...compareOrders(payments, ledger),
  ...compareMoney(payments, ledger),
]

function compareOrders(payments: Payments, ledger: Ledger): LedgerDifference[] {
  const standing = Map.groupBy(
    payments.filter(({ refused }) => !refused),
    ({ order_id }) => order_id,
  )
  const known = new Set(payments.map(({ order_id }) => order_id))
  const chosen = attemptsOf(payments)
  const made = [...ledger].map(([order_id, { charges }]) => ({ order_id, charges }))
  const named = (orders: typeof made): string[] => orders.map(({ order_id }) => order_id)
  return [
    {
      promise: 'I-03 orders charged more than once',
      items: named(
        made.filter(({ order_id, charges }) => charges > (chosen.get(order_id)?.length ?? 1)),
      ),
    },
    {
      promise: 'I-03 orders with more than one payment in our database',
      items: [...standing].filter(([, rows]) => rows.length > 1).map(([order_id]) => order_id),
    },
    {
      promise: 'I-21 orders at the gateway that our database does not know',
      items: named(made.filter(({ order_id, charges }) => charges > 0 && !known.has(order_id))),
    },
    {
      promise: 'charges recorded as refused that were made',
      items: named(
        made.filter(
          ({ order_id, charges }) => charges > 0 && known.has(order_id) && !standing.has(order_id),
        ),
      ),
    },
  ]
}

const keptOf = ({ transaction_status, captured }: PaymentTotals): number =>
  RETURNED.has(transaction_status) ? 0 : captured

/** The attempts on the page of a checkout, by order: the payer may choose several times. */
const attemptsOf = (payments: Payments): ReadonlyMap<string, PaymentTotals[]> =>
  Map.groupBy(
    payments.filter(({ checkout_id }) => typeof checkout_id === 'string'),
    ({ order_id }) => order_id,
  )

/** What is compared with one order of the ledger. */
interface Compared extends PaymentTotals {
  kept: number
  /** Several payments, of whose statuses the ledger shows one. */
  several: boolean
}

/** Each payment, and the attempts of each checkout as one, because the ledger counts by order. */
function comparedOf(payments: Payments): Compared[] {
  const alone = payments.filter(({ checkout_id }) => typeof checkout_id !== 'string')
  const chosen = [...attemptsOf(payments).values()].flatMap((attempts) => {
    const sum = (of: (one: PaymentTotals) => number) =>
      attempts.reduce((total, one) => total + of(one), 0)
    return attempts.slice(0, 1).map((first) => ({
      ...first,
      refused: false,
      several: attempts.length > 1,
      kept: sum(keptOf),
      refunded: sum(({ refunded }) => refunded),
      reserved: sum(({ reserved }) => reserved),
    }))
  })
  return [...alone.map((one) => ({ ...one, kept: keptOf(one), several: false })), ...chosen]
}

function compareMoney(payments: Payments, ledger: Ledger): LedgerDifference[] {
  const faults = { status: [] as string[], kept: [] as string[], refunded: [] as string[] }
  const reserved: string[] = []
  const standing = new Set(payments.flatMap(({ order_id, refused }) => (refused ? [] : order_id)))
  for (const payment of comparedOf(payments)) {
    const { order_id, transaction_status, kept, refunded, refused, several } = payment
    if (payment.reserved !== 0) reserved.push(order_id)
    // A refused charge releases its order id (ADR 0003): the ledger's order may belong to the next
    // charge.
    const order = refused && standing.has(order_id) ? undefined : ledger.get(order_id)
    // An order unknown to the gateway must have moved no money here, whatever its status.
    const there = order?.transaction_status ?? (refused ? transaction_status : 'no such order')
    if (!refused && !several && there !== transaction_status)
      faults.status.push(`${order_id} ${transaction_status}, not ${there}`)
    const ledger_kept = (order?.captured ?? 0) - (order?.reversed ?? 0) - (order?.fees ?? 0)
    const called = `${order_id} (${refused ? 'refused' : transaction_status}, there ${there})`
    if (kept !== ledger_kept) faults.kept.push(`${called} ${kept}, not ${ledger_kept}`)
    const ledger_refunded = order?.refunded ?? 0
    if (refunded !== ledger_refunded)
      faults.refunded.push(`${order_id} ${refunded}, not ${ledger_refunded}`)
  }
  return [
    { promise: 'statuses other than the gateway has', items: faults.status },
    { promise: 'I-10 captured amounts other than the ledger has', items: faults.kept },
    { promise: 'I-10 refunded amounts other than the ledger has', items: faults.refunded },
    { promise: 'refunds still reserved', items: reserved },
  ]
}
