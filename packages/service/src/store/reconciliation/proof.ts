// The proof of a day: what the gateway's balance did, what the ledger moved, and what explains the rest.
import { PAYMENT_TYPE, PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { PROOF_DAYS } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { dayOf, IS_OPEN } from './compared.ts'

export interface BalanceProof {
  day: string
  computed_at: Date
  due_on: string
  /** Sums can exceed what one payment can be, so they are decimal text. */
  opening: string
  closing: string
  movements: readonly { kind: string; amount: string }[]
  causes: readonly { cause: string; count: number; amount: string }[]
  unexplained: string
}

const startOf = (day: string): string => `(${day})::timestamp at time zone 'Asia/Jakarta'`

/** The newest balance of each of these days, as the gateway stated it. */
const STATED = `
  stated as materialized (
    select distinct on (line.day) line.id, line.day, line.balance as closing,
      line.balance - line.amount as opening
    from gapura.statement_line as line
    where line.side = 'gateway'
      and line.kind = 'balance'
      and line.source = 'balance_api'
      and line.day = any($1::date[])
    order by line.day, line.version desc
  )`

/** The days that are not closed hold exactly what happened on them; later days may hold the rest. */
const MOVED = `
  moved as (
    select ${dayOf('posting.occurred_at')} as day, posting.kind,
      sum(case when posting.destination = 'gateway:pending' then posting.amount
        else -posting.amount end) as amount
    from gapura.ledger_posting as posting
    where posting.booked_on >= (select min(day) from stated)
      and posting.booked_on <= greatest(
        (select max(day) from stated),
        (
          select case when max(closing.day) >= (select min(day) from stated)
            then ${dayOf('gapura.now()')} end
          from gapura.ledger_closing as closing
        )
      )
      and posting.occurred_at >= ${startOf('select min(day) from stated')}
      and posting.occurred_at < ${startOf('select max(day) + 1 from stated')}
      and 'gateway:pending' in (posting.source, posting.destination)
    group by 1, 2
  )`

const CAPTURED_APART = PAYMENT_TYPES.filter((type) => PAYMENT_TYPE[type].separate_capture)
  .map((type) => `'${type}'`)
  .join(', ')

/** Cards are booked when they are captured, and are on the gateway's balance when they are settled. */
const CAPTURED = `
  captured as (
    select change.day, 'captured_not_settled' as cause, count(*) as count, sum(change.amount) as amount
    from gapura.gateway_payment_state as state
    join gapura.gateway_payment as payment on payment.id = state.id
    join gapura.ledger_posting as posting on posting.object_id = payment.id
      and posting.kind = 'received'
      and posting.object_kind = 'payment'
    cross join lateral (
      values
        (${dayOf('posting.occurred_at')}, -posting.amount),
        (${dayOf('payment.settlement_time')}, posting.amount)
    ) as change (day, amount)
    where state.payment_type in (${CAPTURED_APART})
      and state.paid_at >= ${startOf('select min(day) - 15 from stated')}
      and state.paid_at < ${startOf('select max(day) + 15 from stated')}
      and ${dayOf('payment.settlement_time')} is distinct from ${dayOf('posting.occurred_at')}
      and change.day in (select day from stated)
    group by change.day
  )`

/** Refunds that the gateway made on another day than the one on which we learned of them. */
const LEARNED = `
  learned as (
    select change.day, 'learned_on_another_day' as cause, count(*) as count,
      sum(change.amount) as amount
    from (
      select item.id
      from gapura.reconciliation_item as item
      where item.day in (select day from stated)
        and item.kind = 'refund'
      union
      select refund.id
      from gapura.gateway_refund as refund
      where refund.created_at >= ${startOf('select min(day) from stated')}
        and refund.created_at < ${startOf('select max(day) + 1 from stated')}
    ) as candidate
    join gapura.reconciliation_item as item on item.id = candidate.id
    join gapura.gateway_refund as refund on refund.id = candidate.id
    cross join lateral (
      values (item.day, -refund.amount), (${dayOf('refund.created_at')}, refund.amount)
    ) as change (day, amount)
    where item.state = 'matched'
      and refund.status = 'succeeded'
      and ${dayOf('refund.created_at')} <> item.day
      and change.day in (select day from stated)
    group by change.day
  )`

const CAUSES = `
  explained as (
    select item.day, item.cause, count(*) as count, sum(item.effect) as amount
    from gapura.reconciliation_item as item
    where item.day in (select day from stated)
      and item.effect <> 0
    group by item.day, item.cause
    union all
    select day, cause, count, amount from captured
    union all
    select day, cause, count, amount from learned
  )`

/** Computes the proof of these days, as far as the gateway's balance of them was read. */
export const computeProofs = async (tx: Tx, days: readonly string[]): Promise<void> => {
  await tx.query(
    `with ${STATED}, ${MOVED}, ${CAPTURED}, ${LEARNED}, ${CAUSES}
     insert into gapura.reconciliation_proof as proof
       (day, due_on, opening, closing, movements, causes, unexplained)
     select stated.day, gapura.business_day_after(stated.day, ${PROOF_DAYS}), stated.opening,
       stated.closing, coalesce(moves.list, '[]'), coalesce(why.list, '[]'),
       stated.closing - stated.opening - coalesce(moves.amount, 0) - coalesce(why.amount, 0)
     from stated
     left join lateral (
       select sum(moved.amount) as amount,
         jsonb_agg(
           jsonb_build_object('kind', moved.kind, 'amount', moved.amount::numeric(20, 2)::text)
           order by moved.kind
         ) as list
       from moved
       where moved.day = stated.day
     ) as moves on true
     left join lateral (
       select sum(explained.amount) as amount,
         jsonb_agg(
           jsonb_build_object('cause', explained.cause, 'count', explained.count,
             'amount', explained.amount::numeric(20, 2)::text)
           order by explained.cause
         ) as list
       from explained
       where explained.day = stated.day
     ) as why on true
     on conflict (day) do update
     set opening = excluded.opening,
         closing = excluded.closing,
         movements = excluded.movements,
         causes = excluded.causes,
         unexplained = excluded.unexplained,
         computed_at = gapura.now()`,
    [days],
    { prepare: false },
  )
}

/** Opens an exception for a day whose opening balance is not the closing balance of the day before. */
export async function findBalanceGaps(
  tx: Tx,
  days: readonly string[],
  due_on: string,
): Promise<void> {
  await tx.query(
    `with ${STATED},
     gap as (
       select
         (
           select first.id
           from gapura.statement_line as newest
           join gapura.statement_line as first on first.source = newest.source
             and first.line_key = newest.line_key
             and first.version = 1
           where newest.id = stated.id
         ) as id,
         stated.id as line_id, stated.day, stated.opening, former.closing
       from stated
       join gapura.reconciliation_proof as former on former.day = stated.day - 1
       where former.closing <> stated.opening
     ),
     healed as (
       update gapura.reconciliation_item as item
       set state = 'resolved', due_on = null, updated_at = gapura.now()
       where item.cause = 'balance_gap'
         and item.state in ${IS_OPEN}
         and item.day in (select day from stated)
         and not exists (select from gap where gap.id = item.id)
     )
     insert into gapura.reconciliation_item
       (id, gateway_line_id, day, due_on, kind, state, cause, source, ours, theirs)
     select id, line_id, day, $2::date, 'balance', 'mismatched', 'balance_gap', 'balance_api',
       closing, opening
     from gap
     on conflict (id) do nothing`,
    [days, due_on],
    { prepare: false },
  )
}

/** Days to prove: recent ones, those not explained yet, and those that the matching touched. */
export async function listDaysToProve(
  tx: Tx,
  { today, touched }: { today: string; touched: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ day: string }>(
    `select distinct line.day
     from gapura.statement_line as line
     where line.side = 'gateway'
       and line.kind = 'balance'
       and (
         line.day >= $1::date - 10
         or line.day = any($2::date[])
         or line.day in (
           select proof.day from gapura.reconciliation_proof as proof where proof.unexplained <> 0
         )
         or not exists (
           select from gapura.reconciliation_proof as proof where proof.day = line.day
         )
       )
     order by line.day`,
    [today, touched],
    { prepare: false },
  )
  return rows.map(({ day }) => day)
}

/** The stored proofs of a span of days, newest first. */
export const listProofs = async (
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<BalanceProof[]> =>
  await tx.query<BalanceProof & Record<string, unknown>>(
    `select day, computed_at, due_on, opening::text, closing::text, movements, causes,
       unexplained::text
     from gapura.reconciliation_proof
     where day between $1::date and $2::date
     order by day desc`,
    [from, to],
  )
