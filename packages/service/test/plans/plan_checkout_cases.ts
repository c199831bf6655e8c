import {
  checkEndedPage,
  claimDueCheckouts,
  listPaymentIdsOfCheckout,
  listPaymentsOfCheckout,
  lockAttempt,
  setNextCheckoutCheck,
} from '../../src/store/checkouts/checks.ts'
import {
  changeCheckout,
  findCheckout,
  findCheckoutById,
  findCheckoutByOrderId,
  listCheckouts,
  lockCheckout,
  type CheckoutFilters,
} from '../../src/store/checkouts/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { ownerOf, STAFF } from '../store/sample_rows.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

const OWNER = ownerOf('owner-1')
const KEY = 'gateway_checkout_pkey'
const HOUR_MS = 3_600_000

export function checkoutCases({ checkout_id, middle }: Landmarks): PlanCase[] {
  const list = (caller: typeof OWNER, filters: CheckoutFilters) => async (tx: Tx) =>
    await listCheckouts(tx, caller, filters, { cursor: null, page_size: 20 })
  const checkouts = (name: string) => `gateway_checkout_${name}`
  const owners = [checkouts('owner'), checkouts('owner_status')]
  const an_hour = { created_from: middle, created_before: new Date(middle.getTime() + HOUR_MS) }
  return [
    { query: 'checkouts of an owner', indexes: owners, run: list(OWNER, {}) },
    {
      query: 'checkouts of an owner, status',
      indexes: owners,
      run: list(OWNER, { status: 'open' }),
    },
    {
      query: 'checkouts, staff, status',
      indexes: [checkouts('status'), checkouts('created')],
      run: list(STAFF, { status: 'open' }),
    },
    {
      query: 'checkouts, staff, an hour',
      indexes: [checkouts('created')],
      run: list(STAFF, an_hour),
    },
    {
      query: 'checkouts, staff, order id',
      indexes: [checkouts('order_id')],
      run: list(STAFF, { order_id: 'page-7' }),
    },
    {
      query: 'checkout by its order id',
      indexes: [checkouts('order_id')],
      run: async (tx) => await findCheckoutByOrderId(tx, 'page-7'),
    },
    looks('checkout of a caller', KEY, (tx) => findCheckout(tx, STAFF, checkout_id)),
    looks('checkout by id', KEY, (tx) => findCheckoutById(tx, checkout_id)),
    looks('lock a checkout', KEY, (tx) => lockCheckout(tx, checkout_id)),
    writes('change a checkout', KEY, (tx) =>
      changeCheckout(tx, { id: checkout_id, version: 1 }, { page_closed: true }),
    ),
    writes('ask about a page that is over', KEY, (tx) => checkEndedPage(tx, checkout_id)),
    writes('plan the check of a checkout', KEY, (tx) =>
      setNextCheckoutCheck(tx, checkout_id, { next_check_at: middle, page_over: false }),
    ),
    looks('payments of a checkout', 'gateway_payment_attempt', (tx) =>
      listPaymentsOfCheckout(tx, checkout_id),
    ),
    looks('payment ids of a checkout', 'gateway_payment_attempt', (tx) =>
      listPaymentIdsOfCheckout(tx, checkout_id),
    ),
    looks('one transaction of a checkout', 'gateway_payment_attempt', (tx) =>
      lockAttempt(tx, checkout_id, 'transaction-7'),
    ),
    {
      query: 'claim 20 due checkouts',
      indexes: [checkouts('next_check')],
      writes: true,
      run: async (tx) =>
        await claimDueCheckouts(tx, { limit: 20, lease_ms: 60_000, due_by: new Date() }),
    },
  ]
}
