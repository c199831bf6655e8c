import type { Caller } from '../../domain/caller.ts'
import type { CheckoutStatus, GatewayCheckout } from '../../domain/checkout.ts'
import type { Tx } from '../connection/transaction.ts'
import {
  conditionsOf,
  pageOf,
  pageStatement,
  visibleTo,
  whereOf,
  type Page,
  type PageRequest,
} from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

/** Every property of GatewayCheckout; a test compares both ways. */
export const CHECKOUT_COLUMNS = `
  id, owner_id, order_id, status, amount, currency, description, return_url, payment_types,
  page_expiry_minutes, payment_expiry_minutes, customer_first_name, customer_last_name,
  customer_email, customer_phone, items, metadata, token, redirect_url, fingerprint, expires_at,
  completed_at, payment_id, page_closed, version, next_check_at, created_at, updated_at`

export type NewCheckout = Pick<
  GatewayCheckout,
  | 'id'
  | 'owner_id'
  | 'order_id'
  | 'amount'
  | 'currency'
  | 'description'
  | 'return_url'
  | 'payment_types'
  | 'page_expiry_minutes'
  | 'payment_expiry_minutes'
  | 'customer_first_name'
  | 'customer_last_name'
  | 'customer_email'
  | 'customer_phone'
  | 'items'
  | 'metadata'
  | 'fingerprint'
>

const NEW_COLUMNS = `
  id, owner_id, order_id, amount, currency, description, return_url, payment_types,
  page_expiry_minutes, payment_expiry_minutes, customer_first_name, customer_last_name,
  customer_email, customer_phone, items, metadata, fingerprint`

/**
 * Stores a checkout as `initiated`, version 1. Undefined, and nothing is written, if its order id is
 * taken by another checkout that the gateway did not refuse. Waits for one that is being written.
 */
export async function insertCheckout(
  tx: Tx,
  checkout: NewCheckout,
): Promise<GatewayCheckout | undefined> {
  const [inserted] = await tx.query<GatewayCheckout>(
    `insert into gapura.gateway_checkout (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_record(null::gapura.gateway_checkout, $1)
     on conflict do nothing
     returning ${CHECKOUT_COLUMNS}`,
    [toJson(checkout)],
  )
  return inserted
}

/** The checkout; undefined if it is missing or the caller may not see it, which look the same. */
export async function findCheckout(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<GatewayCheckout | undefined> {
  const where = whereOf([['id = ?', id], ...visibleTo(caller)])
  const [checkout] = await tx.query<GatewayCheckout>(
    `select ${CHECKOUT_COLUMNS}
     from gapura.gateway_checkout
     where ${where.sql}`,
    where.values,
  )
  return checkout
}

/** A checkout by its id, for work without a caller. Takes no lock. */
export async function findCheckoutById(tx: Tx, id: string): Promise<GatewayCheckout | undefined> {
  const [checkout] = await tx.query<GatewayCheckout>(
    `select ${CHECKOUT_COLUMNS}
     from gapura.gateway_checkout
     where id = $1`,
    [id],
  )
  return checkout
}

/** The checkout of an order id that the gateway did not refuse. Takes no lock. */
export async function findCheckoutByOrderId(
  tx: Tx,
  order_id: string,
): Promise<GatewayCheckout | undefined> {
  const [checkout] = await tx.query<GatewayCheckout>(
    `select ${CHECKOUT_COLUMNS}
     from gapura.gateway_checkout
     where order_id = $1
       and status <> 'failure'`,
    [order_id],
  )
  return checkout
}

/**
 * Locks this checkout's row until the transaction ends; after any payment's (see payments/locks.ts).
 */
export async function lockCheckout(tx: Tx, id: string): Promise<GatewayCheckout | undefined> {
  const [checkout] = await tx.query<GatewayCheckout>(
    `select ${CHECKOUT_COLUMNS}
     from gapura.gateway_checkout
     where id = $1
     for no key update`,
    [id],
  )
  return checkout
}

/** The documented filters. Both times are inclusive bounds of the creation. */
export interface CheckoutFilters {
  status?: CheckoutStatus
  order_id?: string
  created_from?: Date
  created_before?: Date
  ids?: readonly string[]
}

const FILTERS = [
  ['status', 'status = ?'],
  // Each half has an index of its own.
  ['order_id', "((order_id = ? and status <> 'failure') or (order_id = ? and status = 'failure'))"],
  ['created_from', 'created_at >= ?'],
  ['created_before', 'created_at < ?'],
  ['ids', 'id = any(?::uuid[])'],
] as const satisfies readonly (readonly [keyof CheckoutFilters, string])[]

/** A page of the checkouts the caller may see, newest first. */
export async function listCheckouts(
  tx: Tx,
  caller: Caller,
  filters: CheckoutFilters,
  request: PageRequest,
): Promise<Page<GatewayCheckout>> {
  const { text, values } = pageStatement(
    {
      table: 'gapura.gateway_checkout',
      columns: CHECKOUT_COLUMNS,
      conditions: [...visibleTo(caller), ...conditionsOf(FILTERS, filters)],
    },
    request,
  )
  return pageOf(await tx.query<GatewayCheckout>(text, values, { prepare: false }), request)
}

const CHANGED_COLUMNS = [
  'status',
  'token',
  'redirect_url',
  'expires_at',
  'completed_at',
  'payment_id',
  'page_closed',
  'next_check_at',
] as const satisfies readonly (keyof GatewayCheckout)[]

export type CheckoutChange = Partial<Pick<GatewayCheckout, (typeof CHANGED_COLUMNS)[number]>>

/** One transition: as changePayment, fenced by the version, which it raises by one. */
export async function changeCheckout(
  tx: Tx,
  { id, version }: Pick<GatewayCheckout, 'id' | 'version'>,
  change: CheckoutChange,
): Promise<GatewayCheckout | undefined> {
  const [changed] = await tx.query<GatewayCheckout>(
    `update gapura.gateway_checkout as checkout
     set (${CHANGED_COLUMNS.join(', ')}) = (
           select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
           from jsonb_populate_record(checkout, $3::jsonb) as changed
         ),
         version = version + 1,
         updated_at = gapura.now()
     where id = $1
       and version = $2
     returning ${CHECKOUT_COLUMNS}`,
    [id, version, toJson(change)],
  )
  return changed
}
