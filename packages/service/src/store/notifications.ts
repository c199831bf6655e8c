import type { GatewayNotification, NotificationEffect } from '../domain/notification.ts'
import { toJson } from './sql_values.ts'
import type { Tx } from './transaction.ts'

const NOTIFICATION_COLUMNS = `
  id, payment_id, owner_id, order_id, transaction_id, transaction_status, fraud_status,
  payment_type, status_code, gross_amount, effect, reason, verified_with, raw_payload, received_at`

const NEW_COLUMNS = `
  id, payment_id, owner_id, order_id, transaction_id, transaction_status, fraud_status,
  payment_type, status_code, gross_amount, effect, reason, verified_with, raw_payload`

export type NewNotification = Omit<GatewayNotification, 'received_at'>

/** How far back a repeated delivery is looked for: longer than the gateway goes on repeating. */
const TWIN_WINDOW_HOURS = 24
export const UNMATCHED_PAGE_MAX = 100

/**
 * Stores a batch in one statement, all or none. Ids are the caller's and every column is found by
 * its name, so no row can get its neighbour's fate. The payments they concern are locked before.
 */
export async function insertNotifications(
  tx: Tx,
  notifications: readonly NewNotification[],
): Promise<ReadonlyMap<string, Date>> {
  const stored = await tx.query<{ id: string; received_at: Date }>(
    `insert into gapura.gateway_notification (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_recordset(null::gapura.gateway_notification, $1)
     returning id, received_at`,
    [toJson(notifications)],
  )
  return new Map(stored.map(({ id, received_at }) => [id, received_at]))
}

type Report = Pick<
  GatewayNotification,
  'id' | 'order_id' | 'transaction_id' | 'transaction_status' | 'raw_payload'
>

/**
 * For each report that was stored before with the very same payload, the id of the first such. Two
 * alike in the same batch are not found: neither is stored yet.
 */
export async function findTwins(
  tx: Tx,
  reports: readonly Report[],
): Promise<ReadonlyMap<string, string>> {
  const found = await tx.query<{ id: string; twin_id: string }>(
    `select report.id, twin.id as twin_id
     from jsonb_to_recordset($1::jsonb) as report(
       id uuid, order_id text, transaction_id text, transaction_status text, raw_payload jsonb
     )
     cross join lateral (
       select id
       from gapura.gateway_notification as earlier
       where earlier.order_id = report.order_id
         -- Lets all months but one or two be passed over.
         and earlier.received_at > gapura.now() - make_interval(hours => $2)
         and earlier.transaction_id is not distinct from report.transaction_id
         and earlier.transaction_status is not distinct from report.transaction_status
         and earlier.raw_payload = report.raw_payload
       order by earlier.received_at
       limit 1
     ) as twin`,
    [toJson(reports), TWIN_WINDOW_HOURS],
  )
  return new Map(found.map(({ id, twin_id }) => [id, twin_id]))
}

/** What the sweep still owes an answer to, oldest first. Locks nothing; sweeps may overlap. */
export const listUnmatched = async (tx: Tx, limit: number): Promise<GatewayNotification[]> =>
  await tx.query<GatewayNotification>(
    `select ${NOTIFICATION_COLUMNS}
     from gapura.gateway_notification
     where effect = 'unmatched'
       and resolved_at is null
     order by received_at, id
     limit $1`,
    [Math.min(limit, UNMATCHED_PAGE_MAX)],
  )

/** The two together name a row of a partitioned table and lead to its month alone. */
type Place = Pick<GatewayNotification, 'id' | 'received_at'>

type Resolution = Pick<GatewayNotification, 'payment_id' | 'owner_id' | 'reason'> & {
  effect: NotificationEffect
}

/**
 * Says what became of an unmatched notification; the sweep does not come back to it. False if it
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
