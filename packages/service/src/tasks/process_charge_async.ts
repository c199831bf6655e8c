import {
  giveUpChargeAsync,
  processChargeAsync,
  QUEUED_ATTEMPTS_MAX,
} from '../services/background/queued_request.ts'
import type { Task } from './task.ts'

/** Makes a queued charge; all attempts together make at most one. */
export const process_charge_async: Task = {
  name: 'process_charge_async',
  run: async ({ ctx }, payload) => await processChargeAsync(ctx, payload),
  givenUp: async ({ ctx }, payload) => await giveUpChargeAsync(ctx, payload),
  schedule: null,
  attempts_max: QUEUED_ATTEMPTS_MAX,
}
