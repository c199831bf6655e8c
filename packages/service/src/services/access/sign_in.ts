// How staff sign in: password and code, a staff key, and the one-time link that sets both up. Every
// refusal has the same answer after the same time, so that it shows neither which part was wrong nor
// whether there is such an account (ADR 0033).
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import type { SignInMethod } from '../../domain/staff.ts'
import type { Vault } from '../../gateway/webhooks/vault.ts'
import {
  acceptCode,
  countAttempt,
  keepPendingTotp,
  linkOidc,
  lockPersonOfLink,
  lockPersonOfOidc,
  noteSignIn,
  setPassword,
  somePassword,
  type Credentials,
  type LinkedPerson,
} from '../../store/access/credentials.ts'
import { forgetPasskeys, somePasskey } from '../../store/access/passkeys.ts'
import { endSessionsOf } from '../../store/access/sessions.ts'
import { readClock } from '../../store/connection/settings.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { findStaffKey } from './callers.ts'
import { hashPassword, isPassword, newTotpSecret, totpStepOf, totpUri } from './passwords.ts'
import { openSession, staffNamed, tokenHash, type OpenedSession } from './sessions.ts'

/** After so many wrong passwords or codes the account is locked for a while. */
const ATTEMPTS = { attempts_max: 5, minutes: 15 }
/** When a refusal is answered, counted from the request. */
const REFUSED_AFTER_MS = 700
/** Each takes 32 MiB and a thread. */
const AT_ONCE_MAX = 4
const RETRY_S = 2

const closed = { additionalProperties: false }
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const code = Type.String({ pattern: '^[0-9]{6}$' })

const parsePassword = requestParser(
  Type.Object({ email: text(255), password: text(200), code }, closed),
)
const parseKey = requestParser(Type.Object({ key: text(200) }, closed))
const parseLink = requestParser(Type.Object({ token: text(200) }, closed))
const parseJoin = requestParser(
  Type.Object({ token: text(200), password: Type.String({ maxLength: 200 }), code }, closed),
)

const refusal = () => new RequestProblem('sign_in_refused')

/** Runs a judgement; a refusal waits, so that its time says nothing about its reason. */
export async function evenly<Result>(judge: () => Promise<Result | undefined>): Promise<Result> {
  const answer_at = Date.now() + REFUSED_AFTER_MS
  const result = await judge()
  if (result !== undefined) return result
  await sleep(Math.max(0, answer_at - Date.now()))
  throw refusal()
}

/** The vault of the configuration, or 409: without a key no TOTP secret can be stored. */
function vaultOf({ webhooks }: Context): Vault {
  if (webhooks === undefined) throw new RequestProblem('passwords_not_configured')
  return webhooks.vault
}

let at_once = 0

async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (at_once >= AT_ONCE_MAX) {
    const why = 'Too many passwords are being checked. Send the request again after Retry-After.'
    throw new RequestProblem('too_many_requests', why, { retry_after_s: RETRY_S })
  }
  at_once += 1
  try {
    return await work()
  } finally {
    at_once -= 1
  }
}

/** Where a TOTP secret belongs: sealed text that was copied to another person does not open. */
const placeOf = (person_id: string): string => `staff_person ${person_id}`

/** Where there is no account a code is computed all the same. */
const NO_SECRET = 'A'.repeat(32)

/** What the sign-in page offers. Before the first account is set up that is a staff key. */
export const signInMethods = async ({ db, webhooks }: Context) =>
  await withReadTransaction(db, async (tx) => ({
    password: webhooks !== undefined && (await somePassword(tx)),
    passkey: await somePasskey(tx),
  }))

export async function signInWithPassword(ctx: Context, input: unknown): Promise<OpenedSession> {
  const given = parsePassword(input)
  const vault = vaultOf(ctx)
  return await evenly(
    async () =>
      await limited(async () => {
        const counted = await withTransaction(ctx.db, async (tx) => ({
          person: await countAttempt(tx, given.email, ATTEMPTS),
          now: await readClock(tx),
        }))
        const { person, now } = counted
        const known = await isPassword(given.password, person?.password_hash ?? null)
        const sealed = person?.totp_secret ?? null
        const secret =
          person === undefined || sealed === null
            ? NO_SECRET
            : vault.open(placeOf(person.id), sealed)
        const step = totpStepOf(secret, given.code, now)
        const good = known && step !== undefined && person !== undefined
        return await withTransaction(ctx.db, async (tx) => {
          if (good && (await acceptCode(tx, person.id, step)))
            return await enter(tx, ctx, person, 'password')
          if (person !== undefined) await noteRefusal(tx, ctx, person)
          return undefined
        })
      }),
  )
}

type Entering = Pick<Credentials, 'id' | 'staff_id'>

/** Opens the session of a person. */
export async function enter(tx: Tx, ctx: Context, person: Entering, method: SignInMethod) {
  await noteSignIn(tx, person.id)
  const { id: person_id, staff_id: owner_id } = person
  return await openSession(tx, ctx, { person_id, owner_id, method })
}

