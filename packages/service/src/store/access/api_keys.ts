import type { Scope } from '../../domain/caller.ts'
import type { Database } from '../connection/database.ts'
import { readAlone, type Tx } from '../connection/transaction.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'

/** A caller's key, known by its SHA-256 alone. */
export interface ApiKey {
  id: string
  owner_id: string
  name: string
  staff: boolean
  scopes: readonly Scope[]
  expires_at: Date | null
  revoked_at: Date | null
  created_at: Date
  /** Accurate to a minute; null if it was never used. */
  used_at: Date | null
}

// Arrays are read as JSON: the driver's text form of arrays would need a parser of its own.
const API_KEY_COLUMNS = `
  id, owner_id, name, staff, to_jsonb(scopes) as scopes, expires_at, revoked_at, created_at,
  used_at`

export type NewApiKey = Omit<ApiKey, 'revoked_at' | 'created_at' | 'used_at'> & {
  /** Lower-case hex. The key itself is never passed here. */
  key_hash: string
}

export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<ApiKey | undefined> {
  const [inserted] = await tx.query<ApiKey>(
    `insert into gapura.api_key (id, owner_id, name, staff, scopes, expires_at, key_hash)
     values ($1, $2, $3, $4, $5::text[], $6, $7)
     returning ${API_KEY_COLUMNS}`,
    [key.id, key.owner_id, key.name, key.staff, key.scopes, key.expires_at, key.key_hash],
  )
  return inserted
}

export const API_KEYS_BY_HASH = `
  select id, key_hash, owner_id, staff, to_jsonb(scopes) as scopes,
    used_at is null or used_at < gapura.now() - interval '1 minute' as stale
  from gapura.api_key
  where key_hash = any($1::text[])
    and revoked_at is null
    and (expires_at is null or expires_at > gapura.now())`

type FoundKey = Pick<ApiKey, 'id' | 'owner_id' | 'staff' | 'scopes'> & {
  key_hash: string
  /** Whether `used_at` is a minute old. */
  stale: boolean
}

/**
 * The keys of these hashes that are valid now: neither revoked nor expired by the database's clock.
 */
export const findApiKeys = async (
  db: Database,
  key_hashes: readonly string[],
): Promise<FoundKey[]> => await readAlone(db, API_KEYS_BY_HASH, [key_hashes])

export async function touchApiKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.api_key
     set used_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
}

/** Revokes a key for good and returns its owner; undefined if it is unknown or already revoked. */
export async function revokeApiKey(tx: Tx, id: string): Promise<string | undefined> {
  const [revoked] = await tx.query<{ owner_id: string }>(
    `update gapura.api_key
     set revoked_at = gapura.now()
     where id = $1
       and revoked_at is null
     returning owner_id`,
    [id],
  )
  return revoked?.owner_id
}

/** All keys of an owner, newest first, including revoked ones. */
export const listApiKeys = async (tx: Tx, owner_id: string): Promise<ApiKey[]> =>
  await tx.query<ApiKey>(
    `select ${API_KEY_COLUMNS}
     from gapura.api_key
     where owner_id = $1
     order by created_at desc`,
    [owner_id],
  )

/** A page of all keys, newest first, including revoked ones. For staff: not filtered by owner. */
export async function listAllApiKeys(tx: Tx, request: PageRequest): Promise<Page<ApiKey>> {
  const source = { table: 'gapura.api_key', columns: API_KEY_COLUMNS, conditions: [] }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<ApiKey>(text, values, { prepare: false }), request)
}
