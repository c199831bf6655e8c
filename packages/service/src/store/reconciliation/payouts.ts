// The gateway's payouts against the bank's lines, and what is inside each payout.
import { BANK_DAYS, PAYOUT_DAYS } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { postedOn } from '../ledger/postings.ts'
import { BETWEEN, dayOf, newestLines } from './compared.ts'
import type { Page } from './payments.ts'

const WITHDRAWALS = `line.side = 'gateway' and line.kind = 'withdrawal'`

/** Payouts of a page of lines; those that changed are evaluated again. */
export async function insertPayouts(tx: Tx, { after, until }: Page): Promise<void> {
  await tx.query(
    `with ${newestLines(BETWEEN, WITHDRAWALS)}
     insert into gapura.reconciliation_item as item
       (id, gateway_line_id, day, kind, state, source, reference, theirs)
     select page.first_id, page.id, page.day, 'payout', 'expected', page.source, page.reference,
       abs(page.amount)
     from page
     -- The portal's list has the gateway's id where the history has the bank's reference.
     where page.source = 'history_api'
       or not exists (
         select
         from gapura.statement_line as known
         where known.source = 'history_api'
           and known.line_key = 'WITHDRAWAL:' || page.reference
       )
     on conflict (id) do update
     set gateway_line_id = excluded.gateway_line_id,
         theirs = excluded.theirs,
         state = 'expected',
         cause = '',
         updated_at = gapura.now()
     where item.gateway_line_id <> excluded.gateway_line_id
       and item.action_id is null`,
    [after.at, after.id, until.at, until.id],
  )
}

const word = `upper(coalesce(line.status, 'SUCCESS'))`

/** What is known of each payout of the page: its state, its bank's lines and the report about it. */
const FACTS = `
  fact as materialized (
    select item.id, item.day, item.theirs, item.booked_sent, item.booked_arrived,
      item.state as former_state, item.cause as former_cause, item.received as former_received,
      item.due_on as former_due, item.matched_by as former_key, item.bank_line_id,
      case
        when ${word} in ('SUCCESS', 'COMPLETED', 'SETTLEMENT', 'PAID') then 'done'
        when ${word} in ('FAILED', 'CANCELLED', 'CANCELED', 'REJECTED') then 'failed'
        else 'open'
      end as said,
      case when item.bank_line_id is null then bank.received else item.theirs end as received,
      bank.lines, bank.equal_lines, bank.matched_by,
      coalesce(bank.day, (
        select batch.day from gapura.statement_line as batch where batch.id = item.bank_line_id
      )) as bank_day,
      inside.net, inside.lines as inside_lines,
      gapura.business_day_after(item.day, ${PAYOUT_DAYS}) as complete_by,
      gapura.business_day_after(item.day, ${PAYOUT_DAYS + BANK_DAYS}) as arrive_by,
      -- The failure was read on the day after it.
      ${dayOf(`line.created_at - interval '1 day'`)} as failed_on
    from (
      select * from gapura.reconciliation_item
      where kind = 'payout'
        and action_id is null
        and id > $1::uuid
        and (
          state <> 'matched'
          or exists (
            select
            from gapura.reconciliation_item as touched
            where touched.payout_id = reconciliation_item.id
              and touched.updated_at > reconciliation_item.updated_at
          )
        )
      order by id
      limit $2
    ) as item
    join gapura.statement_line as line on line.id = item.gateway_line_id
    left join lateral (
      select sum(bank.received)::numeric(15, 2) as received, count(*) as lines, max(bank.day) as day,
        count(*) filter (where bank.received = item.theirs) as equal_lines,
        min(bank.matched_by) as matched_by
      from gapura.reconciliation_item as bank
      where bank.payout_id = item.id
      having count(*) > 0
    ) as bank on true
    left join lateral (
      select count(*) as lines,
        sum(case when report.kind = 'payment' then report.amount - coalesce(report.fee, 0)
          else -abs(report.amount) end) as net
      from gapura.statement_line as report
      where report.reference in (item.reference, split_part(line.line_key, ':', 2))
        and report.side = 'gateway'
        and report.kind in ('payment', 'refund', 'chargeback')
    ) as inside on true
  )`

