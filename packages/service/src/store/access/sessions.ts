import type { Scope } from '../../domain/caller.ts'
import type { SignInMethod } from '../../domain/staff.ts'
import type { Database } from '../connection/database.ts'
import { readAlone, type Tx } from '../connection/transaction.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'

/** A browser that is signed in. The token itself is only in its cookie. */
export interface StaffSession {
  id: string
  /** Null if a staff key opened it. */
  person_id: string | null
  method: SignInMethod
  /** Under this name the actions are recorded. */
  owner_id: string
  created_at: Date
  used_at: Date
  expires_at: Date
  ended_at: Date | null
}

export interface NewSession {
  id: string
  person_id: string | null
  api_key_id: string | null
  method: SignInMethod
  token_hash: string
  hours: number
}

export async function insertSession(tx: Tx, session: NewSession): Promise<Date | undefined> {
  const [inserted] = await tx.query<{ expires_at: Date }>(
    `insert into gapura.staff_session
       (id, person_id, api_key_id, method, token_hash, expires_at)
     values ($1, $2, $3, $4, $5, gapura.now() + make_interval(hours => $6))
     returning expires_at`,
    [
      session.id,
      session.person_id,
      session.api_key_id,
      session.method,
      session.token_hash,
      session.hours,
    ],
  )
  return inserted?.expires_at
}

/** Who is behind a session that is valid now. */
export interface FoundSession extends Pick<
  StaffSession,
  'id' | 'person_id' | 'method' | 'owner_id' | 'expires_at'
> {
  token_hash: string
  name: string
  /** Null if a staff key opened it. */
  role: string | null
  scopes: readonly Scope[]
  /** Whether `used_at` is a minute old. */
  stale: boolean
}

/**
 * Person, role and key are read with each request, so that a change of any of them counts from the
 * next request on.
 */
export const SESSIONS_BY_TOKEN = `
  select
    session.id, session.token_hash, session.person_id, session.method, session.expires_at,
    coalesce(person.staff_id, key.owner_id) as owner_id,
    coalesce(person.name, key.name) as name,
    person.role,
    to_jsonb(coalesce(role.scopes, key.scopes)) as scopes,
    session.used_at < gapura.now() - interval '1 minute' as stale
  from gapura.staff_session as session
  left join gapura.staff_person as person
    on person.id = session.person_id
    and person.disabled_at is null
  left join gapura.staff_role as role on role.name = person.role
  left join gapura.api_key as key
    on key.id = session.api_key_id
    and key.staff
    and key.revoked_at is null
    and (key.expires_at is null or key.expires_at > gapura.now())
  where session.token_hash = any($1::text[])
    and session.ended_at is null
    and session.expires_at > gapura.now()
    and session.used_at > gapura.now() - interval '2 hours'
    and num_nonnulls(person.id, key.id) = 1`

export const findSessions = async (
  db: Database,
  token_hashes: readonly string[],
): Promise<FoundSession[]> => await readAlone(db, SESSIONS_BY_TOKEN, [token_hashes])

export async function touchSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.staff_session
     set used_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
}

/** Ends one session; its id, or undefined if it had ended. */
export async function endSessionOfToken(
  tx: Tx,
  token_hash: string,
): Promise<Pick<StaffSession, 'id' | 'person_id'> | undefined> {
  const [ended] = await tx.query<Pick<StaffSession, 'id' | 'person_id'>>(
    `update gapura.staff_session
     set ended_at = gapura.now()
     where token_hash = $1
       and ended_at is null
     returning id, person_id`,
    [token_hash],
  )
  return ended
}

/** The same for the session list of staff. */
export async function endSessionOfId(
  tx: Tx,
  id: string,
): Promise<Pick<StaffSession, 'id' | 'person_id'> | undefined> {
  const [ended] = await tx.query<Pick<StaffSession, 'id' | 'person_id'>>(
    `update gapura.staff_session
     set ended_at = gapura.now()
     where id = $1
       and ended_at is null
     returning id, person_id`,
    [id],
  )
  return ended
}

/** Ends every session of a person and returns how many there were. */
export async function endSessionsOf(tx: Tx, person_id: string): Promise<number> {
  const ended = await tx.query(
    `update gapura.staff_session
     set ended_at = gapura.now()
     where person_id = $1
       and ended_at is null
     returning id`,
    [person_id],
  )
  return ended.length
}

/** How long an ended session stays in the list. */
const KEPT_DAYS = 90

/** Deletes a page of sessions that ended long ago. */
export async function purgeSessions(tx: Tx, limit: number): Promise<void> {
  await tx.query(
    `delete from gapura.staff_session
     where id in (
       select id
       from gapura.staff_session
       where created_at < gapura.now() - make_interval(days => ${KEPT_DAYS})
       order by created_at
       limit $1
     )`,
    [limit],
  )
}

/** A page of all sessions, newest first, including those that have ended. */
export async function listSessions(tx: Tx, request: PageRequest): Promise<Page<StaffSession>> {
  const source = {
    table: `gapura.staff_session as session
      left join gapura.staff_person as person on person.id = session.person_id
      left join gapura.api_key as key on key.id = session.api_key_id`,
    columns: `session.id, session.person_id, session.method, session.created_at, session.used_at,
      session.expires_at, session.ended_at, coalesce(person.staff_id, key.owner_id) as owner_id`,
    of: 'session.',
    conditions: [],
  }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<StaffSession>(text, values, { prepare: false }), request)
}
