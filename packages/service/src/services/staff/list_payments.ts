import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import { readSearchTerm, type SearchCandidate } from '../../domain/search_term.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import {
  listStaffPayments as listStored,
  type SortedPage,
  type SortedRequest,
  type StaffPaymentSummary,
  type StaffPaymentFilters,
} from '../../store/payments/lists.ts'
import { totalStaffPayments as totalStored } from '../../store/payments/totals.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { requestParser } from '../validation.ts'
import { representSummary } from '../../domain/payment_representation.ts'
import { parseExportQuery, type StaffPaymentsAsked } from './payment_query.ts'

export type { SortedCursor } from '../../store/payments/lists.ts'

const time = (at: Date | null): string | null => at?.toISOString() ?? null

/** What a row of the staff's list shows. */
export const representStaffSummary = (payment: StaffPaymentSummary) => ({
  ...representSummary(payment),
  owner_id: payment.owner_id,
  transaction_id: payment.transaction_id,
  bank: payment.bank,
  store: payment.store,
  fraud_status: payment.fraud_status,
  refund_amount: formatMoney(payment.refunded_amount),
  customer_name:
    [payment.customer_first_name, payment.customer_last_name].filter(Boolean).join(' ') || null,
  customer_phone: payment.customer_phone,
  va_number: payment.va_number,
  bill_key: payment.bill_key,
  payment_code: payment.payment_code,
  expiry_time: time(payment.expiry_time),
  paid_at: time(payment.paid_at),
})

export type StaffSummary = ReturnType<typeof representStaffSummary>

/** A page of all payments, for staff. */
export async function listStaffPayments(
  ctx: Context,
  caller: Caller,
  { filters, sort }: StaffPaymentsAsked,
  page: Omit<SortedRequest, 'sort'>,
): Promise<Omit<SortedPage, 'results'> & { results: StaffSummary[] }> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, filters, { ...page, sort }),
  )
  await recordListRead(ctx, caller, 'payment.list', found.results)
  return { ...found, results: found.results.map(representStaffSummary) }
}

/** How many payments the filters match, and their sum. Names no person, so it is not audited. */
export async function totalStaffPayments(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const { filters } = parseExportQuery(query)
  const { gross_amount, ...totals } = await withReadTransaction(
    ctx.db,
    async (tx) => await totalStored(tx, filters),
  )
  return { ...totals, gross_amount: formatMoney(gross_amount) }
}

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
  const { results, next } = await listStored(tx, filterOf(candidate), request)
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
