// What every comparison ends with: its rows are stored, and their postings are written, in one statement.
// A comparison is a CTE `compared` with the columns below; nothing here knows how they were found.
import { OPEN_STATES } from '../../domain/reconciliation.ts'
import { postedOn } from '../ledger/postings.ts'

export const IS_OPEN = `('${OPEN_STATES.join("', '")}')`

const FACTS = [
  'payment_id',
  'gateway_line_id',
  'bank_line_id',
  'payout_id',
  'day',
  'payment_version',
  'kind',
  'state',
  'cause',
  'matched_by',
  'source',
  'reference',
  'order_id',
  'ours',
  'theirs',
  'received',
  'fee',
  'expected_fee',
  'effect',
  'booked_fee',
  'booked_vat',
  'booked_adjustment',
] as const

const of = (row: string): string => FACTS.map((column) => `${row}.${column}`).join(', ')

/** Read once for a statement: a default of the column would read the clock for each row. */
const NOW = '(select gapura.now())'

/** The first moment of a day in Jakarta, and never one that is still to come. */
const momentOf = (day: string): string =>
  `least(${day}::timestamp at time zone 'Asia/Jakarta', gapura.now())`

/** Fees and VAT as one posting for each day, by the difference from what was booked before. */
const postCompared = (batch: string): string => `
  moved as (
    select day, sum(fee) as fee, sum(vat) as vat, sum(adjustment) as adjustment
    from (
      select day, booked_fee as fee, booked_vat as vat, booked_adjustment as adjustment
      from known
      union all
      select former_day, -former_fee, -former_vat, -former_adjustment
      from known
      where former_id is not null
    ) as change
    group by day
  ),
  posted as (
    insert into gapura.ledger_posting
      (object_kind, object_id, version, kind, line, source, destination, amount, occurred_at,
       booked_at, booked_on)
    select 'matching', ${batch}::uuid, 1, entry.kind,
      row_number() over (partition by entry.kind order by moved.day),
      case when entry.amount > 0 then 'gateway:pending' else entry.account end,
      case when entry.amount > 0 then entry.account else 'gateway:pending' end,
      abs(entry.amount), ${momentOf('moved.day')}, gapura.now(),
      ${postedOn(momentOf('moved.day'))}
    from moved
    cross join lateral (
      values
        ('fee_charged', 'fee:gateway', moved.fee),
        ('vat_charged', 'tax:input_vat', moved.vat),
        ('fee_adjusted', 'adjustment', moved.adjustment)
    ) as entry (kind, account, amount)
    where entry.amount <> 0
  )`

/**
 * Stores what differs from the last comparison. What staff decided stays until it is undone. The items
 * of a CTE `ending` are resolved: lines that had one of their own and now belong to a payment's.
 */
export const storeCompared = (batch: string, due_on: string): string => `
  beside as materialized (
    select compared.*, former.id as former_id, former.day as former_day,
      former.booked_fee as former_fee, former.booked_vat as former_vat,
      former.booked_adjustment as former_adjustment,
      former.id is null
        or (former.action_id is null and (${of('former')}) is distinct from (${of('compared')}))
        as is_news
    from compared
    -- By the key of each: hashed, the whole table would be read for every page.
    left join lateral (
      select * from gapura.reconciliation_item as item where item.id = compared.id limit 1
    ) as former on true
  ),
  known as not materialized (
    select * from beside where is_news
  ),
  -- Only the holder of the lock of the matching adds items, so that a new one cannot be there already.
  added as (
    insert into gapura.reconciliation_item
      (id, created_at, updated_at, due_on, ${FACTS.join(', ')})
    select id, ${NOW}, ${NOW}, case when state in ${IS_OPEN} then ${due_on}::date end,
      ${FACTS.join(', ')}
    from known
    where former_id is null
  ),
  changed as (
    update gapura.reconciliation_item as item
    set updated_at = ${NOW},
        due_on = case
          when known.state in ${IS_OPEN} then coalesce(item.due_on, ${due_on}::date)
        end,
        ${FACTS.map((column) => `${column} = known.${column}`).join(',\n        ')}
    from known
    -- Without the first condition every item is read and hashed for each page of new lines.
    where known.former_id is not null
      and item.id = known.former_id
  ),
  ended as (
    update gapura.reconciliation_item as item
    set state = 'resolved', effect = 0, due_on = null, updated_at = gapura.now()
    from ending
    where item.id = ending.id
      and item.state in ${IS_OPEN}
      and not exists (select from beside where beside.id = item.id)
  ),
  ${postCompared(batch)}
  select state, count(*)::integer as count, jsonb_agg(distinct day::text) as days
  from known
  group by state`

