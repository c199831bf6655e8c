// The payments of all cells in one list (ADR 0039).
import {
  listCellPayments,
  type CellPlaces,
  type CellsPage,
} from '../../services/staff/list_cells.ts'
import type { SortedCursor } from '../../services/staff/list_payments.ts'
import { CELL_PAYMENT_QUERY, parseCellPaymentQuery } from '../../services/staff/payment_query.ts'
import { refuseValue } from '../platform/json_body.ts'
import { badCursor, BY_TIME_OR_AMOUNT } from '../platform/list.ts'
import { route, type Query } from '../platform/route.ts'
import { listOf, named, text, textOrNull } from '../platform/schema.ts'
import { STAFF_PAYMENT_SUMMARY } from './payment_schemas.ts'
import { staff_payments } from './payments.ts'

const CELL_PAYMENT_PAGE = named('CellPaymentPage', {
  results: listOf(
    named('CellPaymentSummary', {
      cell: text('The cell that has the payment.'),
      ...STAFF_PAYMENT_SUMMARY.properties,
    }),
    'The payments of this page.',
  ),
  next_cursor: textOrNull(
    'The `cursor` of the next page; null on the last. While a cell is unreachable there is always one, which keeps its place.',
  ),
  unreachable: listOf(
    text('The name of a cell.'),
    'Cells that did not answer, whose payments are missing here; they follow once it answers.',
  ),
})

/** The path of a cell's own list, with the filters of the request, from a place on. */
const pathWith =
  (query: Query, page_size: number) =>
  (place: SortedCursor | null): string => {
    const filters = Object.entries(query).filter(
      ([name, value]) => name !== 'cursor' && value !== undefined,
    )
    const texts = filters.map(([name, value]): [string, string] => [name, String(value)])
    const parameters = new URLSearchParams(texts)
    parameters.set('page_size', String(page_size))
    if (place !== null) parameters.set('cursor', BY_TIME_OR_AMOUNT.encode(place))
    return `${staff_payments.listPayments.path}?${parameters.toString()}`
  }

/** Cells at the same place are written together: all of them, unless one is or was away. */
function encodePlaces(places: CellPlaces): string {
  const texts = [...places].map(([cell, place]) => ({
    cell,
    text: place === null ? '' : BY_TIME_OR_AMOUNT.encode(place),
  }))
  const groups = Map.groupBy(texts, ({ text: place }) => place)
  const parts = [...groups].map(([place, at]) => [place, ...at.map(({ cell }) => cell)].join(' '))
  return Buffer.from(parts.join(',')).toString('base64url')
}

function decodePlaces(cursor: string): CellPlaces {
  const parts = Buffer.from(cursor, 'base64url').toString().split(',')
  const places = parts.flatMap((part) => {
    const [place = '', ...names] = part.split(' ')
    const decoded = place === '' ? null : BY_TIME_OR_AMOUNT.decode(place)
    if (names.length === 0 || decoded?.direction === 'previous') throw badCursor()
    return names.map((name) => [name, decoded] as const)
  })
  return new Map(places)
}

const represent = ({ next, ...page }: CellsPage) => ({
  ...page,
  next_cursor: next && encodePlaces(next),
})

export const cells = {
  listCellPayments: route({
    method: 'GET',
    access: 'staff',
    scope: 'staff:read',
    path: '/staff/cells/payments/',
    operation: 'list_staff_cell_payments',
    summary: 'List the payments of all cells, sorted in one of four ways',
    query: CELL_PAYMENT_QUERY,
    reply: CELL_PAYMENT_PAGE,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => {
      refuseValue(query)
      const { filters, page_size, cursor } = parseCellPaymentQuery(query)
      const found = await listCellPayments(ctx, request.caller, filters, {
        page_size,
        places: cursor === null ? new Map() : decodePlaces(cursor),
        pathFrom: pathWith(query, page_size),
      })
      return found && represent(found)
    },
  }),
}
