// The month-end file for finance: every movement of the ledger in a month, with the expected fee and
// its VAT, and refunds outside the gateway with their evidence.
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { feeOf, rateOf, type FeeRate } from '../../domain/fees.ts'
import { MERCHANT_BANK, SUSPENSE_LATE } from '../../domain/ledger.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import { jakartaDay, jakartaStamp } from '../../domain/time.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { listDayLines, type DayLine, type DayPlace } from '../../store/ledger/day_lines.ts'
import { listFeeRates } from '../../store/ledger/fee_rates.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { Context } from '../context.ts'
import { roundingOf } from '../fees/fee_rates.ts'
import type { Streamed } from '../requests.ts'
import {
  exportedCsv,
  exportedWorkbook,
  type ExportedRow,
  type ExportedRows,
} from '../staff/exported_file.ts'
import { requestParser } from '../validation.ts'

export const MONTH_QUERY = Type.Object(
  {
    month: Type.String({
      pattern: String.raw`^20\d{2}-(0[1-9]|1[0-2])$`,
      examples: ['2026-01'],
      description: 'The month in Jakarta, as 2026-01.',
    }),
  },
  { additionalProperties: false },
)

const parseMonth = requestParser(MONTH_QUERY)

const AMOUNT_COLUMNS = [
  'gross',
  'fee',
  'vat',
  'refunds',
  'chargebacks',
  'net',
  'refunds_outside',
] as const

const COLUMNS = [
  'booked_on',
  'occurred_at',
  'kind',
  'order_id',
  'payment_id',
  'transaction_id',
  'owner_id',
  'payment_type',
  'channel',
  ...AMOUNT_COLUMNS,
  'fee_basis',
  'payout_id',
  'refund_source',
  'refund_reference',
  'refund_evidence',
  'refund_reason',
  'refund_requested_by',
  'refund_approved_by',
] as const

type Row = Readonly<Record<(typeof COLUMNS)[number], string | null>>

/** The movements of a month as CSV. */
export const exportMonth = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed> => await exportedCsv(ctx, caller, rowsOf(ctx, caller, query))

/** The same as a workbook, with amounts as numbers. */
export const exportMonthWorkbook = async (
  ctx: Context,
  caller: Caller,
  query: unknown,
): Promise<Streamed<Uint8Array>> => await exportedWorkbook(ctx, caller, rowsOf(ctx, caller, query))

function rowsOf(ctx: Context, caller: Caller, query: unknown): ExportedRows {
  requireStaff(caller, 'staff:read')
  const { month } = parseMonth(query)
  return {
    name: `month-${month}`,
    subject_kind: 'ledger',
    detail: { month },
    columns: COLUMNS,
    amounts: new Set<string>(AMOUNT_COLUMNS),
    pages: () => pagesOf(ctx, month),
  }
}

const PAGE = 1_000

/** One transaction per page: a single one would hold back the vacuum for minutes. */
async function* pagesOf(ctx: Context, month: string): AsyncGenerator<readonly ExportedRow[]> {
  const rates = await withReadTransaction(ctx.db, listFeeRates)
  for (const day of daysOf(month)) {
    let after: DayPlace | null = null
    do {
      const place: DayPlace | null = after
      const lines: DayLine[] = await withReadTransaction(
        ctx.db,
        async (tx) => await listDayLines(tx, day, { after: place, limit: PAGE }),
      )
      yield lines.flatMap((line) => exportedLine(ctx, line, rates))
      after = lines.length < PAGE ? null : (lines.at(-1) ?? null)
    } while (after !== null)
  }
}

function daysOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)
}

/** Nothing of a line that moves between accounts of one column, such as late money that is accepted. */
function exportedLine(ctx: Context, line: DayLine, rates: readonly FeeRate[]): ExportedRow[] {
  const amounts = amountsOf(ctx, line, rates)
  if (amounts === null) return []
  const row: Row = {
    booked_on: line.booked_on,
    occurred_at: jakartaStamp(line.occurred_at),
    kind: line.kind,
    order_id: line.order_id,
    payment_id: line.payment_id,
    transaction_id: line.transaction_id,
    owner_id: line.owner_id,
    payment_type: line.payment_type,
    channel: line.bank ?? line.store,
    ...amounts,
    payout_id: line.payout_id,
    refund_source: line.refund_source,
    refund_reference: line.reference,
    refund_evidence: line.evidence,
    refund_reason: line.reason,
    refund_requested_by: line.requested_by,
    refund_approved_by: line.approved_by,
  }
  return [{ id: line.payment_id ?? line.object_id, cells: COLUMNS.map((name) => row[name] ?? '') }]
}

const SALES = (account: string): boolean =>
  account.startsWith('sales:') || account === SUSPENSE_LATE
const REFUNDS = (account: string): boolean => account.startsWith('refunds:')
const CHARGEBACKS = (account: string): boolean => account.startsWith('chargebacks:')

/** What moved in each column; null if nothing did. */
function amountsOf(ctx: Context, line: DayLine, rates: readonly FeeRate[]) {
  const { source, destination, amount } = line
  /** Debit less credit of the accounts of a kind. */
  const moved = (is: (account: string) => boolean): Money =>
    (is(destination) ? amount : 0n) - (is(source) ? amount : 0n)
  const gross = -moved(SALES)
  const all_refunds = moved(REFUNDS)
  const chargebacks = moved(CHARGEBACKS)
  const outside = source === MERCHANT_BANK || destination === MERCHANT_BANK
  const refunds = outside ? 0n : all_refunds
  if (gross === 0n && all_refunds === 0n && chargebacks === 0n) return null
  const cost = gross === 0n ? NO_COST : (statedCost(line) ?? costOf(ctx, { ...line, gross }, rates))
  const left = gross - refunds - chargebacks
  return {
    gross: formatMoney(gross),
    fee: cost && formatMoney(cost.fee),
    vat: cost && formatMoney(cost.vat),
    refunds: formatMoney(refunds),
    chargebacks: formatMoney(chargebacks),
    net: cost && formatMoney(left - cost.fee - cost.vat),
    refunds_outside: formatMoney(all_refunds - refunds),
    fee_basis: cost && cost.basis,
  }
}

const NO_COST = { fee: 0n, vat: 0n, basis: null }

/** What the gateway stated and the ledger has. */
const statedCost = ({ stated_fee: fee, stated_vat: vat }: DayLine) =>
  fee === null || vat === null ? null : { fee, vat, basis: 'stated' }

/** By the rate card; what is taken back has the same with the other sign. Null: no rate is known. */
function costOf(
  ctx: Context,
  { payment_type, bank, store, occurred_at, gross }: DayLine & { gross: Money },
  rates: readonly FeeRate[],
) {
  if (payment_type === null) return null
  const channel = bank ?? store ?? ''
  const rate = rateOf(rates, { payment_type, channel, day: jakartaDay(occurred_at) })
  if (rate === undefined) return null
  const sign = gross < 0n ? -1n : 1n
  const { fee, vat } = feeOf(rate, { amount: gross * sign }, roundingOf(ctx))
  return { fee: fee * sign, vat: vat * sign, basis: 'expected' }
}
