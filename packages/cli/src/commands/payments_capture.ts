import { actionCommand } from '../payment_action.ts'

export const paymentsCapture = actionCommand({
  name: 'capture',
  summary: 'Capture an authorized card payment.',
  flags: { amount: { value: 'rupiah', summary: 'how much (default: the authorized amount)' } },
  example: 'gapura payments capture order-1',
  act: async ({ api, caller, id, idempotencyKey, call }) => {
    const amount = call.integer('amount', { min: 1, max: 999_999_999 })
    const input = amount === undefined ? {} : { amount }
    return await api.capturePayment(caller, id, input, { idempotencyKey })
  },
})
