// The double-entry ledger: what every account has, what was booked, and closed days.
import type { Call, Command } from '../command.ts'
import type { Gapura } from 'gapura'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { table } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Staff = Gapura['staff']
type Balances = Awaited<ReturnType<Staff['getLedgerBalances']>>
type Entry = Awaited<ReturnType<Staff['listLedgerJournal']>>['results'][number]

const ACCOUNT_COLUMNS = [
  { title: 'ACCOUNT', of: ({ account }: Balances['accounts'][number]) => account },
  { title: 'DEBIT', of: ({ debit }: Balances['accounts'][number]) => debit },
  { title: 'CREDIT', of: ({ credit }: Balances['accounts'][number]) => credit },
  { title: 'BALANCE', of: ({ balance }: Balances['accounts'][number]) => balance },
]

const balances: Command = {
  name: 'ledger balances',
  summary: 'Show what every account of the ledger has, now or at the end of a day.',
  flags: { day: { value: 'day', summary: 'at the end of this day in Jakarta, as 2026-01-31' } },
  examples: ['gapura ledger balances', 'gapura ledger balances --day 2026-01-31 --json'],
  run: async (call) => {
    const day = call.text('day')
    const query = day === undefined ? {} : { day }
    const found = await withGapura(
      call,
      async ({ staff }) => await staff.getLedgerBalances(LOOKING, query),
    )
    call.output.result(found, () =>
      [
        found.accounts.length === 0 ? 'No postings.' : table(found.accounts, ACCOUNT_COLUMNS),
        `sum of all accounts ${found.sum}; closed until ${found.closed_until ?? '-'}`,
      ].join('\n'),
    )
    if (found.complete_at === null) {
      call.output.note(
        `${found.unbooked_payments} payments are not booked yet; run gapura ledger backfill`,
      )
    }
  },
}

/** One line for each posting. */
const linesOf = ({ results }: { results: readonly Entry[] }) =>
  results.flatMap(({ postings, ...entry }) => postings.map((posting) => ({ ...entry, ...posting })))

type Line = ReturnType<typeof linesOf>[number]

const JOURNAL_COLUMNS = [
  { title: 'BOOKED', of: ({ created_at }: Line) => timeOf(created_at) },
  { title: 'DAY', of: ({ booked_on }: Line) => booked_on },
  { title: 'OCCURRED', of: ({ occurred_at }: Line) => occurred_at },
  { title: 'KIND', of: ({ kind }: Line) => kind },
  { title: 'FROM', of: ({ source }: Line) => source },
  { title: 'TO', of: ({ destination }: Line) => destination },
  { title: 'AMOUNT', of: ({ amount }: Line) => amount },
  { title: 'PAYMENT', of: ({ payment_id }: Line) => payment_id ?? '-' },
]

const journal: Command = {
  name: 'ledger journal',
  summary: 'List what was booked about a payment or on a day, newest first.',
  flags: {
    payment: { value: 'id', summary: 'about this payment and its refunds' },
    day: { value: 'day', summary: 'in the figures of this day in Jakarta (default: today)' },
    account: { value: 'account', summary: 'from or to this account, as sales:shop' },
    ...PAGE_FLAGS,
  },
  examples: [
    'gapura ledger journal --payment <id>',
    'gapura ledger journal --day 2026-01-31 --account gateway:pending',
  ],
  run: async (call) => {
    const query = queryOf(call, { payment: 'payment_id', day: 'day', account: 'account' })
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listLedgerJournal(LOOKING, query),
    )
    if (call.output.json) call.output.result(page, () => '')
    else printPage(call, { ...page, results: linesOf(page) }, JOURNAL_COLUMNS, 'No postings.')
  },
}

const closeDay: Command = {
  name: 'ledger close-day',
  summary: 'Close a day of the ledger and all days before it.',
  details:
    'A closed day takes no more postings: what comes later is booked on the next open day, with the time at which it happened. The day must be over in Jakarta. A day cannot be opened again.',
  arguments: [{ name: 'day', summary: 'the day in Jakarta, as 2026-01-31' }],
  flags: { as: AS_FLAG },
  examples: ['gapura ledger close-day 2026-01-31 --as dewi'],
  run: async (call) => {
    const closing = await withGapura(
      call,
      async ({ staff }) => await staff.closeLedgerDay(staffOf(call), { day: call.argument('day') }),
    )
    call.output.result(closing, () => `Closed until ${closing.day}.`)
    if (closing.sealed_at === null) {
      call.output.note(
        'An older transaction still runs, so its totals are not stored: run it again.',
      )
    }
  },
}

const backfill: Command = {
  name: 'ledger backfill',
  summary: 'Post what the ledger lacks of payments.',
  details:
    'For payments of before the ledger, and for those that processes of the previous release changed beside this one. It may be interrupted and run again at any time: what is booked is left. With --finish, once no process of the previous release runs, the ledger counts as complete: from then on gapura verify reports a payment that is missing.',
  flags: {
    finish: { summary: 'the previous release runs nowhere any more; the ledger is complete' },
    as: AS_FLAG,
  },
  examples: ['gapura ledger backfill', 'gapura ledger backfill --finish --as dewi'],
  run: async (call) => {
    const { booked, complete_at } = await withGapura(
      call,
      async ({ staff }) => await postAll(call, staff),
    )
    call.output.result({ booked, complete_at }, () => `Booked ${booked} payments.`)
    if (complete_at === null) {
      call.output.note(
        'Run it with --finish when no process of the previous release runs any more.',
      )
    }
  },
}

async function postAll(call: Call, staff: Staff) {
  const caller = staffOf(call)
  let booked = 0
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<Staff['backfillLedger']>> = await staff.backfillLedger(caller, {
      ...(after !== null && { after }),
      finish: call.on('finish'),
    })
    booked += page.booked
    if (page.done) return { booked, complete_at: page.complete_at }
    after = page.last_id
    call.output.progress(`${booked} payments booked`)
  }
}

const correct: Command = {
  name: 'ledger correct',
  summary: 'Correct the accounts of a payment that gapura verify reports as wrong (I-42).',
  details:
    'Adds a journal that moves what the accounts of the payment have too much or too little. Nothing is changed or deleted.',
  arguments: [{ name: 'payment', summary: 'its id, as gapura verify prints it' }],
  flags: {
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura ledger correct <id> --reason "posted by hand on 3 March" --as dewi'],
  run: async (call) => {
    const input = { reason: call.required('reason') }
    const { corrected } = await withGapura(
      call,
      async ({ staff }) =>
        await staff.correctLedger(staffOf(call), call.argument('payment'), input),
    )
    call.output.result({ corrected }, () =>
      corrected === 0 ? 'The accounts of this payment are right.' : `${corrected} postings added.`,
    )
  },
}

export const LEDGER_COMMANDS: readonly Command[] = [balances, journal, closeDay, backfill, correct]
