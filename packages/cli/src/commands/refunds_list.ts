import type { RefundRequestRepresentation } from 'gapura'
import type { Command } from '../command.ts'
import { rupiah, timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { LOOKING, withGapura } from '../session.ts'

export const refundsList: Command = {
  name: 'refunds list',
  summary: 'List the refunds that need or needed approval by a second person.',
  flags: {
    state: { value: 'state', summary: 'held, approved, declined or expired' },
    ...PAGE_FLAGS,
  },
  examples: ['gapura refunds list --state held'],
  run: async (call) => {
    const query = queryOf(call, { state: 'state' })
    const page = await withGapura(
      call,
      async ({ staff }) => await staff.listRefundRequests(LOOKING, query),
    )
    printPage(call, page, COLUMNS, 'No refunds wait.')
  },
}

type Row = RefundRequestRepresentation
const COLUMNS = [
  { title: 'ID', of: ({ id }: Row) => id },
  { title: 'PAYMENT', of: ({ payment_id }: Row) => payment_id },
  { title: 'AMOUNT', of: ({ amount }: Row) => rupiah(amount), align: 'right' as const },
  { title: 'STATE', of: ({ state }: Row) => state },
  { title: 'ASKED BY', of: ({ requested_by }: Row) => requested_by },
  { title: 'WHY', of: ({ reason }: Row) => reason || '-' },
  { title: 'DECIDED BY', of: ({ decided_by }: Row) => decided_by ?? '-' },
  { title: 'UNTIL', of: ({ expires_at }: Row) => timeOf(expires_at) },
]
