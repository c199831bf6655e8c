import type { Money } from '../../domain/money.ts'
import type { GatewayRefund } from '../../domain/payment.ts'
import type { RefundAmounts } from './rows.ts'
import { toJson } from '../sql/values.ts'
import { doneOnCommit, type Tx } from '../connection/transaction.ts'

/**
 * One entry of the gateway's `refunds[]`. The id is for the new row if we did not make the refund.
 */
export type ReportedRefund = Pick<
  GatewayRefund,
  'id' | 'refund_key' | 'amount' | 'reason' | 'is_direct' | 'confirmed_at'
> &
  // Only the answer to the refund itself has them; the list does not.
  Partial<Pick<GatewayRefund, 'status_code' | 'status_message'>>

const REPORTED = `
  select reported.*, known.status as known_status, known.amount as known_amount
  from jsonb_to_recordset($2::jsonb) as reported(
    id uuid, position integer, refund_key text, amount numeric, reason text, is_direct boolean,
    status_code text, status_message text, confirmed_at timestamptz
  )
  left join gapura.gateway_refund as known
    on known.payment_id = $1
    and known.refund_key = reported.refund_key`

const APPLY = `
  with reported as (${REPORTED}),
  change as (
    select
      coalesce(sum(amount) filter (where known_status is distinct from 'succeeded'), 0) as refunded,
      coalesce(sum(known_amount) filter (where known_status = 'pending'), 0) as released,
      count(*) filter (where known_status = 'failed')::integer as revived,
      -- In the order of the gateway's list.
      (array_agg(refund_key order by position desc)
        filter (where known_status is distinct from 'succeeded'))[1] as made_last
    from reported
  ),
  payment as (
    update gapura.gateway_payment as payment
    set refunded_amount = refunded_amount + change.refunded,
        refund_reserved_amount = refund_reserved_amount - change.released,
        updated_at = gapura.now()
    from change
    where payment.id = $1
      -- The table's CHECK, evaluated beforehand: a fact must not become an error.
      and refunded_amount + change.refunded + refund_reserved_amount - change.released
        <= captured_amount
      and refund_reserved_amount >= change.released
    returning payment.id, owner_id, captured_amount, refunded_amount, refund_reserved_amount
  ),
  refund as (
    insert into gapura.gateway_refund as refund
      (id, payment_id, owner_id, refund_key, amount, reason, is_direct, status, source,
       status_code, status_message, confirmed_at)
    select reported.id, payment.id, payment.owner_id, refund_key, amount, reason, is_direct,
      'succeeded', 'gateway', status_code, status_message, confirmed_at
    from reported
    cross join payment
    on conflict (payment_id, refund_key) do update
    set status = 'succeeded',
        -- The amount that the gateway paid, if it ever differs: the sums are of what was paid.
        amount = case when refund.status = 'succeeded' then refund.amount else excluded.amount end,
        -- Of the answer that made it; a refusal that turned out to be wrong is overwritten.
        status_code = case
          when refund.status = 'failed' then excluded.status_code
          else coalesce(excluded.status_code, refund.status_code)
        end,
        status_message = case
          when refund.status = 'failed' then excluded.status_message
          else coalesce(excluded.status_message, refund.status_message)
        end,
        confirmed_at = coalesce(refund.confirmed_at, excluded.confirmed_at),
        updated_at = gapura.now()
  )
  select captured_amount, refunded_amount, refund_reserved_amount, change.refunded as booked,
    change.revived, change.made_last
  from payment
  cross join change`

interface Made extends Pick<AppliedRefunds, 'revived' | 'made_last'> {
  booked: Money
}

export interface AppliedRefunds {
  amounts: RefundAmounts
  /** How many of them were recorded as failed before. */
  revived: number
  /** The key of the last one that was not known as made before. */
  made_last: string | null
}

/**
 * Applies the gateway's whole list of refunds in one statement: ours go from reserved to refunded,
 * others become rows of `source: gateway`. May be repeated. Undefined, and nothing is changed, if
 * the sum exceeds the captured amount; then our open refunds must be resolved first. The payment
 * must be locked, and no key may occur twice in the list.
 */
export async function applyReportedRefunds(
  tx: Tx,
  payment_id: string,
  refunds: readonly ReportedRefund[],
): Promise<AppliedRefunds | undefined> {
  const reported = refunds.map((refund, position) => ({ ...refund, position }))
  const [applied] = await tx.query<RefundAmounts & Made>(APPLY, [payment_id, toJson(reported)])
  if (applied === undefined) return undefined
  const { booked, revived, made_last, ...amounts } = applied
  if (booked > 0n) doneOnCommit({ kind: 'refunded', amount: booked })
  return { amounts, revived, made_last }
}
