import type { Command } from '../command.ts'
import { findPayment } from '../find_payment.ts'
import { paymentText } from '../payment_text.ts'
import { LOOKING, withGapura } from '../session.ts'

export const paymentsCheck: Command = {
  name: 'payments check',
  summary: 'Ask the gateway about a payment and record its answer.',
  arguments: [{ name: 'payment', summary: 'its id, or its order id' }],
  flags: {},
  examples: ['gapura payments check order-1'],
  run: async (call) => {
    const checked = await withGapura(call, async ({ api }) => {
      const { id } = await findPayment(api, LOOKING, call.argument('payment'))
      return await api.checkStatus(LOOKING, id)
    })
    call.output.result(checked, () => paymentText(checked.payment))
  },
}
