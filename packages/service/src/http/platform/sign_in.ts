// Signing in to the dashboard and out again. These paths belong to the dashboard's own pages, as its
// files do: they set cookies, so they are no part of the interface document (ADR 0033).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  csrfTokenOf,
  sessionsByToken,
  signOut,
  type OpenedSession,
  type SessionOfToken,
} from '../../services/access/sessions.ts'
import * as passkeys from '../../services/access/passkeys.ts'
import * as sign_in from '../../services/access/sign_in.ts'
import type { Context } from '../../services/context.ts'
import { RequestProblem } from '../../services/problem.ts'
import { requestParser } from '../../services/validation.ts'
import { tooMany } from './authentication.ts'
import { refuseCrossSite } from './cross_site.ts'
import { GuessLimits, sourceAddress, type LimitSettings } from './limits.ts'
import { addOidc, type OidcSettings } from './oidc.ts'
import { refuseOtherMethods, spellings, trimmed } from './paths.ts'
import { cookieText, requireCsrfToken, sessionTokenOf, type CookieScope } from './session_cookie.ts'

export interface SignInSettings {
  /** The identity provider of the team; without it there is no single sign-on. */
  oidc?: OidcSettings
  /** Where browsers reach the service; without it the origin of the page that asks. */
  public_url?: string
}

export interface SignInOptions extends SignInSettings {
  ctx: Context
  original: (request: FastifyRequest) => { url: string }
  limits?: LimitSettings
  allowed_origins?: readonly string[]
  is_production?: boolean
  now: () => number
}

/** Forms that one address may prepare, because each may store a challenge. */
const PREPARED_PER_MINUTE = 60

/** Refused sign-ins from one address before it has to wait; accounts are locked besides. */
const REFUSALS_PER_MINUTE = 20

const parseEnd = requestParser(
  Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
)

/** What opens a session, by path. */
const OPENING: Readonly<Record<string, Judge<OpenedSession>>> = {
  '/sign_in/password/': sign_in.signInWithPassword,
  '/sign_in/key/': sign_in.signInWithKey,
  '/sign_in/join/': sign_in.joinWithPassword,
  '/sign_in/passkey/': passkeys.signInWithPasskey,
  '/sign_in/join/passkey/': passkeys.joinWithPasskey,
}

/** What such a form needs first. */
const PREPARING: Readonly<Record<string, Judge<object>>> = {
  '/sign_in/invitation/': sign_in.readInvitation,
  '/sign_in/passkey/options/': passkeys.passkeyRequest,
  '/sign_in/join/passkey/options/': passkeys.passkeyCreation,
}

type Judge<Result> = (ctx: Context, input: unknown, site: passkeys.Site) => Promise<Result>

/** What the handlers of one app share. */
interface Wired extends SignInOptions {
  sessionOf: SessionOfToken
  judged: ReturnType<typeof judging>
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<object>

export function addSignIn(app: FastifyInstance, options: SignInOptions): void {
  const { ctx, oidc, public_url } = options
  const wired = { ...options, sessionOf: sessionsByToken(ctx), judged: judging(options) }
  serve(app, 'GET', '/sign_in/', async ({ headers }) => await shownSession(wired, headers))
  for (const [path, open] of Object.entries(OPENING)) {
    serve(app, 'POST', path, async (request, reply) => {
      const site = siteOf(options, request)
      const opened = await wired.judged(request, async () => await open(ctx, request.body, site))
      await enter(wired, path, { request, reply, opened })
      return { csrf_token: opened.csrf_token, expires_at: opened.expires_at }
    })
  }
  for (const [path, prepare] of Object.entries(PREPARING)) {
    serve(app, 'POST', path, async (request) => {
      const site = siteOf(options, request)
      const judge = async () => await prepare(ctx, request.body, site)
      return await wired.judged(request, judge, 'requests')
    })
  }
  serve(app, 'POST', '/sign_out/', async (request, reply) => await leave(wired, request, reply))
  if (oidc === undefined || public_url === undefined) return
  addOidc(app, {
    ctx,
    oidc,
    public_url,
    judged: wired.judged,
    scopeOf: (request, path) => scopeOf(request, path, options),
    enter: async (path, entering) => await enter(wired, path, entering),
  })
}

function serve(app: FastifyInstance, method: 'GET' | 'POST', path: string, handle: Handle): void {
  for (const url of spellings(app, path)) {
    app.route({
      method,
      url,
      ...(method === 'GET' && { exposeHeadRoute: true }),
      handler: async (request, reply) => {
        const body = await handle(request, reply)
        return await reply
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(body))
      },
    })
  }
  refuseOtherMethods(app, path, method === 'GET' ? ['GET', 'HEAD'] : [method])
}

/** The site of the page: as configured, or as the browser says, which is checked before it is used. */
const siteOf = ({ public_url }: SignInOptions, { headers }: FastifyRequest): passkeys.Site => {
  const address = public_url ?? headers.origin ?? ''
  return { origin: URL.canParse(address) ? new URL(address).origin : 'http://localhost' }
}

