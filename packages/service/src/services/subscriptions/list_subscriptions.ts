import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../domain/subscription.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import { listSubscriptions as listStored } from '../../store/subscriptions/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { PAGE_QUERY, pageAsked } from '../page_query.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { representSubscriptionSummary } from './representation.ts'

/** The filters of a list of subscriptions. Closed, as those of payments. */
export const SUBSCRIPTION_QUERY = Type.Object(
  { status: Type.Optional(Type.Enum([...SUBSCRIPTION_STATUSES])), ...PAGE_QUERY },
  { additionalProperties: false },
)

const parseQuery = requestParser(SUBSCRIPTION_QUERY)

/** The filter, page size and cursor of a query; every fault at once. */
export function parseSubscriptionQuery(input: unknown) {
  const { status, ...rest } = parseQuery(input)
  const { page_size, cursor, faults } = pageAsked(rest)
  refuseFaults(faults)
  return { filters: status === undefined ? {} : { status }, page_size, cursor }
}

/** A page of the subscriptions the caller may see, newest first (api-rules.md#lists). */
export async function listSubscriptions(
  ctx: Context,
  caller: Caller,
  filters: { status?: SubscriptionStatus },
  page: PageRequest,
): Promise<Page<ReturnType<typeof representSubscriptionSummary>>> {
  const found = await withReadTransaction(
    ctx.db,
    async (tx) => await listStored(tx, caller, filters, page),
  )
  await recordListRead(ctx, caller, 'subscription.list', found.results)
  return { ...found, results: found.results.map(representSubscriptionSummary) }
}
