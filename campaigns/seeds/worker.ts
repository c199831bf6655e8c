// What a worker of a run does: the event relay, the resolver and the sweeps, without a job queue.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../packages/service/src/main/compose.ts'
import { startRelay } from '../../packages/service/src/events/relay.ts'
import { subscribe } from '../../packages/service/src/events/subscribers.ts'
import type { Context } from '../../packages/service/src/services/context.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { checkDueCheckouts } from '../../packages/service/src/services/sweeps/check_checkouts.ts'
import { checkDueInvoices } from '../../packages/service/src/services/sweeps/check_invoices.ts'
import { checkPendingPayments } from '../../packages/service/src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../packages/service/src/services/sweeps/resolve_operations.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { startEndpoints } from '../../packages/service/src/main/webhook_endpoints.ts'
import { startTimers } from '../../packages/service/src/tasks/timers.ts'
import { recordEffect } from '../bench/effects.ts'
import type { Receivers } from './receivers.ts'

interface Work {
  /** In a rush the relay alone, which polls often: timers would only add steps. */
  what: 'all' | 'relay'
  /** With what webhooks are sent; undefined if there are no endpoints. */
  open: Receivers['open'] | undefined
  /** Called when a subscriber has taken an event. */
  delivered: () => void
}

export function startWork({ ctx }: Parts, { what, open, delivered }: Work): void {
  const [poll_ms_min, poll_ms_max] =
    what === 'all' ? ([400, 4_000] as const) : ([50, 10_000] as const)
  const handler = async ({
    id,
    object,
    sequence,
  }: {
    id: string
    object: { id: string }
    sequence: number
  }) => {
    await recordEffect(ctx.db.pool, 'gapura', { id, object, sequence })
    delivered()
  }
  const subscribers = [subscribe({ name: 'effects', signals: SIGNALS, handler })]
  const begin = async (): Promise<void> => {
    for (;;) {
      try {
        const relay = await startRelay(ctx.db, { subscribers, poll_ms_min, poll_ms_max })
        if (open) startEndpoints(ctx, relay, undefined, open)
        return
      } catch {
        await sleep(1_000)
      }
    }
  }
  void begin()
  if (what === 'all') startSweeps(ctx)
}

function startSweeps(ctx: Context): void {
  const budget = readBudget(1_000)
  startTimers(
    [
      { name: 'resolver', every_ms: 5_000, run: async () => await resolveOperations(ctx, 20) },
      {
        name: 'checks',
        every_ms: 60_000,
        run: async () => await checkPendingPayments(ctx, { budget }),
      },
      {
        name: 'checkouts',
        every_ms: 60_000,
        run: async () => await checkDueCheckouts(ctx, { budget }),
      },
      {
        name: 'invoices',
        every_ms: 60_000,
        run: async () => await checkDueInvoices(ctx, { budget }),
      },
      { name: 'inbox', every_ms: 60_000, run: async () => await matchUnmatched(ctx, budget) },
    ],
    () => undefined,
  )
}
