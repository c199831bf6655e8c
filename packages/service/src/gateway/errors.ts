import type { ErrorCode } from '../domain/error_catalogue.ts'
import type { OperationName } from './operations.ts'

/** What of an answer decides its meaning. */
export interface Answered {
  operation: OperationName
  /** Whether the operation changes something at the gateway. */
  writes: boolean
  http_status: number
  /** The body's own code, where it has one (v2); it goes before the HTTP status. */
  status_code: string | null
}

const SUCCESS = new Set(['200', '201', '204', '407'])

/** Definite refusals, by code (Wire 6.2). */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  '400': 'gateway_rejected',
  '401': 'gateway_authentication_failed',
  '402': 'channel_not_active',
  '404': 'gateway_not_found',
  '406': 'gateway_duplicate',
  '408': 'gateway_rejected',
  '410': 'account_blocked',
  '411': 'card_token_invalid',
  '412': 'gateway_state_conflict',
  '413': 'gateway_rejected',
  '414': 'refund_rejected',
  '429': 'gateway_rate_limited',
  '501': 'gateway_refused',
}

/** 409 means something else on every page that mentions it. */
const CONFLICTS: Partial<Record<OperationName, ErrorCode>> = {
  get_bin: 'gateway_rate_limited',
  create_invoice: 'gateway_duplicate',
  void_invoice: 'gateway_state_conflict',
}

/** A denial under a 2xx code. On a charge it is a result, and the payment's state tells it (D-34). */
const DENIALS: Partial<Record<OperationName, ErrorCode>> = {
  capture: 'capture_denied',
  refund: 'refund_denied',
  direct_refund: 'refund_denied',
  create_pay_account: 'gateway_refused',
  unbind_pay_account: 'gateway_refused',
}

/**
 * What went wrong, or nothing if the answer is a success. Body code first, HTTP status second:
 * the v2 family reports its refusals under HTTP 200.
 */
export function errorFromAnswer(answered: Answered): ErrorCode | undefined {
  const { operation, http_status, status_code } = answered
  // HTTP 202 is the gateway still at work on the first request with this idempotency key.
  if (http_status === 202) return unclear(answered)
  // Followed, a redirect would carry the server key to wherever it points.
  if (http_status >= 300 && http_status < 400) return 'gateway_refused'
  const code = status_code ?? String(http_status)
  if (SUCCESS.has(code))
    return http_status >= 400 ? errorOfCode(String(http_status), answered) : undefined
  if (code === '202') return DENIALS[operation]
  return errorOfCode(code, answered)
}

function errorOfCode(code: string, answered: Answered): ErrorCode {
  if (code === '409') return CONFLICTS[answered.operation] ?? unclear(answered)
  const known = REFUSALS[code]
  if (known !== undefined) return known
  if (/^5\d\d$/.test(code)) return 'gateway_failed'
  // An unknown 3xx or 4xx refuses; an unknown anything else is not for us to interpret.
  return /^[34]\d\d$/.test(code) ? 'gateway_refused' : unclear(answered)
}

/** No clear answer: harmless for a question, the one thing never to guess about for an order. */
export const unclear = ({ writes }: Pick<Answered, 'writes'>): ErrorCode =>
  writes ? 'outcome_unknown' : 'gateway_failed'
