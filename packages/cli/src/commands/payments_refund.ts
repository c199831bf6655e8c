import { UsageError } from '../command.ts'
import { actionCommand } from '../payment_action.ts'

export const paymentsRefund = actionCommand({
  name: 'refund',
  summary: 'Give money back: an amount, or all that is left.',
  details: 'payments show tells beforehand what can be refunded, or why nothing can.',
  flags: {
    amount: { value: 'rupiah', summary: 'how much' },
    all: { summary: 'all that is left, instead of an amount' },
    reason: {
      value: 'text',
      summary: 'kept with the refund and sent to the gateway',
      required: true,
    },
    direct: { summary: 'through the acquirer at once, where it offers that' },
  },
  example: 'gapura payments refund order-1 --amount 50000 --reason "one of two came broken"',
  act: async ({ api, caller, id, idempotencyKey, call }) => {
    const given = call.integer('amount', { min: 1, max: 999_999_999 })
    // Forgetting a flag must not pay everything back.
    if ((given === undefined) === !call.on('all')) {
      throw new UsageError('say how much: --amount <rupiah>, or --all')
    }
    const amount = given ?? (await api.getPayment(caller, id)).refundable_amount
    call.output.progress(`refunding ${amount}`)
    const input = { amount, reason: call.required('reason'), direct: call.on('direct') }
    return (await api.refundPayment(caller, id, input, { idempotencyKey })).payment
  },
})
