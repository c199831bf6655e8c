import type { Caller } from '../domain/caller.ts'
import type { SubscriptionAction } from '../domain/subscription_transitions.ts'
import { listSubscriptionPage, type SubscriptionPage } from '../http/subscription_list.ts'
import * as routes from '../http/subscription_routes.ts'
import type { SubscriptionChecked } from '../services/linked_payments/get_subscription_status.ts'
import type { SubscriptionRepresentation } from '../services/subscriptions/representation.ts'
import { has, type CallWith, type List, type Lister, type Perform } from './api_calls.ts'

type Subscribed = Promise<SubscriptionRepresentation>
type Act = (caller: Caller, id: string, options?: CallWith) => Subscribed

/** The routes of subscriptions without HTTP, and the two services that have no path. */
export interface SubscriptionApi {
  createSubscription: (caller: Caller, input: unknown, options?: CallWith) => Subscribed
  getSubscription: (caller: Caller, id: string) => Subscribed
  listSubscriptions: List<SubscriptionPage>
  getSubscriptionStatus: (caller: Caller, id: string) => Promise<SubscriptionChecked>
  disableSubscription: Act
  enableSubscription: Act
  cancelSubscription: Act
  updateSubscription: (caller: Caller, id: string, input: unknown, options?: CallWith) => Subscribed
}

const isSubscription = (value: unknown): value is SubscriptionRepresentation =>
  has(value, 'interval_unit')
const isChecked = (value: unknown): value is SubscriptionChecked => has(value, 'gateway_response')

export const subscriptionApi = (perform: Perform, list: Lister): SubscriptionApi => {
  const act =
    (action: SubscriptionAction): Act =>
    async (caller, id, options) =>
      await perform(routes.subscriptionActionRoute, isSubscription, { caller, id, action, options })
  return {
    createSubscription: async (caller, input, options) =>
      await perform(routes.createSubscriptionRoute, isSubscription, { caller, input, options }),
    getSubscription: async (caller, id) =>
      await perform(routes.getSubscriptionRoute, isSubscription, { caller, id }),
    listSubscriptions: list(listSubscriptionPage),
    getSubscriptionStatus: async (caller, id) =>
      await perform(routes.getSubscriptionStatusRoute, isChecked, { caller, id }),
    disableSubscription: act('disable'),
    enableSubscription: act('enable'),
    cancelSubscription: act('cancel'),
    updateSubscription: async (caller, id, input, options) =>
      await perform(routes.updateSubscriptionRoute, isSubscription, { caller, id, input, options }),
  }
}