const CAUSE = `case
      when fact.said = 'failed' and coalesce(fact.received, 0) > 0 then 'payout_failed_but_received'
      when fact.said = 'failed' then ''
      when fact.lines > 1 and fact.received = 0 then 'payout_returned'
      when fact.lines > 1 and fact.lines = fact.equal_lines then 'payout_twice_at_bank'
      when fact.received <> fact.theirs then 'payout_amount_differs'
      when fact.inside_lines > 0 and abs(fact.net - fact.theirs) > fact.inside_lines
        then 'payout_sum_differs'
      when fact.received = fact.theirs then ''
      when fact.said = 'open' and fact.complete_by < $3::date then 'payout_not_completed'
      when fact.said = 'open' or fact.arrive_by >= $3::date then null
      when exists (
        select
        from gapura.statement_line as later
        where later.side = 'bank'
          and later.day >= gapura.business_day_after(fact.day, ${BANK_DAYS})
      ) then 'payout_missing_at_bank'
      else 'bank_statement_missing'
    end`

const JUDGE = `with ${FACTS},
     judged as materialized (
       select fact.*, ${CAUSE} as cause,
         case when fact.said = 'failed' then 0 else fact.theirs end as sent,
         greatest(0, least(coalesce(fact.received, 0), fact.theirs)) as arrived
       from fact
     ),
     stored as (
       update gapura.reconciliation_item as item
       set state = case
             when judged.cause is null then 'expected'
             when judged.cause = '' then 'matched'
             when judged.cause = 'payout_missing_at_bank' then 'missing_there'
             when judged.cause = 'payout_twice_at_bank' then 'duplicate'
             when judged.cause in ('payout_not_completed', 'bank_statement_missing') then 'late'
             else 'mismatched'
           end,
           cause = coalesce(judged.cause, ''),
           due_on = case when judged.cause <> '' then coalesce(item.due_on, $4::date) end,
           received = judged.received,
           matched_by = case
             when judged.bank_line_id is not null then 'batch'
             else coalesce(judged.matched_by, '')
           end,
           booked_sent = judged.sent,
           booked_arrived = judged.arrived,
           updated_at = gapura.now()
       from judged
       where item.id = judged.id
         and (
           (judged.former_cause, judged.former_state = 'expected', judged.former_received,
            judged.booked_sent, judged.booked_arrived)
           is distinct from
           (coalesce(judged.cause, ''), judged.cause is null, judged.received,
            judged.sent, judged.arrived)
           or exists (
             select
             from gapura.reconciliation_item as touched
             where touched.payout_id = item.id
               and touched.updated_at > item.updated_at
           )
         )
     ),
     entry as (
       select judged.id, move.kind, move.source, move.destination, move.amount,
         least(move.day::timestamp at time zone 'Asia/Jakarta', gapura.now()) as occurred_at
       from judged
       cross join lateral (
         values
           ('paid_out', 'gateway:pending', 'gateway:transit', judged.sent - judged.booked_sent,
            case when judged.sent < judged.booked_sent then judged.failed_on else judged.day end),
           ('payout_received', 'gateway:transit', 'bank:merchant',
            judged.arrived - judged.booked_arrived, coalesce(judged.bank_day, judged.day))
       ) as move (kind, source, destination, amount, day)
       where move.amount <> 0
     ),
     posted as (
       insert into gapura.ledger_posting
         (object_kind, object_id, version, kind, source, destination, amount, occurred_at,
          booked_at, booked_on)
       select 'payout', entry.id,
         1 + coalesce((
           select max(known.version)
           from gapura.ledger_posting as known
           where known.object_id = entry.id
         ), 0),
         entry.kind,
         case when entry.amount > 0 then entry.source else entry.destination end,
         case when entry.amount > 0 then entry.destination else entry.source end,
         abs(entry.amount), entry.occurred_at, gapura.now(), ${postedOn('entry.occurred_at')}
       from entry
     )
     select max(id::text) as id from judged`

/**
 * Judges payouts that are open or have new lines, after an id, and posts what is now known of each:
 * sent by the gateway, arrived at the bank. Returns the last id; undefined if there was none.
 */
export async function judgePayouts(
  tx: Tx,
  { after, limit, today, due_on }: { after: string; limit: number; today: string; due_on: string },
): Promise<string | undefined> {
  const [last] = await tx.query<{ id: string }>(JUDGE, [after, limit, today, due_on])
  return last?.id ?? undefined
}
