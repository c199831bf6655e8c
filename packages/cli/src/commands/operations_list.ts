import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

export const operationsList: Command = {
  name: 'operations list',
  summary: 'List calls to the gateway that are still open, or all about one payment.',
  details:
    'Open operations end automatically: the resolver of a running worker asks the gateway until the outcome is clear. An operation that is open for a day has an alarm.',
  flags: {
    payment: { value: 'id', summary: 'every operation of this payment, ended ones too' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura operations list'],
  run: async (call) => {
    const query = queryOf(call, { payment: 'subject_id' })
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listOperations(LOOKING, query),
    )
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'KIND', of: (row: Row) => row.kind },
      { title: 'STATE', of: (row: Row) => row.state },
      { title: 'ABOUT', of: (row: Row) => `${row.subject_kind} ${row.subject_id}` },
      { title: 'SENT', of: (row: Row) => timeOf(row.sent_at) },
      { title: 'NEXT LOOK', of: (row: Row) => timeOf(row.due_at) },
    ]
    type Row = (typeof page.results)[number]
    printPage(call, page, columns, 'No open operations.')
  },
}
