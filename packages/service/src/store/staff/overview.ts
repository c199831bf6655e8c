// Figures over a period of Jakarta days. They read the index of the period, and of the payments
// created in it the rows: about a second for each million, so a period has an end (ADR 0024).
import type { Money } from '../../domain/money.ts'
import type { PaymentType } from '../../domain/payment_type.ts'
import type { Tx } from '../connection/transaction.ts'

/** From this moment on, and before that one. */
export interface Period {
  from: Date
  before: Date
}

const DAY_MS = 86_400_000

/** A day in Jakarta. The offset is fixed: there is no daylight saving (api-rules.md#times). */
const JAKARTA_DAY = (column: string): string =>
  `to_char(${column} at time zone 'UTC' + interval '7 hours', 'YYYY-MM-DD')`

export interface Received {
  day: string
  payment_type: PaymentType
  count: number
  amount: Money
}

/**
 * Money received on each day by each method: what was captured of payments first paid then. Each day
 * is a range of the index with a few groups; grouped by the day's name, half a million rows were
 * sorted for it.
 */
export const sumReceived = async (tx: Tx, { from, before }: Period): Promise<Received[]> =>
  await tx.query<Received>(
    `select ${JAKARTA_DAY("($1::timestamptz + days.n * interval '24 hours')")} as day, received.*
     from generate_series(0, $2::integer - 1) as days (n)
     cross join lateral (
       select payment_type, count(*)::integer as count, sum(captured_amount) as amount
       from gapura.gateway_payment
       where paid_at >= $1::timestamptz + days.n * interval '24 hours'
         and paid_at < $1::timestamptz + (days.n + 1) * interval '24 hours'
       group by payment_type
     ) as received
     order by 1, 2`,
    [from, Math.round((before.getTime() - from.getTime()) / DAY_MS)],
    { prepare: false },
  )

export interface MethodFigures {
  payment_type: PaymentType
  created: number
  paid: number
  /** Neither paid nor ended yet. */
  open: number
  /** Half of the payers took no longer, in seconds; null where nobody paid. */
  median_s: number | null
  /** Nine of ten took no longer. */
  slow_s: number | null
}

/**
 * How payments created in the period fared, by method. Charges the gateway refused are not counted.
 * Payments are counted by the whole second first, and the figures read from those counts: a few
 * thousand rows are sorted instead of all of them. The expression is that of the statistics
 * gateway_payment_took, word for word.
 */
export const measureMethods = async (tx: Tx, { from, before }: Period): Promise<MethodFigures[]> =>
  await tx.query<MethodFigures>(
    `select
       payment_type,
       sum(payments)::integer as created,
       coalesce(max(paid), 0)::integer as paid,
       sum(open)::integer as open,
       min(took_s) filter (where 2 * so_far >= paid) as median_s,
       min(took_s) filter (where 10 * so_far >= 9 * paid) as slow_s
     from (
       select
         *,
         sum(payments) filter (where took_s is not null)
           over (partition by payment_type order by took_s) as so_far,
         sum(payments) filter (where took_s is not null) over (partition by payment_type) as paid
       from (
         select
           payment_type,
           date_part('epoch', paid_at - created_at)::integer as took_s,
           -- An integer: the sum of bigints is a numeric, several times slower.
           count(*)::integer as payments,
           (count(*) filter (
             where paid_at is null
               and transaction_status in ('initiated', 'pending', 'authorize', 'capture')
           ))::integer as open
         from gapura.gateway_payment
         where created_at >= $1
           and created_at < $2
           and not refused
         group by 1, 2
       ) as made
     ) as placed
     group by payment_type
     order by created desc, payment_type`,
    [from, before],
    { prepare: false },
  )

export interface RefundedDay {
  day: string
  count: number
  amount: Money
}

/** Money paid back on each day, by the day the refund was asked for. */
export const sumRefunds = async (tx: Tx, { from, before }: Period): Promise<RefundedDay[]> =>
  await tx.query<RefundedDay>(
    `select ${JAKARTA_DAY('created_at')} as day, count(*)::integer as count, sum(amount) as amount
     from gapura.gateway_refund
     where status = 'succeeded'
       and created_at >= $1
       and created_at < $2
     group by 1
     order by 1`,
    [from, before],
    { prepare: false },
  )
