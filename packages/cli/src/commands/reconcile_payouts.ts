// Payouts with what is inside, and the calendar of bank holidays.
import type { GapuraStaff } from 'gapura'
import type { Command } from '../command.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { record, table } from '../output.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Payout = Awaited<ReturnType<GapuraStaff['getPayout']>>

const payoutText = (found: Payout): string => {
  const columns = [
    { title: 'ORDER', of: (row: Payout['inside'][number]) => row.order_id ?? '-' },
    { title: 'KIND', of: (row: Payout['inside'][number]) => row.kind },
    { title: 'AMOUNT', of: (row: Payout['inside'][number]) => row.amount },
    { title: 'FEE', of: (row: Payout['inside'][number]) => row.fee ?? '-' },
    { title: 'STATE', of: (row: Payout['inside'][number]) => row.cause ?? row.state ?? '-' },
  ]
  const facts = record([
    ['payout', found.reference ?? found.id],
    ['state', found.cause ?? found.state],
    ['expected', found.expected ?? '-'],
    ['stated', found.stated ?? '-'],
    ['received', found.received ?? '-'],
  ])
  return found.inside.length === 0 ? facts : `${facts}\n\n${table(found.inside, columns)}`
}

export const payouts: Command = {
  name: 'reconcile payouts',
  summary: 'List payouts with what the bank received; with an id, the payments inside.',
  flags: {
    id: { value: 'id', summary: 'this payout with the payments inside' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura reconcile payouts', 'gapura reconcile payouts --id <id>'],
  run: async (call) => {
    const id = call.text('id')
    if (id !== undefined) {
      const found = await withGapura(call, async ({ staff }) => await staff.getPayout(LOOKING, id))
      call.output.result(found, () => payoutText(found))
      return
    }
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listPayouts(LOOKING, queryOf(call, {})),
    )
    type Row = (typeof page.results)[number]
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'DAY', of: (row: Row) => row.day },
      { title: 'REFERENCE', of: (row: Row) => row.reference ?? '-' },
      { title: 'STATED', of: (row: Row) => row.stated ?? '-' },
      { title: 'RECEIVED', of: (row: Row) => row.received ?? '-' },
      { title: 'STATE', of: (row: Row) => row.cause ?? row.state },
    ]
    printPage(call, page, columns, 'No payouts.')
  },
}

export const holidays: Command = {
  name: 'reconcile holidays',
  summary: 'List the bank holidays that ageing counts by; with --set, change a day.',
  flags: {
    set: { value: 'day', summary: 'the day, as 2027-03-10' },
    name: { value: 'text', summary: 'what it is' },
    open: { summary: 'banks are open on it after all' },
    as: AS_FLAG,
  },
  examples: [
    'gapura reconcile holidays',
    'gapura reconcile holidays --set 2027-03-10 --name "Idul Fitri" --as dewi',
  ],
  run: async (call) => {
    const day = call.text('set')
    if (day !== undefined) {
      const input = { day, closed: !call.on('open'), name: call.text('name') ?? 'holiday' }
      const set = await withGapura(
        call,
        async ({ staff }) => await staff.setBankHoliday(staffOf(call), input),
      )
      call.output.result(set, () => `${set.day}: banks are ${set.closed ? 'closed' : 'open'}.`)
      return
    }
    const found = await withGapura(call, async ({ staff }) => await staff.listBankHolidays(LOOKING))
    type Row = (typeof found.holidays)[number]
    const columns = [
      { title: 'DAY', of: (row: Row) => row.day },
      { title: 'BANKS', of: (row: Row) => (row.closed ? 'closed' : 'open') },
      { title: 'NAME', of: (row: Row) => row.name },
      { title: 'CERTAINTY', of: (row: Row) => row.certainty },
    ]
    call.output.result(found, () => table(found.holidays, columns))
  },
}
