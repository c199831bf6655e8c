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
    for (const table of EARLY) progressed(table.name, await copyTable(cells, table))
  })
}

const LATE = MOVED.filter(({ late }) => late === true)

/** Those that are copied only once the owner is frozen. */
export async function copyLate(cells: Cells): Promise<void> {
  const { source, target, owner_id } = cells
  // After a pause that was given up some of them may be gone in the old cell.
  for (const table of LATE.toReversed()) {
    await target.query(`delete from gapura.${table.name} where ${ofOwner(table)}`, [owner_id])
  }
  await source.snapshot(async () => {
    for (const table of LATE) await copyTable(cells, table)
  })
}

async function copyTable(cells: Cells, table: MovedTable): Promise<number> {
  const { source, target, owner_id } = cells
  const columns = await columnsOf(source, table)
  await source.query(
    `declare rows no scroll cursor for
     select to_json(sent)::text as row
     from (
       select ${columns.sent} from gapura.${table.name} where ${ofOwner(table)}
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

export const HELD = MOVED.filter(({ held }) => held !== undefined)

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

/**
 * Sets aside in the new cell, to be delivered at once, what the owner's endpoints have not received:
 * their cursors there are behind every event that was moved.
 */
export async function carryEvents({ source, target, owner_id }: Cells): Promise<void> {
  const rows = await source.query<{ row: string }>(
    `select to_json(waiting)::text as row
     from (
       select distinct on (subscriber.name, event.object_id) subscriber.name as subscriber,
         event.object_kind, event.object_id, event.owner_id, event.id as event_id, event.sequence,
         event.occurred_at
       from gapura.event_subscriber as subscriber
       join gapura.gateway_event as event
         on (event.xid, event.object_id, event.sequence) > (
           subscriber.cursor_xid, subscriber.cursor_object_id, subscriber.cursor_sequence
         )
       where subscriber.retired_at is null
         and subscriber.owner_id = $1
         and event.owner_id = $1
         and (subscriber.signals is null or event.type = any(subscriber.signals))
       order by subscriber.name, event.object_id, event.sequence
     ) as waiting`,
    [owner_id],
  )
  await target.query(
    `insert into gapura.dead_event
       (subscriber, object_kind, object_id, owner_id, event_id, sequence, occurred_at, attempts,
        error, retry_at)
     select subscriber, object_kind, object_id, owner_id, event_id, sequence, occurred_at, 0,
       'under way', gapura.now()
     from json_populate_recordset(null::gapura.dead_event, $1::json)
     on conflict do nothing`,
    [`[${rows.map(({ row }) => row).join(',')}]`],
  )
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
           select ${columns.sent} from gapura.${table.name} where ${isListed(table)}
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
