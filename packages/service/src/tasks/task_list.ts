// The named tasks of the specification, with schedule and number of attempts (ADR 0014).
import { Type } from 'typebox'
import {
  giveUpChargeAsync,
  giveUpRefundAsync,
  processChargeAsync,
  processRefundAsync,
  QUEUED_ATTEMPTS_MAX,
} from '../services/background/queued_request.ts'
import { checkOverdueInvoices } from '../services/sweeps/check_invoices.ts'
import {
  checkPaymentStatus,
  checkPendingPayments,
  expireStalePayments,
} from '../services/sweeps/check_payments.ts'
import { syncSubscriptionStatus } from '../services/sweeps/sync_subscription_status.ts'
import { requestParser } from '../services/validation.ts'
import type { Task, TaskWork } from './task.ts'

const parseOrder = requestParser(
  Type.Object(
    { order_id: Type.String({ minLength: 1, maxLength: 100 }) },
    { additionalProperties: false },
  ),
)

/** Queries every payment that is due. The next minute is the retry. */
export const check_pending_payments = {
  name: 'check_pending_payments',
  run: async ({ ctx, budget, aborted }: TaskWork) =>
    await checkPendingPayments(ctx, { budget, aborted }),
  schedule: '* * * * *',
  attempts_max: 1,
} satisfies Task

/** Queries pending payments that are past their expiry and have no check soon. */
export const expire_stale_payments = {
  name: 'expire_stale_payments',
  run: async ({ ctx, budget, aborted }: TaskWork) => ({
    moved: await expireStalePayments(ctx, { budget, aborted }),
  }),
  schedule: '* * * * *',
  attempts_max: 1,
} satisfies Task

/** Queries pending invoices whose due day is over in Jakarta. The next hour is the retry. */
export const check_overdue_invoices = {
  name: 'check_overdue_invoices',
  run: async ({ ctx, budget, aborted }: TaskWork) =>
    await checkOverdueInvoices(ctx, { budget, aborted }),
  schedule: '7 * * * *',
  attempts_max: 1,
} satisfies Task

/**
 * Queries every subscription that is due, and repairs differences. The next half hour is the retry,
 * and a timer runs sooner for what notices report.
 */
export const sync_subscription_status = {
  name: 'sync_subscription_status',
  run: async ({ ctx, budget, aborted }: TaskWork) =>
    await syncSubscriptionStatus(ctx, { budget, aborted }),
  schedule: '*/30 * * * *',
  attempts_max: 1,
} satisfies Task

/**
 * Queries the gateway about one payment; skipped if no query is needed. A failure is stored on the
 * payment as the time of the next check.
 */
export const check_payment_status = {
  name: 'check_payment_status',
  run: async ({ ctx, budget }: TaskWork, payload: unknown) =>
    await checkPaymentStatus(ctx, parseOrder(payload), budget),
  schedule: null,
  attempts_max: 3,
} satisfies Task

/** Makes a queued charge; all attempts together make at most one. */
const process_charge_async: Task = {
  name: 'process_charge_async',
  run: async ({ ctx }, payload) => await processChargeAsync(ctx, payload),
  givenUp: async ({ ctx }, payload) => await giveUpChargeAsync(ctx, payload),
  schedule: null,
  attempts_max: QUEUED_ATTEMPTS_MAX,
}

/** Makes a queued refund; all attempts are one refund. */
const process_refund_async: Task = {
  name: 'process_refund_async',
  run: async ({ ctx }, payload) => await processRefundAsync(ctx, payload),
  givenUp: async ({ ctx }, payload) => await giveUpRefundAsync(ctx, payload),
  schedule: null,
  attempts_max: QUEUED_ATTEMPTS_MAX,
}

export const TASKS: readonly Task[] = [
  check_overdue_invoices,
  check_payment_status,
  check_pending_payments,
  expire_stale_payments,
  process_charge_async,
  process_refund_async,
  sync_subscription_status,
]
