import type { Command } from '../command.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

export const notificationsList: Command = {
  name: 'notifications list',
  summary: 'List the notifications of the gateway and the effect of each.',
  flags: {
    effect: {
      value: 'effect',
      summary: 'applied, duplicate, stale, deferred, unmatched, mismatch or failed',
    },
    'order-id': { value: 'id', summary: 'about this order' },
    payment: { value: 'id', summary: 'about this payment' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura notifications list --effect unmatched', 'gapura notifications list --json'],
  run: async (call) => {
    const query = queryOf(call, { effect: 'effect', 'order-id': 'order_id', payment: 'payment_id' })
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listNotifications(LOOKING, query),
    )
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'ORDER', of: (row: Row) => row.order_id ?? '-' },
      { title: 'REPORTED', of: (row: Row) => row.transaction_status ?? '-' },
      { title: 'EFFECT', of: (row: Row) => row.effect },
      { title: 'REASON', of: (row: Row) => row.reason ?? '-' },
      { title: 'RECEIVED', of: (row: Row) => timeOf(row.created_at) },
    ]
    type Row = (typeof page.results)[number]
    printPage(call, page, columns, 'No notifications.')
  },
}
