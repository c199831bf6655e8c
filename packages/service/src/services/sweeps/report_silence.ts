import { findSilence } from '../../store/notifications/silence.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { publishOperatorEvent } from '../../store/events/outbox.ts'
import type { Context } from '../context.ts'

/**
 * Publishes `gateway_silent` once for each time in which the gateway sent nothing for so long although
 * payments were made. Two workers at the same moment may publish it twice.
 */
export async function reportSilence({
  db,
  gateway_silent_hours: hours,
}: Context): Promise<boolean> {
  if (hours === undefined) return false
  return await withTransaction(db, async (tx) => {
    const silence = await findSilence(tx, hours)
    if (silence === undefined) return false
    const { id, last_at } = silence
    const object = { id, hours, last_notification_at: last_at?.toISOString() ?? null }
    await publishOperatorEvent(tx, { type: 'gateway_silent', object }, id)
    return true
  })
}
