// Sessions of the dashboard: one row and one random token each. The cookie has the token, the
// database its hash (ADR 0033).
import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '../../domain/caller.ts'
import type { SignInMethod } from '../../domain/staff.ts'
import {
  endSessionOfId,
  endSessionOfToken,
  endSessionsOf,
  findSessions,
  insertSession,
  purgeSessions,
  touchSessions,
  type FoundSession,
} from '../../store/access/sessions.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { groupWriter, type GroupLimits } from '../group_writer.ts'
import type { Request } from '../requests.ts'

type Parts = Pick<Context, 'db' | 'telemetry'>

/** A working day; after it the person signs in again. */
const SESSION_HOURS = 12
const PURGED_AT_ONCE = 100
const TOKEN_BYTES = 32

/** A random secret whose prefix lets a scanner for leaked secrets recognise it. */
export const newToken = (prefix: 'gps' | 'gpl'): string =>
  `${prefix}_${randomBytes(TOKEN_BYTES).toString('hex')}`

// 256 random bits cannot be guessed, so they need no slow hash.
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

const SESSION_TOKEN = /^gps_[0-9a-f]{64}$/

/**
 * The token that a page sends with each change, beside the cookie. It follows from the session's
 * token, which no page can read, and does not lead back to it.
 */
export const csrfTokenOf = (token: string): string =>
  createHash('sha256').update(`csrf ${token}`).digest('hex')

export interface OpenedSession {
  token: string
  csrf_token: string
  expires_at: Date
}

interface Opener {
  person_id?: string
  api_key_id?: string
  /** The name under which it is recorded. */
  owner_id: string
  method: SignInMethod
}

/** Opens a session in the transaction that judged the credentials. Its token is always a new one. */
export async function openSession(
  tx: Tx,
  ctx: Parts,
  {
    person_id = null,
    api_key_id = null,
    owner_id,
    method,
  }: Partial<Nullable<Opener>> & Pick<Opener, 'owner_id' | 'method'>,
): Promise<OpenedSession> {
  const token = newToken('gps')
  const id = newId()
  const session = { id, person_id, api_key_id, method, token_hash: tokenHash(token) }
  const expires_at = await insertSession(tx, { ...session, hours: SESSION_HOURS })
  await purgeSessions(tx, PURGED_AT_ONCE)
  await recordAudit(tx, ctx, staffNamed(owner_id), {
    action: 'session.open',
    subject_kind: 'session',
    subject_id: id,
    detail: { method },
  })
  return { token, csrf_token: csrfTokenOf(token), expires_at: expires_at ?? new Date() }
}

type Nullable<Fields> = { [Name in keyof Fields]: Fields[Name] | null }

/** The actor of an audit entry about a sign-in, before there is a caller. */
export const staffNamed = (owner_id: string): Caller => ({ owner_id, staff: true, scopes: [] })

const LOOKS: GroupLimits = { flights: 2, group_max: 64, waiting_max: 2_048 }

export type SessionOfToken = (token: string) => Promise<FoundSession | undefined>

/**
 * Looks each token up in the database, so that a session that was ended, a role that was changed
 * and a person who was disabled count at once. Requests that arrive during a look-up share the next.
 */
export function sessionsByToken({ db }: Pick<Context, 'db'>): SessionOfToken {
  const looks = groupWriter(async (items: readonly { id: string }[]) => {
    const hashes = new Set(items.map(({ id }) => id))
    const found = await findSessions(db, [...hashes])
    const stale = found.filter((session) => session.stale).map(({ id }) => id)
    // The time of use is for people; without it the request is answered all the same.
    if (stale.length > 0) {
      await withTransaction(db, async (tx) => await touchSessions(tx, stale)).catch(() => undefined)
    }
    const sessions = new Map(found.map((session) => [session.token_hash, session]))
    return new Map([...hashes].map((hash) => [hash, { done: true, result: sessions.get(hash) }]))
  }, LOOKS)
  return async (token) =>
    SESSION_TOKEN.test(token) ? await looks.hand({ id: tokenHash(token) }) : undefined
}

/** Ends the session of this token, and with `everywhere` all sessions of its person. */
export async function signOut(
  ctx: Parts,
  { token, owner_id, everywhere }: { token: string; owner_id: string; everywhere: boolean },
): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    const ended = await endSessionOfToken(tx, tokenHash(token))
    if (ended === undefined) return
    const { id, person_id } = ended
    const others = everywhere && person_id !== null ? await endSessionsOf(tx, person_id) : 0
    await recordAudit(tx, ctx, staffNamed(owner_id), {
      action: 'session.end',
      subject_kind: 'session',
      subject_id: id,
      detail: { others },
    })
  })
}

/** Ends any session, for those who manage staff. Undefined if it is unknown or has ended. */
export async function endSession(
  ctx: Context,
  { caller, request_id }: Pick<Request, 'caller' | 'request_id'>,
  id: string,
): Promise<{ id: string } | undefined> {
  return await withTransaction(ctx.db, async (tx) => {
    const ended = await endSessionOfId(tx, id)
    if (ended === undefined) return undefined
    const subject = { subject_kind: 'session', subject_id: id }
    await recordAudit(tx, ctx, caller, { action: 'session.end', ...subject, request_id })
    return { id }
  })
}
