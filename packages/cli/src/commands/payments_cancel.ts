import { actionCommand } from '../payment_action.ts'

export const paymentsCancel = actionCommand({
  name: 'cancel',
  summary: 'Cancel a payment before it settles.',
  example: 'gapura payments cancel order-1',
  act: async ({ api, caller, id, idempotencyKey }) =>
    await api.cancelPayment(caller, id, { idempotencyKey }),
})
