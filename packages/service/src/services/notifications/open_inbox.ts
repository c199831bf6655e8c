import { errorName } from '../../domain/error_name.ts'
import { isAway, StoreError } from '../../store/connection/errors.ts'
import { withoutQueue } from '../../store/connection/database.ts'
import { findNotifications } from '../../store/notifications/rows.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { groupWriter, type GroupLimits, type Outcome } from '../group_writer.ts'
import { writeInbox, type InboxContext } from './inbox.ts'
import type { NotificationResult, Inbox, InboxItem } from '../inbox_item.ts'
import { mayBeLinked } from '../linked_payments/link_payment.ts'
import { notifyLinked } from '../linked_payments/notify_linked.ts'
import { openChargeGroups } from '../payments/charge_groups.ts'

// Few and large groups: a third concurrent group makes all of them smaller and costs a tenth more
// CPU.
const LIMITS: GroupLimits = { flights: 2, group_max: 128, waiting_max: 2_048 }

type Outcomes = [string, Outcome<NotificationResult>][]

/**
 * The inbox of one process: writes groups under load, and single items at once when idle (ADR
 * 0005).
 */
const openInbox = (ctx: InboxContext, limits: Partial<GroupLimits>): Inbox =>
  groupWriter(
    async (items: readonly InboxItem[]) => {
      const outcomes: Outcomes = []
      for (const part of partsOf(items)) outcomes.push(...(await writePart(ctx, part)))
      return new Map(outcomes)
    },
    { ...LIMITS, ...limits },
    ({ payload }) => payload.order_id ?? '',
  )

/** A complete context: its parts, and what writes for many callers with them. */
export const withInbox = (
  parts: Omit<InboxContext, 'notifyLinked' | 'charges'>,
  limits: Partial<GroupLimits> = {},
): Context => {
  const linking = { ...parts, notifyLinked }
  const writing = { ...linking, charges: openChargeGroups(linking) }
  return { ...writing, inbox: openInbox({ ...writing, db: withoutQueue(parts.db) }, limits) }
}

/**
 * In the order of arrival. A notification that may create a payment of an invoice or a subscription
 * is written alone: its row does not exist yet, so the lock order of a group is unknown.
 */
function partsOf(items: readonly InboxItem[]): InboxItem[][] {
  const parts: InboxItem[][] = []
  let open: InboxItem[] | undefined
  for (const item of items) {
    if (mayBeLinked(item.payload)) {
      parts.push([item])
      open = undefined
    } else if (open === undefined) {
      open = [item]
      parts.push(open)
    } else {
      open.push(item)
    }
  }
  return parts
}

async function writePart(ctx: InboxContext, items: readonly InboxItem[]): Promise<Outcomes> {
  try {
    return written(await writeInbox(ctx, items))
  } catch (error) {
    if (error instanceof StoreError && error.code === 'commit_unknown') {
      return await lookFor(ctx, items, error)
    }
    // A single item fails by itself, and an unavailable database is not retried item by item.
    if (items.length === 1 || isAway(error)) return failed(items, error)
    ctx.log.warn({ items: items.length, error: errorName(error) }, 'inbox_one_by_one')
    return await oneByOne(ctx, items)
  }
}

/** An item that cannot be written must not fail the others. */
async function oneByOne(ctx: InboxContext, items: readonly InboxItem[]): Promise<Outcomes> {
  const outcomes: Outcomes = []
  const stuck = new Map<string, unknown>()
  for (const item of items) {
    const order_id = item.payload.order_id ?? ''
    const error = stuck.get(order_id)
    // It would wait for the same locked row while the others wait for it.
    const [outcome] = error === undefined ? await writePart(ctx, [item]) : failed([item], error)
    if (outcome === undefined) continue
    outcomes.push(outcome)
    const [, result] = outcome
    if (!result.done) stuck.set(order_id, result.error)
    if (!result.done && isAway(result.error)) {
      return [...outcomes, ...failed(items.slice(outcomes.length), result.error)]
    }
  }
  return outcomes
}

/** The reply to the commit was lost. Rows found are on disk; the gateway repeats the others. */
async function lookFor(ctx: InboxContext, items: readonly InboxItem[], error: StoreError) {
  try {
    const ids = items.map(({ id }) => id)
    const found = await withTransaction(ctx.db, async (tx) => await findNotifications(tx, ids))
    const there = new Set(found.map(({ id }) => id))
    return [
      ...written(found.map((row) => ({ ...row, kept_as: row.id }))),
      ...failed(
        items.filter(({ id }) => !there.has(id)),
        error,
      ),
    ]
  } catch {
    return failed(items, error)
  }
}

const written = (results: readonly NotificationResult[]): Outcomes =>
  results.map((result) => [result.id, { done: true, result }])

const failed = (items: readonly InboxItem[], error: unknown): Outcomes =>
  items.map(({ id }) => [id, { done: false, error }])
