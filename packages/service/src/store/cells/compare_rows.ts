// Whether the rows of an owner are the same in two cells: by their number and by a sum of their hashes,
// so that one row too few, too many or different is found.
import { EARLY, pagesOf, type Cells, type Changes } from './copy_rows.ts'
import type { CellSide } from './cell_side.ts'
import { MOVED, ofOwner, type MovedTable } from './moved_tables.ts'
import { columnsOf, isListed, type Columns } from './row_columns.ts'

export interface Difference {
  table: string
  source: Sums
  target: Sums
}

interface Sums {
  rows: number
  hash: string
}

interface Wanted {
  table: MovedTable
  condition: string
  value: string
}

/** Every row of the tables that are copied early, in the snapshot in which they were copied. */
export const compareAll = async (cells: Cells): Promise<Difference[]> =>
  await compare(
    cells,
    EARLY.map((table) => ({ table, condition: ofOwner(table), value: cells.owner_id })),
  )

/** The rows that changed last. */
export async function compareLast(cells: Cells, { keys }: Changes): Promise<Difference[]> {
  const changed = EARLY.flatMap((table) =>
    [...pagesOf(keys.get(table.name) ?? [])].map((page) => ({
      table,
      condition: isListed(table),
      value: page,
    })),
  )
  return await compare(cells, changed)
}

/** Every row of the tables that are copied late. */
export const compareLate = async (cells: Cells): Promise<Difference[]> =>
  await compare(
    cells,
    MOVED.filter(({ late }) => late === true).map((table) => ({
      table,
      condition: ofOwner(table),
      value: cells.owner_id,
    })),
  )

async function compare(
  { source, target }: Cells,
  wanted: readonly Wanted[],
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const one of wanted) {
    const columns = await columnsOf(source, one.table)
    const [here, there] = await Promise.all([
      sumsOf(source, one, columns.compared_with),
      sumsOf(target, one, columns.compared),
    ])
    if (here.rows !== there.rows || here.hash !== there.hash) {
      differences.push({ table: one.table.name, source: here, target: there })
    }
  }
  return differences
}

async function sumsOf(
  side: CellSide,
  { table, condition, value }: Wanted,
  compared: Columns['compared'],
): Promise<Sums> {
  const [sums] = await side.query<Sums>(
    `select count(*)::integer as rows,
       coalesce(sum(hashtextextended(row(${compared})::text, 0)::numeric), 0)::text as hash
     from gapura.${table.name}
     where ${condition}`,
    [value],
  )
  return sums ?? { rows: 0, hash: '0' }
}
