// Who is calling: the host's own authentication function, or for the stand-alone service an API key of
// ours, a JWT of a trusted issuer (ADR 0020) or a session of the dashboard (ADR 0033); and whether
// this caller may go on.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import {
  areScopes,
  defaultScopes,
  isOwnerId,
  SCOPES,
  type Caller,
  type GivenCaller,
} from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import {
  callerOfCell,
  callersOfKeys,
  isApiKey,
  isCellCredential,
  refuseForeignToken,
} from '../../services/access/callers.ts'
import { sessionsByToken } from '../../services/access/sessions.ts'
import type { Context } from '../../services/context.ts'
import { RequestProblem } from '../../services/problem.ts'
import {
  CallerLimits,
  GuessLimits,
  sourceAddress,
  type Allowance,
  type LimitSettings,
} from './limits.ts'
import { requireCsrfToken, sessionTokenOf } from './session_cookie.ts'

/** What a host's `authenticate` is given, whichever way the routes are mounted. */
export interface CallerRequest {
  method: string
  /** Path and query as the client sent them. */
  url: string
  headers: FastifyRequest['headers']
  /**
   * The host's own request: Fastify's, Node's with whatever Express middleware put on it, or the
   * standard `Request`. Sessions live there.
   */
  native: unknown
}

/** Returns the caller, or nothing, which is answered with 401. */
export type Authenticate = (
  request: CallerRequest,
) => GivenCaller | null | undefined | Promise<GivenCaller | null | undefined>

/** The caller of a request, checked: the host's code is trusted to know, not to spell. */
export async function authenticated(
  authenticate: Authenticate,
  request: CallerRequest,
): Promise<Caller> {
  const caller = await authenticate(request)
  if (caller !== null && caller !== undefined) return checkedCaller(caller)
  const given = request.headers.authorization !== undefined
  throw new RequestProblem('unauthenticated', given ? UNKNOWN_CREDENTIAL : undefined)
}

/** Which of these it is stays unsaid: it would help only a caller who guesses keys. */
const UNKNOWN_CREDENTIAL =
  'The credential in Authorization is unknown, expired, revoked or not written as Bearer and the key. Check it, or create another key.'

/** Node keeps the first of two, a proxy in front of us may have looked at the second. */
export function refuseTwoCallers(raw_headers: readonly string[]): void {
  let callers = 0
  for (let at = 0; at < raw_headers.length; at += 2) {
    if (raw_headers[at]?.toLowerCase() === 'authorization') callers += 1
  }
  if (callers < 2) return
  throw gatewayError('invalid_request', {
    errors: [{ field: 'Authorization', message: 'sent more than once' }],
  })
}

/**
 * A caller with nothing but what a caller has, and the scopes of one that names none. Throws a
 * TypeError on anything else.
 */
export function checkedCaller({ owner_id, staff = false, scopes }: GivenCaller): Caller {
  if (!isOwnerId(owner_id)) {
    throw new TypeError('owner_id of a caller must be a string of 1 to 255 characters')
  }
  if (typeof staff !== 'boolean') throw new TypeError('staff of a caller must be true or false')
  if (scopes !== undefined && !areScopes(scopes)) {
    throw new TypeError(`scopes of a caller must be left out, or a list of ${SCOPES.join(', ')}`)
  }
  return { owner_id, staff, scopes: scopes ?? defaultScopes(staff) }
}

/** Authenticates a request and counts it against the caller's limits. Throws 401 or 429. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

interface AdmissionOptions {
  authenticate: Authenticate
  original: (request: FastifyRequest) => { url: string; native: unknown }
  limits?: LimitSettings
  now: () => number
  /** This cell among others, which may ask for staff members where a route says so. */
  cell: Context['cell']
}

