// The list as a file: exactly what the filters show, in the same order, page by page while it is
// sent.
import type { Caller } from '../../domain/caller.ts'
import type { FeeFacts, FeeRate } from '../../domain/fees.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewayRefund } from '../../domain/payment.ts'
import { hideSecrets } from '../../domain/secret_shapes.ts'
import { jakartaStamp } from '../../domain/time.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import {
  listStaffPayments,
  SORTED_PAGE_MAX,
  type SortedCursor,
  type SortedPage,
  type StaffPaymentFilters,
  type StaffPaymentSummary,
} from '../../store/payments/lists.ts'
import { listRefundsOfPayments } from '../../store/refunds/rows.ts'
import { listFeeRates } from '../../store/ledger/fee_rates.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit, type AuditedAction } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { expectedAmounts } from '../fees/fee_rates.ts'
import type { Streamed } from '../requests.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { representStaffSummary } from './list_payments.ts'
import { parseExportQuery, type StaffPaymentsAsked } from './payment_query.ts'
import { workbookOf, WORKBOOK_TYPE, type Cell } from './workbook.ts'

/** The columns in order, with times in Jakarta: first those of the list, then those of finance. */
const EXPORT_COLUMNS = [
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
  'settlement_time',
  'captured_amount',
  'net_amount',
  'acquirer',
  'issuer',
  'masked_card',
  'refunds',
  'last_refund_at',
] as const satisfies readonly (keyof ExportedRow)[]

const TIMES: ReadonlySet<string> = new Set([
  'created_at',
  'paid_at',
  'expiry_time',
  'settlement_time',
  'last_refund_at',
])

/** A row of the list with what finance needs beside it. */
const exportedRow = (payment: StaffPaymentSummary, refunds: readonly GatewayRefund[]) => {
  const made = refunds.filter(({ status }) => status === 'succeeded')
  const refundedAt = (refund: GatewayRefund): Date => refund.confirmed_at ?? refund.created_at
  return {
    ...representStaffSummary(payment),
    settlement_time: payment.settlement_time?.toISOString() ?? null,
    captured_amount: formatMoney(payment.captured_amount),
    net_amount: formatMoney(payment.captured_amount - payment.refunded_amount),
    acquirer: payment.acquirer,
    issuer: payment.issuer,
    masked_card: payment.masked_card,
    // Each with its day, amount and where it was made.
    refunds: made
      .map((refund) => {
        const day = jakartaStamp(refundedAt(refund)).slice(0, 10)
        return [day, formatMoney(refund.amount), refund.source, refund.reference]
          .filter(Boolean)
          .join(' ')
      })
      .join('; '),
    last_refund_at:
      made
        .map((one) => refundedAt(one).toISOString())
        .toSorted()
        .at(-1) ?? null,
  }
}

type ExportedRow = ReturnType<typeof exportedRow>

/** By the rate card; empty if it is not paid, or no rate is known. */
const EXPECTED_COLUMNS = ['expected_fee', 'expected_vat', 'expected_net'] as const
const COLUMNS: readonly string[] = [...EXPORT_COLUMNS, ...EXPECTED_COLUMNS]

/** How many ids the audit stores of an export; a larger one is described by filters and count. */
const IDS_MAX = 100

type Cells = readonly (readonly string[])[]

/** The payments that the filters list, as CSV. */
export const exportPayments = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed> =>
  await exported(ctx, caller, query, {
    content_type: 'text/csv; charset=utf-8',
    ending: 'csv',
    chunks: csvOf,
  })

/** The same as a workbook, with amounts as numbers. */
export const exportWorkbook = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed<Uint8Array>> =>
  await exported(ctx, caller, query, {
    content_type: WORKBOOK_TYPE,
    ending: 'xlsx',
    chunks: (pages) => workbookOf(typedCells(pages)),
  })

interface Format<Chunk extends string | Uint8Array> {
  content_type: string
  ending: string
  /** The file of the lines, of which the first page has the names of the columns as well. */
  chunks: (pages: AsyncIterable<Cells>) => AsyncIterable<Chunk>
}

/**
 * The audit gets two entries: the request, before the first row is sent, and at the end how many rows
 * were sent and which.
 */
