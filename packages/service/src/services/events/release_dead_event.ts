import type { Caller } from '../../domain/caller.ts'
import { closeAlarmAbout } from '../../store/alarms.ts'
import { isDeadAnywhere, releaseDeadEvent, type DeadEvent } from '../../store/dead_events.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'

/** A subscriber and the object that stands still for it. */
export type StandingStill = Pick<DeadEvent, 'subscriber' | 'object_id'>

/**
 * Has a dead event told again, by whichever process leads for its subscriber. Staff only; others
 * find nothing, as where nothing stands still. It may die again, and then alarms again.
 */
export const retryDeadEvent = async (
  ctx: Context,
  caller: Caller,
  which: StandingStill,
): Promise<DeadEvent | undefined> => await release(ctx, caller, which, 'retry')

/** Passes a dead event over: the subscriber is never told of it, and goes on behind it. */
export const skipDeadEvent = async (
  ctx: Context,
  caller: Caller,
  which: StandingStill,
): Promise<DeadEvent | undefined> => await release(ctx, caller, which, 'skip')

async function release(
  ctx: Context,
  caller: Caller,
  which: StandingStill,
  how: 'retry' | 'skip',
): Promise<DeadEvent | undefined> {
  if (!caller.staff) return undefined
  return await withTransaction(ctx.db, async (tx) => {
    const dead = await releaseDeadEvent(tx, which, how)
    if (dead === undefined) return undefined
    // Two subscribers may have failed at the same event; then somebody still has to look.
    if (!(await isDeadAnywhere(tx, dead.event_id))) {
      const alarm = { kind: 'event_dead' as const, subject_id: dead.event_id }
      await closeAlarmAbout(tx, alarm, { closed_by: caller.owner_id, note: how })
    }
    return dead
  })
}