/** The admission of one process: each process has counts of its own (ADR 0021). */
export function admission(options: AdmissionOptions): Admit {
  const { authenticate, original, limits = {}, now, cell } = options
  const callers = new CallerLimits(limits)
  const guesses = new GuessLimits(limits)
  const { trusted_proxies = 0 } = limits

  const known = async (request: FastifyRequest): Promise<Caller> => {
    const { method, headers, raw, routeOptions } = request
    const asked = { method, headers, ...original(request) }
    const credential = headers.authorization ?? sessionTokenOf(headers)
    // Without one nothing is guessed, and nothing is looked up.
    if (credential === undefined) return await authenticated(authenticate, asked)
    const forwarded = headers['x-forwarded-for']
    const address = sourceAddress(raw.socket.remoteAddress, forwarded, trusted_proxies)
    const wait_s = guesses.refused(address, credential, now())
    if (wait_s !== undefined) throw tooMany('Too many unknown credentials came from here.', wait_s)
    try {
      const { cells_path: route_path } = routeOptions.config
      // A proof is good for one request: remembering it would push out a key that is used again.
      if (route_path !== undefined && isCellCredential(headers.authorization)) {
        return callerOfCell(cell, { ...asked, route_path }, now())
      }
      const caller = await authenticated(authenticate, asked)
      guesses.succeeded(credential)
      return caller
    } catch (error) {
      const unknown = error instanceof RequestProblem && UNKNOWN.has(error.code)
      if (unknown) guesses.failed(address, now())
      throw error
    }
  }

  return async (request, reply) => {
    const caller = await known(request)
    const admitted = callers.admit(caller.owner_id, now())
    if (admitted.allowance !== null) reply.headers(headersOf(admitted.allowance))
    if (!admitted.admitted) throw tooMany(WHY[admitted.why], admitted.retry_after_s)
    // Whether it was answered or its client has gone; `finish` for hosts that never close.
    reply.raw.once('close', admitted.leave)
    reply.raw.once('finish', admitted.leave)
    // A client that went away while its credential was looked up sends no further close event.
    if (reply.raw.destroyed) admitted.leave()
    return caller
  }
}

/** A key of another cell is as unknown here as one that does not exist. */
const UNKNOWN: ReadonlySet<string> = new Set(['unauthenticated', 'wrong_cell'])

const WHY = {
  rate: 'The requests of this minute are used up.',
  at_once: 'Too many of your requests are in progress.',
} as const

export const tooMany = (why: string, retry_after_s: number): RequestProblem =>
  new RequestProblem(
    'too_many_requests',
    `${why} Send the request again after the time in Retry-After.`,
    {
      retry_after_s,
    },
  )

/** draft-ietf-httpapi-ratelimit-headers: the quota and its window, what is left and until when. */
const headersOf = ({ limit, remaining, reset_s }: Allowance): Record<string, string> => ({
  'ratelimit-policy': `"caller";q=${limit};w=60`,
  ratelimit: `"caller";r=${remaining};t=${reset_s}`,
})

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
  /** Which claim names the cell of the owner; `cell` by default. */
  cell_claim?: string
}

const PUBLIC_KEY = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
const SHARED_SECRET = ['HS256', 'HS384', 'HS512']
const SECRET_BYTES_MIN = 32
const CLOCK_TOLERANCE_S = 5
const JWKS_TIMEOUT_MS = 3_000

const BEARER = /^Bearer +([\x21-\x7e]{1,4096})$/i

/**
 * Callers by `Authorization: Bearer`, or else by the cookie of a session. Without JWT settings only
 * API keys are known.
 */
export function ownCallers(ctx: Pick<Context, 'db' | 'cell'>, jwt?: JwtSettings): Authenticate {
  const callerOfKey = callersOfKeys(ctx)
  const sessionOf = sessionsByToken(ctx)
  const verify = jwt && jwtCallers(jwt, ctx.cell)
  return async ({ method, headers }) => {
    const cookie = headers.authorization === undefined ? sessionTokenOf(headers) : undefined
    if (cookie !== undefined) {
      const session = await sessionOf(cookie)
      if (session === undefined) return null
      requireCsrfToken(method, headers, cookie)
      return { owner_id: session.owner_id, staff: true, scopes: session.scopes }
    }
    const token = BEARER.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return null
    return isApiKey(token) ? await callerOfKey(token) : await verify?.(token)
  }
}

/** Throws on settings with which a token could be forged. */
export function jwtCallers(
  jwt: JwtSettings,
  cell?: Context['cell'],
): (token: string) => Promise<GivenCaller | null> {
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
      const { [jwt.cell_claim ?? 'cell']: named } = payload
      const caller = callerOf(payload, jwt)
      const owner_id = caller?.owner_id ?? ''
      await refuseForeignToken(cell, owner_id, typeof named === 'string' ? named : undefined)
      return caller
    } catch (error) {
      // An invalid token has no caller; an issuer that cannot be reached is a failure of ours.
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

function callerOf(payload: JWTPayload, jwt: JwtSettings): GivenCaller | null {
  const { owner_claim = 'sub', staff_claim = 'staff', scopes_claim = 'scope' } = jwt
  const owner_id = payload[owner_claim]
  if (typeof owner_id !== 'string' || owner_id === '') return null
  const staff = payload[staff_claim] === true
  const claim = payload[scopes_claim]
  if (claim === undefined) return { owner_id, staff }
  const granted = wordsOf(claim)
  // Words of other services in the same token are not ours to judge.
  return { owner_id, staff, scopes: SCOPES.filter((scope) => granted.includes(scope)) }
}

/** A list, or words in one text as OAuth writes them. */
function wordsOf(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim : []
}
