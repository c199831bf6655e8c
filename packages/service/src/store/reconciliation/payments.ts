// Our payments against the gateway's lines about them, and those that one side lacks.
import type { FeeRounding } from '../../domain/fees.ts'
import type { Tx } from '../connection/transaction.ts'
import { BETWEEN, newestLines, storeCompared, type Stored } from './compared.ts'
import { BASIS, BESIDE, FOUND, RATES } from './payment_lines.ts'

/** As `rounded` of the domain; amounts are never negative. */
const ROUNDED: Readonly<Record<FeeRounding, (value: string) => string>> = {
  half_up: (value) => `round(${value})`,
  down: (value) => `floor(${value})`,
  up: (value) => `ceil(${value})`,
  sen: (value) => `round(${value}, 2)`,
}

const MILLION = '1000000.0'
/** The only tolerance there is: a rupiah of the fee and VAT of one line, which is booked. */
const TOLERANCE = '1.00'
/** Where no rate is known: VAT of 11 % is in the stated sum. */
const VAT_WITHIN = 'round(judged.fee * 11 / 111, 2)'

/** Computed once for each line, and passed on without being stored. */
const rated = (rounded: (value: string) => string): string => `
  rated as not materialized (
    select found.*,
      found.amount + case when basis.is_net then coalesce(found.fee, 0) else 0 end as gross,
      charge.fee as rate_fee, tax.vat as rate_vat,
      coalesce(placed.place, 1) as place, placed.first_reference,
      -- The history goes before files; what a file says of the same payment must only agree.
      coalesce(
        history.gross,
        case when found.item_source = 'history_api' then found.item_theirs end
      ) as in_history
    from found
    join basis on basis.source = found.source
    -- Full joins of what is all in found: they cannot become nested loops where few rows are expected.
    full join placed on placed.id = found.id
    full join history on history.payment_id = found.payment_id
    left join rate on rate.payment_type = found.payment_type
      and rate.channel = found.channel
      and rate.paid_on = found.paid_on
    cross join lateral (
      select case
        when rate.borne_by = 'payer' then 0
        else ${rounded(`(found.received * rate.rate_ppm / ${MILLION} + rate.fixed_amount)`)}
      end as fee
    ) as charge
    cross join lateral (
      select case
        when rate.borne_by = 'payer' then 0
        else ${rounded(`(charge.fee * rate.vat_ppm / ${MILLION})`)}
      end as vat
    ) as tax
    offset 0
  )`

/** In this order: the first that holds is the cause. */
const CAUSE = `case
      when rated.payment_id is null
        then case when rated.said in ('paid', 'refunded', 'charged_back') then 'missing_here' end
      when rated.said in ('unpaid', 'reversed') and rated.is_other then null
      when rated.is_other
        then case
          when (
            select true
            from gapura.statement_line as its_own
            where its_own.order_id = rated.order_id
              and its_own.kind = 'payment'
              and its_own.side = 'gateway'
              and its_own.transaction_id = rated.our_transaction_id
            limit 1
          ) then 'paid_twice'
          else 'transaction_differs'
        end
      when rated.is_second or rated.place > 1
        then case
          when rated.reference <> coalesce(rated.item_reference, rated.first_reference)
            then 'paid_out_twice'
          else 'duplicate_line'
        end
      when rated.source <> 'history_api' and rated.in_history is not null
        then case when rated.gross <> rated.in_history then 'sources_differ' end
      when coalesce(rated.currency, 'IDR') <> 'IDR' then 'currency_differs'
      when rated.received > 0 and rated.said = 'reversed' then 'reversed_there'
      when rated.received > 0 and rated.said = 'unpaid' then null
      when rated.received = 0 and rated.said in ('unpaid', 'reversed') then null
      when rated.received = 0 and rated.said = 'refunded' then 'refunded_there'
      when rated.received = 0 and rated.said = 'charged_back' then 'charged_back_there'
      when rated.received = 0 then 'paid_there'
      when rated.gross <> rated.received then 'amount_differs'
      when rated.order_id <> rated.our_order_id then 'order_differs'
      when rated.said = 'refunded' and rated.refunded = 0 then 'refunded_there'
      when rated.said = 'charged_back'
        and rated.our_status not in ('chargeback', 'partial_chargeback') then 'charged_back_there'
      when rated.said = 'paid' and rated.charged_back > 0
        and rated.created_at > rated.changed_at + interval '2 days' then 'charged_back_here'
      when rated.fee = 0 and rated.refunded = rated.received then ''
      when coalesce(rated.fee, 0) = 0 and rated.rate_fee + rated.rate_vat > ${TOLERANCE}
        and rated.fee is not null then 'fee_missing'
      when abs(rated.fee - rated.rate_fee - rated.rate_vat) > ${TOLERANCE} then 'fee_differs'
      when rated.said = 'paid' and (rated.day < rated.first_day or rated.day > rated.last_day)
        then 'day_differs'
      else ''
    end`

const NOT_OF_A_PAYMENT = `('missing_here', 'paid_twice', 'transaction_differs', 'duplicate_line',
  'paid_out_twice', 'sources_differ')`

