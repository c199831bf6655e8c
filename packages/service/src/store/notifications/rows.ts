import type { GatewayNotification, NotificationEffect } from '../../domain/notification.ts'
import { plainToJson } from '../sql/values.ts'
import { WAITS_AT_COMMIT, type Tx } from '../connection/transaction.ts'

const NOTIFICATION_COLUMNS = `
  id, payment_id, owner_id, order_id, transaction_id, transaction_status, fraud_status,
  payment_type, status_code, gross_amount, effect, reason, verified_with, raw_payload, received_at`

const NEW_COLUMNS = `
  id, payment_id, owner_id, order_id, transaction_id, transaction_status, fraud_status,
  payment_type, status_code, gross_amount, effect, reason, verified_with, raw_payload`

export type NewNotification = Omit<GatewayNotification, 'received_at'>

/**
 * How many rows of one order are stored within that time (ADR 0004). A payment has a handful; an
 * intercepted signature can be sent for ever.
 */
export const ORDER_ROWS_MAX = 200
export const UNMATCHED_PAGE_MAX = 100

/**
 * Stores a batch in one statement, all or none. Ids come from the caller and every column is found
 * by its name, so rows cannot be mixed up. The payments they concern are locked before.
 */
export async function insertNotifications(
  tx: Tx,
  notifications: readonly NewNotification[],
  received_at: Date,
): Promise<void> {
  if (notifications.length === 0) return
  await tx.query(
    `insert into gapura.gateway_notification (${NEW_COLUMNS}, received_at)
     select ${NEW_COLUMNS}, $2
     from jsonb_populate_recordset(null::gapura.gateway_notification, $1)`,
    [plainToJson(notifications), received_at],
  )
}

type Report = Pick<
  GatewayNotification,
  'id' | 'order_id' | 'transaction_id' | 'transaction_status' | 'raw_payload'
>

/** What is known of earlier reports about the same orders. */
export interface Repeated {
  /** The reports whose order was reported in this state before. */
  again: readonly Report[]
  /** The ids of reports of orders that have enough rows stored. */
  full: ReadonlySet<string>
}

export interface Heard {
  /** For each report that was stored before with the same payload, the id of the first such row. */
  duplicates: ReadonlyMap<string, string>
  /** The reports of orders that have enough rows stored. */
  full: ReadonlySet<string>
}

/** Finds stored duplicates of the repeated reports. Duplicates within one batch are not found. */
export async function findDuplicates(tx: Tx, { again, full }: Repeated): Promise<Heard> {
  if (again.length === 0) return { duplicates: new Map(), full }
  const found = await tx.query<{ id: string; duplicate_of: string }>(
    `select report.id, duplicate.id as duplicate_of
     from ${REPORTS}
     cross join lateral (
       select id
       from gapura.gateway_notification as earlier
       where ${OF_THE_SAME_KIND}
         and earlier.raw_payload = report.raw_payload
       order by earlier.received_at
       limit 1
     ) as duplicate`,
    [plainToJson(again)],
  )
  return { duplicates: new Map(found.map(({ id, duplicate_of }) => [id, duplicate_of])), full }
}

/**
 * The reports whose order was reported in this state before. Most were not, and send no payload. At
 * most as many rows of an order are read as are stored of it.
 */
export async function findRepeated(tx: Tx, reports: readonly Report[]): Promise<Repeated> {
  const kinds = reports.map(({ id, order_id, transaction_id, transaction_status }) => ({
    id,
    order_id,
    transaction_id,
    transaction_status,
  }))
  const found = await tx.query<{ id: string; alike: boolean; kept: number }>(
    `select report.id, repeated.alike, repeated.kept
     from ${REPORTS}
     cross join lateral (
       select count(*)::int as kept,
         bool_or(
           latest.transaction_id is not distinct from report.transaction_id
           and latest.transaction_status is not distinct from report.transaction_status
         ) as alike
       from (
         select transaction_id, transaction_status
         from gapura.gateway_notification as earlier
         where earlier.order_id = report.order_id
           and ${IN_THE_WINDOW}
         order by earlier.received_at
         limit ${ORDER_ROWS_MAX}
       ) as latest
     ) as repeated
     where repeated.kept > 0`,
    [plainToJson(kinds)],
  )
  const repeated = new Set(found.filter(({ alike }) => alike).map(({ id }) => id))
  const full = found.filter(({ kept }) => kept >= ORDER_ROWS_MAX).map(({ id }) => id)
  return { again: reports.filter(({ id }) => repeated.has(id)), full: new Set(full) }
}

