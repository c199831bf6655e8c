import type { GatewayEvent } from './events.ts'
import type { Tx } from './transaction.ts'

/** An event of an object, and the subscribers that have not come past it. */
export type ObjectEvent = Pick<
  GatewayEvent,
  'id' | 'type' | 'sequence' | 'previous_status' | 'source' | 'notification_id' | 'occurred_at'
> & { waiting: readonly string[] }

const OBJECT_EVENTS_MAX = 100

/** The last events of one object, first ones first. A subscriber that failed at one waits there. */
export const listObjectEvents = async (tx: Tx, object_id: string): Promise<ObjectEvent[]> =>
  (
    await tx.query<ObjectEvent>(
      `select id, type, sequence, previous_status, source, notification_id, occurred_at,
         (
           select coalesce(jsonb_agg(name order by name), '[]')
           from gapura.event_subscriber as subscriber
           where (cursor_xid, cursor_object_id, cursor_sequence)
               < (event.xid, event.object_id, event.sequence)
             or exists (
               select from gapura.dead_event as dead
               where dead.subscriber = subscriber.name
                 and dead.object_id = event.object_id
                 and dead.sequence <= event.sequence
             )
         ) as waiting
       from gapura.gateway_event as event
       where object_id = $1
       order by sequence desc
       limit $2`,
      [object_id, OBJECT_EVENTS_MAX],
    )
  ).reverse()
