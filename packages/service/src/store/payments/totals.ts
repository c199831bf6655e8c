import type { Money } from '../../domain/money.ts'
import type { Tx } from '../connection/transaction.ts'
import { whereOf } from '../sql/lists.ts'
import type { SqlValue } from '../sql/values.ts'
import { onPaymentsAlone, PAYMENTS, staffSource, type StaffPaymentFilters } from './lists.ts'

export interface PaymentTotals {
  count: number
  gross_amount: Money
  /** False: estimated from a sample of the table. */
  exact: boolean
}

/** Counted exactly up to here; more would read the whole table for a common filter. */
const COUNTED_MAX = 10_000
/**
 * An estimate above this is shown without counting. Twice what is counted: a sample that is off by a
 * few parts in a hundred does not keep a smaller number from being exact.
 */
const ESTIMATED_MIN = 2 * COUNTED_MAX
/** Pages of the table that an estimate reads: some 30,000 payments of a million. */
const SAMPLED_PAGES = 2_000
const PAGE_BYTES = 8_192

/**
 * How many payments match and their sum; estimated where counting would be slow. For staff. In a
 * large table the sample comes first: it is cheap, and a common filter needs nothing else.
 */
export async function totalStaffPayments(
  tx: Tx,
  filters: StaffPaymentFilters,
): Promise<PaymentTotals> {
  const percent = await sampledPercent(tx)
  const estimated = percent < 100 ? await estimate(tx, filters, percent) : undefined
  if (estimated !== undefined && estimated.count > ESTIMATED_MIN) return estimated
  const counted = await countStaffPayments(tx, filters)
  if (counted.count <= COUNTED_MAX) return counted
  return estimated ?? (await estimate(tx, filters, percent))
}

/** How much of the table a sample is: all of a small one. */
async function sampledPercent(tx: Tx): Promise<number> {
  const [table] = await tx.query<{ pages: number }>(
    `select (pg_relation_size('gapura.gateway_payment') / ${PAGE_BYTES})::float8 as pages`,
    [],
    { prepare: false },
  )
  return Math.min(100, (100 * SAMPLED_PAGES) / Math.max(table?.pages ?? 0, 1))
}

async function estimate(
  tx: Tx,
  filters: StaffPaymentFilters,
  percent: number,
): Promise<PaymentTotals> {
  const { sql, values } = whereOf(onPaymentsAlone(filters))
  const place = `$${values.length + 1}`
  // The same pages at every request: a figure must not jump while nothing changes.
  const totals = await totalsOf(tx, [...values, percent], {
    scale: `(100 / ${place}::float8)::numeric`,
    from: `${PAYMENTS} tablesample system (${place}::float8) repeatable (1) where ${sql}`,
  })
  return { ...totals, exact: percent === 100 }
}

/** Of all that match, up to one more than is shown exactly. */
export async function countStaffPayments(
  tx: Tx,
  filters: StaffPaymentFilters,
): Promise<PaymentTotals> {
  const { table, conditions } = staffSource(filters)
  const { sql, values } = whereOf(conditions)
  const totals = await totalsOf(tx, [...values, COUNTED_MAX + 1], {
    scale: '1',
    from: `(
      select payment.gross_amount
      from ${table}
      where ${sql}
      limit $${values.length + 1}
    ) as counted`,
  })
  return { ...totals, exact: true }
}

/** A sum can exceed what one amount can be, so it is read as text. */
async function totalsOf(
  tx: Tx,
  values: SqlValue[],
  { scale, from }: { scale: string; from: string },
): Promise<Omit<PaymentTotals, 'exact'>> {
  const [found] = await tx.query<{ count: number; hundredths: string }>(
    `select
       round(count(*) * ${scale})::float8 as count,
       round(coalesce(sum(gross_amount), 0) * 100 * ${scale})::text as hundredths
     from ${from}`,
    values,
    { prepare: false },
  )
  return { count: found?.count ?? 0, gross_amount: BigInt(found?.hundredths ?? 0) }
}
