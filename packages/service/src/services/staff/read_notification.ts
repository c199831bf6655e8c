import type { Caller } from '../../domain/caller.ts'
import type { GatewayNotification } from '../../domain/notification.ts'
import { findNotification } from '../../store/notifications/rows.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'

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
