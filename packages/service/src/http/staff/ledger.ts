// The double-entry ledger: balances, journals and closed days (ADR 0031).
import { Type } from 'typebox'
import { JOURNAL_KINDS, LEDGER_OBJECTS } from '../../domain/ledger.ts'
import { BACKFILL_INPUT, backfillLedger, correctLedger } from '../../services/ledger/backfill.ts'
import { exportMonth, exportMonthWorkbook, MONTH_QUERY } from '../../services/ledger/month_end.ts'
import {
  ACCOUNT_QUERY,
  BALANCE_QUERY,
  CLOSE_INPUT,
  closeLedgerDay,
  JOURNAL_QUERY,
  listJournal,
  parseJournalQuery,
  readAccount,
  readBalances,
  readClosings,
} from '../../services/ledger/read_ledger.ts'
import { SHORT_REASON_INPUT } from '../../services/staff/staff_query.ts'
import { WORKBOOK_TYPE } from '../../services/staff/workbook.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { inProcess, route } from '../platform/route.ts'
import {
  count,
  day,
  listOf,
  money,
  named,
  oneOf,
  orNull,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  uuidOrNull,
  yesOrNo,
} from '../platform/schema.ts'

const BALANCES = named('LedgerBalances', {
  day: orNull(day('A day.'), 'The day in Jakarta at whose end the balances are; null: now.'),
  closed_until: orNull(
    day('A day.'),
    'The last closed day in Jakarta; null where none was closed.',
  ),
  complete_at: timeOrNull(
    'Since when every payment must be in the ledger; null while older payments may be missing.',
  ),
  unbooked_payments: count('How many payments are not in the ledger yet; 0 once it is complete.'),
  sum: money('The sum of all balances, which is always 0.00.'),
  accounts: listOf(
    named('LedgerAccount', {
      account: text('The account, as gateway:pending or sales:shop.'),
      debit: money('What was moved to the account.'),
      credit: money('What was moved from the account.'),
      balance: money('Debit less credit; accounts that give, such as sales, are negative.'),
    }),
    'Every account that has postings.',
  ),
})

const JOURNAL_PAGE = pageOf(
  'LedgerJournalPage',
  named('LedgerEntry', {
    id: uuid('The payment or refund that it is about.'),
    created_at: time('When it was booked.'),
    object_kind: oneOf(LEDGER_OBJECTS, 'What kind of object it is about.'),
    payment_id: uuidOrNull('The payment that it counts for.'),
    owner_id: textOrNull('The owner of the payment.'),
    postings: listOf(
      named('LedgerPosting', {
        version: count('The version of the object.'),
        kind: oneOf(JOURNAL_KINDS, 'What happened.'),
        line: count('The place in its journal, from 1.'),
        source: text('The account that the amount was moved from.'),
        destination: text('The account that the amount was moved to.'),
        amount: money('The amount, in rupiah with two decimals.'),
        occurred_at: time('When it happened, as the gateway gives it where it does.'),
        booked_on: day('The day in Jakarta in whose figures it is.'),
      }),
      'What was moved.',
    ),
  }),
)

const CLOSING = named('LedgerClosing', {
  day: day('The last closed day in Jakarta: it and all days before take no more postings.'),
  closed_at: time('When it was closed.'),
  sealed_at: timeOrNull(
    'Since when its totals are stored; null while an older transaction runs: repeat the request.',
  ),
  closed_by: text('The staff member who closed it.'),
})

const ACCOUNT = named('LedgerAccountDays', {
  account: text('The account.'),
  from: day('The first day in Jakarta.'),
  until: day('The last day in Jakarta.'),
  opening_balance: money('The balance before the first day.'),
  closing_balance: money('The balance at the end of the last day.'),
  days: listOf(
    named('LedgerAccountDay', {
      day: day('The day in Jakarta.'),
      debit: money('What was moved to the account.'),
      credit: money('What was moved from the account.'),
      balance: money('The balance at the end of the day.'),
      closed: yesOrNo('Whether the day is closed.'),
    }),
    'The days with postings, the latest first.',
  ),
})

