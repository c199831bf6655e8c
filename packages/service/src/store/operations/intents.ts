// The identity of a caller's request, and the reply it led to. The identity is part of the
// operation's row and stays for ever; the reply is stored for a while after the operation's end.
import type { Intent } from '../../domain/intent.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { OPERATION_COLUMNS } from './rows.ts'
import { WAITS_AT_COMMIT, type Tx } from '../connection/transaction.ts'
import { toJson } from '../sql/values.ts'

/** The result of an intent. */
export interface IntentRecord {
  operation: GatewayOperation
  fingerprint: string
  /** Null while the operation is open, after its reply was purged, and if none is stored. */
  reply: { code: number; body: string } | null
}

export const PURGE_PAGE_MAX = 5_000

export interface KeptAs {
  /** The database's clock, where it was read already. */
  now?: Date | null
  replaces?: boolean
}

const FOUND_COLUMNS = OPERATION_COLUMNS.split(',')
  .map((column) => `operation.${column.trim()}`)
  .join(', ')

interface FoundRow extends GatewayOperation {
  intent_fingerprint: string
  reply_code: number | null
  reply_body: string | null
  noted: string
}

/**
 * The result of this intent, or undefined. It may be replied, so the commit waits for the standby.
 */
export async function findIntent(
  tx: Tx,
  { owner_id, key }: Pick<Intent, 'owner_id' | 'key'>,
): Promise<IntentRecord | undefined> {
  const [row] = await tx.query<FoundRow>(
    `select ${FOUND_COLUMNS}, operation.intent_fingerprint, reply.code as reply_code,
       reply.body as reply_body, ${WAITS_AT_COMMIT} as noted
     from gapura.gateway_operation as operation
     left join gapura.operation_reply as reply on reply.operation_id = operation.id
     where operation.intent_owner = $1
       and operation.intent_key = $2`,
    [owner_id, key],
  )
  if (row === undefined) return undefined
  const { intent_fingerprint: fingerprint, reply_code, reply_body, noted: _, ...operation } = row
  const kept = reply_code !== null && reply_body !== null
  return { operation, fingerprint, reply: kept ? { code: reply_code, body: reply_body } : null }
}

/**
 * Stores the reply of an operation with an intent, to be replayed byte for byte. The first one
 * stays, unless a late answer shows that a stored refusal was wrong. Without an intent nothing is
 * stored: no repeat could request it.
 */
export async function keepOperationReply(
  tx: Tx,
  operation_id: string,
  reply: { code: number; body: string },
  { now = null, replaces = false }: KeptAs = {},
): Promise<void> {
  await tx.query(
    `insert into gapura.operation_reply (operation_id, code, body, finished_at)
     select id, $2::integer, $3::text, coalesce($4::timestamptz, gapura.now())
     from gapura.gateway_operation
     where id = $1
       and intent_key is not null
     on conflict (operation_id) do update
     set code = excluded.code,
         body = excluded.body
     where $5::boolean`,
    [operation_id, reply.code, reply.body, now, replaces],
  )
}

/** The same for several operations that end now. */
export async function keepOperationReplies(
  tx: Tx,
  replies: readonly { operation_id: string; code: number; body: string }[],
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into gapura.operation_reply (operation_id, code, body, finished_at)
     select line.operation_id, line.code, line.body, $2
     from jsonb_to_recordset($1::jsonb) as line(operation_id uuid, code integer, body text)
     where (
       select intent_key
       from gapura.gateway_operation
       where id = line.operation_id
     ) is not null
     on conflict (operation_id) do nothing`,
    [toJson(replies), now],
  )
}

/**
 * Takes the intent from a refused operation that had no effect, so that another operation can carry
 * it. False if it carries none any more: another repeat was faster.
 */
export async function releaseIntent(tx: Tx, operation_id: string): Promise<boolean> {
  const released = await tx.query(
    `update gapura.gateway_operation
     set intent_owner = null,
         intent_key = null,
         intent_fingerprint = null,
         updated_at = gapura.now()
     where id = $1
       and state = 'refused'
       and intent_key is not null
     returning id`,
    [operation_id],
  )
  return released.length > 0
}

/** The first id that a process could make at this time. */
const firstIdAt = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`

/**
 * Deletes a page of the replies stored for longer than this, in the order of their operations' ids,
 * and returns how many. The id only bounds the search: whether a reply is old is decided by the
 * database's clock. Replies of operations that ended late are passed over until they are old.
 */
export async function purgeReplies(
  tx: Tx,
  { older_than_hours, limit }: { older_than_hours: number; limit: number },
): Promise<number> {
  const purged = await tx.query(
    `delete from gapura.operation_reply as purged
     using (
       select operation_id
       from gapura.operation_reply
       where operation_id < ${firstIdAt('gapura.now() - make_interval(hours => $1)')}
         and finished_at < gapura.now() - make_interval(hours => $1)
       order by operation_id
       limit $2
       for update skip locked
     ) as old
     where purged.operation_id = old.operation_id
     returning purged.operation_id`,
    [older_than_hours, Math.min(limit, PURGE_PAGE_MAX)],
    // A generic plan for any limit and age would read all replies.
    { prepare: false },
  )
  return purged.length
}

/**
 * The same for the keys that an earlier release wrote: each operation has its own copy by now. An
 * unfinished key stays: a process of that release may still work on it.
 */
export async function purgeOldKeys(
  tx: Tx,
  { older_than_hours, limit }: { older_than_hours: number; limit: number },
): Promise<number> {
  const purged = await tx.query(
    `delete from gapura.idempotency_key as purged
     using (
       select owner_id, key
       from gapura.idempotency_key
       where created_at < gapura.now() - make_interval(hours => $1)
         and finished_at is not null
       order by created_at
       limit $2
       for update skip locked
     ) as old
     where purged.owner_id = old.owner_id
       and purged.key = old.key
     returning purged.key`,
    [older_than_hours, Math.min(limit, PURGE_PAGE_MAX)],
    { prepare: false },
  )
  return purged.length
}
