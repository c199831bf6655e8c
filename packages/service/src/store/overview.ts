// Figures over a period of Jakarta days. They read the index of the period, and of the payments
// created in it the rows: about a second for each million, so a period has an end (D-143).
import type { Money } from '../domain/money.ts'
import type { PaymentType } from '../domain/payment_type.ts'
import type { Tx } from './transaction.ts'

/** From this moment on, and before that one. */
export interface Period {
  from: Date
  before: Date
}

/** A day in Jakarta. The offset is fixed: there is no daylight saving (D-26). */
const JAKARTA_DAY = (column: string): string =>
  `to_char(${column} at time zone 'UTC' + interval '7 hours', 'YYYY-MM-DD')`

export interface Received {
  day: string
  payment_type: PaymentType
  count: number
  amount: Money
}

/** Money received on each day by each method: what was captured of payments first paid then. */
export const sumReceived = async (tx: Tx, { from, before }: Period): Promise<Received[]> =>
  await tx.query<Received>(
    `select
       ${JAKARTA_DAY('paid_at')} as day,
       payment_type,
       count(*)::integer as count,
       sum(captured_amount) as amount
     from gapura.gateway_payment
     where paid_at >= $1
       and paid_at < $2
     group by 1, 2
     order by 1, 2`,
    [from, before],
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

/** How payments created in the period fared, by method. Charges the gateway refused are not counted. */
export const measureMethods = async (tx: Tx, { from, before }: Period): Promise<MethodFigures[]> =>
  await tx.query<MethodFigures>(
    `select
       payment_type,
       count(*)::integer as created,
       count(paid_at)::integer as paid,
       (count(*) filter (
         where paid_at is null and transaction_status in ('initiated', 'pending', 'authorize', 'capture')
       ))::integer as open,
       percentile_cont(0.5) within group (order by took_s) as median_s,
       percentile_cont(0.9) within group (order by took_s) as slow_s
     from (
       select
         payment_type, transaction_status, paid_at,
         extract(epoch from paid_at - created_at)::double precision as took_s
       from gapura.gateway_payment
       where created_at >= $1
         and created_at < $2
         and not refused
     ) as made
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
