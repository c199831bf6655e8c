import { GatewayError } from '../../domain/errors.ts'
import {
  claimDueSubscriptions,
  planSubscriptionCheck,
  type DueSubscription,
} from '../../store/subscriptions/checks.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import { refreshSubscription } from '../linked_payments/refresh_subscription.ts'
import { sweepPages, type SweepOptions } from './sweep_pages.ts'

/** How many subscriptions a sweep queried, by outcome. */
type Synced = Record<Asked, number>

type Asked = 'moved' | 'unchanged' | 'not_found' | 'unreachable'

/** Longer than one check, so that two sweeps never work on the same subscription. */
const SYNC_LEASE_MS = 5 * 60_000
const UNREACHABLE_MS = 5 * 60_000
const NOT_FOUND_MS = 12 * 3_600_000
/** How long after creation a hint that leads nowhere is followed again, and how often. */
const HINT_KEPT_MS = 10 * 60_000
const EARLY_MS = 60_000

/**
 * Queries every subscription that is due, and repairs differences: its cycles, its status, its
 * amount. What the caller disabled or cancelled stays so (ADR 0012). May be repeated and run
 * concurrently.
 */
export const syncSubscriptionStatus = async (
  ctx: Context,
  options: SweepOptions,
): Promise<Synced> =>
  await sweepPages<DueSubscription, Asked>(
    ctx,
    options,
    {
      claim: claimDueSubscriptions,
      lease_ms: SYNC_LEASE_MS,
      check: async (due) => await syncOne(ctx, due, options),
      name: ({ id }) => ({ subscription_id: id }),
    },
    { moved: 0, unchanged: 0, not_found: 0, unreachable: 0 },
  )

async function syncOne(
  ctx: Context,
  due: DueSubscription,
  { budget }: SweepOptions,
): Promise<Asked> {
  const take = async (): Promise<void> => await budget.take()
  await take()
  try {
    const { subscription } = await refreshSubscription(ctx, due, { source: 'sweep', take })
    return subscription.version === due.version ? 'unchanged' : 'moved'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const outcome = error.code === 'gateway_not_found' ? 'not_found' : 'unreachable'
    await putOff(ctx, due, outcome)
    return outcome
  }
}

const putOff = async (
  ctx: Context,
  due: DueSubscription,
  outcome: 'not_found' | 'unreachable',
): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const now = (await readClock(tx)).getTime()
    const hinted = due.gateway_subscription_id === null
    // A notice may arrive before the gateway's own records have it; later it leads nowhere.
    const early = hinted && now - due.created_at.getTime() < HINT_KEPT_MS
    const nowhere = outcome === 'not_found' && hinted && !early
    const unknown_ms = hinted ? EARLY_MS : NOT_FOUND_MS
    const wait_ms = outcome === 'unreachable' ? UNREACHABLE_MS : unknown_ms
    const next_check_at = nowhere ? null : new Date(now + wait_ms)
    const plan = { claimed_at: due.next_check_at, next_check_at, keep_hint: !nowhere }
    await planSubscriptionCheck(tx, due.id, plan)
    // A known subscription is missing at the gateway: staff are alarmed.
    if (hinted || outcome === 'unreachable') return
    const about = { subject_kind: 'subscription' as const, ...due }
    await alarmAboutObject(tx, about, 'outcome_unknown', 'the gateway does not know it')
  })
}
