// Copies the rows of an owner to the database of another cell, and compares them there (ADR 0040).
// Every function may be repeated at any time.
import { PARTITIONED_TABLES } from '../maintenance/partitions.ts'
import { PAGE_ROWS, type CellSide } from './cell_side.ts'
import { MOVED, ofOwner, type MovedTable } from './moved_tables.ts'
import { columnsOf, isListed, quoted, type Columns } from './row_columns.ts'

export interface Cells {
  source: CellSide
  target: CellSide
  owner_id: string
}

/** Tables whose rows are copied while the owner works. */
export const EARLY = MOVED.filter(({ late }) => late !== true)

/** Months of the old cell for which the new one has no partition yet. */
async function makeMonths({ source, target }: Cells): Promise<void> {
  for (const table of PARTITIONED_TABLES) {
    const months = await source.query<{ month: string }>(
      'select month::date::text as month from gapura.month_partitions($1)',
      [table],
    )
    for (const { month } of months) {
      await target.query('select gapura.ensure_month_partition($1, $2::date)', [table, month])
    }
  }
}

/** All rows as they are in one snapshot; what changes meanwhile is noted by the triggers. */
export async function copyAll(
  cells: Cells,
  progressed: (table: string, rows: number) => void,
): Promise<void> {
  await makeMonths(cells)
  await cells.source.snapshot(async () => {
    for (const table of EARLY) progressed(table.name, await copyTable(cells, table, true))
  })
}

/** Those that are copied only once the owner is frozen. */
export async function copyLate(cells: Cells): Promise<void> {
  const late = MOVED.filter((table) => table.late === true)
  await cells.source.snapshot(async () => {
    for (const table of late) await copyTable(cells, table, false)
  })
}

async function copyTable(cells: Cells, table: MovedTable, hold: boolean): Promise<number> {
  const { source, target, owner_id } = cells
  const columns = await columnsOf(source, table)
  await source.query(
    `declare rows no scroll cursor for
     select to_json(sent)::text as row
     from (
       select ${columns.sent(hold)} from gapura.${table.name} where ${ofOwner(table)}
     ) as sent`,
    [owner_id],
  )
  let copied = 0
  for (;;) {
    const page = await source.next<{ row: string }>('rows')
    await writeRows(target, table, { columns, rows: page.map(({ row }) => row) })
    copied += page.length
    if (page.length < PAGE_ROWS) break
  }
  await source.query('close rows')
  return copied
}

async function writeRows(
  target: CellSide,
  table: MovedTable,
  { columns: { names }, rows }: { columns: Columns; rows: readonly string[] },
): Promise<void> {
  if (rows.length === 0) return
  const { name, key, arrives = {}, appended } = table
  const listed = names.map(quoted).join(', ')
  const changing = names.filter((one) => !key.includes(one) && !(one in arrives))
  const update = `do update set ${changing.map((one) => `${quoted(one)} = excluded.${quoted(one)}`).join(', ')}
     where (${changing.map((one) => `known.${quoted(one)}`).join(', ')})
       is distinct from (${changing.map((one) => `excluded.${quoted(one)}`).join(', ')})`
  await target.query(
    `insert into gapura.${name} as known (${listed})
     select ${names.map((one) => arrives[one] ?? `row.${quoted(one)}`).join(', ')}
     from json_populate_recordset(null::gapura.${name}, $1::json) as row
     on conflict (${key.map(quoted).join(', ')}) ${appended === true ? 'do nothing' : update}`,
    [`[${rows.join(',')}]`],
  )
}

/** What was noted as changed: the keys by table. */
export interface Changes {
  ids: readonly string[]
  keys: ReadonlyMap<string, readonly string[]>
}

async function readChanges({ source, owner_id }: Cells): Promise<Changes> {
  const noted = await source.query<{ id: string; table_name: string; key: string }>(
    `select id::text, table_name, key::text as key
     from gapura.owner_move_change
     where owner_id = $1`,
    [owner_id],
  )
  const keys = new Map<string, Set<string>>()
  for (const { table_name, key } of noted) {
    keys.set(table_name, (keys.get(table_name) ?? new Set()).add(key))
  }
  return {
    ids: noted.map(({ id }) => id),
    keys: new Map([...keys].map(([table, set]) => [table, [...set]])),
  }
}

