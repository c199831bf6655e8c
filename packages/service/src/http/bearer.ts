// Callers of the stand-alone service (ADR 0020): an API key of ours, or a JWT of somebody trusted.
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { SCOPES, type Caller } from '../domain/caller.ts'
import { callersOfKeys, isApiKey } from '../services/access/callers.ts'
import type { Context } from '../services/context.ts'
import type { Authenticate } from './caller.ts'

export interface JwtSettings {
  issuer: string
  audience: string
  /** Where the issuer publishes its keys, or else the secret shared with it. */
  jwks_url?: string
  secret?: { reveal: () => string }
  algorithms?: readonly string[]
  /** Which claims say who the caller is. */
  owner_claim?: string
  staff_claim?: string
  scopes_claim?: string
}

const PUBLIC_KEY = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
const SHARED_SECRET = ['HS256', 'HS384', 'HS512']
const SECRET_BYTES_MIN = 32
const CLOCK_TOLERANCE_S = 5
const JWKS_TIMEOUT_MS = 3_000

const BEARER = /^Bearer +([\x21-\x7e]{1,4096})$/i

/** Callers by `Authorization: Bearer`. Without JWT settings only API keys are known. */
export function bearerCallers(ctx: Pick<Context, 'db'>, jwt?: JwtSettings): Authenticate {
  const callerOfKey = callersOfKeys(ctx)
  const verify = jwt && jwtCallers(jwt)
  return async ({ headers }) => {
    const token = BEARER.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return null
    return isApiKey(token) ? await callerOfKey(token) : await verify?.(token)
  }
}

/** Throws on settings with which a token could be forged. */
export function jwtCallers(jwt: JwtSettings): (token: string) => Promise<Caller | null> {
  const { issuer, audience } = jwt
  const algorithms = algorithmsOf(jwt)
  const keys = keysOf(jwt)
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['exp'],
      })
      return callerOf(payload, jwt)
    } catch (error) {
      // A token that does not hold is nobody's; an issuer that cannot be asked is our trouble.
      const unreachable =
        error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)
      if (unreachable) throw error
      return null
    }
  }
}

/** Pinned, and of the key's own family: a public key must never serve as a shared secret. */
function algorithmsOf({ jwks_url, algorithms }: JwtSettings): string[] {
  const allowed = jwks_url === undefined ? SHARED_SECRET : PUBLIC_KEY
  const chosen = [...(algorithms ?? (jwks_url === undefined ? ['HS256'] : PUBLIC_KEY))]
  if (chosen.length === 0 || !chosen.every((one) => allowed.includes(one))) {
    throw new TypeError(`jwt algorithms are of ${allowed.join(', ')}`)
  }
  return chosen
}

function keysOf({ jwks_url, secret }: JwtSettings): JWTVerifyGetKey {
  if ((jwks_url === undefined) === (secret === undefined)) {
    throw new TypeError('jwt takes a jwks_url or a secret, one of them')
  }
  if (jwks_url !== undefined) {
    return createRemoteJWKSet(new URL(jwks_url), { timeoutDuration: JWKS_TIMEOUT_MS })
  }
  const bytes = new TextEncoder().encode(secret?.reveal())
  if (bytes.byteLength < SECRET_BYTES_MIN) {
    throw new TypeError(`a jwt secret has at least ${SECRET_BYTES_MIN} bytes`)
  }
  return async () => await Promise.resolve(bytes)
}

function callerOf(payload: JWTPayload, jwt: JwtSettings): Caller | null {
  const { owner_claim = 'sub', staff_claim = 'staff', scopes_claim = 'scope' } = jwt
  const owner_id = payload[owner_claim]
  if (typeof owner_id !== 'string' || owner_id === '') return null
  const granted = wordsOf(payload[scopes_claim])
  // Words of other services in the same token are not ours to judge.
  const scopes = SCOPES.filter((scope) => granted.includes(scope))
  return { owner_id, staff: payload[staff_claim] === true, scopes }
}

/** A list, or words in one text as OAuth writes them. */
function wordsOf(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim : []
}
