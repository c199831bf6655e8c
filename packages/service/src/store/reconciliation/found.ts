// Exceptions that an answer of the gateway can end, each with the payment to ask about.
import { PICKED_UP_CAUSES } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { IS_OPEN } from './compared.ts'

export interface FoundItem {
  id: string
  payment_id: string
}

/**
 * Claims exceptions that were not asked about since they changed, nor within the lease. Their
 * `updated_at` stays: nothing about them was compared.
 */
export const claimFound = async (
  tx: Tx,
  { limit, lease_ms, due_by }: { limit: number; lease_ms: number; due_by: Date },
): Promise<FoundItem[]> =>
  await tx.query<FoundItem & Record<string, unknown>>(
    `with due as (
       select id
       from gapura.reconciliation_item
       where state in ${IS_OPEN}
         and cause = any($4)
         and payment_id is not null
         and action_id is null
         and updated_at <= $3
         and (
           refreshed_at is null
           or refreshed_at < updated_at
           or refreshed_at < $3 - make_interval(secs => $2::double precision / 1000)
         )
       order by created_at, id
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update skip locked
     )
     update gapura.reconciliation_item as item
     set refreshed_at = gapura.now()
     where item.id = any(array(select id from due))
     returning item.id, item.payment_id`,
    [limit, lease_ms, due_by, PICKED_UP_CAUSES],
  )

/** The gateway did not answer: it is asked again in the next round. */
export async function releaseFound(tx: Tx, id: string): Promise<void> {
  await tx.query(
    'update gapura.reconciliation_item set refreshed_at = null where id = $1 and action_id is null',
    [id],
  )
}
