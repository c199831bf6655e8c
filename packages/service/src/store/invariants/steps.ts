import type { GatewayTransition } from '../../domain/transition.ts'
import type { Tx } from '../connection/transaction.ts'

/** A kind of transition that occurred, and how often. */
export interface StepMade extends Pick<
  GatewayTransition,
  'object_kind' | 'from_status' | 'to_status' | 'source'
> {
  /** Whether it was marked as late money. */
  late: boolean
  times: string
}

/**
 * Every kind of transition in the whole history. The transition tables, not this file, judge them.
 */
export const listStepsMade = async (tx: Tx): Promise<StepMade[]> =>
  await tx.query<StepMade>(
    `select object_kind, from_status, to_status, source,
       coalesce(reason = 'late_money', false) as late, count(*) as times
     from gapura.gateway_transition
     group by object_kind, from_status, to_status, source, late`,
  )

/** Objects that made such a transition. */
export async function listWhoMade(
  tx: Tx,
  { object_kind, from_status, to_status, source, late }: StepMade,
  count_max: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select object_id as id
     from gapura.gateway_transition
     where object_kind = $1 and from_status is not distinct from $2 and to_status = $3
       and source = $4 and coalesce(reason = 'late_money', false) = $5
     limit $6`,
    [object_kind, from_status, to_status, source, late, count_max],
    { prepare: false },
  )
  return rows.map(({ id }) => id)
}
