import { checkPendingPayments } from '../services/sweeps/check_payments.ts'
import type { Task } from './task.ts'

/** Queries every payment that is due (ADR 0014: every 60 s). */
export const check_pending_payments: Task = {
  name: 'check_pending_payments',
  run: async ({ ctx, budget, aborted }) => await checkPendingPayments(ctx, { budget, aborted }),
  schedule: '* * * * *',
  // The next minute is the retry.
  attempts_max: 1,
}
