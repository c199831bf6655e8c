import type { SubscriptionRepresentation } from 'gapura'
import { tokenOfSavedCard } from '../card_token.ts'
import { subscriptionRows } from '../object_rows.ts'
import { asMade, scenario, type Kind, type Stage } from './scenario.ts'

const SUBSCRIPTION: Kind<SubscriptionRepresentation> = {
  noun: 'subscription',
  find: async ({ gapura, caller }, id) => await gapura.api.getSubscription(caller, id),
  history: async ({ gapura, caller }, id) => await gapura.staff.subscriptionHistory(caller, id),
  refresh: async ({ gapura, caller }, id) => await gapura.api.getSubscriptionStatus(caller, id),
  rows: subscriptionRows,
}

const made = async ({ gapura, caller, gateway }: Stage): Promise<SubscriptionRepresentation> =>
  await gapura.api.createSubscription(caller, {
    name: 'Teh Bulanan',
    amount: 50_000,
    payment_type: 'credit_card',
    token: await tokenOfSavedCard(gateway),
    interval: 1,
    interval_unit: 'month',
    max_interval: 12,
    customer_details: { first_name: 'Citra', email: 'citra@example.com' },
  })

type Provoke = (stage: Stage, subscription: SubscriptionRepresentation) => Promise<void>

/** Runs the next cycle now. */
const charged: Provoke = async ({ simulator }, { gateway_subscription_id }) =>
  await simulator.act(`subscriptions/${gateway_subscription_id ?? ''}/cycle`)

const disabled: Provoke = async ({ gapura, caller }, { id }) => {
  await gapura.api.disableSubscription(caller, id)
}

const cancelled: Provoke = async ({ gapura, caller }, { id }) => {
  await gapura.api.cancelSubscription(caller, id)
}

export const SUBSCRIPTION_SCENARIOS = {
  subscription_created: scenario(SUBSCRIPTION, { make: made, provoke: asMade }),
  subscription_charged: scenario(SUBSCRIPTION, { make: made, provoke: charged }),
  subscription_disabled: scenario(SUBSCRIPTION, { make: made, provoke: disabled }),
  subscription_cancelled: scenario(SUBSCRIPTION, { make: made, provoke: cancelled }),
}
