// Balances, journals and closed days, for staff (ADR 0031).
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { addDays } from '../../domain/time.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import {
  haveEnded,
  insertClosing,
  listAccountDays,
  listBalances,
  listClosings,
  lockClosings,
  nextTransaction,
  readLastClosing,
  sealClosing,
  type LedgerClosing,
} from '../../store/ledger/days.ts'
import { listEntries, type EntryFilters, type LedgerEntry } from '../../store/ledger/journals.ts'
import { countUnbooked, ledgerCompleteAt } from '../../store/payments/unbooked.ts'
import { requireStaff } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { dayFaults, dayQuery, listQueryParser, PAGE_QUERY, uuidQuery } from '../page_query.ts'
import { staffList } from '../staff/staff_list.ts'
import { refuseFaults, requestParser, secretFaults } from '../validation.ts'

const closed = { additionalProperties: false }

export const BALANCE_QUERY = Type.Object(
  {
    day: Type.Optional(
      dayQuery('At the end of this day in Jakarta, as 2026-01-31; now by default.'),
    ),
  },
  closed,
)

const parseBalanceQuery = requestParser(BALANCE_QUERY)

/** What every account has, and how far the ledger is closed and complete. */
export async function readBalances(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const { day: until } = parseBalanceQuery(query)
  refuseFaults(dayFaults('day', until))
  return await withReadTransaction(ctx.db, async (tx) => {
    const accounts = await listBalances(tx, until ?? null)
    const { last } = await readLastClosing(tx)
    const complete_at = await ledgerCompleteAt(tx)
    return {
      day: until ?? null,
      closed_until: last?.day ?? null,
      complete_at,
      // Counting reads every payment: only while some may be missing.
      unbooked_payments: complete_at === null ? await countUnbooked(tx) : 0,
      sum: decimalOf(accounts.reduce((sum, { balance }) => sum + hundredthsOf(balance), 0n)),
      accounts,
    }
  })
}

/** Of sums of any size. */
const hundredthsOf = (decimal: string): bigint => BigInt(decimal.replace('.', ''))
const decimalOf = (hundredths: bigint): string => {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const ACCOUNT = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'The account, as gateway:pending or sales:shop.',
})

export const ACCOUNT_QUERY = Type.Object(
  {
    account: ACCOUNT,
    from: Type.Optional(
      dayQuery('The first day in Jakarta, as 2026-01-01; 30 days back by default.'),
    ),
    until: Type.Optional(dayQuery('The last day in Jakarta, as 2026-01-31; today by default.')),
  },
  closed,
)

const parseAccountQuery = requestParser(ACCOUNT_QUERY)

/** A quarter and a day more. */
const DAYS_MAX = 93
const DAYS_SHOWN = 30

/** An account day by day, with the balance at the end of each. */
export async function readAccount(ctx: Context, caller: Caller, query: unknown) {
  requireStaff(caller, 'staff:read')
  const given = parseAccountQuery(query)
  refuseFaults([
    ...secretFaults({ account: given.account }),
    ...dayFaults('from', given.from),
    ...dayFaults('until', given.until),
  ])
  return await withReadTransaction(ctx.db, async (tx) => {
    const { today, last } = await readLastClosing(tx)
    const until = given.until ?? today
    const from = given.from ?? addDays(until, 1 - DAYS_SHOWN)
    if (from > until) refuseFaults([{ field: 'until', message: 'must not be before from' }])
    if (addDays(from, DAYS_MAX) <= until)
      refuseFaults([{ field: 'until', message: `must be at most ${DAYS_MAX} days after from` }])
    const { account } = given
    const before = await listBalances(tx, addDays(from, -1))
    const opening = hundredthsOf(before.find((one) => one.account === account)?.balance ?? '0.00')
    let balance = opening
    const days = (await listAccountDays(tx, account, { from, until })).map((one) => {
      balance += hundredthsOf(one.debit) - hundredthsOf(one.credit)
      return {
        ...one,
        balance: decimalOf(balance),
        closed: last !== undefined && one.day <= last.day,
      }
    })
    return {
      account,
      from,
      until,
      opening_balance: decimalOf(opening),
      closing_balance: decimalOf(balance),
      days: days.toReversed(),
    }
  })
}

