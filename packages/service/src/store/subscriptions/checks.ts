// The sync's queue. The row is the job: `next_check_at` says when to ask the gateway about it.
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { SUBSCRIPTION_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

export const DUE_SUBSCRIPTIONS_MAX = 200

/** However many notices come, the gateway is asked at most once in this time (ADR 0004). */
const ASK_AGAIN_SECONDS = 60

const SOON = `greatest(gapura.now(), checked_at + interval '${ASK_AGAIN_SECONDS} seconds')`

/** A subscription to ask about, and by which id where the gateway's own reply never came. */
export type DueSubscription = GatewaySubscription & { hinted_id: string | null }

const COLUMNS = SUBSCRIPTION_COLUMNS.split(',')
  .map((column) => `subscription.${column.trim()}`)
  .join(', ')

/**
 * Takes those longest due and puts each off by the lease. Rows another transaction has locked are
 * left for the next run; two sweeps never take the same one, and one that dies loses nothing.
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
       -- Never waits, so the order of locks does not matter here.
       for no key update skip locked
     )
     update gapura.gateway_subscription as subscription
     set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000),
         checked_at = gapura.now()
     from due
     where subscription.id = due.id
     returning ${COLUMNS}, subscription.hinted_id`,
    [Math.min(limit, DUE_SUBSCRIPTIONS_MAX), lease_ms],
  )

/**
 * Somebody unknown says there is news of a subscription: if it is ours, it is asked about soon. A
 * notice that would bring nothing forward writes nothing, and neither does one about a stranger.
 * Returns whether it did.
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
  /** What the check knew the time to be: a notice that came meanwhile has moved it. */
  claimed_at: Date | null
  next_check_at: Date | null
  /** What the gateway said of the next cycle; left alone where it said nothing. */
  next_execution_at?: Date | null
  /** The hint could not be followed yet. */
  keep_hint?: boolean
}

/** Says when to ask next, unless a notice has asked for an earlier time. Forgets the hint. */
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

/** Asks soon, unless an earlier moment is set already: for news that is not the whole truth. */
export async function checkSubscriptionSoon(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update gapura.gateway_subscription
     set next_check_at = least(next_check_at, ${SOON})
     where id = $1`,
    [id],
  )
}