const REPORTS = `jsonb_to_recordset($1::jsonb) as report(
       id uuid, order_id text, transaction_id text, transaction_status text, raw_payload jsonb
     )`

// Both ends of the period, so that only one or two months are read; forwards as well, because a clock
// that was set back must not hide earlier rows. In subqueries, which are evaluated once: with
// parameters the statement would be planned again for each group.
const IN_THE_WINDOW = `earlier.received_at between (select gapura.now() - interval '24 hours')
           and (select gapura.now() + interval '24 hours')`

const OF_THE_SAME_KIND = `earlier.order_id = report.order_id
         and ${IN_THE_WINDOW}
         and earlier.transaction_id is not distinct from report.transaction_id
         and earlier.transaction_status is not distinct from report.transaction_status`

/**
 * The effects of these notifications, if stored. Ids do not name the month: for rare queries only.
 */
export const findNotifications = async (
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<GatewayNotification, 'id' | 'effect' | 'reason'>[]> =>
  await tx.query(
    `select id, effect, reason, ${WAITS_AT_COMMIT} as noted
     from gapura.gateway_notification
     where id = any($1::uuid[])`,
    [ids],
  )

/** Id and time together identify a row of a partitioned table and its month. */
export type Place = Pick<GatewayNotification, 'id' | 'received_at'>

/**
 * The next page of what the sweep still has to resolve, oldest first, after `after`. Takes no lock;
 * sweeps may run concurrently.
 */
export const listUnmatched = async (
  tx: Tx,
  limit: number,
  after: Place | null = null,
): Promise<GatewayNotification[]> =>
  await tx.query<GatewayNotification>(
    `select ${NOTIFICATION_COLUMNS}
     from gapura.gateway_notification
     where effect = 'unmatched'
       and resolved_at is null
       ${after === null ? '' : 'and (received_at, id) > ($2, $3)'}
     order by received_at, id
     limit $1`,
    [Math.min(limit, UNMATCHED_PAGE_MAX), ...(after === null ? [] : [after.received_at, after.id])],
  )

/** The first notification of an order that was resolved as unmatched for this reason, if any. */
export async function findJudgedUnmatched(
  tx: Tx,
  order_id: string,
  reason: string,
): Promise<string | undefined> {
  const [first] = await tx.query<{ id: string }>(
    `select id
     from gapura.gateway_notification
     where order_id = $1
       and effect = 'unmatched'
       and resolved_at is not null
       and reason = $2
     order by received_at, id
     limit 1`,
    [order_id, reason],
  )
  return first?.id
}

type Resolution = Pick<GatewayNotification, 'payment_id' | 'owner_id' | 'reason'> & {
  effect: NotificationEffect
}

/**
 * Stores the effect of an unmatched notification; the sweep does not visit it again. False if it
 * was resolved before.
 */
export async function resolveUnmatched(
  tx: Tx,
  { id, received_at }: Place,
  { effect, payment_id, owner_id, reason }: Resolution,
): Promise<boolean> {
  const resolved = await tx.query(
    `update gapura.gateway_notification
     set effect = $3,
         payment_id = $4,
         owner_id = $5,
         reason = $6,
         resolved_at = gapura.now()
     where id = $1
       and received_at = $2
       and effect = 'unmatched'
       and resolved_at is null
     returning id`,
    [id, received_at, effect, payment_id, owner_id, reason],
  )
  return resolved.length > 0
}

/** One by its id, with its payload. Reads every stored month. */
export async function findNotification(
  tx: Tx,
  id: string,
): Promise<GatewayNotification | undefined> {
  const [notification] = await tx.query<GatewayNotification>(
    `select ${NOTIFICATION_COLUMNS}
     from gapura.gateway_notification
     where id = $1`,
    [id],
  )
  return notification
}
