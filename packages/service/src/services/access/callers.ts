import { createHash, randomInt } from 'node:crypto'
import {
  areScopes,
  defaultScopes,
  isOwnerId,
  SCOPES,
  type Caller,
  type GivenCaller,
} from '../../domain/caller.ts'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { CELL_SCHEME } from '../../gateway/cell_token.ts'
import {
  findApiKeys,
  insertApiKey,
  listApiKeys as listStored,
  revokeApiKey,
  touchApiKeys,
  type ApiKey,
} from '../../store/access/api_keys.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import { recordOwnAudit, type AuditedAction } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { groupWriter, type GroupLimits } from '../group_writer.ts'
import { RequestProblem } from '../problem.ts'
import { secretFaults, refuseFaults } from '../validation.ts'

type Keys = Pick<Context, 'db' | 'telemetry' | 'cell'>

/** Who changes the keys, and why: for the audit. This caller administers the service itself. */
export interface KeyChange {
  by?: string
  reason?: string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32

/**
 * The prefix lets a scanner for leaked secrets recognise the key, and a proxy find its cell. A key
 * that names none was made before there were cells.
 */
const API_KEY = /^gpk_(?:([a-z]{1,8})_)?[0-9A-Za-z]{32}$/
export const isApiKey = (text: string): boolean => API_KEY.test(text)

// 190 random bits cannot be guessed, so they need no slow hash.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

// Authentication uses at most two connections: a flood of requests with keys must not take the
// connections of callers that are already authenticated (ADR 0021).
const LOOKS: GroupLimits = { flights: 2, group_max: 64, waiting_max: 2_048 }

/** The owner and scopes of a key that is valid now. */
type FindCallerOfKey = (key: string) => Promise<Caller | undefined>

/**
 * Looks each key up in the database, so that a revoked key is refused at once. Requests that arrive
 * during a look-up share the next one.
 */
export function callersOfKeys({ db, cell }: Keys): FindCallerOfKey {
  const looks = groupWriter(async (items: readonly { id: string }[]) => {
    const hashes = new Set(items.map(({ id }) => id))
    const found = await findApiKeys(db, [...hashes])
    const stale = found.filter((key) => key.stale).map(({ id }) => id)
    // The time of use is for people; without it the request is answered all the same.
    if (stale.length > 0) {
      await withTransaction(db, async (tx) => await touchApiKeys(tx, stale)).catch(() => undefined)
    }
    const keys = new Map(found.map((key) => [key.key_hash, key]))
    return new Map([...hashes].map((hash) => [hash, { done: true, result: keys.get(hash) }]))
  }, LOOKS)
  return async (key) => {
    if (!isApiKey(key)) return undefined
    const found = await looks.hand({ id: hashOf(key) })
    // Looked up first: the keys of an owner that was moved here name the cell where they were made.
    if (found === undefined) refuseOtherCell(cell, API_KEY.exec(key)?.[1])
    else if (!found.staff) await refuseMovedOwner(cell, found.owner_id)
    // A later release may have given the key a scope that this process does not know: the key keeps
    // the rights that this process can check.
    const scopes = SCOPES.filter((scope) => found?.scopes.includes(scope))
    return found && { owner_id: found.owner_id, staff: found.staff, scopes }
  }
}

/** Throws 421 if a credential names another cell than this one. */
export function refuseOtherCell(cell: Context['cell'], named: string | undefined): void {
  if (cell === undefined || named === undefined || named === cell.name) return
  const detail = `The credential belongs to the cell ${named}, and this is the cell ${cell.name}.`
  throw new RequestProblem('wrong_cell', detail)
}

/** Throws 421 if the owner is in another cell since it was moved (ADR 0040). */
export async function refuseMovedOwner(cell: Context['cell'], owner_id: string): Promise<void> {
  const move = await cell?.moves.of(owner_id)
  const where = await cell?.moves.whereabouts(owner_id)
  if (move === undefined || (where !== 'elsewhere' && where !== 'arriving')) return
  throw new RequestProblem('wrong_cell', `The owner of the credential is in the cell ${move.peer}.`)
}

/** Throws 421 if a token names another cell, unless its owner was moved here. */
export async function refuseForeignToken(
  cell: Context['cell'],
  owner_id: string,
  named: string | undefined,
): Promise<void> {
  await refuseMovedOwner(cell, owner_id)
  const move = await cell?.moves.of(owner_id)
  if (move?.direction !== 'in') refuseOtherCell(cell, named)
}

/** Whether another cell asks, with a good proof or not. */
export const isCellCredential = (authorization: string | undefined): boolean =>
  authorization?.startsWith(`${CELL_SCHEME} `) === true

interface AskedByCell {
  method: string
  /** As it was sent: its path may have a prefix, which is not part of the proof. */
  url: string
  /** The path of the route, without any prefix. */
  route_path: string
  headers: { authorization?: string | undefined }
}

/**
 * The staff member for whom another cell asks, with the rights they have there. Throws 401. The proof
 * is judged by itself alone: no key and no session is looked up.
 */
export function callerOfCell(
  cell: Context['cell'],
  { method, url, route_path, headers: { authorization = '' } }: AskedByCell,
  now: number,
): Caller {
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  const request = { to: cell?.name ?? '', method, path: `${route_path}${search}` }
  const token = authorization.slice(CELL_SCHEME.length).trim()
  const person = cell?.tokens?.read(token, request, now)
  const known = cell?.peers.some(({ name }) => name === person?.from) === true
  if (person === undefined || !known || !isOwnerId(person.owner_id)) {
    throw new RequestProblem('unauthenticated', UNKNOWN_PROOF)
  }
  const { owner_id, from: from_cell, scopes: given } = person
  // A later release may know a scope that this process does not: the others count.
  const scopes = SCOPES.filter((scope) => given.includes(scope))
  return { owner_id, staff: true, scopes, from_cell }
}

/** Which of these it is stays unsaid: it would help only a caller who forges one. */
const UNKNOWN_PROOF =
  'The proof of the cell is forged, expired or for another request. Compare GAPURA_CELL_KEY and the clocks of both cells.'

/** The staff key of this text, if it is valid now: it may open a session of the dashboard. */
export async function findStaffKey({ db }: Pick<Context, 'db'>, key: string) {
  if (!isApiKey(key)) return undefined
  const [found] = await findApiKeys(db, [hashOf(key)])
  return found?.staff === true ? found : undefined
}

export interface ApiKeyOrder extends GivenCaller {
  /** Shown in the list of keys. */
  name: string
  expires_at?: Date
}

/** A faulty order would fail in the database, whose error quotes the row with the key's hash. */
function orderFaults(order: ApiKeyOrder & KeyChange): FieldFault[] {
  const { owner_id, name, staff, scopes, expires_at, by, reason } = order
  const checks: readonly (readonly [field: string, good: boolean, message: string])[] = [
    ['owner_id', isOwnerId(owner_id), 'must be a string of 1 to 255 characters'],
    ['name', isOwnerId(name), 'must be a string of 1 to 255 characters'],
    ['staff', staff === undefined || typeof staff === 'boolean', 'must be true or false'],
    ['scopes', scopes === undefined || areScopes(scopes), `must be a list of ${SCOPES.join(', ')}`],
    [
      'expires_at',
      expires_at === undefined || isTime(expires_at),
      'must be a Date, and left out for a key that does not expire',
    ],
    ['by', by === undefined || isOwnerId(by), 'must be a string of 1 to 255 characters'],
    ['reason', reason === undefined || typeof reason === 'string', 'must be a string'],
  ]
  const faults = checks.flatMap(([field, good, message]) => (good ? [] : [{ field, message }]))
  return faults.length > 0 ? faults : secretFaults({ name, by, reason })
}

const isTime = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime())

