// Disable, enable, cancel and update: each may be sent again, because sending it twice is sending it
// once (ADR 0008).
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { nextSubscriptionCheck, type GatewaySubscription } from '../../domain/subscription.ts'
import { SUBSCRIPTION_ACTION, type SubscriptionAction } from '../../domain/subscription_moves.ts'
import { subscriptionFacts, type SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import { readClock } from '../../store/settings.ts'
import { checkSubscriptionSoon, planSubscriptionCheck } from '../../store/subscription_checks.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { reasonOf } from '../operations/by_hand.ts'
import { changeObject, type Change } from '../operations/change_object.ts'
import type { Attempt } from '../operations/record_operation.ts'
import type { Outcome, Request } from '../requests.ts'
import { SUBSCRIPTION_ACCESS } from './subscription_access.ts'
import { stepSubscription } from './subscription_step.ts'

/** The gateway's word after a change is a sentence; what came of it is seen by asking. */
export type Seen = SubscriptionFacts | 'sent'

export type SubscriptionChanging = Change<GatewaySubscription, Seen>

export const gatewayIdOf = ({ gateway_subscription_id }: GatewaySubscription): string => {
  if (gateway_subscription_id === null) throw gatewayError('subscription_action_refused')
  return gateway_subscription_id
}

const look = async ({ gateway }: Context, subscription: GatewaySubscription): Promise<Seen> =>
  subscriptionFacts(await gateway.getSubscription(gatewayIdOf(subscription)))

/** What the four have in common. */
export const CHANGING = {
  access: SUBSCRIPTION_ACCESS,
  look,
  maySend: () => true,
  // It is not in the state we thought it in.
  refused: async (tx: Tx, { id }: GatewaySubscription) => await checkSubscriptionSoon(tx, id),
} satisfies Partial<SubscriptionChanging>

const CALLS: Record<
  SubscriptionAction,
  (ctx: Context, id: string, operation: GatewayOperation) => Promise<unknown>
> = {
  disable: ({ gateway }, id, { id: idempotency_key }) =>
    gateway.disableSubscription(id, { idempotency_key }),
  enable: ({ gateway }, id, { id: idempotency_key }) =>
    gateway.enableSubscription(id, { idempotency_key }),
  cancel: ({ gateway }, id, { id: idempotency_key }) =>
    gateway.cancelSubscription(id, { idempotency_key }),
}

/**
 * What the gateway's status must be once the action was carried out. `inactive` does not show a
 * cancel, for a disable reads the same and leaves retries running
 * (gateway-protocol.md#subscription-statuses): that is sent again.
 */
const SHOWN: Record<SubscriptionAction, SubscriptionFacts['status'] | 'nothing'> = {
  disable: 'inactive',
  enable: 'active',
  cancel: 'nothing',
}

export const actionChange = (action: SubscriptionAction): SubscriptionChanging => ({
  ...CHANGING,
  send: async (ctx, subscription, operation) => {
    await CALLS[action](ctx, gatewayIdOf(subscription), operation)
    return 'sent'
  },
  isDone: (_operation, seen) => seen === 'sent' || seen.status === SHOWN[action],
  done: async (tx, held, _seen, attempt) => await acted(tx, held, action, attempt),
})

async function acted(
  tx: Tx,
  held: GatewaySubscription,
  action: SubscriptionAction,
  { operation, source, by }: Attempt,
): Promise<GatewaySubscription> {
  const { to: status, signal } = SUBSCRIPTION_ACTION[action]
  const record = { signal, source, evidence_id: operation.id, notification_id: null, reason: null }
  const stepped = await stepSubscription(tx, held, { status }, { ...record, ...reasonOf(by) })
  const next_check_at = nextSubscriptionCheck(stepped, await readClock(tx))
  const plan = { claimed_at: held.next_check_at, next_check_at }
  return (await planSubscriptionCheck(tx, held.id, plan)) ?? stepped
}

/** Asks the rule under the lock, then the gateway (api-rules.md#actions). */
export const actOnSubscription = async (
  ctx: Context,
  request: Request,
  id: string,
  action: SubscriptionAction,
): Promise<Outcome> =>
  await changeObject(ctx, request, {
    id,
    plan: {
      kind: `${action}_subscription`,
      request: {},
      check: (subscription) => {
        const allowed = SUBSCRIPTION_ACTION[action].from.includes(subscription.status)
        if (!allowed) throw gatewayError('subscription_action_refused')
        gatewayIdOf(subscription)
      },
    },
    change: actionChange(action),
  })
