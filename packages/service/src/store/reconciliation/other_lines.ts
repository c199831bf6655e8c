// The gateway's lines about refunds and chargebacks, and those that are about nothing we have.
import type { Tx } from '../connection/transaction.ts'
import {
  BETWEEN,
  newestLines,
  ofPayment as own,
  paymentOfLine,
  storeCompared,
  type Stored,
} from './compared.ts'
import type { Page } from './payments.ts'

const PAYMENT = `
        payment.id, payment.order_id, payment.transaction_id, payment.version, payment.booked_received,
        payment.booked_refunded, payment.booked_charged_back, payment.transaction_status`

const LINES = `line.side = 'gateway'
      and line.kind in ('refund', 'chargeback', 'other', 'top_up', 'disbursement', 'unreadable')`

/** By its key, or else the one refund of this amount that has no line yet. */
const FOUND = `
  found as materialized (
    select page.*, abs(page.amount) as size,
      ${own('id')} as payment_id, ${own('order_id')} as our_order_id,
      ${own('version')} as payment_version, ${own('booked_received')} as received,
      ${own('booked_refunded')} as refunded, ${own('booked_charged_back')} as charged_back,
      ${own('transaction_status')} as our_status,
      page.kind = 'refund'
        and concat_ws(' ', page.description, page.status) ~* 'reversal|void' as is_reversal,
      row_number() over (
        partition by page.source, page.kind, ${own('id')}, page.reference, page.amount
        order by page.created_at, page.id
      ) as place
    from page
    ${paymentOfLine(PAYMENT)}
  ),
  refund_of as materialized (
    select found.id as line_id, refund.id as refund_id, refund.amount, refund.status, refund.by_key
    from found
    cross join lateral (
      select refund.id, refund.amount, refund.status,
        refund.refund_key = found.reference as by_key
      from gapura.gateway_refund as refund
      where refund.payment_id = found.payment_id
        and refund.source <> 'outside'
        and (refund.refund_key = found.reference or refund.amount = found.size)
        and not exists (
          select
          from gapura.reconciliation_item as item
          where item.id = refund.id
            and item.gateway_line_id <> found.id
            and item.source = found.source
            and item.state = 'matched'
        )
      order by (refund.refund_key = found.reference) desc nulls last, refund.created_at, refund.id
      offset found.place - 1
      limit 1
    ) as refund
    where found.kind = 'refund'
      and not found.is_reversal
  )`

const CAUSE = `case
      when found.kind = 'unreadable' then 'unreadable_line'
      when found.kind not in ('refund', 'chargeback') then 'other_movement'
      when found.kind = 'chargeback' then case
        when found.payment_id is null then 'chargeback_of_unknown_order'
        when found.place > 1 then 'duplicate_line'
        when found.our_status = 'partial_chargeback' then 'chargeback_amount_known'
        when found.our_status <> 'chargeback' then 'charged_back_there'
        when found.charged_back <> found.size then 'chargeback_amount_differs'
        else ''
      end
      when found.payment_id is null then 'refund_of_unknown_order'
      when found.is_reversal then case when found.received > 0 then 'reversed_there' end
      when refund_of.refund_id is null and (found.place > 1 or exists (
        select
        from gapura.reconciliation_item as item
        join gapura.gateway_refund as refund on refund.id = item.id
        where refund.payment_id = found.payment_id
          and refund.amount = found.size
          and item.source = found.source
          and item.gateway_line_id <> found.id
      )) then 'refund_duplicate'
      when refund_of.refund_id is null then 'refund_missing_here'
      when refund_of.amount <> found.size then 'refund_amount_differs'
      when refund_of.status <> 'succeeded' then 'refund_unfinished'
      else ''
    end`

const COMPARED = `
  judged as materialized (
    select found.*, refund_of.refund_id, refund_of.amount as our_refund, refund_of.by_key,
      ${CAUSE} as cause
    from found
    left join refund_of on refund_of.line_id = found.id
  ),
  ending as (
    select first_id as id
    from judged
    where judged.refund_id is not null or judged.cause is null
  ),
  compared as not materialized (
    select distinct on (1)
      case when judged.kind = 'refund' then coalesce(judged.refund_id, judged.first_id)
        else judged.first_id end as id,
      judged.payment_id, judged.id as gateway_line_id, null::uuid as bank_line_id,
      null::uuid as payout_id,
      coalesce(judged.day, (judged.created_at at time zone 'Asia/Jakarta')::date) as day,
      judged.payment_version,
      case when judged.kind in ('refund', 'chargeback') then judged.kind else 'other' end as kind,
      case
        when judged.cause = '' then 'matched'
        when judged.cause in ('refund_missing_here', 'refund_of_unknown_order',
          'chargeback_of_unknown_order', 'other_movement', 'unreadable_line') then 'missing_here'
        when judged.cause in ('refund_duplicate', 'duplicate_line') then 'duplicate'
        else 'mismatched'
      end as state,
      judged.cause,
      case
        when judged.by_key then 'refund_key'
        when judged.refund_id is not null then 'order_id_refund'
        else ''
      end as matched_by,
      judged.source, judged.reference, coalesce(judged.our_order_id, judged.order_id) as order_id,
      case judged.kind when 'refund' then judged.our_refund
        when 'chargeback' then judged.charged_back end as ours,
      judged.size as theirs, null::numeric as received, judged.fee,
      null::numeric as expected_fee,
      case judged.cause
        when 'refund_missing_here' then -judged.size
        when 'refund_of_unknown_order' then -judged.size
        when 'refund_amount_differs' then judged.our_refund - judged.size
        when 'refund_unfinished' then -judged.size
        when 'reversed_there' then -judged.received
        when 'charged_back_there' then -judged.size
        when 'chargeback_of_unknown_order' then -judged.size
        when 'chargeback_amount_known' then -judged.size
        when 'chargeback_amount_differs' then judged.charged_back - judged.size
        when 'other_movement'
          then case when judged.kind = 'disbursement' then -judged.size else judged.amount end
        else 0
      end as effect,
      0::numeric as booked_fee, 0::numeric as booked_vat, 0::numeric as booked_adjustment
    from judged
    where judged.cause is not null
    order by 1, judged.created_at desc, judged.id desc
  )`

const compareOthers = (page: string, tail: string): string => `
  with ${newestLines(page, LINES)},
  ${FOUND},
  ${COMPARED},
  ${tail}`

/** Compares the refunds and chargebacks of a page of lines. */
export const compareOtherLines = async (
  tx: Tx,
  { after, until, batch, due_on }: Page,
): Promise<Stored[]> =>
  await tx.query<Stored>(compareOthers(BETWEEN, storeCompared('$5', '$6')), [
    after.at,
    after.id,
    until.at,
    until.id,
    batch,
    due_on,
  ])

/** The same of single lines: those of open exceptions whose payment has changed since. */
export const compareOthersAgain = async (
  tx: Tx,
  line_ids: readonly string[],
  { batch, due_on }: Pick<Page, 'batch' | 'due_on'>,
): Promise<Stored[]> =>
  await tx.query<Stored>(compareOthers('line.id = any($1::uuid[])', storeCompared('$2', '$3')), [
    line_ids,
    batch,
    due_on,
  ])
