import {
  giveUpRefundAsync,
  processRefundAsync,
  QUEUED_ATTEMPTS_MAX,
} from '../services/background/queued_request.ts'
import type { Task } from './task.ts'

/** Makes a queued refund; all attempts are one refund. */
export const process_refund_async: Task = {
  name: 'process_refund_async',
  run: async ({ ctx }, payload) => await processRefundAsync(ctx, payload),
  givenUp: async ({ ctx }, payload) => await giveUpRefundAsync(ctx, payload),
  schedule: null,
  attempts_max: QUEUED_ATTEMPTS_MAX,
}
