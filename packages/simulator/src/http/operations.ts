import { charge } from '../charge/charge.ts'
import { approve, cancel, capture, deny, expire } from '../operations/actions.ts'
import { getBalanceMutation } from '../operations/balance_mutation.ts'
import { createAccessToken } from '../operations/bi_snap.ts'
import { getBin } from '../operations/bins.ts'
import { getCardToken, pointInquiry, registerCard } from '../operations/cards.ts'
import { cancelCheckout, createCheckout } from '../operations/checkouts.ts'
import { getStatus, getStatusB2b } from '../operations/get_status.ts'
import { getHistory, listHistory } from '../operations/history.ts'
import { directRefund, refund } from '../operations/refund.ts'
import { createInvoice, getInvoice, voidInvoice } from '../operations/invoices.ts'
import { createPayAccount, getPayAccount, unbindPayAccount } from '../operations/pay_accounts.ts'
import {
  cancelSubscription,
  createSubscription,
  disableSubscription,
  enableSubscription,
  getSubscription,
  updateSubscription,
} from '../operations/subscriptions.ts'
import type { Handler } from './call.ts'
import type { Pattern } from './route_table.ts'

/** One endpoint of the gateway. */
export interface Operation extends Pattern {
  operation: string
  handler: Handler
  /** Whose error shapes it has (gateway-protocol.md#where-the-code-is). */
  family: 'core' | 'subscription' | 'invoice' | 'bin' | 'snap' | 'balance' | 'bi_snap'
  /**
   * Which key it needs: calls of the browser have the client key in the query
   * (gateway-protocol.md#authentication). Those of BI-SNAP are signed.
   */
  auth: 'server' | 'client' | 'either' | 'signed' | 'own'
  /**
   * Whether the Idempotency-Key header counts: all core POSTs but the account ones
   * (gateway-protocol.md#idempotency).
   */
  idempotent: boolean
}

const core = (operation: string, route: string, handler: Handler): Operation => {
  const [method = '', path = ''] = route.split(' ')
  const idempotent = method === 'POST' && !path.startsWith('/v2/pay/account')
  return { operation, method, path, handler, family: 'core', auth: 'server', idempotent }
}

/** The other families keep idempotency keys of their own, or none. */
const beside =
  (family: Exclude<Operation['family'], 'core'>) =>
  (operation: string, route: string, handler: Handler): Operation => ({
    ...core(operation, route, handler),
    family,
    idempotent: false,
  })

const subscription = beside('subscription')
const invoice = beside('invoice')
const bin = beside('bin')
const snap = beside('snap')
const balance = beside('balance')
const biSnap = beside('bi_snap')

/** Every wire operation that has an endpoint. Fixed words come before `{id}`. */
export const OPERATIONS: readonly Operation[] = [
  core('charge', 'POST /v2/charge', charge),
  core('capture', 'POST /v2/capture', capture),
  { ...core('get_card_token', 'GET /v2/token', getCardToken), auth: 'client' },
  { ...core('register_card', 'GET /v2/card/register', registerCard), auth: 'client' },
  core('point_inquiry', 'GET /v2/point_inquiry/{token_id}', pointInquiry),
  { ...bin('get_bin', 'GET /v1/bins/{bin}', getBin), auth: 'either' },
  core('create_pay_account', 'POST /v2/pay/account', createPayAccount),
  core('get_pay_account', 'GET /v2/pay/account/{account_id}', getPayAccount),
  core('unbind_pay_account', 'POST /v2/pay/account/{account_id}/unbind', unbindPayAccount),
  core('get_status', 'GET /v2/{id}/status', getStatus),
  core('get_status_b2b', 'GET /v2/{id}/status/b2b', getStatusB2b),
  core('cancel', 'POST /v2/{id}/cancel', cancel),
  core('expire', 'POST /v2/{id}/expire', expire),
  core('approve', 'POST /v2/{id}/approve', approve),
  core('deny', 'POST /v2/{id}/deny', deny),
  core('refund', 'POST /v2/{id}/refund', refund),
  core('direct_refund', 'POST /v2/{id}/refund/online/direct', directRefund),
  subscription('create_subscription', 'POST /v1/subscriptions', createSubscription),
  subscription('get_subscription', 'GET /v1/subscriptions/{id}', getSubscription),
  subscription('disable_subscription', 'POST /v1/subscriptions/{id}/disable', disableSubscription),
  subscription('enable_subscription', 'POST /v1/subscriptions/{id}/enable', enableSubscription),
  subscription('cancel_subscription', 'POST /v1/subscriptions/{id}/cancel', cancelSubscription),
  subscription('update_subscription', 'PATCH /v1/subscriptions/{id}', updateSubscription),
  invoice('create_invoice', 'POST /v1/invoices', createInvoice),
  invoice('get_invoice', 'GET /v1/invoices/{id}', getInvoice),
  invoice('void_invoice', 'PATCH /v1/invoices/{id}/void', voidInvoice),
  snap('create_checkout', 'POST /snap/v1/transactions', createCheckout),
  snap('cancel_checkout', 'POST /snap/v1/transactions/{id}/cancel', cancelCheckout),
  balance('get_balance_mutation', 'GET /v1/balance/mutation', getBalanceMutation),
  {
    ...biSnap('create_access_token', 'POST /v1.0/access-token/b2b', createAccessToken),
    auth: 'own',
  },
  {
    ...biSnap('list_history', 'POST /v1.0/transaction-history-list', listHistory),
    auth: 'signed',
  },
  {
    ...biSnap('get_history', 'POST /v1.0/transaction-history-detail', getHistory),
    auth: 'signed',
  },
]
