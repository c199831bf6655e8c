import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

export const eventsList: Command = {
  name: 'events list',
  summary: 'List the events whose delivery to a subscriber failed.',
  details:
    'Events with a next try are retried automatically; the others wait for events retry or events skip. Later events of the same object wait for them. payments show lists the events of one payment.',
  flags: {
    subscriber: { value: 'name', summary: 'of this subscriber' },
    object: { value: 'id', summary: 'about this payment, invoice or subscription' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura events list', 'gapura events list --subscriber fulfilment --json'],
  run: async (call) => {
    const query = queryOf(call, { subscriber: 'subscriber', object: 'object_id' })
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listDeadEvents(LOOKING, query),
    )
    const columns = [
      { title: 'SUBSCRIBER', of: (row: Row) => row.subscriber },
      { title: 'OBJECT', of: (row: Row) => row.object_id },
      { title: 'EVENT', of: (row: Row) => row.type },
      { title: 'TRIES', of: (row: Row) => String(row.attempts), align: 'right' as const },
      { title: 'NEXT TRY', of: (row: Row) => timeOf(row.retry_at) },
      { title: 'ERROR', of: (row: Row) => row.error },
    ]
    type Row = (typeof page.results)[number]
    printPage(call, page, columns, 'No failed events.')
  },
}
