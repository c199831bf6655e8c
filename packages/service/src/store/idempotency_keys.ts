import { WAITS_AT_COMMIT, type Tx } from './transaction.ts'

/** One Idempotency-Key of one owner (D-19). Without a reply its request has not ended. */
export interface IdempotencyKey {
  owner_id: string
  key: string
  fingerprint: string
  operation_id: string | null
  reply_code: number | null
  reply_body: string | null
  created_at: Date
  finished_at: Date | null
}

const KEY_COLUMNS = `
  owner_id, key, fingerprint, operation_id, reply_code, reply_body, created_at, finished_at`

export const PURGE_PAGE_MAX = 5_000

export type NewKey = Pick<IdempotencyKey, 'owner_id' | 'key' | 'fingerprint' | 'operation_id'>

/**
 * Takes the key for a request, or returns what is there. Of any number at once exactly one takes
 * it: the others wait until the first has committed or rolled back. If the transaction rolls back
 * the key is free again.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  { owner_id, key, fingerprint, operation_id }: NewKey,
): Promise<{ claimed: boolean; row: IdempotencyKey }> {
  const [claimed] = await tx.query<IdempotencyKey>(
    `insert into gapura.idempotency_key (owner_id, key, fingerprint, operation_id)
     values ($1, $2, $3, $4)
     on conflict (owner_id, key) do nothing
     returning ${KEY_COLUMNS}`,
    [owner_id, key, fingerprint, operation_id],
  )
  if (claimed !== undefined) return { claimed: true, row: claimed }
  // A statement of its own: it sees what the other transaction committed while we waited.
  const existing = await findIdempotencyKey(tx, owner_id, key)
  // The purge can only have taken it in this very moment; then it is free.
  return existing === undefined
    ? await claimIdempotencyKey(tx, { owner_id, key, fingerprint, operation_id })
    : { claimed: false, row: existing }
}

/** What is kept under a key. It may be answered, so the transaction waits for it at its end. */
export async function findIdempotencyKey(
  tx: Tx,
  owner_id: string,
  key: string,
): Promise<IdempotencyKey | undefined> {
  const [found] = await tx.query<IdempotencyKey & { noted: string }>(
    `select ${KEY_COLUMNS}, ${WAITS_AT_COMMIT} as noted
     from gapura.idempotency_key
     where owner_id = $1
       and key = $2`,
    [owner_id, key],
  )
  if (found === undefined) return undefined
  const { noted: _, ...row } = found
  return row
}

/**
 * Keeps a definite outcome under the key that began this operation, to be replayed byte for byte.
 * False if there is no such key or one is kept already: the first stands.
 */
export async function finishIdempotencyKey(
  tx: Tx,
  operation_id: string,
  reply: { code: number; body: string },
  /** The database's clock, where it was read already. */
  now: Date | null = null,
): Promise<boolean> {
  const finished = await tx.query(
    `update gapura.idempotency_key
     set reply_code = $2,
         reply_body = $3,
         finished_at = coalesce($4::timestamptz, gapura.now())
     where operation_id = $1
       and finished_at is null
     returning key`,
    [operation_id, reply.code, reply.body, now],
  )
  return finished.length > 0
}

/** Frees the key of an operation that came to nothing and may be tried again. A kept one stays. */
export async function forgetIdempotencyKey(tx: Tx, operation_id: string): Promise<void> {
  await tx.query(
    `delete from gapura.idempotency_key
     where operation_id = $1
       and finished_at is null`,
    [operation_id],
  )
}

/**
 * Deletes a page of the keys older than this, oldest first, and returns how many. A key whose
 * operation is still open stays however old it is: its request may be repeated.
 */
export async function purgeIdempotencyKeys(
  tx: Tx,
  { older_than_hours, limit }: { older_than_hours: number; limit: number },
): Promise<number> {
  const purged = await tx.query(
    `delete from gapura.idempotency_key as purged
     using (
       select owner_id, key
       from gapura.idempotency_key as old
       where created_at < gapura.now() - make_interval(hours => $1)
         and not exists (
           select from gapura.gateway_operation as operation
           where operation.id = old.operation_id
             and operation.state in ('started', 'unknown')
         )
       order by created_at
       limit $2
       for update skip locked
     ) as old
     where purged.owner_id = old.owner_id
       and purged.key = old.key
     returning purged.key`,
    [older_than_hours, Math.min(limit, PURGE_PAGE_MAX)],
    // A plan for any limit and any age reads all keys.
    { prepare: false },
  )
  return purged.length
}
