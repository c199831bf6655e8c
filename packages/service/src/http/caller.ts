import type { FastifyRequest } from 'fastify'
import { SCOPES, type Caller, type Scope } from '../domain/caller.ts'
import { gatewayError } from '../domain/errors.ts'
import { RequestProblem } from '../services/problem.ts'

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

/** Names the caller, or nobody. Nobody is answered with 401. */
export type Authenticate = (
  request: CallerRequest,
) => Caller | null | undefined | Promise<Caller | null | undefined>

const OWNER_ID = /^[^\0]{1,255}$/

/** The caller of a request, checked: the host's code is trusted to know, not to spell. */
export async function authenticated(
  authenticate: Authenticate,
  request: CallerRequest,
): Promise<Caller> {
  const caller = await authenticate(request)
  if (caller === null || caller === undefined) throw new RequestProblem('unauthenticated')
  return checkedCaller(caller)
}

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

/** A caller with nothing but what a caller has. Throws a TypeError on anything else. */
export function checkedCaller({ owner_id, staff, scopes }: Caller): Caller {
  const good =
    typeof owner_id === 'string' &&
    OWNER_ID.test(owner_id) &&
    typeof staff === 'boolean' &&
    Array.isArray(scopes) &&
    scopes.every(isScope)
  if (!good) throw new TypeError('a caller is { owner_id, staff, scopes } with known scopes')
  return { owner_id, staff, scopes }
}

const isScope = (scope: unknown): boolean => SCOPES.some((known) => known === scope)

/** 403 unless the caller has the scope. Staff need it too: seeing all is not doing all. */
export function requireScope({ scopes }: Caller, scope: Scope | null): void {
  if (scope === null || scopes.includes(scope)) return
  throw new RequestProblem('forbidden', `Use a key that has the scope ${scope}.`)
}