/** How many items a comparison stored in each state, and the days that they are of. */
export interface Stored extends Record<string, unknown> {
  state: string
  count: number
  days: string[]
}

/** The newest version of each line of a page. `first_id` is the id by which the line is known. */
export const newestLines = (page: string, kinds: string): string => `
  page as materialized (
    select line.id, line.source, line.line_key, line.version, line.created_at, line.day,
      line.amount, line.fee, line.currency, line.status, line.order_id, line.transaction_id,
      line.reference, line.description, line.kind,
      case
        when line.version = 1 then line.id
        else (
          select first.id
          from gapura.statement_line as first
          where first.source = line.source
            and first.line_key = line.line_key
            and first.version = 1
        )
      end as first_id
    from gapura.statement_line as line
    where ${page}
      and ${kinds}
      -- By the key of each: hashed, the whole table would be read for every page.
      and coalesce(
        (
          select false
          from gapura.statement_line as newer
          where newer.source = line.source
            and newer.line_key = line.line_key
            and newer.version = line.version + 1
            and newer.version > 1
        ),
        true
      )
  )`

/**
 * The payment of a line: by the gateway's own id, or else by the order id. Most have both, so that the
 * order id finds them at once. `column` is one of the payment's.
 */
export const paymentOfLine = (columns: string): string => `
    left join lateral (
      select ${columns}
      from gapura.gateway_payment as payment
      where payment.order_id = page.order_id
        and not payment.refused
      limit 1
    ) as by_order on true
    left join lateral (
      select ${columns}
      from gapura.gateway_payment_term as term
      join gapura.gateway_payment as payment on payment.id = term.payment_id
      where by_order.transaction_id is distinct from page.transaction_id
        and term.kind = 'transaction_id'
        and term.term = page.transaction_id
      order by payment.refused, payment.id
      limit 1
    ) as by_term on true`

/** A column of the payment that `paymentOfLine` found. */
export const ofPayment = (column: string): string =>
  `case when by_term.id is null then by_order.${column} else by_term.${column} end`

/** Whether the payment has the gateway's id that the line has. */
export const IS_BY_ID = `(by_term.id is not null
    or coalesce(by_order.transaction_id = page.transaction_id, false))`

const word = `upper(replace(btrim(coalesce(page.status, '')), ' ', '_'))`

/** What a line says happened to the payment, whichever source says it in its own words. */
export const SAID = `case
    when ${word} in ('', 'SETTLEMENT', 'SETTLED', 'SUCCESS', 'CAPTURE', 'PAID') then 'paid'
    when ${word} in ('REFUND', 'REFUNDED', 'PARTIAL_REFUND') then 'refunded'
    when ${word} in ('CHARGEBACK', 'PARTIAL_CHARGEBACK') then 'charged_back'
    when ${word} = 'REVERSAL' then 'reversed'
    else 'unpaid'
  end`

/** A time as the day in Jakarta. */
export const dayOf = (time: string): string => `((${time}) at time zone 'Asia/Jakarta')::date`

/** Lines that were stored after one place and not after another. */
export const BETWEEN = `(line.created_at, line.id) > ($1, $2::uuid)
      and (line.created_at, line.id) <= ($3, $4::uuid)`
