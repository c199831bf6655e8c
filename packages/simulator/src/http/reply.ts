import type { Fields } from '../wire/fields.ts'

/** What goes back over HTTP: JSON for an object, text or a page for a string. */
export interface Reply {
  http_status: number
  body: Fields | string
  headers?: Record<string, string>
  /** Sent instead of the body. */
  picture?: Buffer
}

/**
 * A core API answer: the code that counts is in the body, HTTP says 200
 * (gateway-protocol.md#where-the-code-is).
 */
export const coreReply = (body: Fields): Reply => ({ http_status: 200, body })

/** The families under /v1 answer with real HTTP codes. */
export const httpReply = (http_status: number, body: Fields | string): Reply => ({
  http_status,
  body,
})

const MESSAGES: Record<string, string> = {
  '400': 'One or more parameters in the payload is invalid.',
  '401': 'Transaction cannot be authorized with the current client/server key.',
  '402': 'Payment channel is not activated.',
  '404': "Transaction doesn't exist.",
  '406':
    'The request could not be completed due to a conflict with the current state of the target resource, please try again',
  '411': 'Token id is missing, invalid, or timed out',
  '412': 'Merchant cannot modify the status of the transaction',
  '413': 'The request cannot be processed due to malformed syntax in the request body',
  '414': 'Refund request is rejected due to invalid amount',
}

/** A core API error: body code and message, an id for support, HTTP 200 except for 401. */
export function coreError(status_code: string, id: string, extra: Fields = {}): Reply {
  const body = { status_code, status_message: MESSAGES[status_code], id, ...extra }
  return { http_status: status_code === '401' ? 401 : 200, body }
}

/** The body code of a core reply, or nothing for the families that have none. */
export function statusCodeOf({ body }: Reply): string | null {
  if (typeof body === 'string') return null
  const code = body['status_code']
  return typeof code === 'string' ? code : null
}

const SUCCESSES = new Set(['200', '201', '204', '407'])

/**
 * Only a success is replayed for an idempotency key; a denial (202) may be tried again
 * (gateway-protocol.md#idempotency).
 */
export const isSuccess = (reply: Reply): boolean => {
  const code = statusCodeOf(reply)
  return reply.http_status < 300 && (code === null || SUCCESSES.has(code))
}
