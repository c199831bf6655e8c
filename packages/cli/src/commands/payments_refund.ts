import { UsageError } from '../command.ts'
import { actionCommand } from '../payment_action.ts'

export const paymentsRefund = actionCommand({
  name: 'refund',
  summary: 'Refund a payment: an amount, or everything that is refundable.',
  details: 'payments show prints the refundable amount, or why there is none.',
  flags: {
    amount: { value: 'rupiah', summary: 'how much' },
    all: { summary: 'the whole refundable amount, instead of an amount' },
    reason: {
      value: 'text',
      summary: 'kept with the refund and sent to the gateway',
      required: true,
    },
    direct: { summary: 'through the acquirer at once, if the payment type supports it' },
  },
  example: 'gapura payments refund order-1 --amount 50000 --reason "one of two came broken"',
  act: async ({ api, caller, id, idempotencyKey, call }) => {
    const given = call.integer('amount', { min: 1, max: 999_999_999 })
    // A forgotten flag must not refund everything.
    if ((given === undefined) === !call.on('all')) {
      throw new UsageError('give the amount: --amount <rupiah>, or --all')
    }
    const amount = given ?? (await api.getPayment(caller, id)).refundable_amount
    call.output.progress(`refunding ${amount}`)
    const input = { amount, reason: call.required('reason'), direct: call.on('direct') }
    return (await api.refundPayment(caller, id, input, { idempotencyKey })).payment
  },
})
