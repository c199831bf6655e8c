import type { ErrorCode } from '../domain/error_catalogue.ts'
import { rowOf, type OperationName, type WireOperation } from './operations.ts'

/** The parts of an answer that decide its meaning. */
export interface Answered {
  operation: WireOperation
  http_status: number
  /** The body's own code, if it has one (v2). It takes precedence over the HTTP status. */
  status_code: string | null
  /** Whether the body is a JSON object, and so the gateway's own and not a proxy's. */
  readable: boolean
  /** The gateway's own sentences. */
  messages?: readonly string[]
}

const SUCCESS: ReadonlySet<string> = new Set(['200', '201'])

/**
 * 407 is the success of an expiry and the status of an expired payment; elsewhere it is a refusal.
 */
const EXPIRED_IS_FINE: ReadonlySet<WireOperation> = new Set<OperationName>([
  'expire',
  'get_status',
  'get_status_b2b',
])

/** 204 in the body: the account is no longer linked, which is the requested result. */
const UNLINKED_IS_FINE: ReadonlySet<WireOperation> = new Set<OperationName>([
  'get_pay_account',
  'unbind_pay_account',
])

/** Definite refusals, by the gateway's own code (gateway-protocol.md#status-codes). */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  '400': 'gateway_rejected',
  '401': 'gateway_authentication_failed',
  '402': 'channel_not_active',
  '404': 'gateway_not_found',
  '406': 'gateway_duplicate',
  '407': 'gateway_state_conflict',
  '408': 'gateway_rejected',
  '410': 'account_blocked',
  '411': 'card_token_invalid',
  '412': 'gateway_state_conflict',
  '413': 'gateway_rejected',
  '414': 'refund_rejected',
  '429': 'gateway_rate_limited',
  '501': 'gateway_refused',
}

/**
 * What a proxy in front of the gateway can answer. Not 404: that would prove that nothing was done.
 */
const EDGE_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  '401': 'gateway_authentication_failed',
  '429': 'gateway_rate_limited',
}

/** 409 means something else on every page that mentions it. */
const CONFLICTS: Partial<Record<WireOperation, ErrorCode>> = {
  get_bin: 'gateway_rate_limited',
  create_invoice: 'gateway_duplicate',
  void_invoice: 'gateway_state_conflict',
}

/** A denial with a 2xx code. On a charge it is a result, which the payment's state shows. */
const DENIALS: Partial<Record<WireOperation, ErrorCode>> = {
  capture: 'capture_denied',
  refund: 'refund_denied',
  direct_refund: 'refund_denied',
  create_pay_account: 'gateway_refused',
  unbind_pay_account: 'gateway_refused',
}

/**
 * What went wrong, or undefined if the answer is a success. Body code first, HTTP status second:
 * the v2 family reports its refusals with HTTP 200.
 */
export function errorFromAnswer(answered: Answered): ErrorCode | undefined {
  const { operation, http_status, status_code, readable } = answered
  // HTTP 202: the gateway still works on the first request with this idempotency key.
  if (http_status === 202) return unclear(operation)
  // Following a redirect would send the server key to its target.
  if (http_status >= 300 && http_status < 400) return 'gateway_refused'
  // Only the v1 families report by HTTP status, and then with a body of their own.
  const v1 = rowOf(operation).family !== 'v2' && readable
  const code = status_code ?? (v1 ? String(http_status) : null)
  if (code === null) return errorOfEdge(answered)
  if (code === '407' && EXPIRED_IS_FINE.has(operation)) return undefined
  if (code === '204' && UNLINKED_IS_FINE.has(operation)) return undefined
  if (code === '202') return DENIALS[operation]
  if (isOrderTaken(answered, code)) return 'gateway_duplicate'
  if (!SUCCESS.has(code)) return errorOfCode(code, operation)
  return http_status >= 400 ? errorOfEdge(answered) : undefined
}

/** Only the sentence distinguishes a used order id from any other fault of a page's request. */
const ORDER_TAKEN = /order_?id\b.*\b(?:taken|used|exists?|digunakan|terpakai)\b/i

const isOrderTaken = ({ operation, messages = [] }: Answered, code: string): boolean =>
  operation === 'create_checkout' &&
  (code === '400' || code === '409') &&
  messages.some((message) => ORDER_TAKEN.test(message))

function errorOfCode(code: string, operation: WireOperation): ErrorCode {
  if (code === '409') return CONFLICTS[operation] ?? unclear(operation)
  const known = REFUSALS[code]
  if (known !== undefined) return known
  // An unknown 3xx or 4xx is a refusal; a 5xx or anything else is not interpreted.
  return /^[34]\d\d$/.test(code) ? 'gateway_refused' : unclear(operation)
}

/** An answer that is not the gateway's own: of a proxy, a firewall, a maintenance page. */
function errorOfEdge({ operation, http_status }: Answered): ErrorCode | undefined {
  if (http_status < 400) return undefined
  const known = EDGE_REFUSALS[String(http_status)]
  if (known !== undefined) return known
  if (http_status === 409 && operation === 'get_bin') return 'gateway_rate_limited'
  return http_status === 404 || http_status >= 500 ? unclear(operation) : 'gateway_refused'
}

/** Whether the operation changes something at the gateway. */
export const writes = (operation: WireOperation): boolean => {
  const { method, retryable } = rowOf(operation)
  return method !== 'GET' && !retryable
}

/** No clear answer: harmless for a query, and never guessed about for a change. */
export const unclear = (operation: WireOperation): ErrorCode =>
  writes(operation) ? 'outcome_unknown' : 'gateway_failed'
