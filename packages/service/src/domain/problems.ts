/**
 * Responses that have no error kind: returned values, not exceptions. Together with the error
 * catalogue these are all values of `code` in a problem body (api-rules.md#errors).
 */
export const PROBLEMS = {
  unauthenticated: {
    status: 401,
    title: 'The request is not authenticated',
    advice: 'Send an API key or token as Authorization: Bearer.',
  },
  sign_in_refused: {
    status: 401,
    title: 'The sign-in was refused',
    advice:
      'Check what you entered. After five wrong attempts an account is locked for 15 minutes; a link works once and for a limited time.',
  },
  forbidden: {
    status: 403,
    title: 'The caller does not have the required scope',
    advice: 'Use a key that has the scope named in detail.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request was sent by a page of another origin',
    advice:
      'Send it from a page of this origin or with Authorization: Bearer, or add the origin to GAPURA_ALLOWED_ORIGINS.',
  },
  not_found: {
    status: 404,
    title: 'The object does not exist',
    advice: 'Check the id; an object of another owner is reported as missing.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    advice: 'Use a method named in Allow.',
  },
  cursor_expired: {
    status: 410,
    title: 'Events after this cursor are no longer stored',
    advice:
      'Retention dropped them, or the database was restored. Start again without after, deduplicate by id, and read the objects you keep by their ids.',
  },
  wrong_cell: {
    status: 421,
    title: 'The request belongs to another cell',
    advice:
      'Send it to the address of all cells, whose proxy knows the cell, or to the cell named in detail.',
  },
  webhooks_not_configured: {
    status: 409,
    title: 'Webhooks are not configured',
    advice:
      'Set GAPURA_WEBHOOK_KEY for the service and its workers: the secrets of endpoints are stored encrypted with it.',
  },
  passwords_not_configured: {
    status: 409,
    title: 'Passwords are not configured',
    advice:
      'Set GAPURA_WEBHOOK_KEY: the secrets for one-time codes are stored encrypted with it. Passkeys and single sign-on do not need it.',
  },
  operation_in_progress: {
    status: 409,
    title: 'Another action on this object is in progress',
    advice: 'Wait until that action has ended, then read the object before you act again.',
  },
  request_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    advice: 'Repeat the request with the same key after the time in Retry-After.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another request',
    advice: 'Use a new key for a new request.',
  },
  request_timeout: {
    status: 408,
    title: 'The request was not complete in time',
    advice: 'Send the complete request at once, on a new connection.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Send a body of at most 64 KiB; a file may have 8 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    advice: 'Send Content-Type: application/json.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    advice: 'Send at most 16 KiB of headers, including the path.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Send the request again after the time in Retry-After.',
  },
  body_already_read: {
    status: 500,
    title: 'Another middleware read the body first: mount gapura before the JSON parser',
    advice: 'Change the order, or use a parser that leaves the parsed body in req.body.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    advice: 'Report the request_id; it names the log entry.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>

export type ProblemCode = keyof typeof PROBLEMS
