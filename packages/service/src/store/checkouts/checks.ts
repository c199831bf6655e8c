import type { GatewayCheckout } from '../../domain/checkout.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { Tx } from '../connection/transaction.ts'
import { PAYMENT_COLUMNS } from '../payments/rows.ts'
import { CHECKOUT_COLUMNS } from './rows.ts'

const DUE_CHECKOUTS_MAX = 500

const COLUMNS = CHECKOUT_COLUMNS.split(',')
  .map((column) => `checkout.${column.trim()}`)
  .join(', ')

/** Plans a check now if the page is over: nothing may be left that it waits for. */
export async function checkEndedPage(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update gapura.gateway_checkout
     set next_check_at = gapura.now(),
         updated_at = gapura.now()
     where id = $1
       and status = 'open'
       and expires_at <= gapura.now()`,
    [id],
  )
}

/**
 * Plans the next check, null if none is needed, and removes the page's token and address once the
 * page is over. No transition: the version stays.
 */
export async function setNextCheckoutCheck(
  tx: Tx,
  id: string,
  { next_check_at, page_over }: { next_check_at: Date | null; page_over: boolean },
): Promise<void> {
  await tx.query(
    `update gapura.gateway_checkout
     set next_check_at = $2,
         token = case when $3 then null else token end,
         redirect_url = case when $3 then null else redirect_url end,
         updated_at = gapura.now()
     where id = $1`,
    [id, next_check_at, page_over],
  )
}

interface ClaimOptions {
  limit: number
  /** After this the check is due again unless it was made: a killed worker loses nothing. */
  lease_ms: number
  /** Only what was due by then. */
  due_by: Date
}

/**
 * Claims those longest due and postpones each by the lease; two sweeps never claim the same one.
 */
export const claimDueCheckouts = async (
  tx: Tx,
  { limit, lease_ms, due_by }: ClaimOptions,
): Promise<GatewayCheckout[]> =>
  await tx.query<GatewayCheckout>(
    `with due as (
       select id
       from gapura.gateway_checkout
       where next_check_at <= $3
       order by next_check_at, id
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update skip locked
     ),
     claimed as (
       update gapura.gateway_checkout as checkout
       set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000)
       -- As an array, by the key: joined, the planner may read the whole table for them.
       where checkout.id = any(array(select id from due))
       returning ${COLUMNS}
     )
     select * from claimed order by id`,
    [Math.min(limit, DUE_CHECKOUTS_MAX), lease_ms, due_by],
  )

const PAYMENTS_MAX = 100

/** The payments made on a page, oldest first. Takes no lock. */
export const listPaymentsOfCheckout = async (
  tx: Tx,
  checkout_id: string,
): Promise<GatewayPayment[]> =>
  await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where checkout_id = $1
     order by created_at, id
     limit $2`,
    [checkout_id, PAYMENTS_MAX],
  )

/** The same, their ids alone. */
export async function listPaymentIdsOfCheckout(tx: Tx, checkout_id: string): Promise<string[]> {
  const found = await tx.query<{ id: string }>(
    `select id
     from gapura.gateway_payment
     where checkout_id = $1
     order by created_at, id
     limit $2`,
    [checkout_id, PAYMENTS_MAX],
  )
  return found.map(({ id }) => id)
}

/**
 * Locks the payment of one transaction of a checkout; after the payment that has the order id (see
 * payments/locks.ts).
 */
export async function lockAttempt(
  tx: Tx,
  checkout_id: string,
  transaction_id: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where checkout_id = $1
       and cycle_transaction_id = $2
     for no key update`,
    [checkout_id, transaction_id],
  )
  return payment
}
