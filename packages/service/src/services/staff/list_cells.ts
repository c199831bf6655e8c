// One list of the payments of all cells (ADR 0039): the cell that is asked lists its own page, asks
// each of the others for one, and merges them.
import type { Caller } from '../../domain/caller.ts'
import { parseMoney, type Money } from '../../domain/money.ts'
import { isObject } from '../../gateway/json.ts'
import type { PeerCell } from '../../gateway/peer_cell.ts'
import type { PaymentSort, SortedCursor } from '../../store/payments/lists.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { CellContext, Context } from '../context.ts'
import { listStaffPayments, type StaffSummary } from './list_payments.ts'
import type { StaffPaymentsAsked } from './payment_query.ts'

/** Where each cell continues; null, or a cell that is not in it: at the start. */
export type CellPlaces = ReadonlyMap<string, SortedCursor | null>

export interface CellsRequest {
  page_size: number
  places: CellPlaces
  /** The path, with its query, of a cell's own list from this place on. */
  pathFrom: (place: SortedCursor | null) => string
}

export type CellSummary = StaffSummary & { cell: string }

export interface CellsPage {
  results: CellSummary[]
  /** Null if all cells have answered and none has more. */
  next: CellPlaces | null
  /** Cells that did not answer: their payments are missing, and their places are kept. */
  unreachable: string[]
}

/** Whether payments of all cells can be listed: there are others, and a key to ask them with. */
export const listsCells = (
  cell: Context['cell'],
): cell is CellContext & Required<Pick<CellContext, 'tokens'>> =>
  cell?.tokens !== undefined && cell.peers.length > 0

/** What one cell has from its place on. */
interface CellPart {
  cell: string
  rows: CellSummary[]
  more: boolean
}

/** A page of the payments of all cells, for staff. Undefined where there is no such list. */
export async function listCellPayments(
  ctx: Context,
  caller: Caller,
  asked: StaffPaymentsAsked,
  request: CellsRequest,
): Promise<CellsPage | undefined> {
  requireStaff(caller, 'staff:read')
  const { cell } = ctx
  if (!listsCells(cell)) return undefined
  const { page_size, places } = request
  const own = async (): Promise<CellPart> => {
    const cursor = places.get(cell.name) ?? null
    const { results, next } = await listStaffPayments(ctx, caller, asked, { page_size, cursor })
    return partOf(cell.name, results, next !== null)
  }
  const parts = await Promise.all([
    own(),
    ...cell.peers.map(async (peer) => await askPeer(ctx, caller, peer, request)),
  ])
  return merged(
    parts.filter((part) => part !== undefined),
    {
      asked,
      request,
      cells: [cell.name, ...cell.peers.map(({ name }) => name)],
    },
  )
}

const partOf = (cell: string, rows: readonly StaffSummary[], more: boolean): CellPart => ({
  cell,
  rows: rows.map((row) => ({ ...row, cell })),
  more,
})

/** The page of another cell; undefined if it did not answer as a cell does. */
async function askPeer(
  { log, cell }: Context,
  { owner_id, scopes }: Caller,
  peer: PeerCell,
  { places, pathFrom, page_size }: CellsRequest,
): Promise<CellPart | undefined> {
  const path = pathFrom(places.get(peer.name) ?? null)
  const person = { from: cell?.name ?? '', owner_id, scopes }
  const target = { to: peer.name, method: 'GET', path }
  const answer = await peer.read(path, cell?.tokens?.sign(target, person, Date.now()) ?? '')
  if (answer.kind === 'read' && isPage(answer.body)) {
    const { results, next } = answer.body
    // Of a shorter page with more behind it the merge would skip rows.
    if (next === null || results.length === page_size)
      return partOf(peer.name, results, next !== null)
  }
  const why = answer.kind === 'missing' ? answer.why : 'not a page'
  log.warn({ cell: peer.name, why }, 'cell did not list its payments')
  return undefined
}

interface PeerPage {
  results: StaffSummary[]
  next: string | null
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Only what the merge needs is looked at: the cells may be of two releases for a while. */
const isSummary = (row: unknown): row is StaffSummary =>
  isObject(row) &&
  ID.test(String(row['id'])) &&
  TIME.test(String(row['created_at'])) &&
  parseMoney(row['gross_amount']) !== undefined

const isPage = (body: unknown): body is PeerPage =>
  isObject(body) &&
  Array.isArray(body['results']) &&
  body['results'].every(isSummary) &&
  (body['next'] === null || typeof body['next'] === 'string')

interface Merge {
  asked: StaffPaymentsAsked
  request: CellsRequest
  cells: readonly string[]
}

/**
 * The first rows of all parts. A cell's new place is the last row of the page, unless the cell was
 * further: while one was away the others went on, and it catches up without their rows coming twice.
 */
function merged(parts: readonly CellPart[], { asked, request, cells }: Merge): CellsPage {
  const order = orderOf(asked.sort)
  const rows = parts
    .flatMap((part) => part.rows)
    .map((row) => ({ row, place: placeOf(row) }))
    .toSorted((one, other) => order(one.place, other.place))
  // An owner that is being moved has its payments in two cells: each is listed once.
  const once = rows.filter(({ row }, at) => row.id !== rows[at - 1]?.row.id)
  const page = once.slice(0, request.page_size)
  const last = page.at(-1)?.place
  const answered = new Set(parts.map(({ cell }) => cell))
  const places = cells.map((cell) => {
    const place = request.places.get(cell) ?? null
    const advances =
      answered.has(cell) && last !== undefined && (place === null || order(place, last) < 0)
    return [cell, advances ? last : place] as const
  })
  const unreachable = cells.filter((cell) => !answered.has(cell))
  const more = once.length > page.length || parts.some((part) => part.more)
  return {
    results: page.map(({ row }) => row),
    next: more || unreachable.length > 0 ? new Map(places) : null,
    unreachable,
  }
}

const placeOf = ({ id, created_at, gross_amount }: CellSummary): SortedCursor => ({
  gross_amount: parseMoney(gross_amount) ?? 0n,
  created_at: new Date(created_at ?? 0),
  id,
  direction: 'next',
})

/** The order of the list, as the database has it. */
function orderOf(sort: PaymentSort): (one: SortedCursor, other: SortedCursor) => number {
  const by_amount = sort === 'highest' || sort === 'lowest'
  const sign = sort === 'newest' || sort === 'highest' ? -1 : 1
  return (one, other) => {
    const amounts = by_amount ? compare(one.gross_amount, other.gross_amount) : 0
    const times = compare(one.created_at.getTime(), other.created_at.getTime())
    return sign * (amounts || times || compare(one.id, other.id))
  }
}

const compare = <Value extends Money | number | string>(one: Value, other: Value): number =>
  one < other ? -1 : Number(one > other)
