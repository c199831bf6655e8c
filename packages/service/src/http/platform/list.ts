// The one mechanism of all lists: filters, page size and cursor are read from a query, and a page has
// the cursors of its neighbours. The in-process API gives those cursors; HTTP makes links of them.
import type { Static, TObject } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney, parseMoney } from '../../domain/money.ts'
import type { Context } from '../../services/context.ts'
import type { Cursor } from '../../services/payments/read_payments.ts'
import type { SortedCursor } from '../../services/staff/list_payments.ts'
import { refuseValue } from './json_body.ts'
import type { Asked, Json, Query, Route } from './route.ts'

export interface ListPage<Row> {
  /** Cursors here, URLs over HTTP; nothing where there is no such page. */
  next: string | null
  previous: string | null
  results: Row[]
}

/** A cursor as text. Opaque: callers hand it back and never look inside (api-rules.md#lists). */
interface CursorText<Edge> {
  encode: (cursor: Edge) => string
  /** The cursor of a text we made, or 400. It grants nothing: visibility is checked separately. */
  decode: (text: string) => Edge
}

interface Listed<Row, Edge> {
  next: Edge | null
  previous: Edge | null
  results: Row[]
}

interface ListParts<Filters, Row, Edge> {
  cursors: CursorText<Edge>
  parse: (query: unknown) => { filters: Filters; page_size: number; cursor: string | null }
  find: (
    ctx: Context,
    caller: Caller,
    filters: Filters,
    page: { page_size: number; cursor: Edge | null },
  ) => Promise<Listed<Row, Edge>>
}

type ListRoute = Pick<
  Route,
  'path' | 'operation' | 'summary' | 'access' | 'scope' | 'reply' | 'between_cells'
> & {
  query: TObject
}

/**
 * The route of a list. Its `query` is the schema that `parse` reads by; the compiler refuses a
 * `reply` that is not the schema of a page of what `find` returns.
 */
export const listRoute = <const D extends ListRoute, Filters, Row, Edge>(
  definition: D & (ListPage<Json<Row>> extends Static<D['reply']> ? unknown : { reply: never }),
  parts: ListParts<Filters, Row, Edge>,
) => ({
  ...definition,
  method: 'GET' as const,
  errors: ['invalid_request'] as const,
  is_list: true as const,
  run: pageFinder(parts),
})

/** Finds a page of a list, with the cursors of its neighbours. */
export const pageFinder =
  <Filters, Row, Edge>({ cursors, parse, find }: ListParts<Filters, Row, Edge>) =>
  async (ctx: Context, { request, query }: Asked): Promise<ListPage<Row>> => {
    refuseValue(query)
    const { filters, page_size, cursor } = parse(query)
    const page = { page_size, cursor: cursor === null ? null : cursors.decode(cursor) }
    const { next, previous, results } = await find(ctx, request.caller, filters, page)
    return {
      next: next && cursors.encode(next),
      previous: previous && cursors.encode(previous),
      results,
    }
  }

/** The same page with its neighbours as paths from the root, filters and all. */
export function withLinks(page: object, path: string, query: Query): object {
  const link = (cursor: unknown): string | null => {
    if (typeof cursor !== 'string') return null
    const filters = Object.entries(query).filter(([name]) => name !== 'cursor')
    const texts = filters.map(([name, value]): [string, string] => [name, String(value)])
    return `${path}?${new URLSearchParams([...texts, ['cursor', cursor]]).toString()}`
  }
  const { next, previous }: { next?: unknown; previous?: unknown } = page
  return { ...page, next: link(next), previous: link(previous) }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

const encoded = (...parts: string[]): string => Buffer.from(parts.join(' ')).toString('base64url')

/** Direction, time and id of a cursor, with what follows them. */
function decoded<Direction extends string>(text: string, directions: readonly Direction[]) {
  const parts = Buffer.from(text, 'base64url').toString().split(' ')
  const [given, time = '', id = '', amount = ''] = parts
  const created_at = new Date(time)
  // Years of more than four digits, or none, exist for JavaScript and not for the database.
  const timed =
    /^[1-9]\d{3}-/.test(time) &&
    !Number.isNaN(created_at.getTime()) &&
    created_at.toISOString() === time
  const direction = directions.find((one) => one === given)
  if (!timed || !isUuid(id) || direction === undefined) throw badCursor()
  return { created_at, id, direction, amount }
}

export const badCursor = () =>
  gatewayError('invalid_request', {
    errors: [{ field: 'cursor', message: 'take it from next or previous, unchanged' }],
  })

/** Of lists that have the newest first. */
export const NEWEST_FIRST: CursorText<Cursor> = {
  encode: ({ direction, created_at, id }) => encoded(direction, created_at.toISOString(), id),
  decode: (text) => {
    const { created_at, id, direction } = decoded(text, ['older', 'newer'])
    return { created_at, id, direction }
  },
}

/** Of a list that may be sorted by amount: it holds the amount too. */
export const BY_TIME_OR_AMOUNT: CursorText<SortedCursor> = {
  encode: ({ direction, created_at, id, gross_amount }) =>
    encoded(direction, created_at.toISOString(), id, formatMoney(gross_amount)),
  decode: (text) => {
    const { created_at, id, direction, amount } = decoded(text, ['next', 'previous'])
    const gross_amount = parseMoney(amount)
    if (gross_amount === undefined) throw badCursor()
    return { gross_amount, created_at, id, direction }
  },
}
