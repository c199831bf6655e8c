import { syncSubscriptionStatus } from '../services/sweeps/sync_subscription_status.ts'
import type { Task } from './task.ts'

/** Asks about every subscription whose time has come, and repairs what drifted (ADR 0014). */
export const sync_subscription_status: Task = {
  name: 'sync_subscription_status',
  run: async ({ ctx, budget, aborted }) => await syncSubscriptionStatus(ctx, { budget, aborted }),
  schedule: '*/30 * * * *',
  // The next half hour is the retry, and a timer comes sooner for what is told of meanwhile.
  attempts_max: 1,
}
