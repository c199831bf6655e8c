import { actionCommand } from '../payment_action.ts'

export const paymentsDeny = actionCommand({
  name: 'deny',
  summary: 'Deny a challenged card payment.',
  example: 'gapura payments deny order-1',
  act: async ({ api, caller, id, idempotencyKey }) =>
    await api.denyPayment(caller, id, { idempotencyKey }),
})
