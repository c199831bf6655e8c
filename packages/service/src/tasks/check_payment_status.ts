import { Type } from 'typebox'
import { checkPaymentStatus } from '../services/sweeps/check_payments.ts'
import { requestParser } from '../services/validation.ts'
import type { Task } from './task.ts'

const parsePayload = requestParser(
  Type.Object({ order_id: Type.String({ minLength: 1, maxLength: 100 }) }),
)

/** Queries the gateway about one payment; skipped if no query is needed. */
export const check_payment_status: Task = {
  name: 'check_payment_status',
  run: async ({ ctx, budget }, payload) =>
    await checkPaymentStatus(ctx, parsePayload(payload), budget),
  schedule: null,
  // A failure is stored on the payment as the time of the next check.
  attempts_max: 3,
}