/** Fee and VAT are booked where the amounts agree and the fee is the expected one. */
const IS_BOOKED = `(
      judged.cause in ('', 'day_differs', 'order_differs', 'refunded_there', 'charged_back_there',
        'charged_back_here')
      and judged.received > 0
      and judged.fee is not null
      and judged.gross = judged.received
      and (
        judged.rate_fee is null
        or abs(judged.fee - judged.rate_fee - judged.rate_vat) <= ${TOLERANCE}
      )
    )`

const EFFECT = `case judged.cause
      when 'missing_here' then judged.gross - coalesce(judged.fee, 0)
      when 'paid_there' then judged.gross - coalesce(judged.fee, 0)
      when 'paid_twice' then judged.gross - coalesce(judged.fee, 0)
      when 'transaction_differs' then judged.gross - coalesce(judged.fee, 0)
      when 'amount_differs' then judged.gross - judged.received - coalesce(judged.fee, 0)
      when 'fee_differs' then -judged.fee
      when 'reversed_there' then -judged.received
      when 'refunded_there' then -judged.received
      when 'charged_back_there' then -(judged.received - judged.refunded)
      when 'charged_back_here' then judged.charged_back
      else 0
    end`

const JUDGED = `
  judged as materialized (
    select rated.*, ${CAUSE} as cause
    from rated
  ),
  ending as (
    select first_id as id
    from judged
    where judged.cause is null or judged.cause not in ${NOT_OF_A_PAYMENT}
    union
    -- Both say by now that it is not paid.
    select payment_id
    from judged
    where judged.cause is null
      and judged.received = 0
      and not judged.is_other
      and judged.source = coalesce(nullif(judged.item_source, ''), judged.source)
  ),
  compared as not materialized (
    select distinct on (1)
      case when judged.cause in ${NOT_OF_A_PAYMENT} then judged.first_id else judged.payment_id end
        as id,
      judged.payment_id, judged.id as gateway_line_id, null::uuid as bank_line_id,
      null::uuid as payout_id,
      case when judged.cause in ${NOT_OF_A_PAYMENT} then judged.day
        else coalesce(judged.paid_on, judged.day) end as day,
      judged.payment_version, 'payment' as kind,
      case judged.cause
        when '' then 'matched'
        when 'missing_here' then 'missing_here'
        when 'duplicate_line' then 'duplicate'
        when 'paid_out_twice' then 'duplicate'
        when 'paid_twice' then 'duplicate'
        else 'mismatched'
      end as state,
      judged.cause,
      case
        when judged.payment_id is null then ''
        when judged.by_id then 'transaction_id'
        when judged.gross = judged.received then 'order_id_amount'
        else 'order_id'
      end as matched_by,
      judged.source, judged.reference,
      coalesce(judged.our_order_id, judged.order_id) as order_id,
      judged.received as ours, judged.gross as theirs, null::numeric as received, judged.fee,
      (judged.rate_fee + judged.rate_vat)::numeric(15, 2) as expected_fee,
      ${EFFECT} as effect,
      case when not judged.is_booked then 0
        else coalesce(case when judged.fee = 0 then 0 else judged.rate_fee end,
          judged.fee - ${VAT_WITHIN}) end as booked_fee,
      case when not judged.is_booked then 0
        else coalesce(case when judged.fee = 0 then 0 else judged.rate_vat end,
          ${VAT_WITHIN}) end as booked_vat,
      case when not judged.is_booked or judged.rate_fee is null or judged.fee = 0 then 0
        else judged.fee - judged.rate_fee - judged.rate_vat end as booked_adjustment
    from (select *, ${IS_BOOKED} as is_booked from judged offset 0) as judged
    where judged.cause is not null
    order by 1, judged.source = 'history_api' desc, judged.created_at desc, judged.id desc
  )`

export interface Page {
  after: { at: Date; id: string }
  until: { at: Date; id: string }
  batch: string
  due_on: string
}

const PAYMENT_LINES = `line.side = 'gateway' and line.kind = 'payment'`

const comparePayments = (page: string, rounding: FeeRounding, tail: string): string => `
  with ${newestLines(page, PAYMENT_LINES)},
  ${FOUND},
  ${BASIS},
  ${BESIDE},
  ${RATES},
  ${rated(ROUNDED[rounding])},
  ${JUDGED},
  ${tail}`

/** Compares the payments of a page of lines. Holds the lock of the matching (`lockProgress`). */
export const comparePaymentLines = async (
  tx: Tx,
  { after, until, batch, due_on }: Page,
  rounding: FeeRounding,
): Promise<Stored[]> =>
  await tx.query<Stored>(comparePayments(BETWEEN, rounding, storeCompared('$5', '$6')), [
    after.at,
    after.id,
    until.at,
    until.id,
    batch,
    due_on,
  ])

/** The same of single lines: those of open exceptions whose payment has changed since. */
export const comparePaymentsAgain = async (
  tx: Tx,
  line_ids: readonly string[],
  { batch, due_on }: Pick<Page, 'batch' | 'due_on'>,
  rounding: FeeRounding,
): Promise<Stored[]> =>
  await tx.query<Stored>(
    comparePayments('line.id = any($1::uuid[])', rounding, storeCompared('$2', '$3')),
    [line_ids, batch, due_on],
  )
