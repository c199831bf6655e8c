import { actionCommand } from '../payment_action.ts'

export const paymentsApprove = actionCommand({
  name: 'approve',
  summary: 'Approve a challenged card payment.',
  example: 'gapura payments approve order-1',
  act: async ({ api, caller, id, idempotencyKey }) =>
    await api.approvePayment(caller, id, { idempotencyKey }),
})
