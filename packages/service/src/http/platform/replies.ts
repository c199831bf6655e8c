// What HTTP sends: the body of an answer, a file, or the one body of every failure (api-rules.md#errors).
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { traceOf } from '../../domain/error_trace.ts'
import { GatewayError, gatewayError } from '../../domain/errors.ts'
import type { ProblemCode } from '../../domain/problems.ts'
import type { Logger } from '../../services/context.ts'
import { problemOf, problemOfError, RequestProblem, type Problem } from '../../services/problem.ts'
import type { Streamed } from '../../services/requests.ts'
import { storeTrouble } from '../../services/store_trouble.ts'
import { tooMany } from './authentication.ts'
import type { LiveConnections } from './limits.ts'
import type { Answer } from './perform.ts'
import type { InProcessRoute, Route } from './route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Of every reply: no cache keeps it, and no browser guesses another type. */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/**
 * For every page of ours: nothing inline, nothing from elsewhere, no HTML made out of text, in
 * no frame.
 */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** A reply that is one text, whichever way it is served. */
export interface TextReply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends what a route came to. */
export const sendAnswer = (
  reply: FastifyReply,
  answer: Answer,
  request_id: string,
): FastifyReply =>
  answer.kind === 'stream'
    ? sendStream(reply, answer)
    : sendText(reply, replyOfAnswer(answer, request_id))

const sendText = (reply: FastifyReply, { status, headers, body }: TextReply): FastifyReply =>
  reply.code(status).headers(headers).send(body)

/** What a route came to. A repeat of a kept reply has the same bytes (ADR 0007). */
export function replyOfAnswer(
  answer: Exclude<Answer, { kind: 'stream' }>,
  request_id: string,
): TextReply {
  switch (answer.kind) {
    case 'problem':
      return replyOfProblem(replyOf(problemOf(answer.code, request_id)))
    case 'body': {
      const { status, body } = answer
      return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(body) }
    }
    case 'kept': {
      const { code: status, body } = answer.reply
      const replayed = answer.replayed && { 'idempotency-replayed': 'true' }
      const type = status < 400 ? JSON_TYPE : PROBLEM_TYPE
      const headers = { ...replayed, 'content-type': type }
      return { status, headers, body: JSON.stringify(body) }
    }
  }
}

/** A proxy that collects a reply before it passes it on would delay every event. */
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** A failure midway ends the connection: a file that is cut off must not look like a whole one. */
const sendStream = (
  reply: FastifyReply,
  { chunks, ...streamed }: Streamed | Streamed<Uint8Array>,
): FastifyReply =>
  reply
    .header('content-type', streamed.content_type)
    .headers(
      streamed.filename === undefined
        ? UNBUFFERED
        : { 'content-disposition': `attachment; filename="${streamed.filename}"` },
    )
    .send(Readable.from(chunks, { objectMode: false }))

/** How long one connection may follow a route; then its client comes again, with its credential. */
const LIVE_MS_MAX = 15 * 60_000

interface LiveWiring {
  connections: LiveConnections
  /** The process stops. */
  stopping: AbortSignal
  /** The client has gone, where the host says it otherwise than by closing the reply. */
  gone?: AbortSignal
}

/** The route as it is followed, if it can be and the client accepts nothing else. */
export function followed(
  route: Route,
  reply: FastifyReply,
  { connections, stopping, gone }: LiveWiring,
): InProcessRoute | undefined {
  const { live } = route
  const { method, headers } = reply.request
  if (live === undefined || method !== 'GET' || !acceptsEvents(headers.accept)) return undefined
  return {
    ...route,
    run: async (ctx, { request, query }): Promise<Streamed> => {
      const leave = connections.open(request.caller.owner_id)
      if (typeof leave === 'number') throw tooMany('Too many connections follow this route.', leave)
      const closed = new AbortController()
      const end = (): void => {
        leave()
        closed.abort()
      }
      for (const event of ['close', 'finish']) reply.raw.once(event, end)
      gone?.addEventListener('abort', end)
      if (reply.raw.destroyed || gone?.aborted === true) end()
      const ended = AbortSignal.any([closed.signal, stopping, AbortSignal.timeout(LIVE_MS_MAX)])
      const last_event_id = headers['last-event-id']?.toString()
      const chunks = await live(ctx, { request, query, last_event_id, ended })
      return { kind: 'stream', content_type: EVENT_STREAM, chunks }
    },
  }
}

