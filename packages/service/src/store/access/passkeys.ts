import type { Tx } from '../connection/transaction.ts'

export interface StoredPasskey {
  id: string
  person_id: string
  staff_id: string
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
}

export async function insertPasskey(
  tx: Tx,
  passkey: Omit<StoredPasskey, 'staff_id'>,
): Promise<void> {
  await tx.query(
    `insert into gapura.staff_passkey (id, person_id, credential_id, public_key, counter)
     values ($1, $2, $3, $4, $5)`,
    [passkey.id, passkey.person_id, passkey.credential_id, passkey.public_key, passkey.counter],
  )
}

/** The passkey of this credential, if its person may sign in. */
export async function lockPasskey(
  tx: Tx,
  credential_id: string,
): Promise<StoredPasskey | undefined> {
  const [found] = await tx.query<Omit<StoredPasskey, 'counter'> & { counter: string }>(
    `select passkey.id, passkey.person_id, person.staff_id, passkey.credential_id,
       passkey.public_key, passkey.counter
     from gapura.staff_passkey as passkey
     join gapura.staff_person as person on person.id = passkey.person_id
     where passkey.credential_id = $1
       and person.disabled_at is null
     for update of passkey`,
    [credential_id],
  )
  return found && { ...found, counter: Number(found.counter) }
}

export async function usePasskey(tx: Tx, id: string, counter: number): Promise<void> {
  await tx.query(
    `update gapura.staff_passkey
     set counter = $2,
       used_at = gapura.now()
     where id = $1`,
    [id, counter],
  )
}

/** Removes the passkeys of a person whose link sets up another way in. */
export async function forgetPasskeys(tx: Tx, person_id: string): Promise<void> {
  await tx.query(
    `delete from gapura.staff_passkey
     where person_id = $1`,
    [person_id],
  )
}

/** Uses up a one-time link whose person signs in with a passkey from now on. */
export async function forgetPassword(tx: Tx, person_id: string): Promise<void> {
  await tx.query(
    `update gapura.staff_person
     set link_hash = null,
       link_expires_at = null,
       password_hash = null,
       totp_secret = null,
       totp_pending = null
     where id = $1`,
    [person_id],
  )
}

/** Stores a challenge for some minutes, and deletes those that have expired. */
export async function keepChallenge(
  tx: Tx,
  challenge_hash: string,
  minutes: number,
): Promise<void> {
  await tx.query(
    `delete from gapura.staff_challenge
     where challenge_hash in (
       select challenge_hash
       from gapura.staff_challenge
       where expires_at < gapura.now()
       order by expires_at
       limit 100
     )`,
  )
  await tx.query(
    `insert into gapura.staff_challenge (challenge_hash, expires_at)
     values ($1, gapura.now() + make_interval(mins => $2))`,
    [challenge_hash, minutes],
  )
}

/** Whether it is a challenge of ours that was not used yet. It is used by this. */
export async function takeChallenge(tx: Tx, challenge_hash: string): Promise<boolean> {
  const taken = await tx.query(
    `delete from gapura.staff_challenge
     where challenge_hash = $1
       and expires_at >= gapura.now()
     returning challenge_hash`,
    [challenge_hash],
  )
  return taken.length > 0
}

/** Whether anybody signs in with a passkey. */
export async function somePasskey(tx: Tx): Promise<boolean> {
  const found = await tx.query('select id from gapura.staff_passkey limit 1')
  return found.length > 0
}
