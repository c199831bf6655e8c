// The routes of subscriptions (api-rules.md#subscriptions).
import { gatewayError } from '../domain/errors.ts'
import {
  isSubscriptionAction,
  type SubscriptionAction,
} from '../domain/subscription_transitions.ts'
import type { Context } from '../services/context.ts'
import { getSubscriptionStatus } from '../services/linked_payments/get_subscription_status.ts'
import { replied, type Outcome, type Request } from '../services/requests.ts'
import {
  cancelSubscription,
  disableSubscription,
  enableSubscription,
  updateSubscription,
} from '../services/subscriptions/actions.ts'
import { createSubscription } from '../services/subscriptions/create_subscription.ts'
import { readSubscription } from '../services/subscriptions/read_subscription.ts'
import { withLinks } from './pages.ts'
import { found, refuseInput, type CallerRoute } from './route.ts'
import { listSubscriptionPage } from './subscription_list.ts'

export const listSubscriptionsRoute: CallerRoute = {
  method: 'GET',
  path: '/subscriptions/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, query, path }) =>
    replied(200, withLinks(await listSubscriptionPage(ctx, request.caller, query), path, query)),
}

export const createSubscriptionRoute: CallerRoute = {
  method: 'POST',
  path: '/subscriptions/',
  access: 'caller',
  scope: 'subscriptions:write',
  run: async (ctx, { input, request }) => await createSubscription(ctx, input, request),
}

export const getSubscriptionRoute: CallerRoute = {
  method: 'GET',
  path: '/subscriptions/{pk}/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await readSubscription(ctx, request.caller, id)),
}

const ACTIONS: Record<
  SubscriptionAction,
  (ctx: Context, request: Request, id: string) => Promise<Outcome>
> = { disable: disableSubscription, enable: enableSubscription, cancel: cancelSubscription }

export const subscriptionActionRoute: CallerRoute = {
  method: 'POST',
  path: '/subscriptions/{pk}/{action_name}/',
  access: 'caller',
  scope: 'subscriptions:write',
  run: async (ctx, { request, id, action, input }) => {
    refuseInput(input)
    // Whoever's it is: an action that does not exist exists for nobody (ADR 0012).
    if (!isSubscriptionAction(action)) throw gatewayError('unknown_action')
    return await ACTIONS[action](ctx, request, id)
  },
}

// The specification names these among the services and gives them no path; in-process only.

export const getSubscriptionStatusRoute: CallerRoute = {
  method: 'GET',
  path: '/subscriptions/{pk}/status/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await getSubscriptionStatus(ctx, request.caller, id)),
}

export const updateSubscriptionRoute: CallerRoute = {
  method: 'POST',
  path: '/subscriptions/{pk}/update/',
  access: 'caller',
  scope: 'subscriptions:write',
  run: async (ctx, { request, id, input }) => await updateSubscription(ctx, request, id, input),
}

export const SUBSCRIPTION_ROUTES: readonly CallerRoute[] = [
  listSubscriptionsRoute,
  createSubscriptionRoute,
  getSubscriptionRoute,
  subscriptionActionRoute,
]
