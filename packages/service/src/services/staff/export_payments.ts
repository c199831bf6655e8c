// The list as a file: exactly what the filters show, in the same order, page by page while it is
// sent.
import type { Caller } from '../../domain/caller.ts'
import type { FeeFacts, FeeRate } from '../../domain/fees.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewayRefund } from '../../domain/payment.ts'
import { hideSecrets } from '../../domain/secret_shapes.ts'
import { jakartaStamp } from '../../domain/time.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
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
import { requireStaff } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { expectedAmounts } from '../fees/fee_rates.ts'
import type { Streamed } from '../requests.ts'
import {
  exportedCsv,
  exportedWorkbook,
  type ExportedRow,
  type ExportedRows,
} from './exported_file.ts'
import { representStaffSummary } from './list_payments.ts'
import { parseExportQuery, type StaffPaymentsAsked } from './payment_query.ts'

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
] as const satisfies readonly (keyof PaymentRow)[]

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

type PaymentRow = ReturnType<typeof exportedRow>

/** By the rate card; empty if it is not paid, or no rate is known. */
const EXPECTED_COLUMNS = ['expected_fee', 'expected_vat', 'expected_net'] as const
const COLUMNS: readonly string[] = [...EXPORT_COLUMNS, ...EXPECTED_COLUMNS]

const AMOUNTS: ReadonlySet<string> = new Set([
  'gross_amount',
  'refund_amount',
  'captured_amount',
  'net_amount',
  ...EXPECTED_COLUMNS,
])

/** The payments that the filters list, as CSV. */
export const exportPayments = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed> => await exportedCsv(ctx, caller, rowsOf(ctx, caller, query))

/** The same as a workbook, with amounts as numbers. */
export const exportWorkbook = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed<Uint8Array>> => await exportedWorkbook(ctx, caller, rowsOf(ctx, caller, query))

function rowsOf(ctx: Context, caller: Caller, query: unknown): ExportedRows {
  requireStaff(caller, 'staff:read')
  const asked = parseExportQuery(query)
  return {
    name: 'payments',
    subject_kind: 'payment',
    detail: { filters: auditedFilters(asked.filters), sort: asked.sort },
    columns: COLUMNS,
    amounts: AMOUNTS,
    pages: () => pagesOf(ctx, asked),
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

async function* pagesOf(
  ctx: Context,
  asked: StaffPaymentsAsked,
): AsyncGenerator<readonly ExportedRow[]> {
  const rates = await withReadTransaction(ctx.db, listFeeRates)
  let cursor: SortedCursor | null = null
  do {
    const { results, next, refunds }: ExportPage = await pageAt(ctx, asked, cursor)
    yield results.map((row) => ({
      id: row.id,
      cells: [
        ...cellsOf(exportedRow(row, refunds.get(row.id) ?? [])),
        ...expectedCells(ctx, row, rates),
      ],
    }))
    cursor = next
  } while (cursor !== null)
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

const cellsOf = (row: PaymentRow): string[] =>
  EXPORT_COLUMNS.map((name) => {
    const value = row[name]
    if (value === null) return ''
    return TIMES.has(name) ? jakartaStamp(new Date(value)) : value
  })

function expectedCells(ctx: Context, row: FeeFacts, rates: readonly FeeRate[]): string[] {
  const expected = expectedAmounts(ctx, row, rates)
  return EXPECTED_COLUMNS.map((name) => expected[name] ?? '')
}
