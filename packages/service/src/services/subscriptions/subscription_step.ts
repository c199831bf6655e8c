import type { GatewayOperation } from '../../domain/operation.ts'
import type { SubscriptionSignal } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { endOperation } from '../../store/operations/rows.ts'
import { closeAlarmAbout } from '../../store/staff/alarms.ts'
import { changeSubscription, type SubscriptionChange } from '../../store/subscriptions/rows.ts'
import { recordObjectStep, type StepRecord } from '../object_step.ts'
import { keepReply } from '../requests.ts'
import { representSubscription } from '../../domain/subscription_representation.ts'

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
    show: () => Promise.resolve({ object: representSubscription(changed) }),
  }
  await recordObjectStep(tx, stepped, record)
  return changed
}

/**
 * A creation whose reply was lost was carried out: its operation succeeds, a repeat with its key
 * gets the subscription, and its alarm is closed.
 */
export async function endCreation(
  tx: Tx,
  subscription: GatewaySubscription,
  open: readonly GatewayOperation[],
): Promise<void> {
  const creation = open.find(({ kind }) => kind === 'create_subscription')
  if (creation !== undefined) {
    const reply = { found: true, status: subscription.status }
    await endOperation(tx, creation.id, { state: 'succeeded', reply })
    await keepReply(tx, creation.id, { code: 201, body: representSubscription(subscription) })
  }
  // Without the gateway's id it cannot be disabled: the alarm stays open until the id is known.
  if (subscription.gateway_subscription_id === null) return
  const about = { kind: 'outcome_unknown' as const, subject_id: subscription.id }
  await closeAlarmAbout(tx, about, { closed_by: 'gapura', note: 'found at the gateway' })
}
