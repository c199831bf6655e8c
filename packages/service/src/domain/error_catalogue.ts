/** The spec's seven kinds, flat under the base, and no eighth (api-rules.md#errors). */
export const GATEWAY_ERROR_KINDS = [
  'GatewayError',
  'GatewayAPIError',
  'GatewayAuthenticationError',
  'GatewayValidationError',
  'GatewayDuplicateOrderError',
  'GatewayRateLimitError',
  'GatewaySignatureError',
] as const

export type GatewayErrorKind = (typeof GATEWAY_ERROR_KINDS)[number]

/**
 * Where it failed decides what may be done next. `before`: nothing was sent, repeat freely. `at`:
 * the request reached the gateway; `definite` decides. `after`: it was done but not recorded; the
 * record is repaired, the call never repeated.
 */
export type ErrorStage = 'before' | 'at' | 'after'

export interface ErrorRow {
  kind: GatewayErrorKind
  status: number
  /** On `POST /charge/` whatever the gateway answered is a 400 (api-rules.md#errors). */
  status_on_charge: number
  stage: ErrorStage
  /** False: the gateway may or may not have acted. Query before acting again. */
  definite: boolean
  /** Whether the same request may succeed later without being changed. */
  retryable: boolean
  title: string
  /** What the caller should do next. */
  advice: string
}

type Text = readonly [title: string, advice: string]

const row = (
  [title, advice]: Text,
  rest: Partial<ErrorRow> & Pick<ErrorRow, 'kind' | 'status' | 'stage'>,
): ErrorRow => ({
  status_on_charge: rest.stage === 'at' ? 400 : rest.status,
  definite: true,
  retryable: false,
  ...rest,
  title,
  advice,
})

/** One of our rules refused it; nothing was sent to the gateway. */
const refused = (...text: Text): ErrorRow =>
  row(text, { kind: 'GatewayValidationError', status: 400, stage: 'before' })

/** The gateway answered with a refusal, so nothing was done. */
const answered = (...text: Text): ErrorRow =>
  row(text, { kind: 'GatewayAPIError', status: 400, stage: 'at' })

