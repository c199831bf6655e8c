import { gatewayError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { SUBSCRIPTION_UPDATE_FROM } from '../../domain/subscription_moves.ts'
import { subscriptionFacts } from '../../gateway/subscription_facts.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/change_object.ts'
import type { Attempt } from '../operations/record_operation.ts'
import type { Outcome, Request } from '../requests.ts'
import { CHANGING, gatewayIdOf, type SubscriptionChanging } from './change_subscription.ts'
import { parseSubscriptionChanges } from './subscription_order.ts'
import { updateRequest } from './subscription_request.ts'
import { stepSubscription } from './subscription_step.ts'

/**
 * Changes what a subscription charges, how often, and how it is retried. Our own name for it changes
 * here alone: the gateway keeps the minted one, or its cycles would no longer name it (ADR 0012).
 */
export async function updateSubscription(
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome> {
  const { amount, ...rest } = parseSubscriptionChanges(input)
  return await changeObject(ctx, request, {
    id,
    plan: {
      kind: 'update_subscription',
      request: { ...rest, ...(amount !== undefined && { amount: formatMoney(amount) }) },
      check: (subscription) => {
        if (!SUBSCRIPTION_UPDATE_FROM.includes(subscription.status))
          throw gatewayError('subscription_action_refused')
        gatewayIdOf(subscription)
      },
    },
    change: UPDATE_CHANGE,
  })
}

/** Made from the written operation alone; a look cannot show an interval that holds only later. */
export const UPDATE_CHANGE: SubscriptionChanging = {
  ...CHANGING,
  send: async ({ gateway }, subscription, operation) => {
    const id = gatewayIdOf(subscription)
    const reply = await gateway.getSubscription(id)
    const { token, gopay } = reply
    if (typeof token !== 'string')
      throw gatewayError('gateway_refused', { operation: 'update_subscription' })
    const changes = parseSubscriptionChanges(operation.request)
    // What is not to change is what the gateway has, which may be newer than our record.
    const amount = subscriptionFacts(reply).amount ?? subscription.amount
    const there = { token, amount, account_id: gopay?.account_id ?? null }
    await gateway.updateSubscription(id, updateRequest(subscription, changes, there))
    return 'sent'
  },
  isDone: (_operation, seen) => seen === 'sent',
  done: async (tx, held, _seen, attempt) => await updated(tx, held, attempt),
}

async function updated(
  tx: Tx,
  held: GatewaySubscription,
  { operation, source }: Attempt,
): Promise<GatewaySubscription> {
  const record = { signal: null, source, evidence_id: operation.id, notification_id: null }
  const changes = parseSubscriptionChanges(operation.request)
  return await stepSubscription(tx, held, changes, { ...record, reason: 'updated' })
}
