import type { Call, Flag } from './command.ts'
import { table, type Column } from './output.ts'

/** The flags every list has. */
export const PAGE_FLAGS: Readonly<Record<string, Flag>> = {
  limit: { value: 'n', summary: 'how many at most, 1 to 100 (default 20)' },
  cursor: { value: 'cursor', summary: 'continue after the previous page: its next' },
}

interface Page<Row> {
  next: string | null
  previous: string | null
  results: readonly Row[]
}

/** The query of a list: the given flags under the service's field names. */
export function queryOf(
  call: Call,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const limit = call.integer('limit', { min: 1, max: 100 })
  const all = { ...names, cursor: 'cursor' }
  const given = Object.entries(all).flatMap(([flag, field]) => {
    const value = call.text(flag)
    return value === undefined ? [] : [[field, value] as const]
  })
  return { ...Object.fromEntries(given), ...(limit !== undefined && { page_size: limit }) }
}

/** Prints a page; says how to get the next one. */
export function printPage<Row>(
  { output }: Call,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  none: string,
): void {
  output.result(page, () => (page.results.length === 0 ? none : table(page.results, columns)))
  if (!output.json && page.next !== null) output.note(`More: --cursor ${page.next}`)
}
