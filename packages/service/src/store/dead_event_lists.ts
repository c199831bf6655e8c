import type { Signal } from '../domain/signals.ts'
import type { DeadEvent } from './dead_events.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from './keyset.ts'
import type { Tx } from './transaction.ts'
import { conditionsOf } from './visible.ts'

export type DeadEventSummary = Omit<DeadEvent, 'died_at'> & {
  /** Of the subscriber and the object together. */
  id: string
  type: Signal
  /** When it failed last. */
  created_at: Date
}

export interface DeadEventFilters {
  subscriber?: string
  object_id?: string
}

const FILTERS = [
  ['subscriber', 'subscriber = ?'],
  ['object_id', 'object_id = ?'],
] as const

// Two subscribers may fail at one event in the same millisecond, so neither its id nor the time
// gives each row a place of its own; the two names of its key together do.
const TABLE = `(
  select
    md5(dead.subscriber || ' ' || dead.object_id)::uuid as id, dead.subscriber, dead.object_kind,
    dead.object_id, dead.owner_id, dead.event_id, dead.sequence, dead.attempts, dead.error,
    dead.retry_at, dead.died_at as created_at, event.type
  from gapura.dead_event as dead
  join gapura.gateway_event as event
    on event.object_id = dead.object_id
    and event.id = dead.event_id
) as dead`

/** A page of what subscribers failed at, waiting for its next try or for a person; newest first. */
export async function listAllDeadEvents(
  tx: Tx,
  filters: DeadEventFilters,
  request: PageRequest,
): Promise<Page<DeadEventSummary>> {
  const conditions = conditionsOf(FILTERS, filters)
  const { text, values } = pageStatement({ table: TABLE, columns: '*', conditions }, request)
  return pageOf(await tx.query<DeadEventSummary>(text, values, { prepare: false }), request)
}