/** Each error code has one row; a code without a row does not compile. */
export const ERRORS = {
  invalid_request: refused(
    'The request is not valid',
    'Correct the fields named in errors and send the request again.',
  ),
  payment_in_final_state: refused(
    'The payment can no longer be cancelled',
    'Refund a settled payment. A payment in another final status needs no action.',
  ),
  payment_not_pending: refused(
    'Only a pending payment can be expired',
    'Read the payment to see its current status.',
  ),
  not_credit_card: refused(
    'Only a card payment can be captured',
    'Do not capture: other payment methods are captured when the payer pays.',
  ),
  payment_not_authorized: refused(
    'Only an authorized payment can be captured',
    'To authorize a payment first, charge with capture false.',
  ),
  capture_amount_exceeded: refused(
    'The amount exceeds the authorized amount',
    'Capture at most the authorized amount.',
  ),
  payment_not_in_review: refused(
    'Only a challenged payment can be approved or denied',
    'Read the payment to see its fraud status.',
  ),
  method_not_refundable: refused(
    'This payment method cannot be refunded through the gateway',
    'Refund the customer by bank transfer and record it on the order.',
  ),
  refund_needs_settlement: refused(
    'A captured payment can be refunded only after it settles',
    'Cancel the payment instead, or wait until it settles on the next day.',
  ),
  payment_not_refundable: refused(
    'Only a paid payment can be refunded',
    'Read the payment to see its current status.',
  ),
  refund_after_chargeback: refused(
    'A payment that was charged back cannot be refunded',
    'The gateway refunds no payment that the bank of the payer took back, in whole or in part. Answer the dispute with the gateway.',
  ),
  refund_amount_exceeded: refused(
    'The amount exceeds the refundable amount',
    'Refund at most refundable_amount; refunds in progress reduce it.',
  ),
  refund_limit_reached: refused(
    'The caller has reached the refund limit for 24 hours',
    'Wait until earlier refunds are more than 24 hours old, or ask another staff member to refund.',
  ),
  refund_held: refused(
    'The refund needs the approval of a second staff member and was not made',
    'Wait until another staff member approves or declines it, then repeat with the same Idempotency-Key to read the result.',
  ),
  refund_declined: refused(
    'The refund was declined, or was not approved in time',
    'Request the refund again with another Idempotency-Key.',
  ),
  second_person_needed: refused(
    'The staff member who requested a refund cannot approve it',
    'Ask another staff member to approve it.',
  ),
  refund_request_ended: refused(
    'The refund request was already decided or has expired',
    'List the refund requests to see the result.',
  ),
  outside_refund_unavailable: refused(
    'This payment method is refunded through the gateway',
    'Refund the payment itself; only refunds that the gateway cannot make are recorded.',
  ),
  partial_refund_unavailable: refused(
    'This payment method can be refunded only in full',
    'Refund the whole captured amount.',
  ),
  direct_refund_unavailable: refused(
    'This acquirer does not support direct refunds',
    'Send the refund with direct false.',
  ),
  invoice_not_voidable: refused(
    'Only a pending or overdue invoice can be voided',
    'Read the invoice to see its current status.',
  ),
  checkout_not_open: refused(
    'Only an open checkout can be cancelled',
    'Read the checkout to see its current status.',
  ),
  unknown_action: refused('The action does not exist', 'Use disable, enable or cancel.'),
  subscription_action_refused: refused(
    'The status of the subscription does not allow this action',
    'Disable only an active subscription, enable only a disabled or inactive one. A cancelled subscription cannot be changed.',
  ),
  card_data_disabled: refused(
    'Operations that carry card numbers are disabled',
    'Get card tokens in the browser with the client key, so that no card number reaches a server; to send card numbers from the server, set `card_data: true` (GATEWAY_CARD_DATA=true).',
  ),
  duplicate_order: row(
    [
      'The order id is already in use',
      'Read the object with this order id, or use another order id.',
    ],
    { kind: 'GatewayDuplicateOrderError', status: 400, stage: 'before' },
  ),
  order_ended: row(
    [
      'The order id belongs to a payment that ended without money',
      'Charge again with a new order id, such as the old one and a number. An order id is one payment here for ever, so that late money is never taken for another payment.',
    ],
    { kind: 'GatewayDuplicateOrderError', status: 400, stage: 'before' },
  ),
  signature_invalid: row(
    [
      'The signature does not match the notification',
      'Check that the service and the gateway use the same server key.',
    ],
    { kind: 'GatewaySignatureError', status: 403, stage: 'before' },
  ),
  gateway_unavailable: row(
    [
      'The gateway is currently unavailable',
      'Send the request again after the time in Retry-After.',
    ],
    { kind: 'GatewayAPIError', status: 503, stage: 'before', retryable: true },
  ),
  store_unavailable: row(
    [
      'The database is currently unavailable',
      'Send the request again after the time in Retry-After.',
    ],
    { kind: 'GatewayError', status: 503, stage: 'before', retryable: true },
  ),
  gateway_rejected: row(
    [
      'The gateway refused the request',
      'Read gateway.status_message; the request was not carried out.',
    ],
    { kind: 'GatewayValidationError', status: 400, stage: 'at' },
  ),
  card_token_invalid: row(
    [
      'The card token is missing, already used or expired',
      'Get a fresh token in the browser and charge again.',
    ],
    { kind: 'GatewayValidationError', status: 400, stage: 'at' },
  ),
  capture_denied: answered(
    'The bank refused the capture',
    'The authorization is still valid; retry the capture.',
  ),
  refund_denied: answered(
    'The bank refused the refund',
    'Nothing was refunded; retry later, or refund with direct false.',
  ),
  gateway_not_found: answered(
    'The gateway does not know what the request names',
    'Correct what gateway.status_message names, such as a phone number or an account. For an order that exists, check that it was made in the same environment, sandbox or production.',
  ),
  gateway_state_conflict: answered(
    'The gateway does not allow this action in the current status',
    'Refresh the object with check_status and read its status.',
  ),
  channel_not_active: answered(
    'The payment method is not active for this merchant',
    'Activate it in the gateway dashboard, or offer another payment method.',
  ),
  account_blocked: answered(
    'The account is deactivated or blocked at the gateway',
    'Contact the gateway; do not repeat the request.',
  ),
  refund_rejected: answered(
    'The gateway refused the amount, or the balance is too low',
    'Check the amount and the payable balance; the same refund can be retried for seven days.',
  ),
  gateway_refused: answered(
    'The gateway refused the request',
    'Read gateway.status_message; do not repeat the request unchanged.',
  ),
  gateway_duplicate: row(
    [
      'The gateway already has this order id or refund key',
      'Read the order at the gateway: adopt an order made elsewhere, or use another order id.',
    ],
    // Not definite: after an unclear first send, and for a refund's key, it means that it was done.
    { kind: 'GatewayDuplicateOrderError', status: 400, stage: 'at', definite: false },
  ),
  gateway_authentication_failed: row(
    ['The gateway refused the server key', 'Check GATEWAY_SERVER_KEY and GATEWAY_IS_PRODUCTION.'],
    { kind: 'GatewayAuthenticationError', status: 502, stage: 'at' },
  ),
  gateway_rate_limited: row(
    [
      'The gateway limits the request rate',
      'Send the request again after the time in Retry-After.',
    ],
    { kind: 'GatewayRateLimitError', status: 503, stage: 'at', retryable: true },
  ),
  gateway_failed: row(
    ['The gateway failed', 'Send the request again later with the same Idempotency-Key.'],
    { kind: 'GatewayAPIError', status: 502, stage: 'at', definite: false, retryable: true },
  ),
  outcome_unknown: row(
    [
      'The outcome is unknown; the gateway may have carried out the request',
      'Read the object named here, or repeat with the same Idempotency-Key. Do not send a new request.',
    ],
    {
      kind: 'GatewayAPIError',
      status: 504,
      status_on_charge: 504,
      stage: 'at',
      definite: false,
      retryable: true,
    },
  ),
  outcome_not_recorded: row(
    [
      'The gateway carried out the request, but the result is not recorded yet',
      'Read the object named here after one minute; the service repairs the record meanwhile.',
    ],
    { kind: 'GatewayError', status: 504, stage: 'after', definite: false, retryable: true },
  ),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
