import { SUBSCRIPTION_QUERY } from '../services/subscriptions/list_subscriptions.ts'
import { SUBSCRIPTION_INPUT } from '../services/subscriptions/subscription_input.ts'
import type { Route } from './route.ts'
import { CHANGING, titled, type RouteDocument } from './route_document.ts'
import * as routes from './subscription_routes.ts'
import { SUBSCRIPTION, SUBSCRIPTION_PAGE } from './subscription_schemas.ts'

export const SUBSCRIPTION_DOCUMENTS: readonly (readonly [Route, RouteDocument])[] = [
  [
    routes.listSubscriptionsRoute,
    {
      operation: 'list_subscriptions',
      summary: 'List subscriptions, newest first; staff see those of every owner',
      query: SUBSCRIPTION_QUERY,
      status: 200,
      reply: SUBSCRIPTION_PAGE,
      errors: ['invalid_request'],
    },
  ],
  [
    routes.createSubscriptionRoute,
    {
      operation: 'create_subscription',
      summary: 'Create a subscription at the gateway; its token is sent on and never kept',
      body: titled('SubscriptionInput', SUBSCRIPTION_INPUT),
      status: 201,
      reply: SUBSCRIPTION,
      errors: CHANGING,
    },
  ],
  [
    routes.getSubscriptionRoute,
    {
      operation: 'get_subscription',
      summary: 'Read a subscription',
      status: 200,
      reply: SUBSCRIPTION,
      errors: [],
    },
  ],
  [
    routes.subscriptionActionRoute,
    {
      operation: 'act_on_subscription',
      summary: 'Disable a subscription for a time, enable it again, or cancel it for ever',
      status: 200,
      reply: SUBSCRIPTION,
      errors: [...CHANGING, 'unknown_action', 'subscription_action_refused'],
    },
  ],
]
