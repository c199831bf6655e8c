import type {
  KeyedLine,
  StatementLine,
  StatementSide,
  StatementSource,
} from '../../domain/statement.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

const COLUMNS = `
  id, import_id, created_at, occurred_at, day, version, line_number, side, source, kind, line_key,
  amount, fee, balance, currency, status, account, order_id, transaction_id, reference, channel,
  description, raw`

/** A line that may be new, with the hash that says whether its content is. */
export interface NewLine extends KeyedLine {
  id: string
  content_sha256: string
}

/** The whole of one reading: a key occurs once in it. */
export interface NewLines {
  side: StatementSide
  source: StatementSource
  import_id: string | null
  lines: readonly NewLine[]
}

/**
 * Stores each line whose newest version has other content, as the next version; returns how many
 * were stored. Of two processes that store the same line at the same time, one stores it.
 */
export async function insertLines(
  tx: Tx,
  { side, source, import_id, lines }: NewLines,
): Promise<number> {
  if (lines.length === 0) return 0
  const stored = await tx.query(
    `insert into gapura.statement_line (
       id, import_id, occurred_at, day, version, line_number, side, source, kind, line_key,
       content_sha256, amount, fee, balance, currency, status, account, order_id, transaction_id,
       reference, channel, description, raw
     )
     select
       given.id, $3::uuid, given.occurred_at, given.day, coalesce(newest.version, 0) + 1,
       given.line_number, $1, $2, given.kind, given.line_key, given.content_sha256, given.amount,
       given.fee, given.balance, given.currency, given.status, given.account, given.order_id,
       given.transaction_id, given.reference, given.channel, given.description, given.raw
     from jsonb_populate_recordset(null::gapura.statement_line, $4) as given
     left join lateral (
       select line.version, line.content_sha256
       from gapura.statement_line as line
       where line.source = $2
         and line.line_key = given.line_key
       order by line.version desc
       limit 1
     ) as newest on true
     where newest.content_sha256 is distinct from given.content_sha256
     on conflict (source, line_key, version) do nothing
     returning id`,
    [side, source, import_id, toJson(lines)],
  )
  return stored.length
}

export interface LineFilters {
  side?: StatementSide
  source?: StatementSource
  day?: string
  order_id?: string
  reference?: string
  import_id?: string
}

const FILTERS = [
  ['side', 'side = ?'],
  ['source', 'source = ?'],
  ['day', 'day = ?::date'],
  ['order_id', 'order_id = ?'],
  ['reference', 'reference = ?'],
  ['import_id', 'import_id = ?::uuid'],
] as const

/** A page of stored versions, the newest first. */
export async function listLines(
  tx: Tx,
  filters: LineFilters,
  request: PageRequest,
): Promise<Page<StatementLine>> {
  const conditions = conditionsOf(FILTERS, filters)
  const source = { table: 'gapura.statement_line', columns: COLUMNS, conditions }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<StatementLine>(text, values, { prepare: false }), request)
}
