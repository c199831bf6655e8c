import type { Command } from '../command.ts'
import { paymentText } from '../payment_text.ts'
import { withGapura, staffOf } from '../session.ts'

export const refundsApprove: Command = {
  name: 'refunds approve',
  summary: 'Agree to a refund that takes two people, as the second, and make it.',
  details:
    'Who asked for it cannot. May be repeated after an unclear answer: it is one refund however often it is approved.',
  arguments: [{ name: 'id', summary: 'the request, as refunds list shows it' }],
  flags: { as: { value: 'person', summary: 'who agrees', required: true } },
  examples: ['gapura refunds approve <id> --as eka'],
  run: async (call) => {
    const { payment, refund } = await withGapura(
      call,
      async ({ staff }) => await staff.approveRefund(staffOf(call), call.argument('id')),
    )
    call.output.result({ payment, refund }, () => paymentText(payment))
  },
}
