import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import {
  listSubscriptions,
  parseSubscriptionQuery,
} from '../services/subscriptions/list_subscriptions.ts'
import { refuseValue } from './json_body.ts'
import { pageFor, type ListPage } from './pages.ts'

type Summary = Awaited<ReturnType<typeof listSubscriptions>>['results'][number]

export type SubscriptionPage = ListPage<Summary>

/** A page of the caller's subscriptions for a query of texts. */
export async function listSubscriptionPage(
  ctx: Context,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<SubscriptionPage> {
  refuseValue(query)
  const { filters, ...asked } = parseSubscriptionQuery(query)
  return await pageFor(asked, async (page) => await listSubscriptions(ctx, caller, filters, page))
}