export const noteJoin = async (tx: Tx, ctx: Context, person: Entering, method: SignInMethod) =>
  await recordAudit(tx, ctx, staffNamed(person.staff_id), {
    action: 'person.join',
    subject_kind: 'person',
    subject_id: person.id,
    detail: { method },
  })

const noteRefusal = async (
  tx: Tx,
  ctx: Context,
  { id, staff_id, failed_attempts, locked_until }: Credentials,
): Promise<void> =>
  await recordAudit(tx, ctx, staffNamed(staff_id), {
    action: locked_until === null ? 'person.refuse' : 'person.lock',
    subject_kind: 'person',
    subject_id: id,
    detail: { failed_attempts, locked_until },
  })

/** A staff key opens a session with the scopes of the key, for as long as the key is valid. */
export async function signInWithKey(ctx: Context, input: unknown): Promise<OpenedSession> {
  const { key } = parseKey(input)
  return await evenly(async () => {
    const found = await findStaffKey(ctx, key)
    if (found === undefined) return undefined
    const { id: api_key_id, owner_id } = found
    return await withTransaction(
      ctx.db,
      async (tx) => await openSession(tx, ctx, { api_key_id, owner_id, method: 'key' }),
    )
  })
}

export interface OidcIdentity {
  issuer: string
  subject: string
  /** Null unless the provider says that it is verified. */
  email: string | null
}

/**
 * An identity that is linked to an account opens its session. One that is not is linked to the
 * account of its verified e-mail address, once; signing in creates no account.
 */
export async function signInWithOidc(
  ctx: Context,
  { issuer, subject, email }: OidcIdentity,
): Promise<OpenedSession> {
  const oidc_subject = `${issuer} ${subject}`
  return await evenly(
    async () =>
      await withTransaction(ctx.db, async (tx) => {
        const known = await lockPersonOfOidc(tx, oidc_subject)
        const person =
          known ?? (email === null ? undefined : await linkOidc(tx, email, oidc_subject))
        if (person === undefined) return undefined
        if (known === undefined) await noteJoin(tx, ctx, person, 'oidc')
        return await enter(tx, ctx, person, 'oidc')
      }),
  )
}

const LINK_TOKEN = /^gpl_[0-9a-f]{64}$/

export const personOfLink = async (tx: Tx, token: string): Promise<LinkedPerson | undefined> =>
  LINK_TOKEN.test(token) ? await lockPersonOfLink(tx, tokenHash(token)) : undefined

export interface Invitation {
  email: string
  name: string
  /** Null without a key in the configuration: then there are no passwords. */
  totp: { secret: string; uri: string } | null
}

/** Whom a one-time link is for, with the secret for codes; the same one until it is confirmed. */
export async function readInvitation(ctx: Context, input: unknown): Promise<Invitation> {
  const { token } = parseLink(input)
  const vault = ctx.webhooks?.vault
  return await evenly(
    async () =>
      await withTransaction(ctx.db, async (tx) => {
        const person = await personOfLink(tx, token)
        if (person === undefined) return undefined
        const { id, email, name, totp_pending } = person
        if (vault === undefined) return { email, name, totp: null }
        const place = placeOf(id)
        const secret = totp_pending === null ? newTotpSecret() : vault.open(place, totp_pending)
        if (totp_pending === null) await keepPendingTotp(tx, id, vault.seal(place, secret))
        return { email, name, totp: { secret, uri: totpUri(secret, email) } }
      }),
  )
}

const PASSWORD_MIN = 12

function passwordFaults(password: string, { email, name }: LinkedPerson) {
  const plain = password.toLowerCase()
  const own = [email, name, email.split('@', 1)[0] ?? ''].some((one) => plain === one.toLowerCase())
  const repeated = new Set(plain).size < 5
  if (password.length < PASSWORD_MIN) {
    return [{ field: 'password', message: `must have at least ${PASSWORD_MIN} characters` }]
  }
  return own || repeated
    ? [{ field: 'password', message: 'is too easy to guess: use several words' }]
    : []
}

/**
 * Sets the password and confirms the code of a one-time link, and signs in. Every other session of
 * the person ends: a lost password is reset in the same way.
 */
export async function joinWithPassword(ctx: Context, input: unknown): Promise<OpenedSession> {
  const given = parseJoin(input)
  const vault = vaultOf(ctx)
  return await evenly(
    async () =>
      await limited(async () => {
        const password_hash = await hashPassword(given.password)
        return await withTransaction(ctx.db, async (tx) => {
          const person = await personOfLink(tx, given.token)
          if (person === undefined || person.totp_pending === null) return undefined
          refuseFaults(passwordFaults(given.password, person))
          const secret = vault.open(placeOf(person.id), person.totp_pending)
          const totp_step = totpStepOf(secret, given.code, await readClock(tx))
          if (totp_step === undefined) throw new RequestProblem('sign_in_refused', WRONG_CODE)
          await setPassword(tx, person.id, { password_hash, totp_step })
          await forgetPasskeys(tx, person.id)
          await endSessionsOf(tx, person.id)
          await noteJoin(tx, ctx, person, 'password')
          return await enter(tx, ctx, person, 'password')
        })
      }),
  )
}

const WRONG_CODE = 'The code is wrong. Check the clock of your phone and type the newest code.'
