import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { traceOf } from '../domain/error_trace.ts'
import type { Logger } from '../services/context.ts'
import { problemOf } from '../services/problem.ts'
import type { Answered, Streamed } from '../services/requests.ts'
import { errorReply, replyOf, type ErrorReply, type FailurePlace } from './error_reply.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** Of every answer: kept by nobody on the way, and taken for nothing else than it says it is. */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** Sends what a route came to. A kept reply goes out as the bytes it was (ADR 0007). */
export function sendOutcome(
  reply: FastifyReply,
  outcome: Answered,
  request_id: string,
): FastifyReply {
  if (outcome.kind === 'problem')
    return sendProblem(reply, replyOf(problemOf(outcome.code, request_id)))
  if (outcome.kind === 'stream') return sendStream(reply, outcome)
  const { code, body } = outcome.reply
  if (outcome.replayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(code)
    .header('content-type', code < 400 ? JSON_TYPE : PROBLEM_TYPE)
    .send(body)
}

/** A failure midway ends the connection: a file that is cut off must not look like a whole one. */
const sendStream = (reply: FastifyReply, { chunks, ...streamed }: Streamed): FastifyReply =>
  reply
    .header('content-type', streamed.content_type)
    .header('content-disposition', `attachment; filename="${streamed.filename}"`)
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(chunks, { objectMode: false }))

/** Sends a failure, and logs it if it is ours to look at. The log has the cause; the body never. */
export function sendError(
  reply: FastifyReply,
  log: Logger,
  error: unknown,
  place: FailurePlace,
): FastifyReply {
  const answer = errorReply(error, place)
  const { status, code } = answer.problem
  if (answer.ours) {
    const { request_id } = place
    log.error({ request_id, status, code, error: traceOf(error) }, 'request failed')
  }
  return sendProblem(reply, answer)
}

function sendProblem(reply: FastifyReply, { problem, retry_after_s }: ErrorReply): FastifyReply {
  if (retry_after_s !== null) reply.header('retry-after', String(retry_after_s))
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="gapura"')
  // What was not read of it would be taken for the next request.
  if (problem.status === 413) reply.header('connection', 'close')
  return reply
    .code(problem.status)
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(problem))
}