const EVENT_STREAM = 'text/event-stream'

/** Whether server-sent events are what a client would rather have. */
export const acceptsEvents = (accept: string | null | undefined): boolean =>
  accept?.split(/[,;]/, 1)[0]?.trim() === EVENT_STREAM

/** Sends a failure, and logs it if it is ours to look at. */
export const sendError = (
  reply: FastifyReply,
  log: Logger,
  error: unknown,
  place: FailurePlace,
): FastifyReply =>
  sendText(
    reply,
    replyOfError(log, error, { ...place, authorization: reply.request.headers.authorization }),
  )

/** The reply to a failure, logged if it is ours to look at. The log has the cause; the body never. */
export function replyOfError(log: Logger, error: unknown, place: FailurePlace): TextReply {
  const answer = errorReply(error, place)
  const { status, code } = answer.problem
  if (answer.ours) {
    const { request_id } = place
    log.error({ request_id, status, code, error: traceOf(error) }, 'request failed')
  }
  return replyOfProblem(answer, place.authorization)
}

function replyOfProblem({ problem, retry_after_s }: ErrorReply, authorization?: string): TextReply {
  const { status } = problem
  const headers = {
    ...(retry_after_s !== null && { 'retry-after': String(retry_after_s) }),
    ...(status === 401 && { 'www-authenticate': challengeOf(authorization) }),
    // What was not read of it would be taken for the next request.
    ...(status === 413 && { connection: 'close' }),
    'content-type': PROBLEM_TYPE,
  }
  return { status, headers, body: JSON.stringify(problem) }
}

/** RFC 6750: a credential that was sent and is not valid is said to be so, an absent one is not. */
const challengeOf = (authorization = ''): string =>
  `Bearer realm="gapura"${authorization === '' ? '' : ', error="invalid_token"'}`

/** Where a failure happened, as far as its answer depends on it. */
export interface FailurePlace {
  request_id: string
  /** On `POST /charge/` the catalogue has a status of its own (api-rules.md#errors). */
  on_charge: boolean
  /** The webhook's failures are the gateway's to repeat (ADR 0005). */
  on_notification: boolean
  /** The credential that was sent, as far as a refusal depends on there being one. */
  authorization?: string | undefined
}

interface ErrorReply {
  problem: Problem
  retry_after_s: number | null
  /** Whether it is ours to look at: logged as an error. */
  ours: boolean
}

/** Where nothing better is known. The advice of these codes promises the header. */
const RETRY_AFTER_S = 5

/** The one error body (api-rules.md#errors). Text of an unknown error never leaves: it may hold SQL or a secret. */
function errorReply(error: unknown, place: FailurePlace): ErrorReply {
  const known = error instanceof GatewayError ? error : storeTrouble(error)
  if (known !== undefined && !(place.on_notification && known.code === 'store_unavailable')) {
    const problem = problemOfError(known, place)
    const again = problem.status === 503 ? RETRY_AFTER_S : null
    return { problem, retry_after_s: known.retry_after_s ?? again, ours: problem.status >= 500 }
  }
  if (error instanceof RequestProblem) {
    const reply = replyOf(problemOf(error.code, place.request_id, error.detail))
    return { ...reply, retry_after_s: error.retry_after_s ?? reply.retry_after_s }
  }
  const status = statusOf(error)
  const code = BY_STATUS[status]
  if (code !== undefined) return replyOf(problemOf(code, place.request_id))
  if (status === 400) return errorReply(gatewayError('invalid_request'), place)
  // The gateway repeats a 429 five times and a 500 once; nothing was stored, so it must come back.
  const last = place.on_notification ? 'too_many_requests' : 'internal_error'
  return { ...replyOf(problemOf(last, place.request_id)), ours: true }
}

const replyOf = (problem: Problem): ErrorReply => ({
  problem,
  retry_after_s: problem.retryable ? RETRY_AFTER_S : null,
  ours: problem.status >= 500,
})

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
}

/** Errors of Fastify and of a host's hooks say their status; only the status is taken from them. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
