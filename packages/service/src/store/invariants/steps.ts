import type { GatewayTransition } from '../../domain/transition.ts'
import type { Tx } from '../transaction.ts'

/** A kind of step that was ever made, how often, and one object that made it. */
export interface StepMade extends Pick<
  GatewayTransition,
  'object_kind' | 'from_status' | 'to_status' | 'source'
> {
  times: string
  example: string
}

/** Every kind of step in the whole history. The rules are not here: the moves tables judge them. */
export const listStepsMade = async (tx: Tx): Promise<StepMade[]> =>
  await tx.query<StepMade>(
    `select object_kind, from_status, to_status, source, count(*) as times,
       min(object_id::text) as example
     from gapura.gateway_transition
     group by object_kind, from_status, to_status, source`,
  )
