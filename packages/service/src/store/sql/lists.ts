// Lists by keyset (api-rules.md#lists): newest first, by (created_at, id). A page is found by its
// neighbour's position in an index, so every page costs the same, and rows that arrive meanwhile
// neither repeat nor hide others.
import { seesAll, type Caller } from '../../domain/caller.ts'
import type { SqlValue } from './values.ts'

export const PAGE_SIZE_MAX = 100

/** The row at the edge of a page, and the direction to continue. */
export interface Cursor {
  created_at: Date
  id: string
  direction: 'older' | 'newer'
}

export interface PageRequest {
  cursor: Cursor | null
  page_size: number
}

export interface Page<Row> {
  /** Newest first, in whichever direction the page was reached. */
  results: Row[]
  next: Cursor | null
  previous: Cursor | null
}

interface ListSource {
  /** These are our own SQL texts. */
  table: string
  columns: string
  /** What qualifies the columns of the order, if two tables have them: `state.`. */
  of?: string
  conditions: readonly Condition[]
  /** Where only the key of the table can order it: by (id, created_at). */
  by_id?: boolean
}

/** One row more than the page holds: it shows whether there is a further page. */
export function pageStatement(
  { table, columns, of = '', conditions, by_id = false }: ListSource,
  { cursor, page_size }: PageRequest,
): { text: string; values: SqlValue[] } {
  if (!Number.isSafeInteger(page_size) || page_size < 1 || page_size > PAGE_SIZE_MAX) {
    throw new RangeError(`page_size must be 1 to ${PAGE_SIZE_MAX}`)
  }
  const { sql, values } = whereOf(conditions)
  const place = values.length
  const newer = cursor?.direction === 'newer'
  const direction = newer ? 'asc' : 'desc'
  const keys = by_id ? [`${of}id`, `${of}created_at`] : [`${of}created_at`, `${of}id`]
  const after =
    cursor === null
      ? ''
      : `and (${keys.join(', ')}) ${newer ? '>' : '<'} ($${place + 2}, $${place + 3})`
  const text = `
    select ${columns}
    from ${table}
    where ${sql}
      ${after}
    order by ${keys.map((key) => `${key} ${direction}`).join(', ')}
    limit $${place + 1}`
  const edge = cursor === null ? [] : [cursor.created_at, cursor.id]
  if (by_id) edge.reverse()
  return { text, values: [...values, page_size + 1, ...edge] }
}

/** The page of the rows that pageStatement found. */
export function pageOf<Row extends { created_at: Date; id: string }>(
  found: readonly Row[],
  { cursor, page_size }: PageRequest,
): Page<Row> {
  const results = found.slice(0, page_size)
  const more = found.length > page_size
  if (cursor?.direction === 'newer') results.reverse()
  const older = cursor?.direction === 'newer' ? true : more
  const newer = cursor?.direction === 'newer' ? more : cursor !== null
  return {
    results,
    next: older ? cursorAt(results.at(-1), 'older') : null,
    previous: newer ? cursorAt(results[0], 'newer') : null,
  }
}

const cursorAt = (
  row: { created_at: Date; id: string } | undefined,
  direction: Cursor['direction'],
): Cursor | null =>
  row === undefined ? null : { created_at: row.created_at, id: row.id, direction }

/** A condition of a `where`, and the value of its one `?`. The text is ours, never a caller's. */
export type Condition = readonly [sql: string, value: SqlValue]

/** The rows that a caller may see: those of every owner for staff with the right to read them. */
export const visibleTo = (caller: Caller): readonly Condition[] =>
  seesAll(caller) ? [] : [['owner_id = ?', caller.owner_id]]

/** The conditions joined, with numbered parameters. */
export function whereOf(conditions: readonly Condition[]): { sql: string; values: SqlValue[] } {
  const sql = conditions
    .map(([condition], index) => condition.replaceAll('?', `$${index + 1}`))
    .join('\n  and ')
  return { sql: sql === '' ? 'true' : sql, values: conditions.map(([, value]) => value) }
}

/** The conditions of the filters that were given. */
export const conditionsOf = <Name extends string>(
  known: readonly (readonly [Name, string])[],
  filters: { readonly [N in Name]?: SqlValue },
): Condition[] =>
  known.flatMap(([name, sql]) => {
    const value = filters[name]
    return value === undefined ? [] : [[sql, value] as const]
  })
