import type { Caller } from '../domain/caller.ts'
import type { Money } from '../domain/money.ts'
import type { GatewayPayment } from '../domain/payment.ts'
import type { PaymentStatus } from '../domain/payment_status.ts'
import type { PaymentType } from '../domain/payment_type.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from './keyset.ts'
import type { Tx } from './transaction.ts'
import { conditionsOf, visibleTo } from './visible.ts'

const LIST_COLUMNS = `
  id, owner_id, order_id, payment_type, gross_amount, transaction_status, fraud_status,
  customer_email, created_at`

/** What a list shows of a payment (api-rules.md#payments), and what `is_paid` is computed from. */
export type PaymentSummary = Pick<
  GatewayPayment,
  | 'id'
  | 'owner_id'
  | 'order_id'
  | 'payment_type'
  | 'gross_amount'
  | 'transaction_status'
  | 'fraud_status'
  | 'customer_email'
  | 'created_at'
>

/** The documented filters, and what staff search by. Each alone is backed by an index. */
export interface PaymentFilters {
  transaction_status?: PaymentStatus
  payment_type?: PaymentType
  order_id?: string
  customer_email?: string
  /** From this moment on. */
  created_from?: Date
  /** Before this moment. */
  created_before?: Date
  transaction_id?: string
  va_number?: string
  bill_key?: string
  payment_code?: string
  gross_amount?: Money
  subscription_id?: string
  invoice_id?: string
  id?: string
  owner_id?: string
}

export const PAYMENT_FILTERS = [
  ['id', 'id = ?'],
  ['owner_id', 'owner_id = ?'],
  ['transaction_status', 'transaction_status = ?'],
  ['payment_type', 'payment_type = ?'],
  // Both halves of the rows have a partial index of their own; asked for together as one "or",
  // each finds its rows. `order_id = ?` alone would find neither.
  ['order_id', '((order_id = ? and not refused) or (order_id = ? and refused))'],
  ['customer_email', 'lower(customer_email) = lower(?)'],
  ['created_from', 'created_at >= ?'],
  ['created_before', 'created_at < ?'],
  ['transaction_id', 'transaction_id = ?'],
  ['va_number', 'va_number = ?'],
  ['bill_key', 'bill_key = ?'],
  ['payment_code', 'payment_code = ?'],
  ['gross_amount', 'gross_amount = ?'],
  ['subscription_id', 'subscription_id = ?'],
  ['invoice_id', 'invoice_id = ?'],
] as const satisfies readonly (readonly [keyof PaymentFilters, string])[]

/**
 * A page of the payments the caller may see, newest first. Not prepared: how best to find
 * `settlement` is not how best to find `chargeback`, and each is planned for its own value.
 */
export async function listPayments(
  tx: Tx,
  caller: Caller,
  filters: PaymentFilters,
  request: PageRequest,
): Promise<Page<PaymentSummary>> {
  const source = {
    table: 'gapura.gateway_payment',
    columns: LIST_COLUMNS,
    conditions: [...visibleTo(caller), ...conditionsOf(PAYMENT_FILTERS, filters)],
  }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<PaymentSummary>(text, values, { prepare: false }), request)
}