async function exported<Chunk extends string | Uint8Array>(
  ctx: Context,
  caller: Caller,
  query: unknown,
  { content_type, ending, chunks }: Format<Chunk>,
): Promise<Streamed<Chunk>> {
  requireStaff(caller, 'staff:read')
  const asked = parseExportQuery(query)
  const export_id = newId()
  const request_id = ctx.telemetry?.marks?.()['request_id']
  const entry = (action: AuditedAction['action'], detail: object): AuditedAction => ({
    action,
    subject_kind: 'payment',
    subject_id: '-',
    detail: { export_id, ...detail },
    // The rows are made outside of the request's own trace step.
    ...(request_id !== undefined && { request_id }),
  })
  const now = await withTransaction(ctx.db, async (tx) => {
    const detail = { filters: auditedFilters(asked.filters), sort: asked.sort }
    await recordAudit(tx, ctx, caller, entry('payment.export', detail))
    return await readClock(tx)
  })
  const stamp = jakartaStamp(now).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const pages = pagesOf(ctx, asked, async (sent) => {
    const done = entry('payment.exported', sent)
    await withTransaction(ctx.db, async (tx) => await recordAudit(tx, ctx, caller, done))
  })
  return {
    kind: 'stream',
    content_type,
    filename: `payments-${stamp}.${ending}`,
    chunks: chunks(pages),
  }
}

async function* csvOf(pages: AsyncIterable<Cells>): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK
  for await (const page of pages) {
    yield mark + page.map(csvLine).join('')
    mark = ''
  }
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'gross_amount',
  'refund_amount',
  'captured_amount',
  'net_amount',
  ...EXPECTED_COLUMNS,
])

async function* typedCells(pages: AsyncIterable<Cells>): AsyncGenerator<Cell[][]> {
  let names = true
  for await (const page of pages) {
    yield page.map((cells, line) =>
      cells.map((text, at) => {
        const amount = AMOUNTS.has(COLUMNS[at] ?? '') && !(names && line === 0)
        return amount && text !== '' ? { number: text } : text
      }),
    )
    names = false
  }
}

/** Values are included, except an e-mail address: the audit cannot be erased (ADR 0022). */
const auditedFilters = (filters: StaffPaymentFilters): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, name === 'customer_email' ? '[e-mail]' : auditedValue(value)]),
  )

function auditedValue(value: unknown): unknown {
  if (typeof value === 'bigint') return formatMoney(value)
  return typeof value === 'string' ? hideSecrets(value) : value
}

/** What was sent, for the audit. */
interface Sent {
  rows: number
  /** Of the first rows. */
  ids: readonly string[]
  /** Whether the list was sent to its end, without a failure and without the client leaving. */
  complete: boolean
}

/** Counts a row before it is sent, so that the audit never counts too few. */
async function* pagesOf(
  ctx: Context,
  asked: StaffPaymentsAsked,
  note: (sent: Sent) => Promise<void>,
): AsyncGenerator<Cells> {
  const sent = { rows: 0, ids: [] as string[], complete: false }
  try {
    yield [COLUMNS]
    const rates = await withReadTransaction(ctx.db, listFeeRates)
    let cursor: SortedCursor | null = null
    do {
      const { results, next, refunds }: ExportPage = await pageAt(ctx, asked, cursor)
      sent.rows += results.length
      sent.ids.push(...results.slice(0, IDS_MAX - sent.ids.length).map(({ id }) => id))
      yield results.map((row) => [
        ...cellsOf(exportedRow(row, refunds.get(row.id) ?? [])),
        ...expectedCells(ctx, row, rates),
      ])
      cursor = next
    } while (cursor !== null)
    sent.complete = true
  } finally {
    // Without its audit entry a file must not look complete: the failure closes the connection.
    await note(sent)
  }
}

/** One transaction per page: a single one would hold back the vacuum for minutes. */
const pageAt = async (
  { db }: Context,
  { filters, sort }: StaffPaymentsAsked,
  cursor: SortedCursor | null,
): Promise<ExportPage> =>
  await withReadTransaction(db, async (tx) => {
    const request = { sort, cursor, page_size: SORTED_PAGE_MAX }
    const page = await listStaffPayments(tx, filters, request)
    const refunded = page.results.filter(({ refunded_amount }) => refunded_amount > 0n)
    const ids = refunded.map(({ id }) => id)
    return { ...page, refunds: await listRefundsOfPayments(tx, ids) }
  })

type ExportPage = SortedPage & { refunds: ReadonlyMap<string, GatewayRefund[]> }

const cellsOf = (row: ExportedRow): string[] =>
  EXPORT_COLUMNS.map((name) => {
    const value = row[name]
    if (value === null) return ''
    return TIMES.has(name) ? jakartaStamp(new Date(value)) : value
  })

function expectedCells(ctx: Context, row: FeeFacts, rates: readonly FeeRate[]): string[] {
  const expected = expectedAmounts(ctx, row, rates)
  return EXPECTED_COLUMNS.map((name) => expected[name] ?? '')
}
