/**
 * What the service answers that is no failure of a kind: returned values, not exceptions. Together
 * with the error catalogue these are all the `code`s a problem body can carry
 * (api-rules.md#errors).
 */
export const PROBLEMS = {
  unauthenticated: {
    status: 401,
    title: 'Who is calling is not known',
    advice: 'Send an API key or token as Authorization: Bearer.',
  },
  forbidden: {
    status: 403,
    title: 'The caller lacks the scope for this',
    advice: 'Use a key that has the scope named in detail.',
  },
  cross_site_request: {
    status: 403,
    title: 'A page of another origin sent this request',
    advice:
      'Send it from a page of this origin or with Authorization: Bearer, or add the origin to GAPURA_ALLOWED_ORIGINS.',
  },
  not_found: {
    status: 404,
    title: 'There is no such object',
    advice: 'Check the id; objects of other owners look the same as missing ones.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    advice: 'Use a method named in Allow.',
  },
  operation_in_progress: {
    status: 409,
    title: 'Another action on this object is under way',
    advice: 'Read the object and decide again once that action has ended.',
  },
  request_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    advice: 'Repeat it with the same key after the time in Retry-After.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    advice: 'Use a new key for a new request.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not come to its end in time',
    advice: 'Send the whole of it at once, on a new connection.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Send at most 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    advice: 'Send Content-Type: application/json.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    advice: 'Send at most 16 KiB of them, the path included.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Send it again after the time in Retry-After.',
  },
  body_already_read: {
    status: 500,
    title: 'Another middleware read the body first: mount gapura before the JSON parser',
    advice: 'Change the order, or use a parser that leaves what it read in req.body.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    advice: 'Report the request_id; it names the log entry.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>

export type ProblemCode = keyof typeof PROBLEMS
