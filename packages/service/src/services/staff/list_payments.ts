import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import {
  listStaffPayments as listStored,
  type SortedPage,
  type SortedRequest,
  type StaffPaymentSummary,
} from '../../store/payments/lists.ts'
import { totalStaffPayments as totalStored } from '../../store/payments/totals.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
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
