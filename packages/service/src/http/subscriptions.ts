// The routes of subscriptions (api-rules.md#subscriptions). No reply has the token.
import { gatewayError } from '../domain/errors.ts'
import { SUBSCRIPTION_PAYMENT_TYPES } from '../domain/payment_type.ts'
import {
  INTERVAL_UNITS,
  RETRY_INTERVAL_UNITS,
  SUBSCRIPTION_STATUSES,
} from '../domain/subscription.ts'
import { isSubscriptionAction } from '../domain/subscription_transitions.ts'
import type { Context } from '../services/context.ts'
import { getSubscriptionStatus } from '../services/linked_payments/refresh_subscription.ts'
import {
  cancelSubscription,
  disableSubscription,
  enableSubscription,
  updateSubscription,
  createSubscription,
} from '../services/subscriptions/actions.ts'
import {
  listSubscriptions,
  parseSubscriptionQuery,
  SUBSCRIPTION_QUERY,
  readSubscription,
} from '../services/subscriptions/read_subscriptions.ts'
import {
  SUBSCRIPTION_INPUT,
  SUBSCRIPTION_RULES,
  SUBSCRIPTION_UPDATE,
  type SubscriptionInput,
} from '../services/subscriptions/subscription_order.ts'
import { listRoute, NEWEST_FIRST, type ListPage } from './platform/list.ts'
import { CHANGING, inProcess, route, type Asked } from './platform/route.ts'
import {
  anyObject,
  count,
  countOrNull,
  money,
  named,
  oneOf,
  oneOfOrNull,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  variants,
} from './platform/schema.ts'

const summary = {
  id: uuid('The id of the subscription.'),
  name: text('The name of the subscription.'),
  payment_type: oneOf(SUBSCRIPTION_PAYMENT_TYPES, 'The payment method of every cycle.'),
  amount: money('The amount of one cycle, in rupiah with two decimals.'),
  currency: text('The currency; always `IDR`.'),
  interval: count('How many interval units one cycle lasts.'),
  interval_unit: oneOf(INTERVAL_UNITS, 'The unit of the interval.'),
  max_interval: countOrNull('How many cycles there are to be; null: until it is cancelled.'),
  current_interval: count('How many cycles were paid.'),
  status: oneOf(
    SUBSCRIPTION_STATUSES,
    "The gateway's `active` or `inactive`, or a status of ours, which a refresh does not overwrite.",
  ),
  next_execution_at: timeOrNull('When the gateway charges the next cycle.'),
  created_at: time('When the subscription was created here.'),
}

export const SUBSCRIPTION_SUMMARY = named('SubscriptionSummary', summary)
export const SUBSCRIPTION_PAGE = pageOf('SubscriptionPage', SUBSCRIPTION_SUMMARY)

export const SUBSCRIPTION = named('Subscription', {
  ...summary,
  gateway_subscription_id: textOrNull(
    "The gateway's id of the subscription; null until it has answered.",
  ),
  start_time: timeOrNull('When the first cycle is charged.'),
  retry_interval: countOrNull('How many retry units the gateway waits before a retry.'),
  retry_interval_unit: oneOfOrNull(RETRY_INTERVAL_UNITS, 'The unit of the retry interval.'),
  retry_max_interval: countOrNull('How often the gateway retries a cycle that failed.'),
  last_payment_id: uuidOrNull('The payment of the latest cycle.'),
  customer_first_name: textOrNull('The first name of the customer.'),
  customer_last_name: textOrNull('The last name of the customer.'),
  customer_email: textOrNull('The email address of the customer.'),
  customer_phone: textOrNull('The phone number of the customer.'),
  metadata: anyObject('Your own data, stored as it was given.'),
  updated_at: time('When the subscription last changed here.'),
})

const ACTIONS = {
  disable: disableSubscription,
  enable: enableSubscription,
  cancel: cancelSubscription,
}

const act = async (ctx: Context, { request, id }: Asked, action: keyof typeof ACTIONS) =>
  await ACTIONS[action](ctx, request, id)

const changing = { method: 'POST', scope: 'subscriptions:write' } as const

export type SubscriptionPage = ListPage<
  Awaited<ReturnType<typeof listSubscriptions>>['results'][number]
>

export const subscriptions = {
  listSubscriptions: listRoute(
    {
      path: '/subscriptions/',
      operation: 'list_subscriptions',
      summary: 'List subscriptions, newest first; staff see those of every owner',
      scope: null,
      query: SUBSCRIPTION_QUERY,
      reply: SUBSCRIPTION_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseSubscriptionQuery, find: listSubscriptions },
  ),

  createSubscription: route({
    ...changing,
    path: '/subscriptions/',
    operation: 'create_subscription',
    summary: 'Create a subscription at the gateway; its token is forwarded and never stored',
    input: titled(
      'SubscriptionInput',
      variants<SubscriptionInput>(SUBSCRIPTION_INPUT, 'payment_type', SUBSCRIPTION_RULES),
    ),
    status: 201,
    reply: SUBSCRIPTION,
    errors: CHANGING,
    example: {
      card: {
        summary: 'A saved card, monthly for a year',
        value: {
          name: 'Monthly tea',
          amount: 44_000,
          payment_type: 'credit_card',
          token: 'token-of-the-saved-card',
          interval: 1,
          interval_unit: 'month',
          max_interval: 12,
        },
      },
    },
    run: async (ctx, { input, request }) => await createSubscription(ctx, input, request),
  }),

  getSubscription: route({
    method: 'GET',
    path: '/subscriptions/{pk}/',
    operation: 'get_subscription',
    summary: 'Read a subscription',
    scope: null,
    reply: SUBSCRIPTION,
    run: async (ctx, { request, id }) => await readSubscription(ctx, request.caller, id),
  }),

  // Over HTTP these three are one route, below.

  disableSubscription: inProcess({
    ...changing,
    path: '/subscriptions/{pk}/disable/',
    run: async (ctx, asked) => await act(ctx, asked, 'disable'),
  }),

  enableSubscription: inProcess({
    ...changing,
    path: '/subscriptions/{pk}/enable/',
    run: async (ctx, asked) => await act(ctx, asked, 'enable'),
  }),

  cancelSubscription: inProcess({
    ...changing,
    path: '/subscriptions/{pk}/cancel/',
    run: async (ctx, asked) => await act(ctx, asked, 'cancel'),
  }),

  // The specification names these two among the services and gives them no path.

  getSubscriptionStatus: inProcess({
    method: 'GET',
    path: '/subscriptions/{pk}/status/',
    scope: null,
    run: async (ctx, { request, id }) => await getSubscriptionStatus(ctx, request.caller, id),
  }),

  updateSubscription: inProcess({
    ...changing,
    path: '/subscriptions/{pk}/update/',
    input: SUBSCRIPTION_UPDATE,
    run: async (ctx, { request, id, input }) => await updateSubscription(ctx, request, id, input),
  }),
}

/** The three actions by the name in the path (ADR 0012). */
export const subscriptionAction = route({
  ...changing,
  path: '/subscriptions/{pk}/{action_name}/',
  operation: 'act_on_subscription',
  summary: 'Disable a subscription, enable it again, or cancel it permanently',
  reply: SUBSCRIPTION,
  errors: [...CHANGING, 'unknown_action', 'subscription_action_refused'],
  run: async (ctx, asked) => {
    // Before the owner is checked: an action that does not exist is unknown to every caller.
    if (!isSubscriptionAction(asked.action)) throw gatewayError('unknown_action')
    return await act(ctx, asked, asked.action)
  },
})
