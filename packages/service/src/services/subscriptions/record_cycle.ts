// Updates a subscription in the transaction in which the payment of a cycle changed. Lock order
// everywhere: the payment's row first, then the subscription's.
import { parseMoney } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Source } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { representSubscription } from '../../domain/subscription_representation.ts'
import { decideSubscriptionTransition } from '../../domain/subscription_transitions.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { appendEvent } from '../../store/events/outbox.ts'
import { listOpenOperations } from '../../store/operations/rows.ts'
import { newId } from '../../store/sql/values.ts'
import { hintSubscription } from '../../store/subscriptions/checks.ts'
import { countCycle, wasAmountAt } from '../../store/subscriptions/cycles.ts'
import { lockSubscription } from '../../store/subscriptions/rows.ts'
import { alarmAboutObject } from '../object_step.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { endCreation, stepSubscription } from './subscription_step.ts'

const SUBSCRIPTION_LOCK = { subject_kind: 'subscription', lock: lockSubscription } as const

/** A transition of a cycle's payment, with its provenance. */
export interface CycleStep {
  subscription_id: string
  before: GatewayPayment
  after: GatewayPayment
  /** The gateway's id of the subscription; not signed, so only a hint (ADR 0004). */
  gateway_id: string | null
  provenance: { source: Source; evidence_id: string | null; notification_id: string | null }
}

/**
 * Emits `subscription_charged` when the payment of a cycle first counts as paid. That happens once
 * for each payment, so the event is emitted once for each cycle, whatever notices arrive.
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
  await emitCharged(tx, held, step)
}

async function emitCharged(tx: Tx, { id }: GatewaySubscription, { after, provenance }: CycleStep) {
  const charged = await countCycle(tx, { id, payment_id: after.id })
  if (charged === undefined) throw new Error(`subscription ${id} does not exist`)
  const { source, notification_id } = provenance
  await appendEvent(tx, {
    id: newId(),
    type: 'subscription_charged',
    object_kind: 'subscription',
    object_id: id,
    object: representSubscription(charged),
    previous_status: charged.status,
    source,
    notification_id,
  })
}

/**
 * The reply to the creation was lost, but a charge has the name that only we could have generated:
 * the subscription exists (ADR 0008). Its reported gateway id is confirmed by a query first.
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

/**
 * Whether a cycle charged an expected amount: the current one, the previous one if the cycle is
 * from before the change, or the one of an update that has no answer yet.
 */
async function isExpected(
  tx: Tx,
  { id, amount }: GatewaySubscription,
  { gross_amount, transaction_time, created_at }: GatewayPayment,
): Promise<boolean> {
  if (gross_amount === amount) return true
  const at = transaction_time ?? created_at
  if (await wasAmountAt(tx, { id, amount: gross_amount, at })) return true
  const open = await listOpenOperations(tx, id)
  return open.some(
    ({ kind, request }) =>
      kind === 'update_subscription' && parseMoney(request['amount']) === gross_amount,
  )
}