/**
 * Copies what changed since it was copied, in one snapshot of the old cell, so that what a row
 * refers to is copied before it. `look` runs in the same snapshot, when both cells are the same.
 */
export async function copyChanges<Seen>(
  cells: Cells,
  look: (changes: Changes) => Promise<Seen>,
): Promise<{ changed: number; seen: Seen }> {
  const { source } = cells
  const { ids, seen } = await source.snapshot(async () => {
    const changes = await readChanges(cells)
    await writeChanges(cells, changes)
    return { ids: changes.ids, seen: await look(changes) }
  })
  await source.query('delete from gapura.owner_move_change where id = any($1::bigint[])', [ids])
  return { changed: ids.length, seen }
}

/** The condition on the rows that have held columns. */
export const isHeld = ({ held = {}, live }: MovedTable): string =>
  live ??
  Object.entries(held)
    .map(([column, expression]) => `${quoted(column)} is distinct from ${expression}`)
    .join(' or ')

export const HELD = EARLY.filter(({ held }) => held !== undefined)

/** Gives the held columns their values: from here on the workers of the new cell act on the rows. */
export async function releaseHeld({ source, target, owner_id }: Cells): Promise<void> {
  for (const table of HELD) {
    const held = Object.keys(table.held ?? {})
    const sent = [...table.key, ...held].map((one) => `'${one}', ${quoted(one)}`)
    const rows = await source.query<{ row: string }>(
      `select json_build_object(${sent.join(', ')})::text as row
       from gapura.${table.name}
       where ${ofOwner(table)}
         and (${isHeld(table)})`,
      [owner_id],
    )
    await target.query(
      `update gapura.${table.name} as known
       set ${held.map((one) => `${quoted(one)} = sent.${quoted(one)}`).join(', ')}
       from json_populate_recordset(null::gapura.${table.name}, $1::json) as sent
       where ${table.key.map((one) => `known.${quoted(one)} = sent.${quoted(one)}`).join(' and ')}`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
  }
}

async function writeChanges(cells: Cells, { keys }: Changes): Promise<void> {
  const { source, target } = cells
  const written: (readonly [MovedTable, string])[] = []
  for (const table of EARLY) {
    for (const page of pagesOf(keys.get(table.name) ?? [])) {
      const columns = await columnsOf(source, table)
      const rows = await source.query<{ row: string }>(
        `select to_json(sent)::text as row
         from (
           select ${columns.sent(true)} from gapura.${table.name} where ${isListed(table)}
         ) as sent`,
        [page],
      )
      await writeRows(target, table, { columns, rows: rows.map(({ row }) => row) })
      written.push([table, page])
    }
  }
  for (const [table, page] of written.toReversed()) await deleteGone(cells, table, page)
}

/** Rows that were deleted in the old cell: replies that were purged, for example. */
async function deleteGone({ source, target }: Cells, table: MovedTable, page: string) {
  const { name, key } = table
  const gone = await source.query<{ key: string }>(
    `select to_json(key)::text as key
     from json_populate_recordset(null::gapura.${name}, $1::json) as key
     where not exists (
       select from gapura.${name} as kept
       where ${key.map((one) => `kept.${quoted(one)} = key.${quoted(one)}`).join(' and ')}
     )`,
    [page],
  )
  if (gone.length === 0) return
  await target.query(`delete from gapura.${name} where ${isListed(table)}`, [
    `[${gone.map((one) => one.key).join(',')}]`,
  ])
}

/** Pages of a list of keys, as JSON. */
export function* pagesOf(keys: readonly string[]): Generator<string> {
  for (let at = 0; at < keys.length; at += PAGE_ROWS) {
    yield `[${keys.slice(at, at + PAGE_ROWS).join(',')}]`
  }
}
