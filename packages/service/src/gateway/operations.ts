import { gatewayError } from '../domain/errors.ts'

/**
 * How a family of paths reports errors and what its idempotency header is called
 * (gateway-protocol.md#idempotency, gateway-protocol.md#where-the-code-is).
 */
export type Family = 'v2' | 'bin' | 'subscription' | 'invoice' | 'page' | 'balance' | 'bi_snap'

export interface OperationRow {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  family: Family
  /**
   * The spec's parameters in its order; `name=value` has that default
   * (gateway-protocol.md#operations).
   */
  parameters: readonly string[]
  idempotency_header: 'Idempotency-Key' | 'X-Idempotency-Key' | null
  /** Only a query may be retried automatically. */
  retryable: boolean
  timeout_ms: number
}

const READ_MS = 10_000

const read = (path: string, parameters: readonly string[], family: Family = 'v2') =>
  ({
    method: 'GET',
    path,
    family,
    parameters,
    idempotency_header: null,
    retryable: true,
    timeout_ms: READ_MS,
  }) as const satisfies OperationRow

const write = (
  path: string,
  parameters: readonly string[],
  more: Partial<OperationRow> = {},
): OperationRow => ({
  method: 'POST',
  path,
  family: 'v2',
  parameters,
  idempotency_header: 'Idempotency-Key',
  retryable: false,
  timeout_ms: READ_MS,
  ...more,
})

const ORDER = ['order_id'] as const
const REFUND = ['order_id', 'refund_key', 'amount', 'reason=""'] as const
const CARD = ['card_number', 'card_exp_month', 'card_exp_year'] as const
const SUBSCRIPTION = ['subscription_id'] as const

/** A query that registers or spends something is not retried automatically. */
const once = (row: OperationRow): OperationRow => ({ ...row, retryable: false })

/**
 * The twenty-six wire operations of gateway-protocol.md#operations; the twenty-seventh,
 * `verify_signature`, is local. The two of hosted checkout are on another host.
 */
export const OPERATIONS = {
  charge: write('/v2/charge', ['payload']),
  get_status: read('/v2/{order_id}/status', ORDER),
  get_status_b2b: read('/v2/{order_id}/status/b2b', ORDER),
  cancel: write('/v2/{order_id}/cancel', ORDER),
  expire: write('/v2/{order_id}/expire', ORDER),
  capture: write('/v2/capture', ['transaction_id', 'gross_amount']),
  refund: write('/v2/{order_id}/refund', REFUND),
  direct_refund: write('/v2/{order_id}/refund/online/direct', REFUND),
  approve: write('/v2/{order_id}/approve', ORDER),
  deny: write('/v2/{order_id}/deny', ORDER),
  get_card_token: once(read('/v2/token', [...CARD, 'card_cvv', 'client_key=None'])),
  register_card: once(read('/v2/card/register', [...CARD, 'client_key=None'])),
  point_inquiry: read('/v2/point_inquiry/{token_id}', ['token_id']),
  get_bin: read('/v1/bins/{bin_number}', ['bin_number'], 'bin'),
  create_pay_account: write('/v2/pay/account', ['payload'], { idempotency_header: null }),
  get_pay_account: read('/v2/pay/account/{account_id}', ['account_id']),
  unbind_pay_account: write('/v2/pay/account/{account_id}/unbind', ['account_id'], {
    idempotency_header: null,
  }),
  create_subscription: write('/v1/subscriptions', ['payload'], { family: 'subscription' }),
  get_subscription: read('/v1/subscriptions/{subscription_id}', SUBSCRIPTION, 'subscription'),
  disable_subscription: write('/v1/subscriptions/{subscription_id}/disable', SUBSCRIPTION, {
    family: 'subscription',
  }),
  enable_subscription: write('/v1/subscriptions/{subscription_id}/enable', SUBSCRIPTION, {
    family: 'subscription',
  }),
  cancel_subscription: write('/v1/subscriptions/{subscription_id}/cancel', SUBSCRIPTION, {
    family: 'subscription',
  }),
  update_subscription: write('/v1/subscriptions/{subscription_id}', [...SUBSCRIPTION, 'payload'], {
    method: 'PATCH',
    family: 'subscription',
    idempotency_header: null,
  }),
  create_invoice: write('/v1/invoices', ['payload'], {
    family: 'invoice',
    idempotency_header: 'X-Idempotency-Key',
  }),
  get_invoice: read('/v1/invoices/{invoice_id}', ['invoice_id'], 'invoice'),
  void_invoice: write('/v1/invoices/{invoice_id}/void', ['invoice_id', 'void_reason=""'], {
    method: 'PATCH',
    family: 'invoice',
    idempotency_header: null,
  }),
  create_checkout: write('/snap/v1/transactions', ['payload'], {
    family: 'page',
    idempotency_header: null,
  }),
  cancel_checkout: write('/snap/v1/transactions/{token}/cancel', ['token'], {
    family: 'page',
    idempotency_header: null,
  }),
} as const satisfies Record<string, OperationRow>

export type OperationName = keyof typeof OPERATIONS

/** A query that is sent as a POST; repeating it changes nothing. */
const ask = (path: string): OperationRow => ({
  ...write(path, [], { family: 'bi_snap', idempotency_header: null }),
  retryable: true,
})

/** Reads of the gateway's statements (gateway-protocol.md#balance-and-history). */
export const STATEMENT_OPERATIONS = {
  get_balance_mutation: read('/v1/balance/mutation', [], 'balance'),
  create_access_token: ask('/v1.0/access-token/b2b'),
  list_history: ask('/v1.0/transaction-history-list'),
  get_history: ask('/v1.0/transaction-history-detail'),
} as const satisfies Record<string, OperationRow>

/** Every call that is made to the gateway. */
export type WireOperation = OperationName | keyof typeof STATEMENT_OPERATIONS

const ROWS: Readonly<Record<WireOperation, OperationRow>> = {
  ...OPERATIONS,
  ...STATEMENT_OPERATIONS,
}

export const rowOf = (operation: WireOperation): OperationRow => ROWS[operation]

/** The path with its ids in place, encoded: an id with a slash must not reach another path. */
export const pathOf = (operation: WireOperation, ids: Readonly<Record<string, string>>): string =>
  ROWS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ''
    // Dots survive the encoding, and an empty or dotted segment would name another path.
    if (/^\.{0,2}$/.test(id)) {
      const errors = [{ field: name, message: 'must be an id' }]
      throw gatewayError('invalid_request', { operation, errors })
    }
    return encodeURIComponent(id)
  })
