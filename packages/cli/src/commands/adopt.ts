import type { Command } from '../command.ts'
import { paymentText } from '../payment_text.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const adopt: Command = {
  name: 'adopt',
  summary: 'Import an order that was made elsewhere at the gateway.',
  details:
    'Asks the gateway for the order and stores the payment with its status there, the staff member and the reason. Subscribers get its event as for any other payment: payment_settled for a paid one. An order that already exists here is refused. A lost order of ours gets its own id back.',
  arguments: [{ name: 'order_id', summary: 'the order id at the gateway' }],
  flags: {
    owner: { value: 'owner', summary: 'the owner of the payment', required: true },
    reason: { value: 'text', summary: 'why; kept in the history', required: true },
    as: AS_FLAG,
  },
  examples: ['gapura adopt POS-1207 --owner shop --reason "sold by phone"'],
  run: async (call) => {
    const input = {
      order_id: call.argument('order_id'),
      owner_id: call.required('owner'),
      reason: call.required('reason'),
    }
    const payment = await withGapura(
      call,
      async ({ staff }) => await staff.adoptOrder(staffOf(call), input),
    )
    call.output.result(payment, () => paymentText(payment))
  },
}
