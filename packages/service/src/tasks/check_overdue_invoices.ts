import { checkOverdueInvoices } from '../services/sweeps/check_invoices.ts'
import type { Task } from './task.ts'

/** Queries pending invoices whose due day is over in Jakarta (ADR 0014: hourly). */
export const check_overdue_invoices: Task = {
  name: 'check_overdue_invoices',
  run: async ({ ctx, budget, aborted }) => await checkOverdueInvoices(ctx, { budget, aborted }),
  schedule: '7 * * * *',
  // The next hour is the retry.
  attempts_max: 1,
}
