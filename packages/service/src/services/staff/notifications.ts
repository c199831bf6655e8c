import type { Caller } from '../../domain/caller.ts'
import type { GatewayNotification } from '../../domain/notification.ts'
import { parseNotification } from '../../gateway/wire/notifications.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { listNotifications as listStored } from '../../store/notifications/lists.ts'
import {
  findNotification,
  insertNotifications,
  resolveUnmatched,
  type NewNotification,
} from '../../store/notifications/rows.ts'
import { lockPaymentByOrderId } from '../../store/payments/locks.ts'
import { newId } from '../../store/sql/values.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordRead, recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { judge, linkUnknown } from '../notifications/inbox.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import { staffList } from './staff_list.ts'

/**
 * A page of the notifications received from the gateway and their effects, newest first. For staff.
 */
export const listNotifications = staffList('notification.list', listStored)

/** A notification with its payload, without its signature. For staff. */
export async function readNotification(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<(Omit<GatewayNotification, 'received_at'> & { created_at: Date }) | undefined> {
  requireStaff(caller, 'staff:read')
  const found = await withReadTransaction(ctx.db, async (tx) => await findNotification(tx, id))
  if (found === undefined) return undefined
  await recordRead(ctx, caller, 'notification.read', found)
  const { received_at: created_at, ...rest } = found
  return { ...rest, created_at }
}

type Replayed = Pick<NewNotification, 'id' | 'effect' | 'reason' | 'payment_id'> & {
  replay_of: string
}

/**
 * Applies a stored notification as if it arrived now, by the same rules; its signature was verified
 * when it was received. The result is a new row that names the first notification and the staff
 * member. Undefined if there is no such notification.
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
    const batch = new PaymentWriteBatch(tx, ctx)
    const judged = await judge(ctx, batch, { item, payment, duplicate_of: undefined })
    await batch.close()
    const { effect, payment_id, owner_id } = judged.row
    const reason = [judged.row.reason, `replay of ${id} by ${caller.owner_id}`]
      .filter((part) => part !== null)
      .join('; ')
    const row = { ...judged.row, reason }
    await insertNotifications(tx, [row], await batch.now())
    // The sweep need not visit the first notification again: the new row has the effect (I-26), or
    // waits as unmatched.
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
  // Only notifications of a known shape are ever stored.
  if (parsed?.shape !== 'payment') throw new TypeError('a stored notification has an unknown shape')
  return { id: newId(), payload: parsed.payload, raw_payload, verified_with: verified_with ?? '' }
}