/** What the sign-in page offers, and who is signed in, with the token that changes need. */
async function shownSession({ ctx, oidc, sessionOf }: Wired, headers: FastifyRequest['headers']) {
  const token = sessionTokenOf(headers)
  const session = token === undefined ? undefined : await sessionOf(token)
  const provider = oidc === undefined ? null : new URL(oidc.issuer).hostname
  const methods = { ...(await sign_in.signInMethods(ctx)), oidc: provider }
  if (token === undefined || session === undefined) return { methods, session: null }
  const { owner_id, name, role, method, expires_at } = session
  const shown = { owner_id, name, role, method, expires_at }
  return { methods, session: { ...shown, csrf_token: csrfTokenOf(token) } }
}

/** A request that was judged, and the session that it opened. */
interface Entering {
  request: FastifyRequest
  reply: FastifyReply
  opened: OpenedSession
}

/** Sets the cookie. A browser has one session: the one before this sign-in ends. */
async function enter(
  { ctx, sessionOf, ...options }: Wired,
  path: string,
  { request, reply, opened }: Entering,
): Promise<void> {
  reply.header('set-cookie', sessionCookie(opened, scopeOf(request, path, { ctx, ...options })))
  const former = sessionTokenOf(request.headers)
  const before = former === undefined ? undefined : await sessionOf(former)
  if (former === undefined || before === undefined) return
  await signOut(ctx, { token: former, owner_id: before.owner_id, everywhere: false })
}

async function leave(
  { ctx, sessionOf, ...options }: Wired,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  refuseCrossSite(request.method, request.headers, siteSettings(options))
  const { everywhere = false } = parseEnd(request.body ?? {})
  const token = sessionTokenOf(request.headers)
  const session = token === undefined ? undefined : await sessionOf(token)
  if (token !== undefined && session !== undefined) {
    requireCsrfToken(request.method, request.headers, token)
    await signOut(ctx, { token, owner_id: session.owner_id, everywhere })
  }
  const scope = scopeOf(request, '/sign_out/', { ctx, ...options })
  reply.header('set-cookie', cookieText({ value: '', max_age_s: 0, ...scope }))
  return { signed_out: true }
}

const siteSettings = ({
  allowed_origins = [],
  limits = {},
}: Pick<SignInOptions, 'allowed_origins' | 'limits'>) => ({
  allowed_origins,
  trusted_proxies: limits.trusted_proxies ?? 0,
})

/** Judges requests of the own pages, as often as one address may be wrong or may ask. */
function judging(options: SignInOptions) {
  const { limits = {}, now } = options
  const { guesses_per_minute = REFUSALS_PER_MINUTE, trusted_proxies = 0 } = limits
  const most = (limit: number): GuessLimits =>
    new GuessLimits({ guesses_per_minute: guesses_per_minute === 0 ? 0 : limit })
  const refusals = most(Math.min(guesses_per_minute, REFUSALS_PER_MINUTE))
  const requests = most(PREPARED_PER_MINUTE)
  return async <Result>(
    request: FastifyRequest,
    judge: () => Promise<Result>,
    counted: 'refusals' | 'requests' = 'refusals',
  ): Promise<Result> => {
    const { method, headers, raw } = request
    refuseCrossSite(method, headers, siteSettings(options))
    const forwarded = headers['x-forwarded-for']
    const address = sourceAddress(raw.socket.remoteAddress, forwarded, trusted_proxies)
    const limit = counted === 'refusals' ? refusals : requests
    const wait_s = limit.refused(address, '', now()) ?? refusals.refused(address, '', now())
    if (wait_s !== undefined) throw tooMany('Too many sign-ins were tried from here.', wait_s)
    if (counted === 'requests') requests.failed(address, now())
    try {
      return await judge()
    } catch (error) {
      const refused = error instanceof RequestProblem && error.code === 'sign_in_refused'
      if (refused) refusals.failed(address, now())
      throw error
    }
  }
}

/** Where the cookie is sent: below the mount path, as the client sees it. */
function scopeOf(
  request: FastifyRequest,
  path: string,
  { original, is_production = false }: SignInOptions,
): CookieScope {
  const [whole = ''] = original(request).url.split('?', 1)
  const mount = trimmed(whole).slice(0, -trimmed(path).length)
  const { raw, headers } = request
  const encrypted = 'encrypted' in raw.socket && raw.socket.encrypted === true
  // Believed from anyone: it only restricts the sender's own cookie.
  const forwarded = String(headers['x-forwarded-proto'] ?? '').startsWith('https')
  return { path: mount === '' ? '/' : mount, secure: is_production || encrypted || forwarded }
}

const sessionCookie = ({ token, expires_at }: OpenedSession, scope: CookieScope): string =>
  cookieText({
    ...scope,
    value: token,
    max_age_s: Math.max(0, Math.round((expires_at.getTime() - Date.now()) / 1_000)),
  })
