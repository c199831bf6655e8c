import type { ObjectKind } from '../domain/signals.ts'
import type { GatewayEvent } from './events.ts'
import type { Tx } from './transaction.ts'

/** An event one subscriber kept failing at. Later events of the same object wait behind it. */
export interface DeadEvent {
  subscriber: string
  object_kind: ObjectKind
  object_id: string
  owner_id: string
  event_id: string
  sequence: number
  attempts: number
  error: string
  died_at: Date
}

export const DEAD_EVENTS_PAGE_MAX = 500

const DEAD_COLUMNS = `
  subscriber, object_kind, object_id, owner_id, event_id, sequence, attempts, error, died_at`

/**
 * Gives an event up for this subscriber, in the transaction that moves its cursor past it. The
 * first dead event of an object stays the one in the way; a repeat changes nothing but the error.
 */
export async function buryEvent(
  tx: Tx,
  subscriber: string,
  event: GatewayEvent,
  failure: { attempts: number; error: string },
): Promise<void> {
  await tx.query(
    `insert into gapura.dead_event
       (subscriber, object_kind, object_id, owner_id, event_id, sequence, attempts, error)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (subscriber, object_id) do update
     set attempts = excluded.attempts,
         error = excluded.error
     where dead_event.event_id = excluded.event_id`,
    [
      subscriber,
      event.object_kind,
      event.object_id,
      event.owner_id,
      event.id,
      event.sequence,
      failure.attempts,
      failure.error,
    ],
  )
}

/** The objects that stand still for this subscriber, longest first. */
export const listDeadEvents = async (
  tx: Tx,
  subscriber: string,
  limit: number,
): Promise<DeadEvent[]> =>
  await tx.query<DeadEvent>(
    `select ${DEAD_COLUMNS}
     from gapura.dead_event
     where subscriber = $1
     order by died_at, object_id
     limit $2`,
    [subscriber, Math.min(limit, DEAD_EVENTS_PAGE_MAX)],
  )

/** Lets an object go on, after its dead event was told or skipped. Returns it, or nothing. */
export async function reviveObject(
  tx: Tx,
  subscriber: string,
  object_id: string,
): Promise<DeadEvent | undefined> {
  const [revived] = await tx.query<DeadEvent>(
    `delete from gapura.dead_event
     where subscriber = $1
       and object_id = $2
     returning ${DEAD_COLUMNS}`,
    [subscriber, object_id],
  )
  return revived
}
