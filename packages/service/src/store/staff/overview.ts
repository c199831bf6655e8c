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

export interface Failures {
  payment_type: PaymentType
  transaction_status: string
  status_code: string | null
  status_message: string | null
  count: number
}

/** What was received in a period and not reversed, by method, and bank or store. */
export interface BookedByChannel {
  payment_type: PaymentType
  channel: string
  /** How many of the given days on which a rate began had come when it was paid. */
  rates_begun: number
  count: number
  amount: Money
}

/** The results of the payments created in a period, and what was booked of those paid in it. */
export interface Results {
  methods: MethodFigures[]
  /** By method and bank: that of the virtual account, or of the card's acquirer. */
  banks: BankFigures[]
  /** Why payments ended without money, the most frequent first. */
  failures: Failures[]
  booked: BookedByChannel[]
}

interface FoundResults extends Omit<Results, 'booked'> {
  booked: (Omit<BookedByChannel, 'amount'> & { amount: string })[]
}

const FAILURES_MAX = 20

/**
 * Everything that the figures are made of, in one reading of the payments, which is most of the cost.
 * They are counted per whole second, so that a few thousand rows are sorted instead of all. The
 * expression must equal that of the statistics gateway_payment_results.
 */
const made = (rates_begun: string): string => `
  select
    payment_type,
    bank,
    store,
    ${rates_begun} as rates_begun,
    date_part('epoch', paid_at - created_at)::integer as took_s,
    refused,
    -- One value, null for most: further columns would make every group dearer.
    case
      when transaction_status in ('deny', 'cancel', 'expire', 'failure')
        then array[transaction_status, status_code, status_message]
    end as failure,
    -- An integer: the sum of bigints is a numeric, which is several times slower.
    count(*)::integer as payments,
    (count(*) filter (
      where paid_at is null
        and transaction_status in ('initiated', 'pending', 'authorize', 'capture')
    ))::integer as open,
    (count(*) filter (where paid_at < $2 and booked_received > 0))::integer as booked,
    sum(booked_received) filter (where paid_at < $2 and booked_received > 0) as booked_amount
  from gapura.gateway_payment
  where created_at >= $1
    and created_at < $2
  group by payment_type, bank, store, rates_begun, took_s, refused, failure`

/** Charges that the gateway refused are not counted. */
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
        took_s,
        sum(payments)::integer as payments,
        sum(open)::integer as open
      from made
      where not refused
        ${only}
      group by ${columns}, took_s
    ) as counted
  ) as placed
  group by ${columns}
  order by created desc, ${columns}`

const FAILURES = `
  select
    payment_type,
    failure[1] as transaction_status,
    failure[2] as status_code,
    failure[3] as status_message,
    sum(payments)::integer as count
  from made
  where failure is not null
  group by payment_type, failure
  order by count desc, payment_type, transaction_status
  limit ${FAILURES_MAX}`

/**
 * Those paid in the period that were created before it, each looked up by its key: they are few, and
 * the planner would read the whole table for them.
 */
const EARLIER = `
  select id, paid_at
  from gapura.gateway_payment_state
  where paid_at >= $1
    and paid_at < $2
    and created_at < $1`

const BOOKED = `
  select
    payment_type,
    coalesce(bank, store, '') as channel,
    rates_begun,
    sum(booked)::integer as count,
    (sum(booked_amount) * 100)::bigint::text as amount
  from (
    select payment_type, bank, store, rates_begun, booked, booked_amount
    from made
    where booked > 0
    union all
    select payment_type, bank, store, width_bucket(paid_at, $3::timestamptz[]), 1, booked_received
    from earlier
    cross join lateral (
      select payment_type, bank, store, booked_received
      from gapura.gateway_payment
      where gateway_payment.id = earlier.id
      limit 1
    ) as payment
    where booked_received > 0
  ) as booked
  group by 1, 2, 3
  order by 1, 2, 3`

const listed = (rows: string): string =>
  `coalesce((select json_agg(figures) from (${rows}) as figures), '[]'::json)`

/** Not compiled, which would take as long as the reading, and with memory for a hash of all groups. */
const SETTINGS = `select set_config('jit', 'off', true), set_config('work_mem', '128MB', true)`

/**
 * The rest of the transaction has settings for long statements. `rate_days` are the moments within
 * the period from which another rate holds, in order.
 */
export async function measureResults(
  tx: Tx,
  { from, before }: Period,
  rate_days: readonly Date[],
): Promise<Results> {
  await tx.query(SETTINGS, [], { prepare: false })
  // No column where all is one rate: it would hide from the planner how many groups there are.
  const rates_begun = rate_days.length === 0 ? '0' : 'width_bucket(paid_at, $3::timestamptz[])'
  const [found] = await tx.query<FoundResults>(
    `with made as materialized (${made(rates_begun)}),
     earlier as materialized (${EARLIER})
     select
       ${listed(figuresBy('payment_type', ''))} as methods,
       ${listed(figuresBy('payment_type, bank', 'and bank is not null'))} as banks,
       ${listed(FAILURES)} as failures,
       ${listed(BOOKED)} as booked`,
    [from, before, rate_days.map((day) => day.toISOString())],
    { prepare: false },
  )
  if (found === undefined) throw new Error('the overview has no row')
  const booked = found.booked.map((row) => ({ ...row, amount: BigInt(row.amount) }))
  return { ...found, booked }
}

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
