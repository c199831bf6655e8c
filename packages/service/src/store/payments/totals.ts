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
/** Pages of the table that an estimate reads: some 30,000 payments of a million. */
const SAMPLED_PAGES = 2_000
const PAGE_BYTES = 8_192

/** How many payments match and their sum; estimated where counting would be slow. For staff. */
export async function totalStaffPayments(
  tx: Tx,
  filters: StaffPaymentFilters,
): Promise<PaymentTotals> {
  const source = staffSource(filters)
  const listed = whereOf(source.conditions)
  const counted = await totalsOf(tx, [...listed.values, COUNTED_MAX + 1], {
    scale: '1',
    from: `(
      select payment.gross_amount
      from ${source.table}
      where ${listed.sql}
      limit $${listed.values.length + 1}
    ) as counted`,
  })
  if (counted.count <= COUNTED_MAX) return { ...counted, exact: true }
  const [table] = await tx.query<{ pages: number }>(
    `select (pg_relation_size('gapura.gateway_payment') / ${PAGE_BYTES})::float8 as pages`,
    [],
    { prepare: false },
  )
  const { sql, values } = whereOf(onPaymentsAlone(filters))
  const percent = Math.min(100, (100 * SAMPLED_PAGES) / Math.max(table?.pages ?? 0, 1))
  const place = `$${values.length + 1}`
  // The same pages at every request: a figure must not jump while nothing changes.
  const estimated = await totalsOf(tx, [...values, percent], {
    scale: `(100 / ${place}::float8)::numeric`,
    from: `${PAYMENTS} tablesample system (${place}::float8) repeatable (1) where ${sql}`,
  })
  return { ...estimated, exact: percent === 100 }
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
