import type { Signal } from '../../domain/signals.ts'
import type { GatewayTransition } from '../../domain/transition.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'
import type { GatewayEvent } from './outbox.ts'

const TRANSITION_COLUMNS = `
  object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id, reason,
  occurred_at`

const NEW_COLUMNS = `
  object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id, reason`

export type NewTransition = Omit<GatewayTransition, 'occurred_at'>

/** Adds transitions to the history. The object is locked; a version that exists is an error. */
export async function appendTransitions(
  tx: Tx,
  transitions: readonly NewTransition[],
): Promise<void> {
  await tx.query(
    `insert into gapura.gateway_transition (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_recordset(null::gapura.gateway_transition, $1)`,
    [toJson(transitions)],
  )
  for (const { object_kind, from_status: from, to_status: to } of transitions) {
    doneOnCommit({ kind: 'step', object_kind, from, to })
  }
}

/** The whole history of an object, oldest first. */
export const listTransitions = async (tx: Tx, object_id: string): Promise<GatewayTransition[]> =>
  await tx.query<GatewayTransition>(
    `select ${TRANSITION_COLUMNS}
     from gapura.gateway_transition
     where object_id = $1
     order by version`,
    [object_id],
  )

/** An event of an object, and the subscribers that have not received it yet. */
export type ObjectEvent = Pick<
  GatewayEvent,
  'id' | 'sequence' | 'previous_status' | 'source' | 'notification_id' | 'occurred_at'
> & { type: Signal; waiting: readonly string[] }

const OBJECT_EVENTS_MAX = 100

/** The last events of one object, oldest first. A subscriber that failed at one waits there. */
export const listObjectEvents = async (tx: Tx, object_id: string): Promise<ObjectEvent[]> =>
  (
    await tx.query<ObjectEvent>(
      `select id, type, sequence, previous_status, source, notification_id, occurred_at,
         (
           select coalesce(jsonb_agg(name order by name), '[]')
           from gapura.event_subscriber as subscriber
           where subscriber.retired_at is null
             and (subscriber.signals is null or event.type = any(subscriber.signals))
             and (subscriber.owner_id is null or subscriber.owner_id = event.owner_id)
             and (
               (cursor_xid, cursor_object_id, cursor_sequence)
                 < (event.xid, event.object_id, event.sequence)
               or exists (
                 select from gapura.dead_event as dead
                 where dead.subscriber = subscriber.name
                   and dead.object_id = event.object_id
                   and dead.sequence <= event.sequence
               )
             )
         ) as waiting
       from gapura.gateway_event as event
       where object_id = $1
       order by sequence desc
       limit $2`,
      [object_id, OBJECT_EVENTS_MAX],
    )
  ).reverse()
