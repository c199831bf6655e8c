import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode, type GatewayErrorKind } from '../../src/domain/error_catalogue.ts'
import { errorFromAnswer } from '../../src/gateway/errors.ts'
import type { OperationName } from '../../src/gateway/operations.ts'
import { always, CHARGE, clientOf, replyServer } from './reply_server.ts'

const answerOf = (operation: OperationName, code: string, http_status = 200) =>
  errorFromAnswer({ operation, http_status, status_code: code, readable: true })

// Every row of the gateway's own list of codes (gateway-protocol.md#status-codes), and the error
// kind of a caller.
const ROWS: [code: string, error: ErrorCode | undefined, kind: GatewayErrorKind | undefined][] = [
  ['200', undefined, undefined],
  ['201', undefined, undefined],
  ['202', undefined, undefined],
  ['204', 'outcome_unknown', 'GatewayAPIError'],
  ['300', 'gateway_refused', 'GatewayAPIError'],
  ['400', 'gateway_rejected', 'GatewayValidationError'],
  ['401', 'gateway_authentication_failed', 'GatewayAuthenticationError'],
  ['402', 'channel_not_active', 'GatewayAPIError'],
  ['403', 'gateway_refused', 'GatewayAPIError'],
  ['404', 'gateway_not_found', 'GatewayAPIError'],
  ['405', 'gateway_refused', 'GatewayAPIError'],
  ['406', 'gateway_duplicate', 'GatewayDuplicateOrderError'],
  ['407', 'gateway_state_conflict', 'GatewayAPIError'],
  ['408', 'gateway_rejected', 'GatewayValidationError'],
  ['409', 'outcome_unknown', 'GatewayAPIError'],
  ['410', 'account_blocked', 'GatewayAPIError'],
  ['411', 'card_token_invalid', 'GatewayValidationError'],
  ['412', 'gateway_state_conflict', 'GatewayAPIError'],
  ['413', 'gateway_rejected', 'GatewayValidationError'],
  ['414', 'refund_rejected', 'GatewayAPIError'],
  ['429', 'gateway_rate_limited', 'GatewayRateLimitError'],
  ['500', 'outcome_unknown', 'GatewayAPIError'],
  ['501', 'gateway_refused', 'GatewayAPIError'],
  ['502', 'outcome_unknown', 'GatewayAPIError'],
  ['503', 'outcome_unknown', 'GatewayAPIError'],
  ['504', 'outcome_unknown', 'GatewayAPIError'],
  ['505', 'outcome_unknown', 'GatewayAPIError'],
]

describe('a body code under HTTP 200', () => {
  test.each(ROWS)('%s on a charge is %s', (code, error, kind) => {
    expect(answerOf('charge', code)).toBe(error)
    expect(error && ERRORS[error].kind).toBe(kind)
  })

  test('takes precedence over the HTTP status; a success code under a failing HTTP status does not', () => {
    expect(answerOf('charge', '406', 400)).toBe('gateway_duplicate')
    expect(answerOf('charge', '200', 500)).toBe('outcome_unknown')
    expect(answerOf('get_status', '200', 500)).toBe('gateway_failed')
  })

  test('5xx leaves the outcome of a change unknown, and only fails a read', () => {
    expect(answerOf('get_status', '503')).toBe('gateway_failed')
    expect(answerOf('refund', '500')).toBe('outcome_unknown')
  })

  test.each([
    ['expire', undefined],
    ['get_status', undefined],
    ['get_status_b2b', undefined],
    ['cancel', 'gateway_state_conflict'],
    ['capture', 'gateway_state_conflict'],
    ['refund', 'gateway_state_conflict'],
  ] as const)('407 on %s is %s, whatever the HTTP status', (operation, error) => {
    expect(answerOf(operation, '407')).toBe(error)
    expect(answerOf(operation, '407', 407)).toBe(error)
  })

  test.each([
    ['get_pay_account', undefined],
    ['unbind_pay_account', undefined],
    ['refund', 'outcome_unknown'],
  ] as const)('204 on %s is %s', (operation, error) => {
    expect(answerOf(operation, '204')).toBe(error)
  })
})

describe('an answer without a code of the gateway', () => {
  const edge = (operation: OperationName, http_status: number) =>
    errorFromAnswer({ operation, http_status, status_code: null, readable: false })

  test('a 404 page proves neither that a charge was not made nor that an order is unknown', () => {
    expect(edge('charge', 404)).toBe('outcome_unknown')
    expect(edge('get_status', 404)).toBe('gateway_failed')
    expect(edge('get_invoice', 404)).toBe('gateway_failed')
  })

  test.each([400, 403, 405, 406, 410, 411, 412, 413, 414])(
    '%i is a refusal and nothing more: only a body gives it the v2 meaning',
    (http_status) => {
      expect(edge('charge', http_status)).toBe('gateway_refused')
      expect(edge('refund', http_status)).toBe('gateway_refused')
    },
  )

  test('401 and 429 mean the same from an edge', () => {
    expect(edge('charge', 401)).toBe('gateway_authentication_failed')
    expect(edge('charge', 429)).toBe('gateway_rate_limited')
  })
})

