// What a worker does every few seconds or minutes, beside the queue's own tasks.
import type { Context } from '../services/context.ts'
import { sealAudit } from '../services/audit/seal_audit.ts'
import { matchUnmatched } from '../services/notifications/match_unmatched.ts'
import { resolveOperations } from '../services/sweeps/resolve_operations.ts'
import { checkDueCheckouts } from '../services/sweeps/check_checkouts.ts'
import { checkDueInvoices } from '../services/sweeps/check_invoices.ts'
import { readStatements } from '../services/statements/read_windows.ts'
import { syncSubscriptionStatus } from '../services/sweeps/sync_subscription_status.ts'
import { fillSearch } from '../services/sweeps/fill_search.ts'
import { runMaintenance, type Retention } from '../services/sweeps/run_maintenance.ts'
import { reconcileAndPickUp } from '../services/reconciliation/pick_up.ts'
import type { TaskWork } from './task.ts'
import type { Timer } from './timers.ts'

const RESOLVE_EVERY_MS = 5_000
/** Fifty in a round were too few: with twenty lost answers a second, queries were minutes late. */
const RESOLVE_MAX = 250
/** How long an audit entry may stay unsealed while a worker runs. */
const SEAL_EVERY_MS = 5_000
const SWEEP_EVERY_MS = 10_000
/** How long a change may be missing from the table that staff search by. */
const FILL_EVERY_MS = 1_000
const RECONCILE_EVERY_MS = 60_000
const MAINTENANCE_EVERY_MS = 3_600_000

/** What the gateway and the bank state is read, and then compared. */
const statementTimers = ({ ctx, budget, aborted }: TaskWork): Timer[] => [
  {
    name: 'read_statements',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await readStatements(ctx, { budget, aborted }),
  },
  {
    name: 'reconcile',
    every_ms: RECONCILE_EVERY_MS,
    run: async () => await reconcileAndPickUp(ctx, { budget, aborted }),
  },
]

export const sweepTimers = ({ ctx, budget, aborted }: TaskWork, retention: Retention): Timer[] => [
  {
    name: 'resolve_operations',
    every_ms: RESOLVE_EVERY_MS,
    run: async () => await resolveOperations(ctx, RESOLVE_MAX),
  },
  {
    name: 'match_unmatched',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await matchUnmatched(ctx, budget),
  },
  {
    name: 'check_due_invoices',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await checkDueInvoices(ctx, { budget }),
  },
  {
    name: 'check_due_checkouts',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await checkDueCheckouts(ctx, { budget }),
  },
  {
    // What a notice or a cycle planned does not wait for the task's half hour.
    name: 'sync_due_subscriptions',
    every_ms: SWEEP_EVERY_MS,
    run: async () => await syncSubscriptionStatus(ctx, { budget }),
  },
  ...statementTimers({ ctx, budget, aborted }),
  {
    name: 'seal_audit',
    every_ms: SEAL_EVERY_MS,
    run: async () => await sealAudit(ctx),
  },
  {
    name: 'fill_search',
    every_ms: FILL_EVERY_MS,
    run: async () => await fillSearch(ctx),
  },
  {
    name: 'run_maintenance',
    every_ms: MAINTENANCE_EVERY_MS,
    run: async () => await maintain(ctx, retention),
  },
]

/** Throws if a step failed, so that the round is counted as failed; the steps are in the log. */
async function maintain(ctx: Context, retention: Retention): Promise<void> {
  const { failed } = await runMaintenance(ctx, retention)
  if (failed.length > 0) throw new Error(`maintenance steps failed: ${failed.join(', ')}`)
}
