import { syncSubscriptionStatus } from '../services/sweeps/sync_subscription_status.ts'
import type { Task } from './task.ts'

/** Queries every subscription that is due, and repairs differences (ADR 0014). */
export const sync_subscription_status: Task = {
  name: 'sync_subscription_status',
  run: async ({ ctx, budget, aborted }) => await syncSubscriptionStatus(ctx, { budget, aborted }),
  schedule: '*/30 * * * *',
  // The next half hour is the retry, and a timer runs sooner for what notices report.
  attempts_max: 1,
}
