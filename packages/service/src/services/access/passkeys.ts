// Passkeys: a key pair on the person's device, which also checks the person. Every challenge is
// stored and works once (ADR 0031).
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { Type } from 'typebox'
import {
  forgetPasskeys,
  forgetPassword,
  insertPasskey,
  keepChallenge,
  lockPasskey,
  takeChallenge,
  usePasskey,
  type StoredPasskey,
} from '../../store/access/passkeys.ts'
import { endSessionsOf } from '../../store/access/sessions.ts'
import { withTransaction, type Tx } from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { requestParser } from '../validation.ts'
import { enter, evenly, noteJoin, personOfLink } from './sign_in.ts'
import { tokenHash, type OpenedSession } from './sessions.ts'

/** The page that asks: a passkey works on its own site alone. */
export interface Site {
  origin: string
}

const CHALLENGE_MINUTES = 5

const closed = { additionalProperties: false }
const token = Type.String({ minLength: 1, maxLength: 200 })
const parseNothing = requestParser(Type.Object({}, closed))
const parseToken = requestParser(Type.Object({ token }, closed))
const parseJoin = requestParser(
  Type.Object(
    { token, response: Type.Unsafe<RegistrationResponseJSON>({ type: 'object' }) },
    closed,
  ),
)
const parseSignIn = requestParser(
  Type.Object({ response: Type.Unsafe<AuthenticationResponseJSON>({ type: 'object' }) }, closed),
)

const siteOf = ({ origin }: Site) => ({
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  requireUserVerification: true,
})

const taking = (tx: Tx) => async (challenge: string) =>
  await takeChallenge(tx, tokenHash(challenge))

const keep = async ({ db }: Context, challenge: string): Promise<void> =>
  await withTransaction(
    db,
    async (tx) => await keepChallenge(tx, tokenHash(challenge), CHALLENGE_MINUTES),
  )

/** What the browser needs to ask for a passkey. It names no account. */
export async function passkeyRequest(ctx: Context, input: unknown, { origin }: Site) {
  parseNothing(input ?? {})
  const rpID = new URL(origin).hostname
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  await keep(ctx, options.challenge)
  return options
}

export async function signInWithPasskey(
  ctx: Context,
  input: unknown,
  site: Site,
): Promise<OpenedSession> {
  const { response } = parseSignIn(input)
  return await evenly(
    async () =>
      await withTransaction(ctx.db, async (tx) => {
        const known =
          typeof response.id === 'string' ? await lockPasskey(tx, response.id) : undefined
        const counter = known && (await counterOf(tx, known, response, site))
        if (known === undefined || counter === undefined) return undefined
        await usePasskey(tx, known.id, counter)
        return await enter(tx, ctx, { id: known.person_id, staff_id: known.staff_id }, 'passkey')
      }),
  )
}

/** The new counter of a response that fits; undefined for any other. */
async function counterOf(
  tx: Tx,
  { credential_id, public_key, counter }: StoredPasskey,
  response: AuthenticationResponseJSON,
  site: Site,
): Promise<number | undefined> {
  const judged = await verifyAuthenticationResponse({
    response,
    expectedChallenge: taking(tx),
    ...siteOf(site),
    credential: {
      id: credential_id,
      publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')),
      counter,
    },
    // The library throws on what does not fit, and that is a refusal.
  }).catch(() => undefined)
  return judged?.verified === true ? judged.authenticationInfo.newCounter : undefined
}

/** What the browser needs to make a passkey, for the person of a one-time link. */
export async function passkeyCreation(ctx: Context, input: unknown, { origin }: Site) {
  const given = parseToken(input)
  return await evenly(async () => {
    const person = await withTransaction(ctx.db, async (tx) => await personOfLink(tx, given.token))
    if (person === undefined) return undefined
    const options = await generateRegistrationOptions({
      rpName: 'Gapura',
      rpID: new URL(origin).hostname,
      userName: person.email,
      userDisplayName: person.name,
      userID: new Uint8Array(Buffer.from(person.id)),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    await keep(ctx, options.challenge)
    return options
  })
}

/** Stores the passkey of a one-time link and signs in. Every former way in here ends, and so do its sessions. */
export async function joinWithPasskey(
  ctx: Context,
  input: unknown,
  site: Site,
): Promise<OpenedSession> {
  const given = parseJoin(input)
  return await evenly(
    async () =>
      await withTransaction(ctx.db, async (tx) => {
        const person = await personOfLink(tx, given.token)
        if (person === undefined) return undefined
        const judged = await verifyRegistrationResponse({
          response: given.response,
          expectedChallenge: taking(tx),
          ...siteOf(site),
        }).catch(() => undefined)
        if (judged?.verified !== true) return undefined
        const { id: credential_id, publicKey, counter } = judged.registrationInfo.credential
        const public_key = Buffer.from(publicKey).toString('base64url')
        await forgetPasskeys(tx, person.id)
        await insertPasskey(tx, {
          id: newId(),
          person_id: person.id,
          credential_id,
          public_key,
          counter,
        })
        await forgetPassword(tx, person.id)
        await endSessionsOf(tx, person.id)
        await noteJoin(tx, ctx, person, 'passkey')
        return await enter(tx, ctx, person, 'passkey')
      }),
  )
}
