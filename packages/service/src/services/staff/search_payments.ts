import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import { readSearchTerm, type SearchCandidate } from '../../domain/search_term.ts'
import { listStaffPayments, type StaffPaymentFilters } from '../../store/payments/lists.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requestParser } from '../validation.ts'
import { representStaffSummary, type StaffSummary } from './list_payments.ts'
import { requireStaff } from '../access/staff_caller.ts'

export const SEARCH_QUERY = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'An id, order id, email address, account number, payment code, amount or day, as a customer reads it out.',
    }),
  },
  { additionalProperties: false },
)

const parseSearch = requestParser(SEARCH_QUERY)

/** Enough to see whether it is the one; the list with the same filter has the rest. */
const SHOWN_MAX = 5

export interface SearchMatch {
  kind: SearchCandidate['kind']
  /** The term as that kind writes it: digits without gaps, an amount with two decimals. */
  value: string
  results: StaffSummary[]
  /** Whether there are more than are shown. */
  more: boolean
}

/** The kinds of value that a term matches, with their payments; the most specific first. */
export async function searchPayments(
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<{ matches: SearchMatch[] }> {
  requireStaff(caller, 'staff:read')
  const candidates = readSearchTerm(parseSearch(query).q)
  const matches = await withReadTransaction(ctx.db, async (tx) => {
    const found: SearchMatch[] = []
    // One after the other: each goes by an index of its own, and a transaction has one connection.
    for (const candidate of candidates) {
      const match = await matchOf(tx, candidate)
      if (match.results.length > 0) found.push(match)
    }
    return found
  })
  const shown = new Map(matches.flatMap(({ results }) => results).map((row) => [row.id, row]))
  await recordListRead(ctx, caller, 'payment.search', [...shown.values()])
  return { matches }
}

async function matchOf(tx: Tx, candidate: SearchCandidate): Promise<SearchMatch> {
  const request = { sort: 'newest', cursor: null, page_size: SHOWN_MAX } as const
  const { results, next } = await listStaffPayments(tx, filterOf(candidate), request)
  const { kind, value } = candidate
  return {
    kind,
    value: typeof value === 'bigint' ? formatMoney(value) : value,
    results: results.map(representStaffSummary),
    more: next !== null,
  }
}

function filterOf(candidate: SearchCandidate): StaffPaymentFilters {
  if (candidate.kind === 'created_on') {
    return { created_from: candidate.from, created_before: candidate.before }
  }
  return { [candidate.kind]: candidate.value }
}
