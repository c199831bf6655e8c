// What a reply means. Nothing here sends anything.
import type { Problem } from './api/model.ts'
import { UNCLEAR_CODES, type ProblemFacts } from './errors.ts'
import { isObject, isText, parseJson } from './json.ts'
import { isPassing, retryAfterMs } from './retry.ts'

export interface RawReply {
  status: number
  retry_after: string | null
  text: string
}

export type Reading<Reply> =
  | { kind: 'done'; body: Reply }
  /** A success that cannot be read. */
  | { kind: 'unreadable' }
  | { kind: 'failed'; problem: ProblemFacts; definite: boolean }

/** Reads a reply: the object, or the failure and whether it is final. */
export function readReply<Reply extends object>(raw: RawReply, now_ms: number): Reading<Reply> {
  const { status } = raw
  const body = parseJson(raw.text)
  if (status >= 200 && status < 300) {
    const parsed = { body }
    return isReply<Reply>(parsed) ? { kind: 'done', body: parsed.body } : { kind: 'unreadable' }
  }
  const retry_after_ms = retryAfterMs(raw.retry_after, now_ms)
  if (isProblem(body)) {
    const definite = !UNCLEAR_CODES.some((code) => code === body.code)
    return { kind: 'failed', problem: { ...body, status, retry_after_ms }, definite }
  }
  return { kind: 'failed', problem: foreign(status, retry_after_ms), definite: status < 500 }
}

/**
 * Trusts the service that its object has the documented shape. The service's tests compare its
 * replies with the same document.
 */
const isReply = <Reply extends object>(
  parsed: { body: unknown } | { body: Reply },
): parsed is { body: Reply } => isObject(parsed.body) || Array.isArray(parsed.body)

/** The service's own error body (RFC 9457), and not some proxy's. */
const isProblem = (body: unknown): body is Problem =>
  isObject(body) &&
  isText(body['code']) &&
  isText(body['title']) &&
  isText(body['detail']) &&
  typeof body['retryable'] === 'boolean' &&
  Array.isArray(body['errors'])

const foreign = (status: number, retry_after_ms: number | undefined): ProblemFacts => ({
  code: 'unexpected_reply',
  status,
  title: `HTTP ${status} from something that is not the service`,
  detail: 'Check baseUrl, its prefix, and what stands in between.',
  errors: [],
  retryable: isPassing(status),
  retry_after_ms,
})
