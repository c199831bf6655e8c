import type { GatewayTransition } from '../domain/transition.ts'
import { toJson } from './sql_values.ts'
import { doneOnCommit, type Tx } from './transaction.ts'

const TRANSITION_COLUMNS = `
  object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id, reason,
  occurred_at`

const NEW_COLUMNS = `
  object_kind, object_id, owner_id, version, from_status, to_status, source, evidence_id, reason`

export type NewTransition = Omit<GatewayTransition, 'occurred_at'>

/** Adds steps to the history. The object is locked; a version that exists already is an error. */
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

/** The whole history of an object, first step first. */
export const listTransitions = async (tx: Tx, object_id: string): Promise<GatewayTransition[]> =>
  await tx.query<GatewayTransition>(
    `select ${TRANSITION_COLUMNS}
     from gapura.gateway_transition
     where object_id = $1
     order by version`,
    [object_id],
  )
