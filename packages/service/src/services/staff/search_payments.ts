import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import { readSearchTerm, type SearchCandidate } from '../../domain/search_term.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { listStaffPayments, type StaffPaymentFilters } from '../../store/payments/lists.ts'
import { readSearchFreshness } from '../../store/search/entries.ts'
import { findByTerm, type FoundPayment } from '../../store/search/found.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requestParser } from '../validation.ts'
import { representStaffSummary, type StaffSummary } from './list_payments.ts'

export const SEARCH_QUERY = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A name, phone number, email address, part of an order id, other id or number, refund key, last four digits of a card, amount or day.',
    }),
  },
  { additionalProperties: false },
)

const parseSearch = requestParser(SEARCH_QUERY)

/** Enough to see whether it is the one. */
const SHOWN_MAX = 5

export interface SearchMatch {
  kind: SearchCandidate['kind']
  /** The term as that kind writes it: digits without gaps, an amount with two decimals. */
  value: string
  results: StaffSummary[]
  /** How many of the results, the first ones, are equal to the term; the others begin with it. */
  equal: number
  /** Whether there are more than are shown. */
  more: boolean
}

export interface Searched {
  matches: SearchMatch[]
  /** Everything that changed up to then is found. */
  fresh_at: string
  /** Whether a part of an order id or a name is found, and not only its beginning. */
  parts: boolean
}

/** The kinds of value that a term matches, with their payments; the most specific first. */
export async function searchPayments(
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Searched> {
  requireStaff(caller, 'staff:read')
  const candidates = readSearchTerm(parseSearch(query).q)
  const searched = await withReadTransaction(ctx.db, async (tx) => {
    const { fresh_at, parts } = await readSearchFreshness(tx)
    const matches: SearchMatch[] = []
    // One after the other: each goes by an index of its own, and a transaction has one connection.
    for (const candidate of candidates) {
      const match = await matchOf(tx, candidate, parts)
      if (match.results.length > 0) matches.push(match)
    }
    return { matches, fresh_at: fresh_at.toISOString(), parts }
  })
  const rows = searched.matches.flatMap(({ results }) => results)
  const shown = new Map(rows.map((row) => [row.id, row]))
  await recordListRead(ctx, caller, 'payment.search', [...shown.values()])
  return searched
}

async function matchOf(tx: Tx, candidate: SearchCandidate, parts: boolean): Promise<SearchMatch> {
  const { kind, value } = candidate
  const { filters, found } = await filtersOf(tx, candidate, parts)
  const request = { sort: 'newest', cursor: null, page_size: SHOWN_MAX } as const
  const { results, next } = await listStaffPayments(tx, filters, request)
  const places = new Map(found?.map(({ object_id }, place) => [object_id, place]))
  results.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  // A number of one kind is stored in the same column as those of the others.
  const own = NUMBERS.find((number) => number === kind)
  const shown = own === undefined ? results : results.filter((row) => row[own] !== null)
  const exact = new Set(found?.filter((one) => one.exact).map(({ object_id }) => object_id))
  return {
    kind,
    value: typeof value === 'bigint' ? formatMoney(value) : value,
    results: shown.map(representStaffSummary),
    equal: found === undefined ? shown.length : shown.filter(({ id }) => exact.has(id)).length,
    more: found === undefined ? next !== null : found.length > SHOWN_MAX,
  }
}

const NUMBERS = ['va_number', 'bill_key', 'payment_code'] as const

interface Looked {
  filters: StaffPaymentFilters
  /** Those of the filter in their order; undefined: the filter's own order. */
  found?: readonly FoundPayment[]
}

async function filtersOf(tx: Tx, candidate: SearchCandidate, parts: boolean): Promise<Looked> {
  switch (candidate.kind) {
    case 'id':
      return { filters: { id: candidate.value } }
    case 'gross_amount':
      return { filters: { gross_amount: candidate.value } }
    case 'created_on':
      return { filters: { created_from: candidate.from, created_before: candidate.before } }
    default: {
      const { kind, value } = candidate
      const found = await findByTerm(tx, { kind, value }, { limit: SHOWN_MAX + 1, parts })
      const ids = found.slice(0, SHOWN_MAX).map(({ object_id }) => object_id)
      return { filters: { ids }, found }
    }
  }
}
