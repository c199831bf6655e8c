import type { Command } from '../command.ts'
import { rupiah } from '../formats.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const refundsDecline: Command = {
  name: 'refunds decline',
  summary: 'Decline a refund that needs approval by a second person.',
  arguments: [{ name: 'id', summary: 'the request, as refunds list shows it' }],
  flags: {
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura refunds decline <id> --reason "the goods never came back" --as eka'],
  run: async (call) => {
    const input = { reason: call.required('reason') }
    const declined = await withGapura(
      call,
      async ({ staff }) => await staff.declineRefund(staffOf(call), call.argument('id'), input),
    )
    call.output.result(declined, () => `Declined: ${rupiah(declined.amount)} stay.`)
  },
}
