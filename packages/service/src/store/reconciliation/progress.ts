// How far the matching is, the calendar it counts by, and what one side lacks once it is due.
import type { Tx } from '../connection/transaction.ts'
import { dayOf, IS_OPEN, storeCompared, type Stored } from './compared.ts'

/** A place in the lines as they were stored. */
export interface Place {
  at: Date
  id: string
}

/**
 * Locks the place until this transaction ends; undefined while another process matches. Compiling the
 * long statements that follow would take the server longer than running them, and a page of lines
 * does not fit into the usual memory of a sort.
 */
export async function lockProgress(tx: Tx): Promise<Place | undefined> {
  const [row] = await tx.query<{ at: Date; id: string }>(
    `select greatest(line_at, '2000-01-01') as at, line_id as id,
       set_config('jit', 'off', true), set_config('work_mem', '64MB', true)
     from gapura.reconciliation_progress
     where name = 'lines'
     for update skip locked`,
  )
  return row
}

/** The place after some lines, how many they are, and which comparisons they are for. */
export interface NextPlace extends Place {
  lines: number
  payments: boolean
  payouts: boolean
  bank: boolean
  others: boolean
}

/**
 * The place after the next lines, at most so many; undefined if there are none. They are read in the
 * order of the index: many lines have one time, of which the planner would expect few, and would sort
 * all that are left for every page.
 */
export async function nextPlace(
  tx: Tx,
  after: Place,
  limit: number,
): Promise<NextPlace | undefined> {
  await tx.query(`select set_config('enable_bitmapscan', 'off', true)`)
  const [row] = await tx.query<NextPlace & Record<string, unknown>>(
    `with page as materialized (
       select created_at, id, side, kind
       from gapura.statement_line
       where (created_at, id) > ($1, $2::uuid)
       order by created_at, id
       limit $3
     ), sum as materialized (
       select count(*)::integer as lines,
         bool_or(side = 'gateway' and kind = 'payment') as payments,
         bool_or(side = 'gateway' and kind = 'withdrawal') as payouts,
         bool_or(side = 'bank') as bank,
         bool_or(side = 'gateway' and kind not in ('payment', 'withdrawal', 'balance')) as others
       from page
     )
     select page.created_at as at, page.id, sum.lines, sum.payments, sum.payouts, sum.bank, sum.others
     from page
     cross join sum
     offset greatest((select lines from sum) - 1, 0)`,
    [after.at, after.id, limit],
    { prepare: false },
  )
  await tx.query(`select set_config('enable_bitmapscan', 'on', true)`)
  return row
}

/**
 * Stores the place. At the end of the lines it stays behind by `overlap_s`: a transaction that began
 * earlier may still add lines that are older than those compared.
 */
export async function moveProgress(tx: Tx, { at, id }: Place, overlap_s: number): Promise<void> {
  await tx.query(
    `update gapura.reconciliation_progress
     set line_at = least($1, gapura.now() - make_interval(secs => $3)),
         line_id = case
           when $1 <= gapura.now() - make_interval(secs => $3) then $2::uuid
           else '00000000-0000-0000-0000-000000000000'
         end,
         updated_at = gapura.now()
     where name = 'lines'`,
    [at, id, overlap_s],
  )
}

/** Today in Jakarta, and the business day so many days later. */
export async function readCalendar(
  tx: Tx,
  days: number,
): Promise<{ today: string; due_on: string }> {
  const [row] = await tx.query<{ today: string; due_on: string }>(
    `select today, gapura.business_day_after(today, $1) as due_on
     from (select ${dayOf('gapura.now()')} as today) as clock`,
    [days],
  )
  if (row === undefined) throw new Error('the database has no clock')
  return row
}

/** Days whose payments are due at the gateway and were not looked for yet, oldest first. */
export const listDueDays = async (
  tx: Tx,
  { name, days, today }: { name: string; days: number; today: string },
): Promise<{ day: string; covered: boolean; old: boolean }[]> =>
  await tx.query<{ day: string; covered: boolean; old: boolean }>(
    `select day.day,
       exists (
         select
         from gapura.statement_line as line
         where line.side = 'gateway'
           and line.day = day.day
           and line.kind = 'payment'
       )
       or exists (
         select
         from gapura.statement_window as read
         where read.source = 'history_api'
           and read.day = day.day
           and read.read_count > 0
       ) as covered,
       gapura.business_day_after(day.day, 20) < $3::date as old
     from (
       select candidate::date as day
       from generate_series(
         greatest(
           coalesce(
             (
               select ${dayOf('line_at')} + 1
               from gapura.reconciliation_progress
               where name = $1
             ),
             (select ${dayOf('min(paid_at)')} from gapura.gateway_payment_state)
           ),
           $3::date - 400
         ),
         $3::date - 1,
         interval '1 day'
       ) as candidate
     ) as day
     where gapura.business_day_after(day.day, $2) < $3::date
     order by day.day`,
    [name, days, today],
  )

/** Stores that the payments of this day were looked for. */
export async function passDueDay(tx: Tx, name: string, day: string): Promise<void> {
  await tx.query(
    `insert into gapura.reconciliation_progress (name, line_at)
     values ($1, $2::date::timestamp at time zone 'Asia/Jakarta')
     on conflict (name) do update
     set line_at = excluded.line_at,
         updated_at = gapura.now()`,
    [name, day],
  )
}

/** Days from one to another, both inside. */
interface Missing {
  from: string
  to: string
  batch: string
  due_on: string
}

