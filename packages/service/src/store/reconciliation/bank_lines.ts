// The bank's lines that are payouts of the gateway, and which payout each of them is.
import { PAYOUT_SENDERS } from '../../domain/reconciliation.ts'
import type { Tx } from '../connection/transaction.ts'
import { BETWEEN, newestLines } from './compared.ts'
import type { Page } from './payments.ts'

const TEXT = `concat_ws(' ', page.reference, page.description)`

/** The bank's lines that are payouts of the gateway, each with the payout that it names. */
export async function insertBankLines(tx: Tx, { after, until, due_on }: Page): Promise<void> {
  await tx.query(
    `with ${newestLines(BETWEEN, `line.side = 'bank' and line.kind = 'entry'`)},
     sent as (
       select page.*, upper(substring(${TEXT} from '(?i)WLST[0-9A-Z]+')) as token
       from page
       where ${TEXT} ~* '(WLST[0-9A-Z]+|${PAYOUT_SENDERS.join('|')})'
     )
     insert into gapura.reconciliation_item
       (id, bank_line_id, payout_id, day, due_on, kind, state, cause, matched_by, source,
        reference, received)
     select sent.first_id, sent.id, payout.id, sent.day,
       case when payout.id is null then $5::date end, 'bank',
       case when payout.id is null then 'missing_here' else 'matched' end,
       case when payout.id is null then 'payout_unknown_at_gateway' else '' end,
       case when payout.id is null then '' else 'payout_reference' end,
       sent.source, sent.token, sent.amount
     from sent
     left join lateral (
       select payout.id
       from gapura.reconciliation_item as payout
       where payout.kind = 'payout'
         and upper(payout.reference) = sent.token
       order by payout.created_at, payout.id
       limit 1
     ) as payout on true
     on conflict (id) do nothing`,
    [after.at, after.id, until.at, until.id, due_on],
  )
}

const UNLINKED_BANK = `bank.kind = 'bank'
         and bank.cause = 'payout_unknown_at_gateway'
         and bank.state = 'missing_here'`

const BY_REFERENCE = `update gapura.reconciliation_item as bank
     set payout_id = payout.id, state = 'matched', cause = '', due_on = null,
         matched_by = 'payout_reference', updated_at = gapura.now()
     from gapura.reconciliation_item as payout
     where ${UNLINKED_BANK}
       and payout.kind = 'payout'
       and upper(payout.reference) = bank.reference`

const BY_AMOUNT = `
    with candidate as (
      select bank.id as bank_id, payout.id as payout_id,
        count(*) over (partition by bank.id) as payouts,
        count(*) over (partition by payout.id) as lines
      from gapura.reconciliation_item as bank
      join gapura.reconciliation_item as payout on payout.kind = 'payout'
        and payout.theirs = bank.received
        and payout.state in ('expected', 'late', 'missing_there')
        and payout.received is null
        and payout.bank_line_id is null
        and bank.day between payout.day and gapura.business_day_after(payout.day, 3)
      where ${UNLINKED_BANK}
        and bank.reference is null
    )
    update gapura.reconciliation_item as bank
    set payout_id = candidate.payout_id, state = 'matched', cause = '', due_on = null,
        matched_by = 'sender_amount', updated_at = gapura.now()
    from candidate
    where bank.id = candidate.bank_id
      and candidate.payouts = 1
      and candidate.lines = 1`

const BY_DAY = `
    with batch as (
      select payout.day, sum(payout.theirs) as amount, count(*) as payouts
      from gapura.reconciliation_item as payout
      where payout.kind = 'payout'
        and payout.state in ('expected', 'late', 'missing_there')
        and payout.bank_line_id is null
        and not exists (
          select from gapura.reconciliation_item as line where line.payout_id = payout.id
        )
      group by payout.day
      having count(*) > 1
    ), candidate as (
      select bank.id as bank_id, bank.bank_line_id, batch.day,
        count(*) over (partition by bank.id) as days,
        count(*) over (partition by batch.day) as lines
      from gapura.reconciliation_item as bank
      join batch on batch.amount = bank.received
        and bank.day between batch.day and gapura.business_day_after(batch.day, 3)
      where ${UNLINKED_BANK}
        and bank.reference is null
    ), sure as (
      select * from candidate where days = 1 and lines = 1
    ), linked as (
      update gapura.reconciliation_item as payout
      set bank_line_id = sure.bank_line_id, updated_at = gapura.now()
      from sure
      where payout.kind = 'payout'
        and payout.day = sure.day
        and payout.state in ('expected', 'late', 'missing_there')
        and payout.bank_line_id is null
        and not exists (
          select from gapura.reconciliation_item as line where line.payout_id = payout.id
        )
    )
    update gapura.reconciliation_item as bank
    set state = 'matched', cause = '', due_on = null, matched_by = 'batch',
        updated_at = gapura.now()
    from sure
    where bank.id = sure.bank_id`

/**
 * Links bank's lines that were imported before their payout, then those without a reference: the
 * only payout of that amount within three business days, and the only payouts of one day that add up.
 */
export async function linkBankLines(tx: Tx): Promise<void> {
  await tx.query(BY_REFERENCE)
  await tx.query(BY_AMOUNT)
  await tx.query(BY_DAY)
}
