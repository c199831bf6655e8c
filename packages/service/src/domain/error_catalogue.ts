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

/** Every way to fail, once. A code without a row does not compile. */
export const ERRORS = {
  invalid_request: refused(
    'The request is not valid',
    'Correct the fields named in errors and send it again.',
  ),
  payment_in_final_state: refused(
    'The payment can no longer be cancelled',
    'A settled payment is refunded; an ended one needs nothing.',
  ),
  payment_not_pending: refused(
    'Only a pending payment can be expired',
    'Read the payment for its present status.',
  ),
  not_credit_card: refused(
    'Only a card payment can be captured',
    'Other methods are captured when the payer pays.',
  ),
  payment_not_authorized: refused(
    'Only an authorized payment can be captured',
    'Charge with capture false to authorize first.',
  ),
  capture_amount_exceeded: refused(
    'The amount exceeds what was authorized',
    'Capture at most the authorized amount.',
  ),
  payment_not_in_review: refused(
    'Only a challenged payment can be approved or denied',
    'Read the payment for its fraud status.',
  ),
  method_not_refundable: refused(
    'This payment method cannot be refunded through the gateway',
    'Pay the customer back by bank transfer and note it on the order.',
  ),
  refund_needs_settlement: refused(
    'A captured payment is refunded only after it settles',
    'Cancel it instead, or wait for the settlement of the next day.',
  ),
  payment_not_refundable: refused(
    'Only a paid payment can be refunded',
    'Read the payment for its present status.',
  ),
  refund_amount_exceeded: refused(
    'The amount exceeds what is left to refund',
    'Refund at most refundable_amount; refunds under way count against it.',
  ),
  refund_limit_reached: refused(
    'The caller has paid back as much as one may in a day',
    'Wait, or have a second person of staff make it.',
  ),
  refund_held: refused(
    'The refund takes a second person and was not made',
    'Another person of staff approves or declines it; repeat with the same Idempotency-Key to learn what came of it.',
  ),
  refund_declined: refused(
    'The second person declined, or did not approve in time',
    'Ask for it anew with another Idempotency-Key.',
  ),
  second_person_needed: refused(
    'Who asked for a refund cannot approve it',
    'Another person of staff must.',
  ),
  refund_request_ended: refused(
    'The refund request has been decided, or its time is over',
    'List the requests to see what came of it.',
  ),
  partial_refund_unavailable: refused(
    'This payment method is refunded only in full',
    'Refund the whole captured amount.',
  ),
  direct_refund_unavailable: refused(
    'This acquirer has no direct refund',
    'Send the refund with direct false.',
  ),
  invoice_not_voidable: refused(
    'Only a pending or overdue invoice can be voided',
    'Read the invoice for its present status.',
  ),
  unknown_action: refused('There is no such action', 'Use disable, enable or cancel.'),
  subscription_action_refused: refused(
    'The subscription is in no state for this action',
    'Enable follows disable; a cancelled subscription stays cancelled.',
  ),
  card_data_disabled: refused(
    'Operations that carry card numbers are switched off',
    'Get card tokens in the browser with the client key, so that no card number reaches a server.',
  ),
  duplicate_order: row(
    ['The order id is already in use', 'Read the object that carries it, or use another order id.'],
    { kind: 'GatewayDuplicateOrderError', status: 400, stage: 'before' },
  ),
  signature_invalid: row(
    ['The signature does not fit the notification', 'Check that the server keys are the same.'],
    { kind: 'GatewaySignatureError', status: 403, stage: 'before' },
  ),
  gateway_unavailable: row(
    ['The gateway is not reachable at present', 'Send it again after the time in Retry-After.'],
    { kind: 'GatewayAPIError', status: 503, stage: 'before', retryable: true },
  ),
  store_unavailable: row(
    ['The service cannot write at present', 'Send it again after the time in Retry-After.'],
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
      'The card token is missing, used or expired',
      'Get a fresh token in the browser and charge again.',
    ],
    { kind: 'GatewayValidationError', status: 400, stage: 'at' },
  ),
  capture_denied: answered(
    'The bank refused the capture',
    'The authorization stands and the capture may be tried again.',
  ),
  refund_denied: answered(
    'The bank refused the refund',
    'Nothing was paid back; try again later or refund without direct.',
  ),
  gateway_not_found: answered(
    'The gateway does not know this object',
    'Check the environment of the server key: sandbox and production are separate.',
  ),
  gateway_state_conflict: answered(
    'The gateway does not allow this in the present state',
    'Refresh with check_status and read the status.',
  ),
  channel_not_active: answered(
    'The payment method is not active for this merchant',
    'Have it activated in the gateway dashboard, or offer another method.',
  ),
  account_blocked: answered(
    'The account is deactivated or blocked at the gateway',
    'Ask the gateway; repeating the request will not help.',
  ),
  refund_rejected: answered(
    'The gateway refused the amount, or the balance is too low for it',
    'Check the amount and the payable balance; the same refund may be tried again for seven days.',
  ),
  gateway_refused: answered(
    'The gateway refused the request',
    'Read gateway.status_message; repeating the request unchanged will not help.',
  ),
  gateway_duplicate: row(
    [
      'The gateway already has this order id or key',
      'Look it up: an order made elsewhere can be adopted, a new charge needs another order id.',
    ],
    // Not definite: after an unclear first send, and for a refund's key, it means that it was done.
    { kind: 'GatewayDuplicateOrderError', status: 400, stage: 'at', definite: false },
  ),
  gateway_authentication_failed: row(
    ['The gateway refused our server key', 'Check GATEWAY_SERVER_KEY and GATEWAY_IS_PRODUCTION.'],
    { kind: 'GatewayAuthenticationError', status: 502, stage: 'at' },
  ),
  gateway_rate_limited: row(
    ['The gateway is limiting our requests', 'Send it again after the time in Retry-After.'],
    { kind: 'GatewayRateLimitError', status: 503, stage: 'at', retryable: true },
  ),
  gateway_failed: row(
    ['The gateway failed', 'Send it again later with the same Idempotency-Key.'],
    { kind: 'GatewayAPIError', status: 502, stage: 'at', definite: false, retryable: true },
  ),
  outcome_unknown: row(
    [
      'The gateway did not answer clearly; it may have acted',
      'Read the object named here, or repeat with the same Idempotency-Key. Do not start a second one.',
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
      'It was done at the gateway but could not be written down yet',
      'Read the object named here in a minute; the record is repaired in the background.',
    ],
    { kind: 'GatewayError', status: 504, stage: 'after', definite: false, retryable: true },
  ),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
