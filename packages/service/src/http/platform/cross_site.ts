// Requests that a page of another site sends with the cookies of its visitor. A host that knows its
// callers by a cookie would take them for the visitor's own, and POSTs without a body need no
// preflight.
import type { FastifyRequest } from 'fastify'
import { RequestProblem } from '../../services/problem.ts'

type Headers = FastifyRequest['headers']

export interface CrossSiteSettings {
  /** Origins of other sites whose pages may send requests that change something. */
  allowed_origins: readonly string[]
  /** With 0, `X-Forwarded-Host` is not believed. */
  trusted_proxies: number
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafeMethod = (method: string): boolean => SAFE_METHODS.has(method)

/** Schemes whose credentials a browser adds by itself, as it does with cookies. */
const ADDED_BY_BROWSERS = /^(?:basic|digest|negotiate|ntlm)\b/i

/** Throws 403 if a page of another origin sent a request that changes something. */
export function refuseCrossSite(
  method: string,
  headers: Headers,
  settings: CrossSiteSettings,
): void {
  if (isSafeMethod(method)) return
  const { authorization, origin } = headers
  // A page of another origin cannot add this header without a preflight, which this service does not answer.
  if (authorization !== undefined && !ADDED_BY_BROWSERS.test(authorization)) return
  if (origin !== undefined && settings.allowed_origins.includes(origin)) return
  const site = headers['sec-fetch-site']
  const own =
    site === undefined
      ? origin === undefined || isOwn(origin, headers, settings)
      : site === 'same-origin' || site === 'none'
  if (!own) throw new RequestProblem('cross_site_request')
}

/** By host and port: whether a proxy ended TLS before us is not known here. */
function isOwn(
  origin: string,
  { host, 'x-forwarded-host': forwarded }: Headers,
  { trusted_proxies }: CrossSiteSettings,
): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: sender } = new URL(origin)
  const hops = [forwarded ?? []].flat().join(',').split(',')
  const outermost = trusted_proxies === 0 ? undefined : (hops.at(-trusted_proxies) ?? hops[0])
  // Read as part of an address, so that a default port that is spelt out is left out again.
  return [host, outermost?.trim()].some((own) => {
    const address = `${protocol}//${own ?? ''}`
    return URL.canParse(address) && new URL(address).host === sender
  })
}

/** The origins as given. Throws a TypeError on what is no origin: it would never match. */
export function checkedOrigins(origins: readonly string[]): readonly string[] {
  for (const origin of origins) {
    const exact = URL.canParse(origin) && new URL(origin).origin === origin && origin !== 'null'
    if (!exact) throw new TypeError('an allowed origin is scheme, host and port: https://a.example')
  }
  return origins
}
