import { hasStaffScope, type Caller } from '../../domain/caller.ts'
import { closeAlarm, lockAlarmAbout } from '../../store/staff/alarms.ts'
import { isDeadAnywhere, releaseDeadEvent, type DeadEvent } from '../../store/events/dead_events.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { parseRelease } from '../staff/staff_query.ts'

/** A subscriber and the object that stands still for it. */
export interface StandingStill extends Pick<DeadEvent, 'subscriber' | 'object_id'> {
  /** Why it is released; kept on the alarm it closes. */
  reason?: string
}

/**
 * Has a dead event told again, by whichever process leads for its subscriber. Staff only; others
 * find nothing, as where nothing stands still. It may die again, and then alarms again.
 */
export const retryDeadEvent = async (
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<DeadEvent | undefined> => await release(ctx, caller, input, 'retry')

/** Passes a dead event over: the subscriber is never told of it, and goes on behind it. */
export const skipDeadEvent = async (
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<DeadEvent | undefined> => await release(ctx, caller, input, 'skip')

async function release(
  ctx: Context,
  caller: Caller,
  input: unknown,
  how: 'retry' | 'skip',
): Promise<DeadEvent | undefined> {
  if (!hasStaffScope(caller, 'staff:act')) return undefined
  const which = parseRelease(input)
  return await withTransaction(ctx.db, async (tx) => {
    const dead = await releaseDeadEvent(tx, which, how)
    if (dead === undefined) return undefined
    const alarm = await lockAlarmAbout(tx, { kind: 'event_dead', subject_id: dead.event_id })
    // Two subscribers may have failed at the same event; then somebody still has to look.
    if (alarm !== undefined && !(await isDeadAnywhere(tx, dead))) {
      const note = which.reason === undefined ? how : `${how}: ${which.reason}`
      await closeAlarm(tx, alarm, { closed_by: caller.owner_id, note })
    }
    await recordAudit(tx, ctx, caller, {
      action: `event.${how}`,
      subject_kind: 'event',
      subject_id: dead.event_id,
      owner_id: dead.owner_id,
      reason: which.reason ?? null,
      detail: { subscriber: dead.subscriber, object_id: dead.object_id },
    })
    return dead
  })
}
