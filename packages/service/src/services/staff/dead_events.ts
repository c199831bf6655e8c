import { type Caller, hasStaffScope } from '../../domain/caller.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import {
  listAllDeadEvents,
  isDeadAnywhere,
  releaseDeadEvent,
  type DeadEvent,
} from '../../store/events/dead_events.ts'
import { closeAlarm, lockAlarmAbout } from '../../store/staff/alarms.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { staffList } from './staff_list.ts'
import { parseRelease } from './staff_query.ts'

/** A page of events that a subscriber failed at, still retried or waiting for staff. For staff. */
export const listDeadEvents = staffList('event.list', listAllDeadEvents)

/**
 * Delivers a dead event again, by the process that leads for its subscriber. Staff only; undefined
 * for other callers and if there is no such event. If it fails again, it alarms again.
 */
export const retryDeadEvent = async (
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<DeadEvent | undefined> => await release(ctx, caller, input, 'retry')

/** Skips a dead event: the subscriber never receives it and continues with the next. */
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
    // Another subscriber may have failed at the same event: then the alarm stays open.
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