/** Creates a key. The key is returned only here: only its hash is stored. */
export async function createApiKey(
  ctx: Keys,
  given: ApiKeyOrder & KeyChange,
): Promise<{ id: string; key: string }> {
  refuseFaults(orderFaults(given))
  const { owner_id, name, staff = false, scopes = defaultScopes(staff) } = given
  const { expires_at = null, by, reason } = given
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  const key = `gpk_${ctx.cell === undefined ? '' : `${ctx.cell.name}_`}${secret.join('')}`
  const id = newId()
  const row = { id, owner_id, name, staff, scopes, expires_at, key_hash: hashOf(key) }
  await withTransaction(ctx.db, async (tx) => {
    await insertApiKey(tx, row)
    const detail = { name, staff, scopes, expires_at }
    await noteKey(tx, ctx, { action: 'key.create', id, owner_id, detail, by, reason })
  })
  return { id, key }
}

interface KeyAudit extends Pick<AuditedAction, 'action' | 'detail'> {
  id: string
  owner_id: string | null
  by: string | undefined
  reason: string | undefined
}

const noteKey = async (
  tx: Tx,
  ctx: Keys,
  { id: subject_id, by = 'in-process', reason, ...action }: KeyAudit,
): Promise<void> =>
  await recordOwnAudit(
    tx,
    ctx,
    { ...action, reason: reason ?? null, subject_kind: 'key', subject_id },
    by,
  )

/** Revokes a key for good. False if there was no valid key of this id. */
export const endApiKey = async (
  ctx: Keys,
  id: string,
  { by, reason }: KeyChange = {},
): Promise<boolean> => {
  refuseFaults(secretFaults({ by, reason }))
  return await withTransaction(ctx.db, async (tx) => {
    const owner_id = await revokeApiKey(tx, id)
    if (owner_id === undefined) return false
    await noteKey(tx, ctx, { action: 'key.revoke', id, owner_id, by, reason })
    return true
  })
}

/**
 * The keys of an owner, newest first, including revoked ones. The keys themselves are not stored.
 */
export const listApiKeys = async ({ db }: Keys, owner_id: string): Promise<ApiKey[]> =>
  await withReadTransaction(db, async (tx) => await listStored(tx, owner_id))
