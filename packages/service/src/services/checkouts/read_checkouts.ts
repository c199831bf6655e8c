import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { CHECKOUT_STATUSES } from '../../domain/checkout.ts'
import {
  representCheckoutSummary,
  type CheckoutReply,
} from '../../domain/checkout_representation.ts'
import { parseZonedTime } from '../../domain/time.ts'
import {
  findCheckout,
  listCheckouts as listStored,
  type CheckoutFilters,
} from '../../store/checkouts/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { recordListRead, recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { secretFaults, timeFaults } from '../validation.ts'
import { representCheckoutWithin } from './step_checkout.ts'

/** A checkout of the caller with its page; undefined if missing or another owner's (ADR 0020). */
export async function readCheckout(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<CheckoutReply | undefined> {
  const read = await withReadTransaction(ctx.db, async (tx) => {
    const checkout = await findCheckout(tx, caller, id)
    return checkout && { checkout, shown: await representCheckoutWithin(tx, checkout) }
  })
  if (read === undefined) return undefined
  const { checkout, shown } = read
  await recordRead(ctx, caller, 'checkout.read', checkout)
  return { ...shown, token: checkout.token, redirect_url: checkout.redirect_url }
}

/** A page of the checkouts the caller may see, newest first (api-rules.md#lists). */
export async function listCheckouts(
  ctx: Context,
  caller: Caller,
  filters: CheckoutFilters,
  page: PageRequest,
): Promise<Page<ReturnType<typeof representCheckoutSummary>>> {
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, caller, filters, page),
  )
  await recordListRead(ctx, caller, 'checkout.list', found.results)
  return { ...found, results: found.results.map(representCheckoutSummary) }
}

const maybe = Type.Optional
const time = (description: string) => Type.String({ minLength: 1, maxLength: 40, description })

/** What a list of checkouts can be asked (api-rules.md#lists). */
export const CHECKOUT_QUERY = Type.Object(
  {
    status: maybe(
      Type.Enum([...CHECKOUT_STATUSES], { description: 'Only checkouts in this status.' }),
    ),
    order_id: maybe(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'Only checkouts of this order id.',
      }),
    ),
    created_from: maybe(time('Only checkouts created at this time or later; with a zone.')),
    created_before: maybe(time('Only checkouts created before this time; with a zone.')),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

export const parseCheckoutQuery = listQueryParser(CHECKOUT_QUERY, (query) => {
  const { status, order_id } = query
  const created_from = parseZonedTime(query.created_from)
  const created_before = parseZonedTime(query.created_before)
  const filters: CheckoutFilters = {
    ...(status && { status }),
    ...(order_id && { order_id }),
    ...(created_from && { created_from }),
    ...(created_before && { created_before }),
  }
  const faults = [
    // The links to other pages repeat what was asked.
    ...secretFaults({ order_id }),
    ...timeFaults('created_from', query.created_from, created_from),
    ...timeFaults('created_before', query.created_before, created_before),
  ]
  return { filters, faults }
})
