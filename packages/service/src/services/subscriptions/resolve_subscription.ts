import type { OperationKind } from '../../domain/operation.ts'
import type { Context } from '../context.ts'
import type { DueOperation } from '../operations/due.ts'
import { recordUnclear, unclearOutcome } from '../operations/record_operation.ts'
import { resolveChange, resolveCreation } from '../operations/resolve_object.ts'
import { actionChange, type SubscriptionChanging } from './change_subscription.ts'
import { OPEN_CREATION, REPLAY_WITHIN_MS } from './open_creation.ts'
import { UPDATE_CHANGE } from './update_subscription.ts'

export const SUBSCRIPTION_CHANGES: Partial<Record<OperationKind, SubscriptionChanging>> = {
  disable_subscription: actionChange('disable'),
  enable_subscription: actionChange('enable'),
  cancel_subscription: actionChange('cancel'),
  update_subscription: UPDATE_CHANGE,
}

/** Ends what was left open of a subscription, as far as the gateway's word goes. */
export async function resolveSubscription(ctx: Context, due: DueOperation): Promise<void> {
  const { operation, age_ms } = due
  const change = SUBSCRIPTION_CHANGES[operation.kind]
  if (change !== undefined) {
    await resolveChange(ctx, due, change)
    return
  }
  // Whoever asked may still repeat it, and only she has the token.
  if (age_ms < REPLAY_WITHIN_MS) {
    await recordUnclear(ctx, operation, REPLAY_WITHIN_MS - age_ms)
    return
  }
  const send = () => Promise.reject(unclearOutcome(operation))
  // A notice or a cycle that names it leads the sync there, which ends the creation (ADR 0008).
  const discover = () => Promise.resolve(undefined)
  await resolveCreation(ctx, due, {
    creation: { ...OPEN_CREATION, send },
    can_replay: false,
    discover,
  })
}
