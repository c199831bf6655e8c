// The queue of the sync. The row is the job: `next_check_at` says when to query the gateway about
// it.
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { SUBSCRIPTION_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

export const DUE_SUBSCRIPTIONS_MAX = 200

/** However many notices arrive, the gateway is queried at most once in this time (ADR 0004). */
const ASK_AGAIN_SECONDS = 60

const SOON = `greatest(gapura.now(), checked_at + interval '${ASK_AGAIN_SECONDS} seconds')`

/** A subscription to query, and a hinted id if the gateway's own reply was lost. */
export type DueSubscription = GatewaySubscription & { hinted_id: string | null }

const COLUMNS = SUBSCRIPTION_COLUMNS.split(',')
  .map((column) => `subscription.${column.trim()}`)
  .join(', ')

/**
 * Claims those longest due and postpones each by the lease. Locked rows are left to the next run;
 * two sweeps never claim the same one, and a process that dies loses nothing.
 */
export const claimDueSubscriptions = async (
  tx: Tx,
  { limit, lease_ms }: { limit: number; lease_ms: number },
): Promise<DueSubscription[]> =>
  await tx.query<DueSubscription>(
    `with due as (
       select id
       from gapura.gateway_subscription
       where next_check_at <= gapura.now()
       order by next_check_at, id
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update skip locked
     ),
     claimed as (
       update gapura.gateway_subscription as subscription
       set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000),
           checked_at = gapura.now()
       from due
       where subscription.id = due.id
       returning ${COLUMNS}, subscription.hinted_id
     )
     select * from claimed order by id`,
    [Math.min(limit, DUE_SUBSCRIPTIONS_MAX), lease_ms],
  )

/**
 * An unsigned notice names a subscription: if it is ours, it is queried soon. A notice that would
 * not bring the query forward writes nothing, and neither does one about an unknown subscription.
 * Returns whether it wrote.
 */
export async function hintSubscription(
  tx: Tx,
  { gateway_id, gateway_name }: { gateway_id: string; gateway_name: string },
): Promise<boolean> {
  const hinted = await tx.query(
    `update gapura.gateway_subscription
     set next_check_at = ${SOON},
         hinted_id = case when gateway_subscription_id is null then $1 end
     where id = (
         select id
         from gapura.gateway_subscription
         where gateway_subscription_id = $1
         union all
         select id
         from gapura.gateway_subscription
         where gateway_name = $2
           and gateway_subscription_id is null
         limit 1
       )
       and (
         next_check_at is null
         or next_check_at > ${SOON}
       )
     returning id`,
    [gateway_id, gateway_name],
  )
  return hinted.length > 0
}

export interface CheckPlan {
  /** The planned time when the check began: a notice that arrived meanwhile has changed it. */
  claimed_at: Date | null
  next_check_at: Date | null
  /** What the gateway reported about the next cycle; unchanged if it reported nothing. */
  next_execution_at?: Date | null
  /** The hint could not be followed yet. */
  keep_hint?: boolean
}

/** Plans the next query, unless a notice has planned an earlier one. Removes the hint. */
export async function planSubscriptionCheck(
  tx: Tx,
  id: string,
  { claimed_at, next_check_at, next_execution_at = null, keep_hint = false }: CheckPlan,
): Promise<GatewaySubscription | undefined> {
  const [planned] = await tx.query<GatewaySubscription>(
    `update gapura.gateway_subscription
     set next_check_at = case
           when next_check_at is distinct from $2 then least(next_check_at, $3)
           else $3
         end,
         hinted_id = case when $5 or next_check_at is distinct from $2 then hinted_id end,
         next_execution_at = coalesce($4, next_execution_at),
         updated_at = gapura.now()
     where id = $1
     returning ${SUBSCRIPTION_COLUMNS}`,
    [id, claimed_at, next_check_at, next_execution_at, keep_hint],
  )
  return planned
}

/** Plans a query soon, unless an earlier one is planned: for incomplete information. */
export async function checkSubscriptionSoon(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update gapura.gateway_subscription
     set next_check_at = least(next_check_at, ${SOON})
     where id = $1`,
    [id],
  )
}
