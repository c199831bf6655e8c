// The columns of a moved table as SQL, by what is wanted of them.
import type { CellSide } from './cell_side.ts'
import type { MovedTable } from './moved_tables.ts'

/** How the rows of a table are read, by what is wanted of them. */
export interface Columns {
  names: readonly string[]
  /** As the new cell must have them until the switch. */
  sent: string
  /** All that must be the same in both cells: as the new cell has it, and as the old one has it. */
  compared: string
  compared_with: string
}

const columns_by_table = new WeakMap<CellSide, Map<string, Columns>>()

export async function columnsOf(side: CellSide, table: MovedTable): Promise<Columns> {
  const known = columns_by_table.get(side) ?? new Map<string, Columns>()
  columns_by_table.set(side, known)
  const found = known.get(table.name)
  if (found !== undefined) return found
  const rows = await side.query<{ name: string }>(
    `select attname as name
     from pg_attribute
     where attrelid = to_regclass($1)
       and attnum > 0
       and not attisdropped
     order by attnum`,
    [`${side.schema}.${table.name}`],
  )
  const names = rows.map(({ name }) => name)
  const { held = {}, arrives = {} } = table
  const as = (name: string): string => held[name] ?? quoted(name)
  const same = names.filter((name) => !(name in arrives))
  const columns: Columns = {
    names,
    sent: names.map((name) => `${as(name)} as ${quoted(name)}`).join(', '),
    compared: same.map(quoted).join(', '),
    compared_with: same.map(as).join(', '),
  }
  known.set(table.name, columns)
  return columns
}

export const quoted = (name: string): string => `"${name}"`

/** The condition on the rows whose keys are in the list $1, in JSON. */
export const isListed = ({ name, key }: MovedTable): string => {
  const columns = key.map(quoted).join(', ')
  return `(${columns}) in (
    select ${columns} from json_populate_recordset(null::gapura.${name}, $1::json)
  )`
}
