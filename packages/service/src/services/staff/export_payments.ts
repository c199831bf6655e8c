// The list as a file: exactly what the filters show, in their order, page by page while it is sent.
import type { Caller } from '../../domain/caller.ts'
import { jakartaStamp } from '../../domain/time.ts'
import {
  listStaffPayments,
  SORTED_PAGE_MAX,
  type SortedCursor,
  type SortedPage,
} from '../../store/staff_payment_lists.ts'
import { readClock } from '../../store/settings.ts'
import { withReadTransaction, withTransaction } from '../../store/transaction.ts'
import { noteDeed } from '../audit/note_deed.ts'
import type { Context } from '../context.ts'
import type { Streamed } from '../requests.ts'
import { csvLine } from './csv.ts'
import { representStaffSummary, type StaffSummary } from './list_payments.ts'
import { parseExportQuery, type StaffPaymentsAsked } from './payment_query.ts'
import { requireStaff } from './staff_caller.ts'

/** Its columns, in their order: those of the list, with times in Jakarta. */
export const EXPORT_COLUMNS = [
  'id',
  'order_id',
  'transaction_id',
  'owner_id',
  'created_at',
  'paid_at',
  'expiry_time',
  'payment_type',
  'bank',
  'store',
  'transaction_status',
  'fraud_status',
  'gross_amount',
  'refund_amount',
  'customer_name',
  'customer_email',
  'customer_phone',
  'va_number',
  'bill_key',
  'payment_code',
] as const satisfies readonly (keyof StaffSummary)[]

const TIMES: ReadonlySet<string> = new Set(['created_at', 'paid_at', 'expiry_time'])

/** Without it spreadsheets take UTF-8 for something older. */
const BYTE_ORDER_MARK = '\uFEFF'

export async function exportPayments(
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed> {
  requireStaff(caller, 'staff:read')
  const asked = parseExportQuery(query)
  // Before the first row leaves. The filters by name alone: a value may be somebody's address.
  const now = await withTransaction(ctx.db, async (tx) => {
    const filters = Object.keys(asked.filters).sort()
    const subject = { subject_kind: 'payment', subject_id: '-' }
    const detail = { filters, sort: asked.sort }
    await noteDeed(tx, ctx, caller, { action: 'payment.export', ...subject, detail })
    return await readClock(tx)
  })
  const stamp = jakartaStamp(now).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return {
    kind: 'stream',
    content_type: 'text/csv; charset=utf-8',
    filename: `payments-${stamp}.csv`,
    chunks: linesOf(ctx, asked),
  }
}

async function* linesOf(ctx: Context, asked: StaffPaymentsAsked): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(EXPORT_COLUMNS)
  let cursor: SortedCursor | null = null
  do {
    const { results, next }: SortedPage = await pageAt(ctx, asked, cursor)
    yield results.map((row) => csvLine(cellsOf(representStaffSummary(row)))).join('')
    cursor = next
  } while (cursor !== null)
}

/** A transaction for each page: one for all of them would hold back the vacuum for minutes. */
const pageAt = async (
  { db }: Context,
  { filters, sort }: StaffPaymentsAsked,
  cursor: SortedCursor | null,
): Promise<SortedPage> =>
  await withReadTransaction(
    db,
    async (tx) =>
      await listStaffPayments(tx, filters, { sort, cursor, page_size: SORTED_PAGE_MAX }),
  )

const cellsOf = (row: StaffSummary): string[] =>
  EXPORT_COLUMNS.map((name) => {
    const value = row[name]
    if (value === null) return ''
    return TIMES.has(name) ? jakartaStamp(new Date(value)) : value
  })
