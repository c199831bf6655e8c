// Figures over a period of Jakarta days. They read the index of the period and the payments created
// in it: about a second for each million, so a period is limited (ADR 0024).
import type { Money } from '../../domain/money.ts'
import type { PaymentType } from '../../domain/payment_type.ts'
import type { Tx } from '../connection/transaction.ts'

/** From the first moment on, and before the second. */
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
 * Money received on each day by each method: the captured amounts of payments first paid then. Each
 * day is an index range with a few groups; grouping by day sorted half a million rows.
 */
export const sumReceived = async (tx: Tx, { from, before }: Period): Promise<Received[]> =>
  await tx.query<Received>(
    `select ${JAKARTA_DAY("($1::timestamptz + days.n * interval '24 hours')")} as day, received.*
     from generate_series(0, $2::integer - 1) as days (n)
     cross join lateral (
       select payment_type, count(*)::integer as count, sum(captured_amount) as amount
       from gapura.gateway_payment_state
       where paid_at >= $1::timestamptz + days.n * interval '24 hours'
         and paid_at < $1::timestamptz + (days.n + 1) * interval '24 hours'
       group by payment_type
     ) as received
     order by 1, 2`,
    [from, Math.round((before.getTime() - from.getTime()) / DAY_MS)],
    { prepare: false },
  )

interface Figures {
  created: number
  paid: number
  /** Neither paid nor ended yet. */
  open: number
  /** The median time to pay in seconds; null if there was no payment. */
  median_s: number | null
  /** The 90th percentile. */
  slow_s: number | null
}

export type MethodFigures = Figures & { payment_type: PaymentType }
export type BankFigures = Figures & { payment_type: PaymentType; bank: string }

/**
 * The results of the payments created in the period, by these columns. Charges that the gateway
 * refused are not counted. Payments are first counted per whole second, and the figures are computed
 * from those counts: a few thousand rows are sorted instead of all. The expression must equal that of
 * the statistics gateway_payment_took.
 */
const figuresBy = (columns: string, only: string): string => `
  select
    ${columns},
    sum(payments)::integer as created,
    coalesce(max(paid), 0)::integer as paid,
    sum(open)::integer as open,
    min(took_s) filter (where 2 * so_far >= paid) as median_s,
    min(took_s) filter (where 10 * so_far >= 9 * paid) as slow_s
  from (
    select
      *,
      sum(payments) filter (where took_s is not null)
        over (partition by ${columns} order by took_s) as so_far,
      sum(payments) filter (where took_s is not null) over (partition by ${columns}) as paid
    from (
      select
        ${columns},
        date_part('epoch', paid_at - created_at)::integer as took_s,
        -- An integer: the sum of bigints is a numeric, which is several times slower.
        count(*)::integer as payments,
        (count(*) filter (
          where paid_at is null
            and transaction_status in ('initiated', 'pending', 'authorize', 'capture')
        ))::integer as open
      from gapura.gateway_payment
      where created_at >= $1
        and created_at < $2
        and not refused
        ${only}
      group by ${columns}, took_s
    ) as made
  ) as placed
  group by ${columns}
  order by created desc, ${columns}`

export const measureMethods = async (tx: Tx, { from, before }: Period): Promise<MethodFigures[]> =>
  await tx.query<MethodFigures>(figuresBy('payment_type', ''), [from, before], { prepare: false })

/** The same for each bank of a method: that of the virtual account, or of the card's acquirer. */
export const measureBanks = async (tx: Tx, { from, before }: Period): Promise<BankFigures[]> =>
  await tx.query<BankFigures>(
    figuresBy('payment_type, bank', 'and bank is not null'),
    [from, before],
    { prepare: false },
  )

export interface Failures {
  payment_type: PaymentType
  transaction_status: string
  status_code: string | null
  status_message: string | null
  count: number
}

const FAILURES_MAX = 20

/** Why the payments created in the period ended without money, the most frequent first. */
export const countFailures = async (tx: Tx, { from, before }: Period): Promise<Failures[]> =>
  await tx.query<Failures>(
    `select payment_type, transaction_status, status_code, status_message,
       count(*)::integer as count
     from gapura.gateway_payment
     where created_at >= $1
       and created_at < $2
       and transaction_status in ('deny', 'cancel', 'expire', 'failure')
     group by payment_type, transaction_status, status_code, status_message
     order by count desc, payment_type, transaction_status
     limit ${FAILURES_MAX}`,
    [from, before],
    { prepare: false },
  )

export interface PeriodTotals {
  received: Money
  payments: number
  refunded: Money
  refunds: number
}

/** What a period came to, to compare another with. */
export async function sumPeriod(tx: Tx, { from, before }: Period): Promise<PeriodTotals> {
  const [totals] = await tx.query<PeriodTotals>(
    `select *
     from (
       select coalesce(sum(captured_amount), 0.00) as received,
         count(*)::integer as payments
       from gapura.gateway_payment_state
       where paid_at >= $1
         and paid_at < $2
     ) as received
     cross join (
       select coalesce(sum(amount), 0.00) as refunded, count(*)::integer as refunds
       from gapura.gateway_refund
       where status = 'succeeded'
         and created_at >= $1
         and created_at < $2
     ) as refunded`,
    [from, before],
    { prepare: false },
  )
  return totals ?? { received: 0n, payments: 0, refunded: 0n, refunds: 0 }
}

export interface RefundedDay {
  day: string
  count: number
  amount: Money
}

/** Money refunded on each day, by the day the refund was requested. */
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
