// Closed days and balances. No account has a running balance: a balance is the sum of the totals of
// sealed days and of the postings since, so that no two payments ever wait for the same row.
import type { Tx } from '../connection/transaction.ts'

/** A closed day. Sealed: its totals are stored, and nothing can be added to it any more. */
export interface LedgerClosing {
  day: string
  closed_at: Date
  sealed_at: Date | null
  closed_by: string
}

const CLOSING_COLUMNS = 'day, closed_at, sealed_at, closed_by'

/** Serialises closings until this transaction ends. */
export async function lockClosings(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('gapura.ledger_closing', 0))::text")
}

/** The last closed day, sealed or not, and today in Jakarta. */
export async function readLastClosing(
  tx: Tx,
): Promise<{ last: LedgerClosing | undefined; today: string }> {
  const [last] = await tx.query<LedgerClosing>(
    `select ${CLOSING_COLUMNS} from gapura.ledger_closing order by day desc limit 1`,
  )
  const [row] = await tx.query<{ today: string }>(
    `select (gapura.now() at time zone 'Asia/Jakarta')::date as today`,
  )
  if (row === undefined) throw new Error('the database has no clock')
  return { last, today: row.today }
}

/** The closed days, the latest first. */
export const listClosings = async (tx: Tx, limit: number): Promise<LedgerClosing[]> =>
  await tx.query<LedgerClosing>(
    `select ${CLOSING_COLUMNS} from gapura.ledger_closing order by day desc limit $1`,
    [limit],
  )

/** Closes this day and all before it: statements that begin after the commit post on later days. */
export async function insertClosing(
  tx: Tx,
  day: string,
  closed_by: string,
): Promise<LedgerClosing> {
  const [closing] = await tx.query<LedgerClosing>(
    `insert into gapura.ledger_closing (day, closed_by)
     values ($1, $2)
     returning ${CLOSING_COLUMNS}`,
    [day, closed_by],
  )
  if (closing === undefined) throw new Error(`the closing of ${day} was not written`)
  return closing
}

/**
 * The first transaction that has not begun yet. Those before it may have read the closed days before
 * the last closing was committed. Transactions that post have locked a payment and so have an id.
 */
export async function nextTransaction(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  return row?.next ?? '0'
}

/** Whether every transaction before this one has ended. */
export async function haveEnded(tx: Tx, before: string): Promise<boolean> {
  const [row] = await tx.query<{ ended: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended',
    [before],
  )
  return row?.ended ?? false
}

const SEALED = `coalesce(
  (select max(day) from gapura.ledger_closing where sealed_at is not null), '-infinity'
)`

const SIDES = `
  cross join lateral (
    values
      (posting.destination, posting.amount, 0::numeric(20, 2)),
      (posting.source, 0.00, posting.amount)
  ) as side (account, debit, credit)`

/** Stores the totals of the days that this closing closed. Only after `haveEnded`; once. */
export async function sealClosing(tx: Tx, day: string): Promise<LedgerClosing | undefined> {
  await tx.query(
    `insert into gapura.ledger_total (day, account, debit, credit)
     select posting.booked_on, side.account, sum(side.debit), sum(side.credit)
     from gapura.ledger_posting as posting ${SIDES}
     where posting.booked_on > ${SEALED}
       and posting.booked_on <= $1::date
     group by posting.booked_on, side.account`,
    [day],
  )
  const sealed = await tx.query<LedgerClosing>(
    `update gapura.ledger_closing
     set sealed_at = gapura.now()
     where day <= $1::date
       and sealed_at is null
     returning ${CLOSING_COLUMNS}`,
    [day],
  )
  return sealed.find((closing) => closing.day === day)
}

/** Sums of any size as decimal text: they can exceed what one payment can be. */
export interface AccountBalance {
  account: string
  debit: string
  credit: string
  balance: string
}

/** All accounts at the end of a day in Jakarta, or now. */
export const listBalances = async (tx: Tx, until: string | null): Promise<AccountBalance[]> =>
  await tx.query<AccountBalance>(
    `select account, sum(debit)::numeric(30, 2)::text as debit,
       sum(credit)::numeric(30, 2)::text as credit,
       (sum(debit) - sum(credit))::numeric(30, 2)::text as balance
     from (
       select account, debit, credit
       from gapura.ledger_total
       where day <= coalesce($1::date, 'infinity')
       union all
       select side.account, side.debit, side.credit
       from gapura.ledger_posting as posting ${SIDES}
       where posting.booked_on > ${SEALED}
         and posting.booked_on <= coalesce($1::date, 'infinity')
     ) as moved
     group by account
     order by account`,
    [until],
    { prepare: false },
  )

/** What one account took and gave on a day. */
export interface AccountDay {
  day: string
  debit: string
  credit: string
}

/** The days of an account within these that have postings, the first first. */
export const listAccountDays = async (
  tx: Tx,
  account: string,
  { from, until }: { from: string; until: string },
): Promise<AccountDay[]> =>
  await tx.query<AccountDay>(
    `select day, sum(debit)::numeric(30, 2)::text as debit,
       sum(credit)::numeric(30, 2)::text as credit
     from (
       select day, debit, credit
       from gapura.ledger_total
       where account = $1
         and day between $2::date and $3::date
       union all
       select posting.booked_on, side.debit, side.credit
       from gapura.ledger_posting as posting ${SIDES}
       where posting.booked_on > ${SEALED}
         and posting.booked_on between $2::date and $3::date
         and side.account = $1
     ) as moved
     group by day
     order by day`,
    [account, from, until],
    { prepare: false },
  )
