// Every documented list and look-up, through the functions of the store, on a database of 100,000
// payments; `npm run suite plans` does the same on 1,000,000 and prints what was read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF } from '../store/sample_rows.ts'
import { useDatabase } from '../store/test_database.ts'
import { listPayments } from '../../src/store/payments/lists.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { planCases } from './plan_cases.ts'
import { fillTables } from './plan_data.ts'
import { explaining, type PlanFacts } from './plan_reading.ts'

const asked = process.env['GAPURA_PLAN_PAYMENTS']
const PAYMENTS = Number(asked ?? 100_000)
/** What a list or look-up may read: some pages' worth, whatever the table's size. */
const ROWS_READ_MAX = 1_000
/** Three or four for each row of a page, and as many again for the way to it. */
const BUFFERS_MAX = 400
/** Where more rows are read by design: the way to each of them by its key. */
const BUFFERS_PER_ROW = 5
/** A sort is fine where there are few rows; lists come sorted from their index. */
const ROWS_SORTED_MAX = 150

const here = useDatabase({ statement_timeout_ms: 60_000 })
const table: string[][] = []
let cases: readonly PlanCase[] = []

beforeAll(async () => {
  const rows_per_second = await fillTables(here.db, PAYMENTS)
  table.push([`${PAYMENTS} payments, inserted at ${rows_per_second} rows/s`])
  table.push(['query', 'index', 'read', 'sorted', 'estimated', 'buffers'])
  cases = planCases(await findLandmarks())
}, 900_000)

afterAll(() => {
  if (asked === undefined) return
  const widths = [36, 56, 6, 7, 10, 8]
  const lines = table.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(''))
  process.stdout.write(`\n${lines.join('\n')}\n`)
})

async function findLandmarks(): Promise<Landmarks> {
  const [row] = await here.sql(`
    select
      id,
      owner_id,
      order_id,
      transaction_id,
      customer_email,
      created_at as middle,
      (select va_number from gapura.gateway_payment where va_number is not null limit 1) as va_number,
      (select bill_key from gapura.gateway_payment where bill_key is not null limit 1) as bill_key,
      (select payment_code from gapura.gateway_payment where payment_code is not null limit 1)
        as payment_code,
      (select subscription_id from gapura.gateway_payment where subscription_id is not null limit 1)
        as subscription_id,
      (select invoice_id from gapura.gateway_payment where invoice_id is not null limit 1)
        as invoice_id,
      (select checkout_id from gapura.gateway_payment where checkout_id is not null limit 1)
        as checkout_id
    from gapura.gateway_payment
    where not refused
      and created_at >= (select min(created_at) + (max(created_at) - min(created_at)) / 2
        from gapura.gateway_payment)
    order by created_at
    limit 1`)
  return row as unknown as Landmarks
}

class Undo extends Error {}

/** In a transaction that is rolled back, because explaining a claim makes it. */
async function plansOf(run: (tx: Tx) => Promise<unknown>) {
  const seen: { custom: PlanFacts[]; generic: PlanFacts[] } = { custom: [], generic: [] }
  await here
    .do(async (tx) => {
      await run(explaining(tx, seen))
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return seen
}

test('every list and look-up finds its rows by an index and reads no more than it needs', async () => {
  const faults: unknown[] = []
  for (const { query, indexes, writes, reads_max, run } of cases) {
    const { custom, generic } = await plansOf(run)
    for (const facts of [...custom, ...generic]) {
      const wrong = faultsOf(facts, indexes, reads_max)
      const buffers_max = Math.max(BUFFERS_MAX, (reads_max ?? 0) * BUFFERS_PER_ROW)
      if (writes === undefined && facts.buffers > buffers_max) wrong.push('reads too many pages')
      // A generic plan does not know the limit and assumes a tenth of the table.
      if (
        custom.includes(facts) &&
        facts.estimated_rows > Math.max(ROWS_READ_MAX, reads_max ?? 0)
      ) {
        wrong.push('expects too many rows')
      }
      if (wrong.length > 0) faults.push({ query, wrong, facts })
    }
    const [facts] = custom
    if (facts === undefined) throw new Error(`${query} asked nothing`)
    const { rows_read, rows_sorted, estimated_rows, buffers } = facts
    const index = facts.indexes.find((name) => fits(name, indexes)) ?? '-'
    const numbers = [rows_read, rows_sorted, estimated_rows, buffers]
    table.push([query, index, ...numbers.map(String)])
  }
  expect(faults).toEqual([])
}, 120_000)

const fits = (name: string, indexes: readonly string[]): boolean =>
  // A partition's index has a name of its own that ends as these do.
  indexes.some((index) => name === index || (index.startsWith('_') && name.endsWith(index)))

function faultsOf(facts: PlanFacts, indexes: readonly string[], reads_max = 0): string[] {
  const faults: string[] = []
  if (facts.scanned.length > 0) faults.push('reads a table from end to end')
  if (!facts.indexes.some((name) => fits(name, indexes))) faults.push('uses another index')
  if (facts.rows_read > Math.max(ROWS_READ_MAX, reads_max)) faults.push('reads too many rows')
  if (facts.rows_sorted > Math.max(ROWS_SORTED_MAX, reads_max)) faults.push('sorts too many rows')
  return faults
}

test('a search without an index is reported', async () => {
  const { custom } = await plansOf(
    async (tx) =>
      await tx.query(
        `select id
         from gapura.gateway_payment
         where customer_first_name = $1
         limit 20`,
        ['Unknown'],
      ),
  )
  expect(custom.flatMap((facts) => faultsOf(facts, ['gateway_payment_owner']))).toEqual(
    expect.arrayContaining(['reads a table from end to end', 'uses another index']),
  )
})

test('a page in the middle of the list costs as much as the first one', async () => {
  const read = async (created_at: Date | null) => {
    const cursor =
      created_at === null
        ? null
        : { created_at, id: '00000000-0000-7000-8000-000000000000', direction: 'older' as const }
    const { custom } = await plansOf(
      async (tx) => await listPayments(tx, STAFF, {}, { cursor, page_size: 100 }),
    )
    return custom[0]?.rows_read
  }
  const { middle } = await findLandmarks()
  expect(await read(middle)).toBe(await read(null))
})
