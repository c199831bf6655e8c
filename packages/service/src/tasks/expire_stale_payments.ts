import { expireStalePayments } from '../services/sweeps/check_payments.ts'
import type { Task } from './task.ts'

/** Queries pending payments that are past their expiry and have no check soon. */
export const expire_stale_payments: Task = {
  name: 'expire_stale_payments',
  run: async ({ ctx, budget, aborted }) => await expireStalePayments(ctx, { budget, aborted }),
  schedule: '* * * * *',
  attempts_max: 1,
}
