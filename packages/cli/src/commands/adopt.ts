import type { Command } from '../command.ts'
import { paymentText } from '../payment_text.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const adopt: Command = {
  name: 'adopt',
  summary: 'Bring an order made elsewhere under our roof.',
  details:
    'Asks the gateway for the order and writes the payment down as it stands there, with who brought it and why. Subscribers are told of its state as of any other: payment_settled for one that is paid. An order that is here already is refused. One of ours that was lost comes back under its own id.',
  arguments: [{ name: 'order_id', summary: 'the order id at the gateway' }],
  flags: {
    owner: { value: 'owner', summary: 'whose payment it becomes', required: true },
    reason: { value: 'text', summary: 'why; kept in its history', required: true },
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
