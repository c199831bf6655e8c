import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

export const alarmsList: Command = {
  name: 'alarms list',
  summary: 'List the alarms that need attention.',
  flags: {
    kind: { value: 'kind', summary: 'late_money, amount_mismatch, outcome_unknown, …' },
    about: { value: 'id', summary: 'about this payment, notification or event' },
    closed: { summary: 'closed ones too' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura alarms list', 'gapura alarms list --closed --kind late_money'],
  run: async (call) => {
    const query = {
      ...queryOf(call, { kind: 'kind', about: 'subject_id' }),
      ...(call.on('closed') && { closed: true }),
    }
    const page = await withGapura(call, async ({ staff }) => await staff.listAlarms(LOOKING, query))
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'KIND', of: (row: Row) => row.kind },
      { title: 'ABOUT', of: (row: Row) => `${row.subject_kind} ${row.subject_id}` },
      { title: 'DETAIL', of: (row: Row) => row.detail },
      { title: 'OPENED', of: (row: Row) => timeOf(row.created_at) },
      { title: 'CLOSED BY', of: (row: Row) => row.closed_by ?? '-' },
    ]
    type Row = (typeof page.results)[number]
    printPage(call, page, columns, 'No alarms.')
  },
}
