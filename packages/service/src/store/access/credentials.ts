// What proves that a person is the one of the account: read only to sign somebody in.
import type { Tx } from '../connection/transaction.ts'

export interface Credentials {
  id: string
  staff_id: string
  password_hash: string | null
  /** Sealed. */
  totp_secret: string | null
  totp_step: number | null
  failed_attempts: number
  locked_until: Date | null
}

const COLUMNS = `
  id, staff_id, password_hash, totp_secret, totp_step, failed_attempts, locked_until`

/**
 * Counts an attempt before it is judged, so that attempts sent at the same time count too, and locks
 * the account with the last one allowed. Undefined if there is no such account or it is locked.
 */
export async function countAttempt(
  tx: Tx,
  email: string,
  { attempts_max, minutes }: { attempts_max: number; minutes: number },
): Promise<Credentials | undefined> {
  const [counted] = await tx.query<Credentials>(
    `update gapura.staff_person
     set failed_attempts = case when locked_until is null then failed_attempts else 0 end + 1,
       locked_until = case
         when case when locked_until is null then failed_attempts else 0 end + 1 >= $2
           then gapura.now() + make_interval(mins => $3)
       end
     where lower(email) = lower($1)
       and disabled_at is null
       and password_hash is not null
       and (locked_until is null or locked_until <= gapura.now())
     returning ${COLUMNS}`,
    [email, attempts_max, minutes],
  )
  return counted
}

/** False if a code of this time step, or a later one, was accepted before. */
export async function acceptCode(tx: Tx, id: string, totp_step: number): Promise<boolean> {
  const accepted = await tx.query(
    `update gapura.staff_person
     set failed_attempts = 0,
       locked_until = null,
       totp_step = $2
     where id = $1
       and disabled_at is null
       and (totp_step is null or totp_step < $2)
     returning id`,
    [id, totp_step],
  )
  return accepted.length > 0
}

export async function noteSignIn(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update gapura.staff_person
     set signed_in_at = gapura.now()
     where id = $1`,
    [id],
  )
}

export interface LinkedPerson {
  id: string
  staff_id: string
  email: string
  name: string
  totp_pending: string | null
}

/** The person of a one-time link that is valid now. */
export async function lockPersonOfLink(
  tx: Tx,
  link_hash: string,
): Promise<LinkedPerson | undefined> {
  const [found] = await tx.query<LinkedPerson>(
    `select id, staff_id, email, name, totp_pending
     from gapura.staff_person
     where link_hash = $1
       and link_expires_at > gapura.now()
       and disabled_at is null
     for update`,
    [link_hash],
  )
  return found
}

export async function keepPendingTotp(tx: Tx, id: string, totp_pending: string): Promise<void> {
  await tx.query(
    `update gapura.staff_person
     set totp_pending = $2
     where id = $1`,
    [id, totp_pending],
  )
}

/** Stores the password and makes the pending TOTP secret the one in force. The link is used up. */
export async function setPassword(
  tx: Tx,
  id: string,
  { password_hash, totp_step }: { password_hash: string; totp_step: number },
): Promise<void> {
  await tx.query(
    `update gapura.staff_person
     set password_hash = $2,
       totp_secret = totp_pending,
       totp_step = $3,
       totp_pending = null,
       link_hash = null,
       link_expires_at = null,
       failed_attempts = 0,
       locked_until = null
     where id = $1`,
    [id, password_hash, totp_step],
  )
}

/** The person that an identity of the provider is linked to. */
export async function lockPersonOfOidc(
  tx: Tx,
  oidc_subject: string,
): Promise<Pick<Credentials, 'id' | 'staff_id'> | undefined> {
  const [found] = await tx.query<Pick<Credentials, 'id' | 'staff_id'>>(
    `select id, staff_id
     from gapura.staff_person
     where oidc_subject = $1
       and disabled_at is null
     for update`,
    [oidc_subject],
  )
  return found
}

/** Links an identity to the account of this address, unless that has another one. */
export async function linkOidc(
  tx: Tx,
  email: string,
  oidc_subject: string,
): Promise<Pick<Credentials, 'id' | 'staff_id'> | undefined> {
  const [linked] = await tx.query<Pick<Credentials, 'id' | 'staff_id'>>(
    `update gapura.staff_person
     set oidc_subject = $2,
       link_hash = null,
       link_expires_at = null
     where lower(email) = lower($1)
       and disabled_at is null
       and oidc_subject is null
     returning id, staff_id`,
    [email, oidc_subject],
  )
  return linked
}

/** Whether anybody signs in with a password. */
export async function somePassword(tx: Tx): Promise<boolean> {
  const found = await tx.query(
    `select id
     from gapura.staff_person
     where password_hash is not null
       and disabled_at is null
     limit 1`,
  )
  return found.length > 0
}
