import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { formatMoney } from '../../domain/money.ts'
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
  type GatewaySubscription,
} from '../../domain/subscription.ts'
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

const time = (at: Date | null): string | null => at?.toISOString() ?? null

/** The reduced form of lists (api-rules.md#lists). */
const representSubscriptionSummary = (subscription: GatewaySubscription) => ({
  id: subscription.id,
  name: subscription.name,
  payment_type: subscription.payment_type,
  amount: formatMoney(subscription.amount),
  currency: subscription.currency,
  interval: subscription.interval,
  interval_unit: subscription.interval_unit,
  max_interval: subscription.max_interval,
  current_interval: subscription.current_interval,
  status: subscription.status,
  next_execution_at: time(subscription.next_execution_at),
  created_at: subscription.created_at.toISOString(),
})

/** The full form: everything stored that is not internal. There is no token. */
export const representSubscription = (subscription: GatewaySubscription) => ({
  ...representSubscriptionSummary(subscription),
  gateway_subscription_id: subscription.gateway_subscription_id,
  start_time: time(subscription.start_time),
  retry_interval: subscription.retry_interval,
  retry_interval_unit: subscription.retry_interval_unit,
  retry_max_interval: subscription.retry_max_interval,
  last_payment_id: subscription.last_payment_id,
  customer_first_name: subscription.customer_first_name,
  customer_last_name: subscription.customer_last_name,
  customer_email: subscription.customer_email,
  customer_phone: subscription.customer_phone,
  metadata: subscription.metadata,
  updated_at: subscription.updated_at.toISOString(),
})

export type SubscriptionRepresentation = ReturnType<typeof representSubscription>
