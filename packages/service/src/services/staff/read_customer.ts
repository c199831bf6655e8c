import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { representCheckoutSummary } from '../../domain/checkout_representation.ts'
import { representInvoiceSummary } from '../../domain/invoice_representation.ts'
import { phoneDigits } from '../../domain/search_term.ts'
import { OBJECT_KINDS, type ObjectKind } from '../../domain/signals.ts'
import { representSubscriptionSummary } from '../../domain/subscription_representation.ts'
import { listCheckouts } from '../../store/checkouts/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { listInvoices } from '../../store/invoices/rows.ts'
import { listStaffPayments } from '../../store/payments/lists.ts'
import { readSearchFreshness } from '../../store/search/entries.ts'
import { listCustomerObjects, type CustomerKey } from '../../store/search/found.ts'
import { listSubscriptions } from '../../store/subscriptions/rows.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { representStaffSummary } from './list_payments.ts'

const maybe = Type.Optional

/** One of them, or both: what has either. */
export const CUSTOMER_QUERY = Type.Object(
  {
    email: maybe(
      Type.String({ minLength: 3, maxLength: 255, description: 'The email address, as a whole.' }),
    ),
    phone: maybe(
      Type.String({
        minLength: 5,
        maxLength: 30,
        description: 'The phone number in any spelling, as 0812… or +62 812….',
      }),
    ),
  },
  { additionalProperties: false },
)

const parseCustomer = requestParser(CUSTOMER_QUERY)

/** The newest of each kind. */
const SHOWN_MAX = 100

/** Everything of one customer: payments, invoices, subscriptions and checkouts, newest first. */
export async function readCustomer(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const { email, phone } = parseCustomer(query)
  if (email === undefined && phone === undefined) {
    refuseFaults([{ field: 'email', message: 'or phone, at least one of them' }])
  }
  const key: CustomerKey = {
    ...(email !== undefined && { customer_email: email.trim() }),
    ...(phone !== undefined && { customer_phone: phoneDigits(phone) }),
  }
  const { shown, ...customer } = await withReadTransaction(
    ctx.db,
    async (tx) => await customerWithin(tx, caller, key),
  )
  await recordListRead(ctx, caller, 'customer.read', shown)
  return customer
}

async function customerWithin(tx: Tx, caller: Caller, key: CustomerKey) {
  const { fresh_at } = await readSearchFreshness(tx)
  const found = await listCustomerObjects(tx, key, SHOWN_MAX)
  const idsOf = (kind: ObjectKind): { ids: string[] } => ({
    ids: found.filter((one) => one.object_kind === kind).map((one) => one.object_id),
  })
  const page = { cursor: null, page_size: SHOWN_MAX }
  const payments = await listStaffPayments(tx, idsOf('payment'), { ...page, sort: 'newest' })
  const invoices = await listInvoices(tx, caller, idsOf('invoice'), page)
  const subscriptions = await listSubscriptions(tx, caller, idsOf('subscription'), page)
  const checkouts = await listCheckouts(tx, caller, idsOf('checkout'), page)
  const now = await readClock(tx)
  const lists = [payments, invoices, subscriptions, checkouts]
  return {
    shown: lists.flatMap(({ results }) => results.map(({ id, owner_id }) => ({ id, owner_id }))),
    fresh_at: fresh_at.toISOString(),
    more: OBJECT_KINDS.some((kind) => idsOf(kind).ids.length >= SHOWN_MAX),
    payments: payments.results.map(representStaffSummary),
    invoices: invoices.results.map((invoice) => representInvoiceSummary(invoice, now)),
    subscriptions: subscriptions.results.map(representSubscriptionSummary),
    checkouts: checkouts.results.map(representCheckoutSummary),
  }
}
