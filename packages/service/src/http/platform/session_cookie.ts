// The cookie of a dashboard session, and the token that a page sends beside it (ADR 0033).
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { csrfTokenOf } from '../../services/access/sessions.ts'
import { RequestProblem } from '../../services/problem.ts'
import { isSafeMethod } from './cross_site.ts'

type Headers = FastifyRequest['headers']

const SESSION_COOKIE = 'gapura_session'

/**
 * The value of a cookie. Undefined if it was sent twice: another site of the same domain may have
 * set one of them, and which of them is ours cannot be seen.
 */
export function cookieOf({ cookie = '' }: Headers, name: string): string | undefined {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

export const sessionTokenOf = (headers: Headers): string | undefined =>
  cookieOf(headers, SESSION_COOKIE)

/** 403 unless a request that changes something has the session's token in its header. */
export function requireCsrfToken(method: string, headers: Headers, token: string): void {
  if (isSafeMethod(method)) return
  const expected = Buffer.from(csrfTokenOf(token))
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''))
  if (given.byteLength === expected.byteLength && timingSafeEqual(given, expected)) return
  throw new RequestProblem(
    'cross_site_request',
    'Send the csrf_token of GET sign_in/ as X-CSRF-Token with every request that changes something.',
  )
}

export interface CookieScope {
  /** The mount path, so that no other application of the host gets the cookie. */
  path: string
  /** Not over plain HTTP on a developer's machine, where a browser would drop it. */
  secure: boolean
}

interface Cookie extends CookieScope {
  name?: string
  value: string
  /** 0 removes it. */
  max_age_s: number
  same_site?: 'Strict' | 'Lax'
}

export const cookieText = ({
  name = SESSION_COOKIE,
  value,
  max_age_s,
  path,
  secure,
  same_site = 'Strict',
}: Cookie): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${max_age_s}`,
    'HttpOnly',
    `SameSite=${same_site}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ')
