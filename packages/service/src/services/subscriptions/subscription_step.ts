import type { SubscriptionSignal } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { changeSubscription, type SubscriptionChange } from '../../store/subscriptions/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { recordObjectStep, type StepRecord } from '../object_step.ts'

/** One transition of a locked subscription, with its history and its event. */
export async function stepSubscription(
  tx: Tx,
  held: GatewaySubscription,
  change: SubscriptionChange,
  record: StepRecord<SubscriptionSignal>,
): Promise<GatewaySubscription> {
  const changed = await changeSubscription(tx, held, change)
  if (changed === undefined) throw new Error(`subscription ${held.id} changed while locked`)
  const stepped = {
    object_kind: 'subscription' as const,
    object: changed,
    from_status: held.status,
    to_status: changed.status,
  }
  await recordObjectStep(tx, stepped, record)
  return changed
}
