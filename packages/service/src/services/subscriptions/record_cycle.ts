// What a subscription hears of its cycles, in the transaction in which their payment moved. The
// payment's row is locked by now; the subscription's comes after it, everywhere.
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Source } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { decideSubscriptionTransition } from '../../domain/subscription_transitions.ts'
import { appendEvent } from '../../store/events/outbox.ts'
import { newId } from '../../store/sql/values.ts'
import { listOpenOperations } from '../../store/operations/rows.ts'
import { hintSubscription } from '../../store/subscriptions/checks.ts'
import { countCycle } from '../../store/subscriptions/cycles.ts'
import { lockSubscription } from '../../store/subscriptions/rows.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { alarmAboutObject } from '../object_alarm.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { isExpected } from './cycle_amount.ts'
import { endCreation } from './end_creation.ts'
import { stepSubscription } from './subscription_step.ts'

const SUBSCRIPTION_LOCK = { subject_kind: 'subscription', lock: lockSubscription } as const

/** A step of a cycle's payment, and who told it. */
export interface CycleStep {
  subscription_id: string
  before: GatewayPayment
  after: GatewayPayment
  /** What the gateway calls the subscription; not signed, so a hint (ADR 0004). */
  gateway_id: string | null
  provenance: { source: Source; evidence_id: string | null; notification_id: string | null }
}

/**
 * Tells that a cycle was charged when its payment first counts as paid. That happens once for each
 * payment, so whichever of the gateway's notices come, how often and in what order, it is told once
 * for each cycle.
 */
export async function recordCycle(tx: Tx, step: CycleStep): Promise<void> {
  const { before, after } = step
  const held = await lockExisting(tx, SUBSCRIPTION_LOCK, step.subscription_id)
  if (held.gateway_subscription_id === null) await provenByCycle(tx, held, step)
  if (before.paid_at !== null || after.paid_at === null) return
  if (!(await isExpected(tx, held, after))) {
    const detail = `payment ${after.id} charged another amount`
    const about = { ...held, subject_kind: 'subscription' as const }
    await alarmAboutObject(tx, about, 'amount_mismatch', detail)
  }
  await tellCharged(tx, held, step)
}

async function tellCharged(tx: Tx, { id }: GatewaySubscription, { after, provenance }: CycleStep) {
  const charged = await countCycle(tx, { id, payment_id: after.id })
  if (charged === undefined) throw new Error(`subscription ${id} is gone`)
  const { source, notification_id } = provenance
  await appendEvent(tx, {
    id: newId(),
    type: 'subscription_charged',
    object_kind: 'subscription',
    object_id: id,
    object: charged,
    previous_status: charged.status,
    source,
    notification_id,
  })
}

/**
 * The reply to its creation was lost, and here is a charge under the name that only we could have
 * minted: it exists (ADR 0008). What the gateway calls it is asked about before it is believed.
 */
async function provenByCycle(
  tx: Tx,
  held: GatewaySubscription,
  { gateway_id, provenance }: CycleStep,
): Promise<void> {
  const move = decideSubscriptionTransition(held.status, 'active', 'gateway_answer')
  if (move.kind === 'move') {
    const { to: status, signal } = move
    const after = await stepSubscription(
      tx,
      held,
      { status },
      { ...provenance, signal, reason: 'cycle' },
    )
    await endCreation(tx, after, await listOpenOperations(tx, held.id))
    const about = { ...held, subject_kind: 'subscription' as const }
    await alarmAboutObject(tx, about, 'outcome_unknown', 'it charges, and its id is not known yet')
  }
  const { gateway_name } = held
  if (gateway_id !== null) await hintSubscription(tx, { gateway_id, gateway_name })
}
