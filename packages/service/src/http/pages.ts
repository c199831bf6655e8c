import type { Cursor } from '../services/payments/list_payments.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'

export interface ListPage<Summary> {
  /** Cursors here, URLs over HTTP; nothing where there is no such page. */
  next: string | null
  previous: string | null
  results: Summary[]
}

interface FoundPage<Summary> {
  next: Cursor | null
  previous: Cursor | null
  results: Summary[]
}

/** A list's page for the cursor of a query, with the neighbours' cursors as texts. */
export async function pageFor<Summary>(
  { page_size, cursor }: { page_size: number; cursor: string | null },
  list: (page: { page_size: number; cursor: Cursor | null }) => Promise<FoundPage<Summary>>,
): Promise<ListPage<Summary>> {
  const asked = { page_size, cursor: cursor === null ? null : decodeCursor(cursor) }
  const { next, previous, results } = await list(asked)
  return { next: next && encodeCursor(next), previous: previous && encodeCursor(previous), results }
}

/** The same page with its neighbours as paths from the root, filters and all. */
export function withLinks<Summary>(
  page: ListPage<Summary>,
  path: string,
  query: Readonly<Record<string, unknown>>,
): ListPage<Summary> {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const kept = Object.entries(query).filter(([name]) => name !== 'cursor')
    const texts = kept.map(([name, value]): [string, string] => [name, String(value)])
    return `${path}?${new URLSearchParams([...texts, ['cursor', cursor]]).toString()}`
  }
  return { ...page, next: link(page.next), previous: link(page.previous) }
}
