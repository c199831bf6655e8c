import type { Caller } from '../../domain/caller.ts'
import type { GatewayNotification } from '../../domain/notification.ts'
import { parseNotification } from '../../gateway/wire/notifications.ts'
import { newId } from '../../store/sql/values.ts'
import {
  findNotification,
  insertNotifications,
  resolveUnmatched,
  type NewNotification,
} from '../../store/notifications/rows.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { judge, linkUnknown } from '../notifications/inbox.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'

export type Replayed = Pick<NewNotification, 'id' | 'effect' | 'reason' | 'payment_id'> & {
  replay_of: string
}

/**
 * Weighs a kept notification as if it came this moment, by the same rules and through the same
 * door; its signature was good when it was received. What comes of it is a row of its own that
 * names the first and whoever asked, so the inbox still tells what happened when. Nothing if there
 * is no such notification.
 */
export async function replayNotification(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<Replayed | undefined> {
  requireStaff(caller, 'staff:act')
  return await withTransaction(ctx.db, async (tx) => {
    const kept = await findNotification(tx, id)
    if (kept === undefined) return undefined
    const item = itemOf(kept)
    const known = await lockPaymentByOrderId(tx, kept.order_id ?? '')
    const payment = known ?? (await linkUnknown(tx, [item], new Map()))[0]
    const batch = new PaymentWriteBatch(tx)
    const judged = await judge(ctx, batch, { item, payment, duplicate_of: undefined })
    await batch.close()
    const { effect, payment_id, owner_id } = judged.row
    const reason = [judged.row.reason, `replay of ${id} by ${caller.owner_id}`]
      .filter((part) => part !== null)
      .join('; ')
    const row = { ...judged.row, reason }
    await insertNotifications(tx, [row], await batch.now())
    // The sweep need not come back to the first one. Whatever was done, the second did it (I-26);
    // what is unmatched still waits as the second.
    const instead = { payment_id, owner_id, reason: `replayed as ${row.id}` }
    if (kept.effect === 'unmatched') {
      await resolveUnmatched(tx, kept, { effect: 'stale', ...instead })
    }
    await recordAudit(tx, ctx, caller, {
      action: 'notification.replay',
      subject_kind: 'notification',
      subject_id: id,
      owner_id,
      detail: { replayed_as: row.id, effect, payment_id },
    })
    return { id: row.id, effect, reason, payment_id, replay_of: id }
  })
}

function itemOf({ raw_payload, verified_with }: GatewayNotification) {
  const parsed = parseNotification(raw_payload)
  // Only what was parsed as one was ever stored.
  if (parsed?.shape !== 'payment') throw new TypeError('a kept notification of no known shape')
  return { id: newId(), payload: parsed.payload, raw_payload, verified_with: verified_with ?? '' }
}
