import { storeTrouble } from '../services/store_trouble.ts'
import { cellReadBudget } from '../services/sweeps/sweep_pages.ts'
import type { TaskWork } from '../tasks/task.ts'
import {
  check_overdue_invoices,
  check_payment_status,
  check_pending_payments,
  expire_stale_payments,
  sync_subscription_status,
} from '../tasks/task_list.ts'
import type { Parts } from './compose.ts'

type Result<T extends { run: (...given: never[]) => unknown }> = ReturnType<T['run']>

/**
 * The tasks that query the gateway, to run now: for hosts with a scheduler of their own, and for
 * tests. A worker runs them by itself; running one twice at the same time does no harm.
 */
export interface GapuraTasks {
  check_payment_status: (input: { order_id: string }) => Result<typeof check_payment_status>
  check_pending_payments: () => Result<typeof check_pending_payments>
  expire_stale_payments: () => Result<typeof expire_stale_payments>
  check_overdue_invoices: () => Result<typeof check_overdue_invoices>
  sync_subscription_status: () => Result<typeof sync_subscription_status>
}

export function createTasks({ ctx, ready }: Pick<Parts, 'ctx' | 'ready'>): GapuraTasks {
  const aborted = new AbortController().signal
  const work = { ctx, budget: cellReadBudget(ctx), aborted }
  const now = async <Value>(run: (work: TaskWork) => Promise<Value>): Promise<Value> => {
    try {
      await ready()
      return await run(work)
    } catch (error) {
      // A database that is away is a failure of a kind, not the driver's.
      throw storeTrouble(error) ?? error
    }
  }
  return {
    check_payment_status: async (input) =>
      await now(async (given) => await check_payment_status.run(given, input)),
    check_pending_payments: async () => await now(check_pending_payments.run),
    expire_stale_payments: async () => await now(expire_stale_payments.run),
    check_overdue_invoices: async () => await now(check_overdue_invoices.run),
    sync_subscription_status: async () => await now(sync_subscription_status.run),
  }
}
