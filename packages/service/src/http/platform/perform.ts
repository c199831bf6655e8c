// One request to one route, with nothing of HTTP in it. HTTP and the in-process API both end here.
import { createHash, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { Caller } from '../../domain/caller.ts'
import { ERRORS } from '../../domain/error_catalogue.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { PROBLEMS, type ProblemCode } from '../../domain/problems.ts'
import { secretIn } from '../../domain/secret_shapes.ts'
import { NO_TELEMETRY } from '../../domain/telemetry.ts'
import { contextFor, type Context } from '../../services/context.ts'
import { RequestProblem } from '../../services/problem.ts'
import {
  canonical,
  type Outcome,
  type Reply,
  type Request,
  type Streamed,
} from '../../services/requests.ts'
import { requestParser } from '../../services/validation.ts'
import { isUuid } from './list.ts'
import { isServed, type Asked, type InProcessRoute, type Result } from './route.ts'

/** What a route is asked, and by whom. */
export interface Performed extends Omit<Asked, 'request'> {
  request_id: string
  caller: Caller | null
  idempotency_key: unknown
  /** For the trace of the caller, if there is one. */
  headers?: Readonly<Record<string, unknown>>
}

/** What a request came to. A problem is a returned value; a failure of a kind is thrown. */
export type Answer =
  | { kind: 'body'; status: number; body: object }
  | { kind: 'kept'; reply: Reply; replayed: boolean }
  | { kind: 'problem'; code: ProblemCode }
  | Streamed
  | Streamed<Uint8Array>

export async function performRoute(
  ctx: Context,
  route: InProcessRoute,
  { headers, ...performed }: Performed,
): Promise<Answer> {
  const { trace } = ctx.telemetry ?? NO_TELEMETRY
  const { method, path } = route
  const step = {
    name: `${method} ${path}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': path },
    marks: { request_id: performed.request_id },
    ...(headers && { headers }),
  } as const
  return await trace(step, async (learn) => {
    try {
      const answer = answerOf(route, await perform(ctx, route, performed))
      learn({ 'http.response.status_code': statusOf(answer) })
      return answer
    } catch (error) {
      const status = statusOfFailure(error, path)
      if (status !== undefined) learn({ 'http.response.status_code': status })
      throw error
    }
  })
}

/** The status that a failure of the catalogue is answered with; any other is ours, and a 5xx. */
function statusOfFailure(error: unknown, path: string): number | undefined {
  if (error instanceof RequestProblem) return PROBLEMS[error.code].status
  if (!(error instanceof GatewayError)) return undefined
  const { status, status_on_charge } = ERRORS[error.code]
  return path === '/charge/' ? status_on_charge : status
}

/** 403 unless the caller has the scope. Staff need it too: seeing all is not doing all. */
export function requireAccess({ staff, scopes }: Caller, { access, scope }: InProcessRoute): void {
  if (access === 'staff' && !staff) {
    const named = scope === null ? '' : ` that has the scope ${scope}`
    throw new RequestProblem('forbidden', `Use a key of staff${named}.`)
  }
  if (scope === null || scopes.includes(scope)) return
  throw new RequestProblem('forbidden', `Use a key that has the scope ${scope}.`)
}

async function perform(
  ctx: Context,
  route: InProcessRoute,
  { request_id, caller, idempotency_key, ...asked }: Omit<Performed, 'headers'>,
): Promise<Result> {
  if (route.access === 'public') {
    return await route.run(ctx, { ...asked, request: { ...PUBLIC, request_id } })
  }
  if (caller === null) throw new RequestProblem('unauthenticated')
  requireAccess(caller, route)
  const { method } = route
  // An action is part of what a key stands for, wherever in the request it is named.
  const pattern = route.path.replace('{action_name}', asked.action)
  const what = { method, pattern, id: asked.id, body: asked.input }
  const idempotency = method === 'POST' ? idempotencyOf(idempotency_key, what) : null
  // What is no UUID is no object of ours; the database would call it an error.
  if (pattern.includes('{pk}') && !isUuid(asked.id)) return undefined
  if (method === 'POST' && route.input === undefined) refuseInput(asked.input)
  const request = { caller, request_id, idempotency }
  return await route.run(contextFor(ctx, caller.owner_id), { ...asked, request })
}

/** The caller of a public route: it owns nothing and may do nothing. */
const PUBLIC = { caller: { owner_id: '', staff: false, scopes: [] }, idempotency: null } as const

function answerOf(route: InProcessRoute, result: Result): Answer {
  if (result === undefined) return { kind: 'problem', code: 'not_found' }
  if (isOutcome(result)) return result.kind === 'reply' ? { ...result, kind: 'kept' } : result
  if (isStream(result)) return result
  return { kind: 'body', status: (isServed(route) && route.status) || 200, body: result }
}

const isOutcome = (result: object): result is Outcome =>
  'kind' in result &&
  ((result.kind === 'reply' && 'replayed' in result) ||
    (result.kind === 'problem' && 'code' in result))

const isStream = (result: object): result is Streamed | Streamed<Uint8Array> =>
  'chunks' in result && 'kind' in result && result.kind === 'stream'

function statusOf(answer: Answer): number {
  if (answer.kind === 'body') return answer.status
  if (answer.kind === 'kept') return answer.reply.code
  return answer.kind === 'stream' ? 200 : PROBLEMS[answer.code].status
}

const parseNothing = requestParser(Type.Object({}, { additionalProperties: false }))

/**
 * For routes that take no body: nothing, or an object without a field. A field that would be ignored
 * is refused, because its sender expects an effect (api-rules.md#actions).
 */
function refuseInput(input: unknown): void {
  if (input !== undefined) parseNothing(input)
}

const REQUEST_ID = /^[A-Za-z0-9._~:@/+=-]{1,100}$/

/** The client's own id where it is one we would print, else a new one. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && REQUEST_ID.test(given) && secretIn(given) === undefined
    ? given
    : randomUUID()

const KEY = /^[\x21-\x7e]{1,255}$/

interface Fingerprinted {
  method: string
  /** The route's pattern, not the path: a mount prefix may change between two tries. */
  pattern: string
  id: string
  body: unknown
}

/** A request's key and what it stands for (ADR 0007), or nothing without a key. */
function idempotencyOf(key: unknown, what: Fingerprinted): Request['idempotency'] {
  if (key === undefined) return null
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'Idempotency-Key', message: '1 to 255 visible ASCII characters' }],
    })
  }
  const secret = secretIn(key)
  if (secret !== undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'Idempotency-Key', message: `holds ${secret}: make a key of its own` }],
    })
  }
  return { key, fingerprint: fingerprintOf(what) }
}

function fingerprintOf({ method, pattern, id, body }: Fingerprinted): string {
  const text = JSON.stringify([method, pattern, id, canonical(body ?? null)])
  return createHash('sha256').update(text).digest('hex')
}