const within = (time: string): string =>
  `${time} >= $1::date::timestamp at time zone 'Asia/Jakarta'
         and ${time} < ($2::date + 1)::timestamp at time zone 'Asia/Jakarta'`

/** Payments of some days and methods that are paid here, and of which the gateway has no such line. */
export const findMissingPayments = async (
  tx: Tx,
  { from, to, batch, due_on }: Missing,
  types: readonly string[],
): Promise<Stored[]> =>
  await tx.query<Stored>(
    `with unlisted as materialized (
       select state.id
       from gapura.gateway_payment_state as state
       where ${within('state.paid_at')}
         and state.payment_type = any($3)
         -- By the key of each: hashed, the whole table would be read for every span.
         and (select true from gapura.reconciliation_item as item where item.id = state.id) is null
     ),
     lacking as materialized (
       select payment.id, payment.id as payment_id,
         (
           select line.id
           from gapura.statement_line as line
           where line.order_id = payment.order_id
             and line.side = 'gateway'
             and line.kind = 'payment'
             and coalesce(line.transaction_id = payment.transaction_id, true)
           order by line.created_at desc, line.id desc
           limit 1
         ) as line_id,
         payment.version, payment.order_id, payment.booked_received,
         ${dayOf('coalesce(payment.settlement_time, payment.paid_at)')} as day
       from unlisted
       join gapura.gateway_payment as payment on payment.id = unlisted.id
       where payment.booked_received > 0
     ),
     ending as (select null::uuid as id where false),
     compared as not materialized (
       select id, payment_id, line_id as gateway_line_id, null::uuid as bank_line_id,
         null::uuid as payout_id, day, version as payment_version, 'payment' as kind,
         case when line_id is null then 'missing_there' else 'mismatched' end as state,
         case when line_id is null then 'missing_there' else 'unpaid_there' end as cause,
         '' as matched_by, '' as source, null::text as reference, order_id,
         booked_received as ours, null::numeric as theirs, null::numeric as received,
         null::numeric as fee, null::numeric as expected_fee, -booked_received as effect,
         0::numeric as booked_fee, 0::numeric as booked_vat, 0::numeric as booked_adjustment
       from lacking
     ),
     ${storeCompared('$4', '$5')}`,
    [from, to, types, batch, due_on],
  )

/** Refunds of some days that were made here, while the gateway's line about the payment has none. */
export const findMissingRefunds = async (
  tx: Tx,
  { from, to, batch, due_on }: Missing,
): Promise<Stored[]> =>
  await tx.query<Stored>(
    `with ending as (select null::uuid as id where false),
     compared as not materialized (
       select refund.id, refund.payment_id, item.gateway_line_id, null::uuid as bank_line_id,
         null::uuid as payout_id, ${dayOf('refund.created_at')} as day, payment.version as payment_version,
         'refund' as kind, 'missing_there' as state, 'refund_missing_there' as cause,
         '' as matched_by, '' as source, refund.refund_key as reference, payment.order_id,
         refund.amount as ours, null::numeric as theirs, null::numeric as received,
         null::numeric as fee, null::numeric as expected_fee, refund.amount as effect,
         0::numeric as booked_fee, 0::numeric as booked_vat, 0::numeric as booked_adjustment
       from gapura.gateway_refund as refund
       join gapura.gateway_payment as payment on payment.id = refund.payment_id
       join gapura.reconciliation_item as item on item.id = refund.payment_id
       join gapura.statement_line as line on line.id = item.gateway_line_id
       where ${within('refund.created_at')}
         and refund.status = 'succeeded'
         and refund.source <> 'outside'
         and upper(coalesce(line.status, '')) not like '%REFUND%'
         and not exists (
           select from gapura.reconciliation_item as known where known.id = refund.id
         )
     ),
     ${storeCompared('$3', '$4')}`,
    [from, to, batch, due_on],
  )

/** Lines of open exceptions whose payment changed, or exists, since they were compared. */
export const listChangedLines = async (
  tx: Tx,
  limit: number,
): Promise<{ line_id: string; kind: string }[]> =>
  await tx.query<{ line_id: string; kind: string }>(
    `select line.id as line_id, line.kind
     from (
       select item.gateway_line_id, item.payment_id, item.payment_version, item.order_id
       from gapura.reconciliation_item as item
       where item.state in ${IS_OPEN}
         and item.kind in ('payment', 'refund', 'chargeback')
         and item.gateway_line_id is not null
         and item.action_id is null
     ) as item
     join gapura.statement_line as compared on compared.id = item.gateway_line_id
     join lateral (
       select newest.id, newest.kind
       from gapura.statement_line as newest
       where newest.source = compared.source
         and newest.line_key = compared.line_key
       order by newest.version desc
       limit 1
     ) as line on true
     left join gapura.gateway_payment as payment on payment.id = item.payment_id
     left join gapura.gateway_payment as named
       on item.payment_id is null and named.order_id = item.order_id and not named.refused
     where payment.version is distinct from item.payment_version
       or named.id is not null
     limit $1`,
    [limit],
  )

/** Ends exceptions about payments that the gateway lacked and that are not paid here any more. */
export async function endUnpaid(tx: Tx): Promise<void> {
  await tx.query(
    `update gapura.reconciliation_item as item
     set state = 'resolved', effect = 0, due_on = null, updated_at = gapura.now()
     from gapura.gateway_payment as payment
     where item.cause in ('missing_there', 'unpaid_there')
       and item.state in ${IS_OPEN}
       and payment.id = item.id
       and payment.booked_received = 0`,
  )
}
