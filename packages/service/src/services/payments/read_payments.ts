import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { PAYMENT_STATUSES } from '../../domain/payment_status.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { parseZonedTime } from '../../domain/time.ts'
import type { SavedCard } from '../../gateway/facts.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { listPayments as listStored, type PaymentFilters } from '../../store/payments/lists.ts'
import { findPayment } from '../../store/payments/rows.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { recordRead, recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { secretFaults, timeFaults } from '../validation.ts'
import { refreshPayment, type StatusChecked } from './check_status.ts'
import {
  type PaymentRepresentation,
  representSummary,
} from '../../domain/payment_representation.ts'
import { representWithin, revealSavedCard } from './representation.ts'

/** A payment of the caller; undefined if it is missing or another owner's. */
export async function readPayment(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<PaymentRepresentation | undefined> {
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const payment = await findPayment(tx, caller, id)
    return payment && { payment, shown: await representWithin(tx, payment) }
  })
  if (read !== undefined) await recordRead(ctx, caller, 'payment.read', read.payment)
  return read?.shown
}

/**
 * `get_status`: refreshes a payment of the caller from the gateway. Undefined if it is not the
 * caller's. The owner sees the saved card of the payment in this reply; staff do not (ADR 0019).
 */
export async function getStatus(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<StatusChecked | undefined> {
  const payment = await withReadTransaction(ctx.db, (tx) => findPayment(tx, caller, id))
  if (payment === undefined) return undefined
  await recordRead(ctx, caller, 'payment.check_status', payment)
  const { saved_card, ...checked } = await refreshPayment(ctx, payment, 'check_status')
  const own = caller.owner_id === payment.owner_id && caller.scopes.includes('payments:write')
  return own && saved_card !== undefined ? withSavedCard(checked, saved_card) : checked
}

function withSavedCard(checked: StatusChecked, saved: SavedCard): StatusChecked {
  const { payment, gateway_response } = checked
  const shown = typeof gateway_response === 'object' ? gateway_response : {}
  return {
    payment: { ...payment, ...revealSavedCard(saved) },
    gateway_response: { ...shown, saved_token_id: saved.token.reveal() },
  }
}

export type { Cursor } from '../../store/sql/lists.ts'

/** A page of the payments the caller may see, newest first (api-rules.md#lists). */
export async function listPayments(
  ctx: Context,
  caller: Caller,
  filters: PaymentFilters,
  page: PageRequest,
): Promise<Page<ReturnType<typeof representSummary>>> {
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, caller, filters, page),
  )
  await recordListRead(ctx, caller, 'payment.list', found.results)
  return { ...found, results: found.results.map(representSummary) }
}

const maybe = Type.Optional
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

/** What a list of payments can be asked (api-rules.md#lists). */
export const PAYMENT_QUERY = Type.Object(
  {
    payment_type: maybe(
      Type.Enum([...PAYMENT_TYPES], { description: 'Only payments with this payment method.' }),
    ),
    status: maybe(
      Type.Enum([...PAYMENT_STATUSES], { description: 'Only payments in this status.' }),
    ),
    order_id: maybe(text(100, 'Only the payment with this order id.')),
    customer_email: maybe(text(255, 'Only payments of the customer with this email address.')),
    subscription_id: maybe(
      Type.String({ pattern: UUID, description: 'Only payments of this subscription.' }),
    ),
    created_from: maybe(text(40, 'Only payments created at this time or later; with a zone.')),
    created_before: maybe(text(40, 'Only payments created before this time; with a zone.')),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

export const parsePaymentQuery = listQueryParser(PAYMENT_QUERY, (query) => {
  const { payment_type, status, order_id, customer_email, subscription_id, ...rest } = query
  const created_from = parseZonedTime(rest.created_from)
  const created_before = parseZonedTime(rest.created_before)
  const filters: PaymentFilters = {
    ...(payment_type && { payment_type }),
    ...(status && { transaction_status: status }),
    ...(order_id && { order_id }),
    ...(customer_email && { customer_email }),
    ...(subscription_id && { subscription_id }),
    ...(created_from && { created_from }),
    ...(created_before && { created_before }),
  }
  const faults = [
    // The links to other pages repeat what was asked.
    ...secretFaults({ order_id, customer_email }),
    ...timeFaults('created_from', rest.created_from, created_from),
    ...timeFaults('created_before', rest.created_before, created_before),
  ]
  return { filters, faults }
})
