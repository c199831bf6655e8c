// The writer of the inbox: takes a batch and gives every item its own fate. Called with one item at
// a time now; grouping under load is a matter of who calls it, not of what it does.
import type { GatewayNotification } from '../../domain/notification.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { factsOf } from '../../gateway/facts.ts'
import type { PaymentNotification } from '../../gateway/wire/notifications.ts'
import { findTwins, insertNotifications, type NewNotification } from '../../store/notifications.ts'
import { lockPaymentsByOrderIds } from '../../store/payment_locks.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { applyFacts } from '../payments/apply_facts.ts'

/** A verified notification. The id is made by whoever received it, so no reply can be mistaken. */
export interface InboxItem {
  id: string
  payload: PaymentNotification
  /** As received, less the signature. */
  raw_payload: Readonly<Record<string, unknown>>
  verified_with: string
}

export type Fate = Pick<GatewayNotification, 'id' | 'effect' | 'reason'>

/**
 * Stores the items and applies them, in one transaction: payments locked in the order of their
 * ids, moves asked, rows and transitions and events written. All of it is on disk when this
 * returns.
 */
export const writeInbox = async (ctx: Context, items: readonly InboxItem[]): Promise<Fate[]> =>
  await withTransaction(ctx.db, async (tx) => {
    ctx.reached('webhook.begun')
    const order_ids = items.flatMap(({ payload }) => payload.order_id ?? [])
    const locked = await lockPaymentsByOrderIds(tx, order_ids)
    ctx.reached('webhook.locked')
    const payments = new Map(locked.map((payment) => [payment.order_id, payment]))
    const twins = await findTwins(tx, items.map(reportOf))
    const rows: NewNotification[] = []
    for (const item of items) {
      const payment = payments.get(item.payload.order_id ?? '')
      const { row, after } = await judge(ctx, tx, { item, payment, twin: twins.get(item.id) })
      // The next item of the same order finds what this one left.
      if (after !== undefined) payments.set(after.order_id, after)
      rows.push(row)
    }
    ctx.reached('webhook.applied')
    await insertNotifications(tx, rows)
    ctx.reached('webhook.inserted')
    return rows.map(({ id, effect, reason }) => ({ id, effect, reason }))
  })

const reportOf = ({ id, payload, raw_payload }: InboxItem) => ({
  id,
  order_id: payload.order_id ?? null,
  transaction_id: payload.transaction_id ?? null,
  transaction_status: payload.transaction_status,
  raw_payload,
})

interface Case {
  item: InboxItem
  payment: GatewayPayment | undefined
  twin: string | undefined
}

async function judge(ctx: Context, tx: Tx, { item, payment, twin }: Case) {
  const row = rowOf(item, payment)
  if (payment === undefined) {
    return { row: { ...row, effect: 'unmatched' as const, reason: 'no_such_order' } }
  }
  if (twin !== undefined) {
    return { row: { ...row, effect: 'duplicate' as const, reason: `of ${twin}` } }
  }
  const facts = factsOf(item.payload)
  if (facts === undefined) {
    return { row: { ...row, effect: 'stale' as const, reason: 'unknown_status' } }
  }
  const testimony = {
    evidence: 'report' as const,
    source: 'notification' as const,
    evidence_id: item.id,
    notification_id: item.id,
    confirm_value: ctx.confirm_notifications,
  }
  const { effect, reason, payment: after } = await applyFacts(tx, payment, facts, testimony)
  return { row: { ...row, effect, reason }, after }
}

function rowOf({ id, payload, raw_payload, verified_with }: InboxItem, payment?: GatewayPayment) {
  return {
    id,
    payment_id: payment?.id ?? null,
    owner_id: payment?.owner_id ?? null,
    order_id: payload.order_id ?? null,
    transaction_id: payload.transaction_id ?? null,
    transaction_status: payload.transaction_status,
    fraud_status: payload.fraud_status ?? null,
    payment_type: payload.payment_type ?? null,
    status_code: String(payload.status_code),
    gross_amount: textOf(payload.gross_amount),
    verified_with,
    raw_payload,
  }
}

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
