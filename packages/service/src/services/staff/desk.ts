import type { Caller } from '../../domain/caller.ts'
import { listAllApiKeys } from '../../store/access/api_keys.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import * as gauges from '../../store/maintenance/gauges.ts'
import { readEnvironment, listWorkers, readActivity } from '../../store/maintenance/inspection.ts'
import { jobsSchema } from '../../store/maintenance/jobs.ts'
import { requireStaff } from '../access/staff_caller.ts'
import type { CellContext, Context } from '../context.ts'
import { listsCells } from './list_cells.ts'
import { staffList } from './staff_list.ts'

/** The owner of a key or a session, and the merchant it belongs to. */
export const readMe = async ({ db, cell }: Context, { owner_id, scopes }: Caller) => ({
  owner_id,
  scopes,
  environment: (await withReadTransaction(db, readEnvironment)) ?? 'sandbox',
  ...(listsCells(cell) && {
    cells: {
      here: cell.name,
      others: cell.peers.map(({ name }) => ({ name, dashboard_url: dashboardOf(cell, name) })),
    },
  }),
})

const dashboardOf = ({ dashboards }: CellContext, name: string): string | null => {
  const url = dashboards?.[name]
  return url === undefined ? null : `${url.replace(/\/$/, '')}/dashboard/`
}

/** The health of the service for operators: what waits, since when, and which workers run. */
export async function readHealth(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  const { db, gateway } = ctx
  return await withReadTransaction(db, async (tx) => {
    const { last_notification_at, last_payment_at, now } = await readActivity(tx)
    return {
      now,
      last_notification_at,
      last_payment_at,
      breaker: gateway.breaker,
      operations: await gauges.measureOpenOperations(tx),
      overdue: await gauges.measureOverduePayments(tx),
      checks: await gauges.measureDueChecks(tx),
      jobs: await gauges.measureJobs(tx, jobsSchema(db)),
      alarms: (await gauges.measureOpenAlarms(tx)).filter(({ count }) => count > 0),
      subscribers: await gauges.measureOutbox(tx),
      workers: await listWorkers(tx),
    }
  })
}

/**
 * When something last happened. Contains no ids, so a page may poll it every few seconds to decide
 * whether to load more.
 */
export async function readPulse(ctx: Context, caller: Caller) {
  requireStaff(caller, 'staff:read')
  return await withReadTransaction(ctx.db, async (tx) => {
    const { last_notification_at, last_payment_at, open_alarms, held_refunds } =
      await readActivity(tx)
    return { last_notification_at, last_payment_at, open_alarms, held_refunds }
  })
}

/** A page of every owner's keys. The keys themselves are not stored. */
export const listKeys = staffList(
  'key.list',
  async (tx, _filters: object, page) => await listAllApiKeys(tx, page),
)
