import { actionCommand } from '../payment_action.ts'

export const paymentsExpire = actionCommand({
  name: 'expire',
  summary: 'Expire a pending payment now: it can no longer be paid.',
  example: 'gapura payments expire order-1',
  act: async ({ api, caller, id, idempotencyKey }) =>
    await api.expirePayment(caller, id, { idempotencyKey }),
})
