// The cycles of a subscription are payments that refer to it, one for each of the gateway's
// transactions (ADR 0012).
import type { Money } from '../../domain/money.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { SUBSCRIPTION_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

/** The gateway's transactions that have no payment of this subscription yet. */
export async function listUnknownCycles(
  tx: Tx,
  subscription_id: string,
  transaction_ids: readonly string[],
): Promise<string[]> {
  const unknown = await tx.query<{ transaction_id: string }>(
    `select transaction_id
     from unnest($2::text[]) with ordinality as listed (transaction_id, place)
     where not exists (
       select
       from gapura.gateway_payment as payment
       where payment.subscription_id = $1
         and payment.cycle_transaction_id = listed.transaction_id
     )
     order by place`,
    [subscription_id, transaction_ids],
  )
  return unknown.map(({ transaction_id }) => transaction_id)
}

/**
 * Counts a cycle that was paid now, and plans a query about its subscription: the last cycle ends
 * it. It counts our own payments, so that a cycle is never counted twice.
 */
export async function countCycle(
  tx: Tx,
  { id, payment_id }: { id: string; payment_id: string },
): Promise<GatewaySubscription | undefined> {
  const [counted] = await tx.query<GatewaySubscription>(
    `update gapura.gateway_subscription as subscription
     set current_interval = (
           select count(*)
           from gapura.gateway_payment as payment
           where payment.subscription_id = subscription.id
             and payment.paid_at is not null
         ),
         last_payment_id = $2,
         next_check_at = least(
           next_check_at,
           greatest(gapura.now(), checked_at + interval '60 seconds')
         ),
         updated_at = gapura.now()
     where id = $1
     returning ${SUBSCRIPTION_COLUMNS}`,
    [id, payment_id],
  )
  return counted
}

/** Whether an update of our own changed the amount within this time. */
export async function isAmountNewer(tx: Tx, id: string, than_ms: number): Promise<boolean> {
  const found = await tx.query(
    `select
     from gapura.gateway_subscription as subscription
     where id = $1
       and amount_changed_at > gapura.now() - make_interval(secs => $2::double precision / 1000)
       and exists (
         select
         from gapura.gateway_transition
         where object_id = subscription.id
           and reason = 'updated'
           and occurred_at > amount_changed_at - interval '1 second'
       )`,
    [id, than_ms],
  )
  return found.length > 0
}

/** Whether this was its amount until after the given time, so that a cycle charged it then. */
export async function wasAmountAt(
  tx: Tx,
  { id, amount, at }: { id: string; amount: Money; at: Date },
): Promise<boolean> {
  const found = await tx.query(
    `select
     from gapura.gateway_subscription
     where id = $1
       and former_amount = $2
       -- Two clocks, the gateway's and ours.
       and amount_changed_at >= $3::timestamptz - interval '5 minutes'`,
    [id, amount, at],
  )
  return found.length > 0
}
