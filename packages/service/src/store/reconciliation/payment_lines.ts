// The gateway's lines of a page with their payments, and what is needed to judge them.
import { dayOf, IS_BY_ID, ofPayment as own, paymentOfLine, SAID } from './compared.ts'

const PAYMENT = `
        payment.id, payment.owner_id, payment.order_id, payment.transaction_id,
        payment.payment_type, coalesce(payment.bank, payment.store, '') as channel,
        payment.booked_received, payment.booked_refunded, payment.booked_charged_back,
        payment.transaction_status, payment.version, payment.created_at, payment.updated_at,
        payment.transaction_time, payment.paid_at, payment.settlement_time`

/** Every line with its payment, and whether it is the one that the payment is compared with. */
export const FOUND = `
  found as materialized (
    select page.*, ${SAID} as said,
      ${own('id')} as payment_id, ${own('version')} as payment_version,
      ${own('order_id')} as our_order_id, ${own('transaction_id')} as our_transaction_id,
      ${own('payment_type')} as payment_type, ${own('channel')} as channel,
      ${own('booked_received')} as received, ${own('booked_refunded')} as refunded,
      ${own('booked_charged_back')} as charged_back,
      ${own('transaction_status')} as our_status, ${own('updated_at')} as changed_at,
      ${dayOf(`least(${own('created_at')}, ${own('transaction_time')}, ${own('paid_at')})`)}
        as first_day,
      ${dayOf(`greatest(${own('paid_at')}, ${own('settlement_time')}, ${own('created_at')})`)}
        as last_day,
      ${dayOf(`coalesce(${own('settlement_time')}, ${own('paid_at')})`)} as paid_on,
      ${IS_BY_ID} as by_id,
      coalesce(by_term.id is null and page.transaction_id <> by_order.transaction_id, false)
        as is_other,
      item.source as item_source, item.theirs as item_theirs,
      -- A line of a file whose status changed is another line, and no second one.
      item.source = page.source
        and item.gateway_line_id <> page.id
        and exists (
          select
          from gapura.statement_line as earlier
          where earlier.id = item.gateway_line_id
            and earlier.line_key <> page.line_key
            and earlier.status is not distinct from page.status
        ) as is_second,
      item.reference as item_reference
    from page
    ${paymentOfLine(PAYMENT)}
    left join lateral (
      select known.source, known.theirs, known.gateway_line_id, known.reference
      from gapura.reconciliation_item as known
      where known.id = ${own('id')}
      limit 1
    ) as item on true
  )`

/**
 * The place of each line among those of its payment, and what the history has of it, only where there
 * is more than one line: to sort them all would take as long as to find their payments.
 */
export const BESIDE = `
  crowded as materialized (
    select payment_id, source, coalesce(status, '') as status
    from found
    where payment_id is not null
    group by 1, 2, 3
    having count(*) > 1
  ),
  placed as materialized (
    select found.id,
      first_value(found.reference) over beside as first_reference,
      row_number() over beside as place
    from found
    join crowded on crowded.payment_id = found.payment_id
      and crowded.source = found.source
      and crowded.status = coalesce(found.status, '')
    window beside as (
      partition by found.payment_id, found.source, crowded.status
      order by not found.by_id, found.created_at, found.id
    )
  ),
  history as materialized (
    select found.payment_id,
      max(found.amount + case when basis.is_net then coalesce(found.fee, 0) else 0 end) as gross
    from found
    join basis on basis.source = found.source
    where found.source = 'history_api'
      and not found.is_other
      and found.payment_id is not null
    group by found.payment_id
  )`

/** Whether a source states amounts before the fee or after it: as most of its lines did so far. */
export const BASIS = `
  vote as (
    select source,
      count(*) filter (where amount = received) as gross_lines,
      count(*) filter (where amount + fee = received) as net_lines
    from found
    where fee > 0
      and by_id
      and received > 0
    group by source
  ),
  voted as (
    insert into gapura.reconciliation_progress as known (name, gross_lines, net_lines)
    select source, gross_lines, net_lines
    from vote
    on conflict (name) do update
    set gross_lines = known.gross_lines + excluded.gross_lines,
        net_lines = known.net_lines + excluded.net_lines,
        updated_at = gapura.now()
  ),
  basis as (
    select source.source,
      coalesce(known.net_lines, 0) + coalesce(vote.net_lines, 0)
        > coalesce(known.gross_lines, 0) + coalesce(vote.gross_lines, 0) as is_net
    from (select distinct source from found) as source
    left join gapura.reconciliation_progress as known on known.name = source.source
    left join vote on vote.source = source.source
  )`

/** The rate of each method, bank and day of the page. */
export const RATES = `
  rate as materialized (
    select wanted.*, card.rate_ppm, card.fixed_amount, card.vat_ppm, card.borne_by
    from (
      select distinct payment_type, channel, paid_on
      from found
      where payment_id is not null and paid_on is not null
    ) as wanted
    cross join lateral (
      select card.rate_ppm, card.fixed_amount, card.vat_ppm, card.borne_by
      from gapura.fee_rate as card
      where card.payment_type = wanted.payment_type
        and card.channel in ('', wanted.channel)
        and card.valid_from <= wanted.paid_on
      order by card.channel <> '' desc, card.valid_from desc
      limit 1
    ) as card
  )`