describe('the meaning of a code depends on the operation', () => {
  test.each([
    ['get_bin', 'gateway_rate_limited'],
    ['create_invoice', 'gateway_duplicate'],
    ['void_invoice', 'gateway_state_conflict'],
    ['charge', 'outcome_unknown'],
    ['get_status', 'gateway_failed'],
  ] as const)('409 on %s is %s', (operation, error) => {
    expect(answerOf(operation, '409')).toBe(error)
  })

  test.each([
    ['charge', undefined],
    ['get_status', undefined],
    ['cancel', undefined],
    ['capture', 'capture_denied'],
    ['refund', 'refund_denied'],
    ['direct_refund', 'refund_denied'],
    ['create_pay_account', 'gateway_refused'],
    ['unbind_pay_account', 'gateway_refused'],
  ] as const)('202 in the body of %s is %s', (operation, error) => {
    expect(answerOf(operation, '202')).toBe(error)
  })

  test('HTTP 202 means that the first request still runs: the outcome of a change is unknown', () => {
    expect(answerOf('charge', '202', 202)).toBe('outcome_unknown')
    expect(answerOf('get_status', '200', 202)).toBe('gateway_failed')
  })

  test('a redirect is refused, whatever its target', () => {
    expect(answerOf('charge', '200', 302)).toBe('gateway_refused')
    expect(answerOf('get_status', '200', 308)).toBe('gateway_refused')
  })

  test('an unknown code is a refusal only in the 4xx range', () => {
    expect(answerOf('charge', '499')).toBe('gateway_refused')
    expect(answerOf('charge', '599')).toBe('outcome_unknown')
    expect(answerOf('charge', '99')).toBe('outcome_unknown')
    expect(answerOf('charge', 'OK')).toBe('outcome_unknown')
    expect(answerOf('get_status', 'OK')).toBe('gateway_failed')
  })
})

describe('the three v1 error shapes', () => {
  test('subscriptions: real HTTP code, status_message and validation_messages', async () => {
    const { url } = await replyServer(
      always(400, { status_message: 'Invalid parameter.', validation_messages: ['name is empty'] }),
    )
    const attempt = clientOf(url).getSubscription('s-1')
    await expect(attempt).rejects.toMatchObject({
      code: 'gateway_rejected',
      gateway: {
        http_status: 400,
        status_code: null,
        status_message: 'Invalid parameter.; name is empty',
      },
    })
  })

  test('invoices: real HTTP code and error_messages', async () => {
    const { url } = await replyServer(always(404, { error_messages: ['invoice not found'] }))
    await expect(clientOf(url).getInvoice('i-1')).rejects.toMatchObject({
      code: 'gateway_not_found',
      gateway: { status_message: 'invoice not found' },
    })
  })

  test('BIN: errors[] under 404, plain text under 401, rate limit under 409', async () => {
    const missing = await replyServer(
      always(404, { errors: [{ message_title: 'not found', message: 'no such bin' }] }),
    )
    await expect(clientOf(missing.url).getBin('1')).rejects.toMatchObject({
      code: 'gateway_not_found',
      gateway: { status_message: 'no such bin' },
    })
    const stranger = await replyServer(always(401, 'Unauthorized'))
    await expect(clientOf(stranger.url).getBin('1')).rejects.toMatchObject({
      name: 'GatewayAuthenticationError',
      gateway: { status_message: null },
    })
    const busy = await replyServer(always(409, { errors: [] }, { 'retry-after': '30' }))
    await expect(clientOf(busy.url).getBin('1')).rejects.toMatchObject({
      name: 'GatewayRateLimitError',
      retry_after_s: 30,
    })
  })
})

describe('replies that are not JSON', () => {
  test.each([
    [404, '<html>no such page</html>', 'outcome_unknown', false],
    [403, '<html>blocked</html>', 'gateway_refused', true],
    [502, '<html>bad gateway</html>', 'outcome_unknown', false],
    [200, '<html>welcome</html>', 'outcome_unknown', false],
    [200, '{"status_code":"200","transac', 'outcome_unknown', false],
    [200, '[]', 'outcome_unknown', false],
    [200, 'null', 'outcome_unknown', false],
    [200, '{"status_code":"200","order_id":{}}', 'outcome_unknown', false],
    [200, '', 'outcome_unknown', false],
    [200, '{"status_code":"200"}', 'outcome_unknown', false],
    [200, '{"status_code":"200","transaction_status":"capture"}', 'outcome_unknown', false],
    [
      200,
      '{"status_code":"200","transaction_status":"capture","order_id":"another"}',
      'outcome_unknown',
      false,
    ],
  ] as const)('HTTP %i with %j on a charge is %s', async (status, body, code, definite) => {
    const { url, received } = await replyServer(always(status, body))
    await expect(clientOf(url).charge(CHARGE)).rejects.toMatchObject({ code, definite })
    expect(received).toHaveLength(1)
  })
})
