import type { LedgerObject, Posting } from '../../domain/ledger.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'

/** A posting as lists show it. */
interface ListedPosting extends Omit<Posting, 'amount' | 'occurred_at'> {
  version: number
  line: number
  /** Decimal text and ISO 8601, as JSON has them. */
  amount: string
  occurred_at: string
  /** The day in Jakarta in whose figures it is. */
  booked_on: string
}

/** What was booked about one object in one moment. */
export interface LedgerEntry {
  /** Of the object. */
  id: string
  /** When it was booked. */
  created_at: Date
  object_kind: LedgerObject
  payment_id: string | null
  owner_id: string | null
  postings: readonly ListedPosting[]
}

export interface EntryFilters {
  payment_id?: string
  day?: string
  account?: string
}

const FILTERS = [
  ['payment_id', "(object_id = ? or (payment_id = ? and object_kind <> 'payment'))"],
  ['day', 'booked_on = ?::date'],
  ['account', '? in (source, destination)'],
] as const

/** One row for each object and moment: several journals of one transition are shown together. */
const entriesWhere = (condition: string): string => `(
  select
    object_id as id, booked_at as created_at, object_kind, payment_id,
    (select owner_id from gapura.gateway_payment where id = payment_id) as owner_id,
    json_agg(
      json_build_object(
        'version', version, 'kind', kind, 'line', line, 'source', source,
        'destination', destination, 'amount', amount::text,
        'occurred_at', to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'booked_on', booked_on
      )
      order by version, kind, line
    ) as postings
  from gapura.ledger_posting
  where ${condition}
  group by object_id, booked_at, object_kind, payment_id
) as entry`

/** A page of what was booked, newest first. A day is read by the blocks that hold it, and sorted. */
export async function listEntries(
  tx: Tx,
  filters: EntryFilters,
  request: PageRequest,
): Promise<Page<LedgerEntry>> {
  const conditions = conditionsOf(FILTERS, filters)
  // Behind the parameters of the page.
  const first = request.cursor === null ? 2 : 4
  const condition = conditions
    .map(([sql], index) => sql.replaceAll('?', `$${first + index}`))
    .join(' and ')
  const source = { table: entriesWhere(condition), columns: '*', conditions: [] }
  const { text, values } = pageStatement(source, request)
  const given = [...values, ...conditions.map(([, value]) => value)]
  return pageOf(await tx.query<LedgerEntry>(text, given, { prepare: false }), request)
}