const CLOSINGS = named('LedgerClosings', {
  closings: listOf(CLOSING, 'The closed days, the latest first.'),
})

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

const exporting = { ...reading, query: MONTH_QUERY, reply: Type.String() } as const

export const ledger = {
  getLedgerBalances: route({
    method: 'GET',
    path: '/staff/ledger/balances/',
    operation: 'get_staff_ledger_balances',
    summary: 'Read the balance of every account of the ledger, now or at the end of a day',
    access: 'staff',
    scope: 'staff:read',
    query: BALANCE_QUERY,
    reply: BALANCES,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await readBalances(ctx, request.caller, query),
  }),

  getLedgerAccount: route({
    ...reading,
    path: '/staff/ledger/account/',
    operation: 'get_staff_ledger_account',
    summary: 'Read what an account of the ledger took and gave day by day, and its balances',
    query: ACCOUNT_QUERY,
    reply: ACCOUNT,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await readAccount(ctx, request.caller, query),
  }),

  listLedgerClosings: route({
    ...reading,
    path: '/staff/ledger/closings/',
    operation: 'list_staff_ledger_closings',
    summary: 'List the days of the ledger that are closed',
    reply: CLOSINGS,
    run: async (ctx, { request }) => await readClosings(ctx, request.caller),
  }),

  exportLedgerMonth: route({
    ...exporting,
    path: '/staff/ledger/month/',
    operation: 'export_staff_ledger_month',
    summary: 'Export every movement of a month with fee, VAT and net as a streamed CSV file',
    media: 'text/csv',
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await exportMonth(ctx, request.caller, query),
  }),

  exportLedgerMonthWorkbook: route({
    ...exporting,
    path: '/staff/ledger/month_xlsx/',
    operation: 'export_xlsx_staff_ledger_month',
    summary: 'Export every movement of a month with fee, VAT and net as a streamed XLSX file',
    media: WORKBOOK_TYPE,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await exportMonthWorkbook(ctx, request.caller, query),
  }),

  listLedgerJournal: listRoute(
    {
      path: '/staff/ledger/journal/',
      operation: 'list_staff_ledger_journal',
      summary: 'List what was booked about a payment or on a day',
      access: 'staff',
      scope: 'staff:read',
      query: JOURNAL_QUERY,
      reply: JOURNAL_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseJournalQuery, find: listJournal },
  ),

  closeLedgerDay: route({
    method: 'POST',
    path: '/staff/ledger/close-day/',
    operation: 'close_staff_ledger_day',
    summary: 'Close a day of the ledger and all days before it',
    access: 'staff',
    scope: 'staff:act',
    input: titled('LedgerCloseInput', CLOSE_INPUT),
    reply: CLOSING,
    errors: ['invalid_request'],
    repeat: 'a day that is closed stays closed; a repeat seals it if that is still to be done.',
    run: async (ctx, { request, input }) => await closeLedgerDay(ctx, request.caller, input),
  }),

  /** Posts what the ledger lacks of payments. */
  backfillLedger: inProcess({
    method: 'POST',
    path: '/staff/ledger/backfill/',
    access: 'staff',
    scope: 'staff:act',
    input: BACKFILL_INPUT,
    repeat: 'what is booked is not booked again.',
    run: async (ctx, { request, input }) => await backfillLedger(ctx, request.caller, input),
  }),

  /** Corrects the accounts of a payment by a further journal. */
  correctLedger: inProcess({
    method: 'POST',
    path: '/staff/ledger/payments/{pk}/correct/',
    access: 'staff',
    scope: 'staff:act',
    input: SHORT_REASON_INPUT,
    repeat: 'accounts that are right are left as they are.',
    run: async (ctx, { request, id, input }) => await correctLedger(ctx, request.caller, id, input),
  }),
}
