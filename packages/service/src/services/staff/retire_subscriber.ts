import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { forgetDeadEvents, isDeadAnywhere } from '../../store/events/dead_events.ts'
import { listSubscriberNames, retireSubscriber } from '../../store/events/subscribers.ts'
import { closeAlarm, lockAlarmAbout } from '../../store/staff/alarms.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { parseRetirement } from './staff_query.ts'

export interface RetiredSubscriber {
  subscriber: string
  /** Failed events of its own that are no longer tried. */
  forgotten: number
}

/**
 * Retires a subscriber whose code is gone: it no longer counts as waiting, and the alarms about its
 * failed events are closed. A process that registers the name again continues at its position.
 */
export async function retireEventSubscriber(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<RetiredSubscriber> {
  requireStaff(caller, 'staff:act')
  const { subscriber, reason } = parseRetirement(input)
  return await withTransaction(ctx.db, async (tx) => {
    const result = await retireSubscriber(tx, subscriber)
    if (result !== 'retired') {
      const names = await listSubscriberNames(tx)
      const message =
        result === 'led'
          ? 'must not be delivered to any more: stop the process that subscribes under this name'
          : `must be one of ${names.join(', ') || 'the subscribers, of which there is none'}`
      throw gatewayError('invalid_request', { errors: [{ field: 'subscriber', message }] })
    }
    const dead = await forgetDeadEvents(tx, subscriber)
    for (const event of dead) {
      const alarm = await lockAlarmAbout(tx, { kind: 'event_dead', subject_id: event.event_id })
      if (alarm === undefined || (await isDeadAnywhere(tx, event))) continue
      await closeAlarm(tx, alarm, { closed_by: caller.owner_id, note: `retired ${subscriber}` })
    }
    await recordAudit(tx, ctx, caller, {
      action: 'subscriber.retire',
      subject_kind: 'subscriber',
      subject_id: subscriber,
      owner_id: null,
      reason: reason ?? null,
      detail: { forgotten: dead.length },
    })
    return { subscriber, forgotten: dead.length }
  })
}
