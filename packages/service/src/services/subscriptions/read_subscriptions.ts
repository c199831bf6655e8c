import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../domain/subscription.ts'
import {
  representSubscription,
  representSubscriptionSummary,
  type SubscriptionRepresentation,
} from '../../domain/subscription_representation.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Page, PageRequest } from '../../store/sql/lists.ts'
import {
  findSubscription,
  listSubscriptions as listStored,
} from '../../store/subscriptions/rows.ts'
import { recordRead, recordListRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'

/** A subscription of the caller; undefined if it is missing or another owner's. */
export async function readSubscription(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<SubscriptionRepresentation | undefined> {
  const subscription = await withReadTransaction(
    ctx.db,
    async (tx) => await findSubscription(tx, caller, id),
  )
  if (subscription === undefined) return undefined
  await recordRead(ctx, caller, 'subscription.read', subscription)
  return representSubscription(subscription)
}

/** What a list of subscriptions can be asked (api-rules.md#lists). */
export const SUBSCRIPTION_QUERY = Type.Object(
  {
    status: Type.Optional(
      Type.Enum([...SUBSCRIPTION_STATUSES], { description: 'Only subscriptions in this status.' }),
    ),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

export const parseSubscriptionQuery = listQueryParser(SUBSCRIPTION_QUERY, ({ status }) => ({
  filters: status === undefined ? {} : { status },
}))

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
