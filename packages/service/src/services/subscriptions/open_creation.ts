import type { GatewayError } from '../../domain/errors.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import type { SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import type { Tx } from '../../store/transaction.ts'
import { reasonOf } from '../operations/by_hand.ts'
import type { OpenCreation } from '../operations/create_object.ts'
import type { Attempt } from '../operations/record_operation.ts'
import { applySubscriptionFacts } from './apply_subscription_facts.ts'
import { SUBSCRIPTION_ACCESS } from './subscription_access.ts'
import { stepSubscription } from './subscription_step.ts'

/** The gateway keeps a key for three minutes; past two a repeat could become a second one. */
export const REPLAY_WITHIN_MS = 120_000

/** What becomes of a creation, whoever sent it. Only who has the token can send it again. */
export const OPEN_CREATION: Omit<OpenCreation<GatewaySubscription, SubscriptionFacts>, 'send'> = {
  access: SUBSCRIPTION_ACCESS,
  kind: 'create_subscription',
  replay_within_ms: REPLAY_WITHIN_MS,
  saidBy: ({ gateway_id, status }) => ({ gateway_id, status }),
  isKnown: ({ gateway_subscription_id }) => gateway_subscription_id !== null,
  made: async (tx, held, facts, { operation, source, by }) =>
    await applySubscriptionFacts(tx, held, facts, {
      source,
      evidence_id: operation.id,
      claimed_at: held.next_check_at,
      ...reasonOf(by),
    }),
  refused: async (tx, held, error, attempt) => await refuse(tx, held, error, attempt),
}

async function refuse(
  tx: Tx,
  held: GatewaySubscription,
  { code }: GatewayError,
  { operation, source, by }: Attempt,
): Promise<void> {
  // A cycle may have shown meanwhile that it was made.
  if (held.status !== 'initiated') return
  const record = { signal: null, source, evidence_id: operation.id, notification_id: null }
  await stepSubscription(
    tx,
    held,
    { status: 'failure' },
    { ...record, reason: code, ...reasonOf(by) },
  )
}
