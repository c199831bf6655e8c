// The verdict on checkouts: the pages and transactions of the simulator against our records, page by
// page and transaction by transaction, and what callers were shown.
import type { Database } from '../../packages/service/src/store/connection/database.ts'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import { faulty } from './verdict.ts'

export interface SimulatedPage {
  token: string
  order_id: string
  status: 'live' | 'completed' | 'expired' | 'canceled'
  transactions: { transaction_id: string; transaction_status: string; captured: number }[]
}

export interface OurCheckout {
  id: string
  order_id: string
  status: string
  payment_id: string | null
  /** Whether a second paid payment of it has its alarm, and how many such payments there are. */
  paid: number
  alarmed: number
}

export interface OurAttempt {
  checkout_id: string
  order_id: string
  transaction_id: string
  transaction_status: string
  captured: number
}

export interface CheckoutRecords {
  pages: readonly SimulatedPage[]
  checkouts: readonly OurCheckout[]
  attempts: readonly OurAttempt[]
  /** Every token that a caller was shown, by order. */
  shown: ReadonlyMap<string, ReadonlySet<string>>
  /** Checkouts that were acknowledged with 201 or 200. */
  acknowledged: ReadonlySet<string>
  /** Operations of checkouts that have no definite state. */
  open: number
}

/** Every page of the simulator, read without the service. */
export async function readPages(url: string): Promise<SimulatedPage[]> {
  const pages: SimulatedPage[] = []
  for (let after = 0; ;) {
    const reply = await fetch(`${url}/_sim/checkouts?after=${after}&limit=1000`)
    const { checkouts, total } = (await reply.json()) as {
      checkouts: SimulatedPage[]
      total: number
    }
    pages.push(...checkouts)
    after += checkouts.length
    if (checkouts.length === 0 || after >= total) return pages
  }
}

export const readCheckouts = async (
  db: Database,
): Promise<Pick<CheckoutRecords, 'checkouts' | 'attempts' | 'open'>> =>
  await withTransaction(db, async (tx) => {
    const checkouts = await tx.query<OurCheckout>(
      `select checkout.id, checkout.order_id, checkout.status, checkout.payment_id,
         count(payment.id) filter (where payment.paid_at is not null)::int as paid,
         count(alarm.id)::int as alarmed
       from gapura.gateway_checkout as checkout
       left join gapura.gateway_payment as payment on payment.checkout_id = checkout.id
       left join gapura.gateway_alarm as alarm
         on alarm.subject_id = payment.id and alarm.kind = 'paid_twice'
       group by checkout.id`,
    )
    const attempts = await tx.query<Omit<OurAttempt, 'captured'> & { captured: string }>(
      `select checkout_id, order_id, transaction_id, transaction_status,
         captured_amount::text as captured
       from gapura.gateway_payment
       where checkout_id is not null`,
    )
    const [row] = await tx.query<{ open: number }>(
      `select count(*)::int as open from gapura.gateway_operation
       where subject_kind = 'checkout' and state in ('started', 'unknown')`,
    )
    return {
      checkouts,
      attempts: attempts.map((one) => ({ ...one, captured: Number(one.captured) })),
      open: row?.open ?? 0,
    }
  })

/** Everything that is wrong, as sentences; empty if every promise was kept. */
export function judgeCheckouts(records: CheckoutRecords): string[] {
  const { pages, checkouts, attempts, shown, acknowledged } = records
  const standing = checkouts.filter(({ status }) => status !== 'failure')
  const by_order = Map.groupBy(standing, ({ order_id }) => order_id)
  return [
    ...faulty(
      'orders with two pages that anyone was shown',
      [...shown].filter(([, tokens]) => tokens.size > 1).map(([order_id]) => order_id),
    ),
    ...faulty(
      'orders with two live checkouts in our database',
      [...by_order].filter(([, rows]) => rows.length > 1).map(([order_id]) => order_id),
    ),
    ...faulty(
      'acknowledged checkouts that are recorded as never made',
      checkouts
        .filter(({ id, status }) => acknowledged.has(id) && status === 'failure')
        .map(({ order_id }) => order_id),
    ),
    ...faulty(
      'checkouts without a definite state',
      checkouts.filter(({ status }) => status === 'initiated').map(({ order_id }) => order_id),
    ),
    ...(records.open > 0 ? [`operations of checkouts still open: ${records.open}`] : []),
    ...transactionFaults(pages, attempts),
    ...moneyFaults(pages, checkouts),
  ]
}

function transactionFaults(
  pages: readonly SimulatedPage[],
  attempts: readonly OurAttempt[],
): string[] {
  const theirs = new Map(
    pages.flatMap(({ order_id, transactions }) =>
      transactions.map((one) => [one.transaction_id, { ...one, order_id }] as const),
    ),
  )
  const ours = new Map(attempts.map((one) => [one.transaction_id, one]))
  const named = ([id, { order_id }]: readonly [string, { order_id: string }]) => `${order_id} ${id}`
  return [
    ...faulty(
      'transactions of a page that our database does not know',
      [...theirs].filter(([id]) => !ours.has(id)).map(named),
    ),
    ...faulty(
      'payments of checkouts that the gateway does not have',
      [...ours].filter(([id]) => !theirs.has(id)).map(named),
    ),
    ...faulty(
      'statuses or amounts other than the gateway has',
      [...theirs]
        .filter(([id, { transaction_status, captured }]) => {
          const one = ours.get(id)
          return (
            one !== undefined &&
            (one.transaction_status !== transaction_status || one.captured !== captured)
          )
        })
        .map(([id, { order_id, transaction_status }]) => {
          const here = ours.get(id)?.transaction_status ?? ''
          return `${order_id} ${here}, not ${transaction_status}`
        }),
    ),
  ]
}

function moneyFaults(pages: readonly SimulatedPage[], checkouts: readonly OurCheckout[]): string[] {
  const paid = new Map<string, number>()
  for (const { order_id, transactions } of pages) {
    const count = transactions.filter(({ captured }) => captured > 0).length
    paid.set(order_id, (paid.get(order_id) ?? 0) + count)
  }
  const rows = new Map(
    checkouts.filter(({ status }) => status !== 'failure').map((row) => [row.order_id, row]),
  )
  const orders = [...paid]
  return [
    ...faulty(
      'paid orders whose checkout is not completed',
      orders
        .filter(([order, count]) => count > 0 && rows.get(order)?.status !== 'completed')
        .map(([order]) => `${order} ${rows.get(order)?.status ?? 'unknown'}`),
    ),
    ...faulty(
      'checkouts completed without money',
      [...rows]
        .filter(([order, { status }]) => status === 'completed' && (paid.get(order) ?? 0) === 0)
        .map(([order]) => order),
    ),
    ...faulty(
      'orders paid twice without an alarm',
      orders
        .filter(([order, count]) => count > 1 && (rows.get(order)?.alarmed ?? 0) < count - 1)
        .map(([order]) => order),
    ),
  ]
}
