import type { Command } from '../command.ts'
import { paymentText } from '../payment_text.ts'
import { withGapura, staffOf } from '../session.ts'

export const refundsApprove: Command = {
  name: 'refunds approve',
  summary: 'Approve a refund as the second person, and make it.',
  details:
    'The staff member who requested it cannot approve it. After an unclear outcome the command may be repeated: it is one refund however often it is approved.',
  arguments: [{ name: 'id', summary: 'the request, as refunds list shows it' }],
  flags: {
    reason: { value: 'text', summary: 'why; kept permanently', required: true },
    as: { value: 'person', summary: 'the staff member who approves', required: true },
  },
  examples: ['gapura refunds approve <id> --reason "saw the photo" --as eka'],
  run: async (call) => {
    const input = { reason: call.required('reason') }
    const { payment, refund } = await withGapura(
      call,
      async ({ staff }) => await staff.approveRefund(staffOf(call), call.argument('id'), input),
    )
    call.output.result({ payment, refund }, () => paymentText(payment))
  },
}