/** Shown days; older ones are found by their day. */
const CLOSINGS_MAX = 400

/** The closed days, the latest first. For staff. */
export async function readClosings(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  const closings = await withReadTransaction(
    ctx.db,
    async (tx) => await listClosings(tx, CLOSINGS_MAX),
  )
  return { closings }
}

export const JOURNAL_QUERY = Type.Object(
  {
    payment_id: Type.Optional(
      uuidQuery('Only what was booked about this payment and its refunds.'),
    ),
    day: Type.Optional(
      dayQuery(
        'Only postings in the figures of this day in Jakarta, as 2026-01-31; without a payment, today by default.',
      ),
    ),
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Only postings from or to this account, as sales:shop.',
      }),
    ),
    ...PAGE_QUERY,
  },
  closed,
)

export const parseJournalQuery = listQueryParser(
  JOURNAL_QUERY,
  ({ page_size: _size, cursor: _cursor, ...filters }) => ({
    filters,
    faults: dayFaults('day', filters.day),
  }),
)

/**
 * A page of what was booked, newest first: about a payment, or on a day, today by default. Nothing else
 * finds postings without reading all of them. For staff.
 */
export const listJournal = staffList<EntryFilters, LedgerEntry>(
  'ledger.list',
  async (tx, filters, page) => {
    const { day: given, payment_id } = filters
    if (given !== undefined || payment_id !== undefined) return await listEntries(tx, filters, page)
    const { today } = await readLastClosing(tx)
    return await listEntries(tx, { ...filters, day: today }, page)
  },
)

export const CLOSE_INPUT = Type.Object(
  { day: dayQuery('The last day in Jakarta to be closed, as 2026-01-31; it must be over.') },
  closed,
)

const parseClose = requestParser(CLOSE_INPUT)

/** Transactions of this service end within seconds. */
const WAIT_MS = 100
const WAITS_MAX = 100

/**
 * Closes a day and all before it: what comes later is booked on the next open day, with the time at
 * which it happened. Sealed once every transaction has ended that began before; if one does not end,
 * the day stays closed and unsealed, and a repeat seals it.
 */
export async function closeLedgerDay(
  ctx: Context,
  caller: Caller,
  input: unknown,
): Promise<LedgerClosing> {
  requireStaff(caller, 'staff:act')
  const { day: wanted } = parseClose(input)
  refuseFaults(dayFaults('day', wanted))
  const closing = await withTransaction(ctx.db, async (tx) => await close(tx, ctx, caller, wanted))
  if (closing.sealed_at !== null) return closing
  const read = async <T>(work: (tx: Tx) => Promise<T>) => await withReadTransaction(ctx.db, work)
  const next = await read(nextTransaction)
  for (let wait = 0; !(await read(async (tx) => await haveEnded(tx, next))); wait++) {
    if (wait === WAITS_MAX) return closing
    await pause(WAIT_MS)
  }
  return await withTransaction(ctx.db, async (tx) => {
    await lockClosings(tx)
    return (await sealClosing(tx, closing.day)) ?? closing
  })
}

async function close(tx: Tx, ctx: Context, caller: Caller, wanted: string): Promise<LedgerClosing> {
  await lockClosings(tx)
  const { last, today } = await readLastClosing(tx)
  if (wanted >= today) refuseFaults([{ field: 'day', message: `it must be before ${today}` }])
  // Days are texts of one form, so they compare as days do.
  if (last !== undefined && last.day >= wanted) return last
  const closing = await insertClosing(tx, wanted, caller.owner_id)
  const about = { subject_kind: 'ledger', subject_id: wanted }
  await recordAudit(tx, ctx, caller, { action: 'ledger.close_day', ...about })
  return closing
}
