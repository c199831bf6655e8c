// Signing in at the team's identity provider: OpenID Connect with authorization code and PKCE. What
// ties the answer to the browser that asked is in a cookie for ten minutes (ADR 0033).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as openid from 'openid-client'
import { errorName } from '../../domain/error_name.ts'
import { signInWithOidc } from '../../services/access/sign_in.ts'
import type { Context } from '../../services/context.ts'
import { RequestProblem } from '../../services/problem.ts'
import { refuseOtherMethods, spellings } from './paths.ts'
import { cookieOf, cookieText, type CookieScope } from './session_cookie.ts'
import type { OpenedSession } from '../../services/access/sessions.ts'

interface Entering {
  request: FastifyRequest
  reply: FastifyReply
  opened: OpenedSession
}

export interface OidcSettings {
  /** The provider; its `.well-known/openid-configuration` is read. */
  issuer: string
  client_id: string
  client_secret: { reveal: () => string }
}

const COOKIE = 'gapura_oidc'
const COOKIE_S = 600
const START = '/sign_in/oidc/'
const CALLBACK = '/sign_in/oidc/callback/'
const TIMEOUT_S = 5

/** What the answer must fit, as the cookie has it. */
interface Asked {
  state: string
  nonce: string
  verifier: string
}

interface OidcOptions {
  ctx: Context
  oidc: OidcSettings
  /** Where browsers reach this service, prefix included. The provider sends them back there. */
  public_url: string
  /** Counts refusals of an address. */
  judged: <Result>(request: FastifyRequest, judge: () => Promise<Result>) => Promise<Result>
  scopeOf: (request: FastifyRequest, path: string) => CookieScope
  enter: (path: string, entering: Entering) => Promise<void>
}

export function addOidc(app: FastifyInstance, options: OidcOptions): void {
  const { ctx, oidc, public_url, judged, enter } = options
  const provider = providerOf(oidc)
  const base = public_url.replace(/\/+$/, '')
  const redirect_uri = `${base}${CALLBACK}`
  // Fixed addresses only: nothing of the request decides where a browser is sent.
  const home = `${base}/dashboard/`
  const serve = redirectsOf(app, ctx, `${home}#/sign_in_refused`)

  serve(START, async (request, reply) => {
    const config = await provider()
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const verifier = openid.randomPKCECodeVerifier()
    keep(options, START, { request, reply, value: encoded({ state, nonce, verifier }) })
    const code_challenge = await openid.calculatePKCECodeChallenge(verifier)
    const challenge = { code_challenge, code_challenge_method: 'S256' }
    const query = { redirect_uri, scope: 'openid email profile', state, nonce, ...challenge }
    return openid.buildAuthorizationUrl(config, query).href
  })

  serve(CALLBACK, async (request, reply) => {
    const cookie = cookieOf(request.headers, COOKIE)
    keep(options, CALLBACK, { request, reply, value: '' })
    const opened = await judged(request, async () => {
      const asked = decoded(cookie)
      // As the provider knows it, whatever host and prefix are seen here.
      const url = new URL(`${redirect_uri}${new URL(request.url, base).search}`)
      const identity = await identityOf(await provider(), oidc.issuer, { url, asked })
      return await signInWithOidc(ctx, identity)
    })
    await enter(CALLBACK, { request, reply, opened })
    return home
  })
}

type Redirect = (request: FastifyRequest, reply: FastifyReply) => Promise<string>

/** Serves paths whose answer is another address; after a failure that of the sign-in page. */
const redirectsOf =
  (app: FastifyInstance, ctx: Context, refused: string) =>
  (path: string, run: Redirect): void => {
    for (const url of spellings(app, path)) {
      app.route({
        method: 'GET',
        url,
        // A look at the headers must not begin or end a sign-in.
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const location = await run(request, reply).catch((error: unknown) => {
            ctx.log.warn({ error: errorName(error) }, 'single sign-on failed')
            return refused
          })
          return await reply.code(303).header('location', location).send()
        },
      })
    }
    refuseOtherMethods(app, path, ['GET'])
  }

interface Kept extends Pick<Entering, 'request' | 'reply'> {
  /** Empty removes it. */
  value: string
}

/** Keeps what the answer must fit in the browser. Lax, because the provider sends it back here. */
function keep({ scopeOf }: OidcOptions, path: string, { request, reply, value }: Kept): void {
  const { secure, path: mount } = scopeOf(request, path)
  const below = `${mount === '/' ? '' : mount}/sign_in/oidc`
  const max_age_s = value === '' ? 0 : COOKIE_S
  const cookie = { name: COOKIE, value, max_age_s, secure, path: below, same_site: 'Lax' } as const
  reply.header('set-cookie', cookieText(cookie))
}

const encoded = (asked: Asked): string => Buffer.from(JSON.stringify(asked)).toString('base64url')

function decoded(cookie: string | undefined): Asked {
  const text = Buffer.from(cookie ?? '', 'base64url').toString()
  const value: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
  if (isAsked(value)) return value
  throw new RequestProblem('sign_in_refused')
}

const isAsked = (value: unknown): value is Asked =>
  typeof value === 'object' &&
  value !== null &&
  ['state', 'nonce', 'verifier'].every(
    (name) => typeof Object.entries(value).find(([key]) => key === name)?.[1] === 'string',
  )

/** Who the provider says it is. The library checks state, nonce, issuer, audience, signature and PKCE. */
async function identityOf(
  config: openid.Configuration,
  issuer: string,
  { url, asked }: { url: URL; asked: Asked },
) {
  const tokens = await openid
    .authorizationCodeGrant(config, url, {
      pkceCodeVerifier: asked.verifier,
      expectedState: asked.state,
      expectedNonce: asked.nonce,
      idTokenExpected: true,
    })
    .catch(refusedByProvider)
  const claims = tokens.claims()
  if (claims === undefined) throw new RequestProblem('sign_in_refused')
  const { sub } = claims
  // Some providers have the address in the ID token, others where the profile is read.
  const profile =
    claims['email'] === undefined
      ? await openid.fetchUserInfo(config, tokens.access_token, sub).catch(refusedByProvider)
      : claims
  const { email, email_verified } = profile
  const verified = email_verified === true && typeof email === 'string'
  return { issuer, subject: sub, email: verified ? email : null }
}

/** What the provider or the check of its answer refused is a refused sign-in; the rest is a failure. */
function refusedByProvider(error: unknown): never {
  const refused =
    error instanceof openid.ResponseBodyError ||
    error instanceof openid.AuthorizationResponseError ||
    error instanceof openid.ClientError
  throw refused ? new RequestProblem('sign_in_refused') : error
}

/** Read once, at the first sign-in; a failure is tried again with the next. */
function providerOf({ issuer, client_id, client_secret }: OidcSettings) {
  let found: Promise<openid.Configuration> | undefined
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(?:\/|$)/.test(issuer)
  return async (): Promise<openid.Configuration> => {
    found ??= openid.discovery(new URL(issuer), client_id, client_secret.reveal(), undefined, {
      timeout: TIMEOUT_S,
      // Plain HTTP for a provider on this machine alone, as in tests.
      ...(local && { execute: [openid.allowInsecureRequests] }),
    })
    found.catch(() => {
      found = undefined
    })
    return await found
  }
}
