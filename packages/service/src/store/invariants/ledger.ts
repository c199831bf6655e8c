// The double-entry ledger against the payments it is about, and against its own days (ADR 0031).
import { BOOKED_COLUMNS } from '../../domain/ledger.ts'
import { IS_UNBOOKED } from '../payments/unbooked.ts'
import type { Inquiry } from './invariant.ts'

const COMPLETE = '(select ledger_complete_at from gapura.setting) is not null'

const OWN = `('sales:' || payment.owner_id, 'suspense:late')`
const KNOWN = `('sales:' || payment.owner_id, 'refunds:' || payment.owner_id,
      'chargebacks:' || payment.owner_id, 'suspense:late', 'gateway:pending',
      'bank:merchant')`

/** What was moved to an account, less what was moved from it. */
const net = (is: (side: string) => string): string =>
  `sum(case when ${is('destination')} then amount else 0 end
      - case when ${is('source')} then amount else 0 end)`

export const LEDGER: readonly Inquiry[] = [
  {
    invariants: [
      { id: 'I-42', promise: 'the postings of a payment are what is booked of it, to the rupiah' },
    ],
    sql: `
    with moved as (
      select
        payment.id,
        -${net((side) => `posting.${side} in ${OWN}`)} as received,
        ${net((side) => `posting.${side} = 'refunds:' || payment.owner_id`)} as refunded,
        ${net((side) => `posting.${side} = 'chargebacks:' || payment.owner_id`)} as charged_back
      from gapura.ledger_posting as posting
      join gapura.gateway_payment as payment on payment.id = posting.payment_id
      group by payment.id
    )
    select 'I-42', payment.id::text,
      format('postings %s %s %s, booked %s %s %s', moved.received, moved.refunded,
        moved.charged_back, ${BOOKED_COLUMNS.map((column) => `payment.${column}`).join(', ')})
    from gapura.gateway_payment as payment
    left join moved on moved.id = payment.id
    where (coalesce(moved.received, 0), coalesce(moved.refunded, 0),
        coalesce(moved.charged_back, 0))
      <> (${BOOKED_COLUMNS.map((column) => `payment.${column}`).join(', ')})
    union all
    select 'I-42', payment.id::text, 'another account: ' || side.account
    from gapura.ledger_posting as posting
    join gapura.gateway_payment as payment on payment.id = posting.payment_id
    cross join lateral (
      values (posting.destination, posting.amount), (posting.source, -posting.amount)
    ) as side (account, moved)
    where side.account not in ${KNOWN}
    group by payment.id, side.account
    having sum(side.moved) <> 0
    union all
    select 'I-42', posting.object_id::text, 'a posting of no payment'
    from gapura.ledger_posting as posting
    where posting.object_kind not in ('matching', 'payout')
      and not exists (
        select from gapura.gateway_payment as payment where payment.id = posting.payment_id
      )
      -- Its owner is in another cell (ADR 0040).
      and not exists (
        select
        from gapura.ledger_posting as moved
        where moved.object_id = posting.payment_id
          and moved.kind = 'moved_out'
      )`,
  },
  {
    invariants: [
      {
        id: 'I-42a',
        promise:
          'what is booked of a payment is what it received, refunded and lost to chargebacks',
      },
      { id: 'I-42d', promise: 'late money is in suspense only while its alarm is open' },
    ],
    sql: `
    select 'I-42a', payment.id::text, concat_ws(' ', payment.transaction_status, payment.order_id)
    from gapura.gateway_payment as payment
    where ${COMPLETE}
      and ${IS_UNBOOKED}
    union all
    select 'I-42d', posting.payment_id::text, 'no open alarm about it'
    from gapura.ledger_posting as posting
    where ${COMPLETE}
      and 'suspense:late' in (posting.source, posting.destination)
      and not exists (
        select
        from gapura.gateway_alarm as alarm
        where alarm.subject_id = posting.payment_id
          and alarm.kind = 'late_money'
          and alarm.closed_at is null
      )
    group by posting.payment_id
    having ${net((side) => `posting.${side} = 'suspense:late'`)} <> 0`,
  },
  {
    invariants: [
      { id: 'I-42b', promise: 'the accounts add up to zero, and closed days are as they were' },
      {
        id: 'I-42c',
        promise: 'every posting is in the figures of its day, or of the next open one',
      },
    ],
    sql: `
    with sealed as (
      select coalesce(max(day), '-infinity') as until
      from gapura.ledger_closing
      where sealed_at is not null
    ),
    booked as (
      select posting.booked_on as day, side.account, sum(side.debit) as debit,
        sum(side.credit) as credit
      from gapura.ledger_posting as posting
      cross join lateral (
        values (destination, amount, 0::numeric), (source, 0, amount)
      ) as side (account, debit, credit)
      where posting.booked_on <= (select until from sealed)
      group by posting.booked_on, side.account
    )
    select 'I-42b', coalesce(total.day, booked.day)::text,
      format('%s: totals %s %s, postings %s %s', coalesce(total.account, booked.account),
        total.debit, total.credit, booked.debit, booked.credit)
    from gapura.ledger_total as total
    full join booked on booked.day = total.day and booked.account = total.account
    where (total.debit, total.credit) is distinct from (booked.debit, booked.credit)
    union all
    select 'I-42b', 'all accounts', sum(moved)::text
    from (
      select debit - credit as moved from gapura.ledger_total
      union all
      select amount - amount from gapura.ledger_posting
      where booked_on > (select until from sealed)
    ) as every
    having sum(moved) <> 0
    union all
    select 'I-42c', posting.object_id::text,
      format('%s of %s in the figures of %s', posting.kind, posting.occurred_at, posting.booked_on)
    from gapura.ledger_posting as posting
    cross join lateral (
      select (posting.occurred_at at time zone 'Asia/Jakarta')::date as day
    ) as happened
    where posting.occurred_at > posting.booked_at
      or posting.booked_on < happened.day
      or (
        posting.booked_on > happened.day
        and not exists (
          select
          from gapura.ledger_closing as closing
          where closing.day = posting.booked_on - 1
        )
      )`,
  },
  {
    invariants: [
      {
        id: 'I-43',
        promise: 'fees, VAT and payouts in the ledger are what was matched, to the rupiah',
      },
    ],
    sql: `
    with posted as (
      select side.account, sum(side.moved) as amount
      from gapura.ledger_posting as posting
      cross join lateral (
        values (posting.destination, posting.amount), (posting.source, -posting.amount)
      ) as side (account, moved)
      where posting.kind in ('fee_charged', 'vat_charged', 'fee_adjusted', 'paid_out',
          'payout_received')
        and side.account <> 'gateway:pending'
      group by side.account
    ), matched as (
      select total.account, total.amount
      from (
        select coalesce(sum(booked_fee), 0) as fee, coalesce(sum(booked_vat), 0) as vat,
          coalesce(sum(booked_adjustment), 0) as adjustment,
          coalesce(sum(booked_sent), 0) as sent, coalesce(sum(booked_arrived), 0) as arrived
        from gapura.reconciliation_item
      ) as sums
      cross join lateral (
        values ('fee:gateway', fee), ('tax:input_vat', vat), ('adjustment', adjustment),
          ('gateway:transit', sent - arrived), ('bank:merchant', arrived)
      ) as total (account, amount)
    )
    select 'I-43', matched.account,
      format('matched %s, posted %s', matched.amount, coalesce(posted.amount, 0))
    from matched
    left join posted on posted.account = matched.account
    where matched.amount <> coalesce(posted.amount, 0)
    union all
    select 'I-43', action.id::text,
      format('%s of %s, posted %s times', action.state, action.amount, posting.times)
    from gapura.reconciliation_action as action
    cross join lateral (
      select count(*) as times
      from gapura.ledger_posting as posting
      where posting.object_id = action.id
    ) as posting
    where action.source is not null
      and action.amount > 0
      and not (
        (action.state = 'held' and posting.times = 0)
        or (action.state = 'done' and posting.times = 1)
        or (action.state = 'undone' and posting.times in (0, 2))
      )`,
  },
]
