import {
  checkSubscriptionSoon,
  claimDueSubscriptions,
  hintSubscription,
  planSubscriptionCheck,
} from '../../src/store/subscriptions/checks.ts'
import {
  countCycle,
  isAmountNewer,
  listUnknownCycles,
  wasAmountAt,
} from '../../src/store/subscriptions/cycles.ts'
import { findSubscriptionById, lockSubscription } from '../../src/store/subscriptions/rows.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'

const GATEWAY_ID = 'gateway_subscription_gateway_id'
const NAME = 'gateway_subscription_gateway_name'

/** The look-ups and queues of subscriptions; their lists are among the other tables'. */
export function subscriptionCases({ id, subscription_id }: Landmarks): PlanCase[] {
  const BY_ID = ['gateway_subscription_pkey']
  const transactions = Array.from({ length: 50 }, (_, n) => `transaction-${n}`)
  return [
    {
      query: 'subscription by id',
      indexes: BY_ID,
      run: async (tx) => await findSubscriptionById(tx, subscription_id),
    },
    {
      query: 'lock subscription',
      indexes: BY_ID,
      run: async (tx) => await lockSubscription(tx, subscription_id),
    },
    {
      query: 'whether an amount was a subscription’s',
      indexes: BY_ID,
      run: async (tx) =>
        await wasAmountAt(tx, { id: subscription_id, amount: 5_000_000n, at: new Date() }),
    },
    {
      query: 'whether an amount is newer',
      indexes: BY_ID,
      run: async (tx) => await isAmountNewer(tx, subscription_id, 60_000),
    },
    {
      query: 'claim 20 due subscriptions',
      indexes: ['gateway_subscription_next_check'],
      writes: true,
      run: async (tx) => await claimDueSubscriptions(tx, { limit: 20, lease_ms: 60_000 }),
    },
    {
      query: 'notice about a known subscription',
      indexes: [GATEWAY_ID],
      writes: true,
      run: async (tx) =>
        await hintSubscription(tx, { gateway_id: 'gateway-7', gateway_name: 'monthly-7' }),
    },
    {
      query: 'notice about one without an id',
      indexes: [NAME],
      writes: true,
      run: async (tx) =>
        await hintSubscription(tx, { gateway_id: 'stranger', gateway_name: 'monthly-100' }),
    },
    {
      query: 'ask soon about a subscription',
      indexes: BY_ID,
      writes: true,
      run: async (tx) => await checkSubscriptionSoon(tx, subscription_id),
    },
    {
      query: 'plan the check of a subscription',
      indexes: BY_ID,
      writes: true,
      run: async (tx) =>
        await planSubscriptionCheck(tx, subscription_id, { claimed_at: null, next_check_at: null }),
    },
    {
      query: 'cycles not known yet',
      indexes: ['gateway_payment_cycle'],
      run: async (tx) => await listUnknownCycles(tx, subscription_id, transactions),
    },
    {
      query: 'count the cycles',
      indexes: ['gateway_payment_cycle'],
      writes: true,
      run: async (tx) => await countCycle(tx, { id: subscription_id, payment_id: id }),
    },
  ]
}
