import type { Command } from '../command.ts'
import { rupiah, timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

const FILTERS = {
  status: 'status',
  type: 'payment_type',
  'order-id': 'order_id',
  email: 'customer_email',
  from: 'created_from',
  before: 'created_before',
}

export const paymentsList: Command = {
  name: 'payments list',
  summary: 'List payments of every owner, newest first.',
  flags: {
    status: { value: 'status', summary: 'pending, settlement, expire, …' },
    type: { value: 'type', summary: 'bank_transfer, qris, credit_card, …' },
    'order-id': { value: 'id', summary: 'of this order' },
    email: { value: 'address', summary: 'of this customer' },
    from: { value: 'time', summary: 'made at this time or later, as 2026-01-31T00:00:00+07:00' },
    before: { value: 'time', summary: 'made before this time' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura payments list --status pending', 'gapura payments list --order-id A-1 --json'],
  run: async (call) => {
    const query = queryOf(call, FILTERS)
    const page = await withGapura(call, async ({ api }) => await api.listPayments(LOOKING, query))
    const columns = [
      { title: 'ID', of: (row: Row) => row.id },
      { title: 'ORDER', of: (row: Row) => row.order_id },
      { title: 'TYPE', of: (row: Row) => row.payment_type },
      { title: 'AMOUNT', of: (row: Row) => rupiah(row.gross_amount), align: 'right' as const },
      { title: 'STATUS', of: (row: Row) => row.transaction_status },
      { title: 'MADE', of: (row: Row) => timeOf(row.created_at) },
    ]
    type Row = (typeof page.results)[number]
    printPage(call, page, columns, 'No payments.')
  },
}
