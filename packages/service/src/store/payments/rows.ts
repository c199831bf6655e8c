import type { Caller } from '../../domain/caller.ts'
import type { Money } from '../../domain/money.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import type { Tx } from '../connection/transaction.ts'
import { visibleTo, whereOf } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'

/** Every property of GatewayPayment; a test compares both ways. */
export const PAYMENT_COLUMNS = `
  id, owner_id, order_id, transaction_id, api_family, refused, payment_type, bank, store, acquirer,
  issuer, masked_card, gross_amount, currency, transaction_status, fraud_status, status_code,
  status_message, authorized_amount, captured_amount, refunded_amount, refund_reserved_amount,
  booked_received, booked_refunded, booked_charged_back,
  customer_first_name, customer_last_name, customer_email, customer_phone, va_number, bill_key,
  biller_code, payment_code, redirect_url, deeplink_url, qr_string, actions, metadata,
  custom_field1, custom_field2, custom_field3, transaction_time, settlement_time, expiry_time,
  paid_at, version, next_check_at, check_attempts, deferred_since, subscription_id, invoice_id,
  checkout_id, created_at, updated_at`

export const ITEM_COLUMNS = `
  id, payment_id, owner_id, position, item_id, name, price, quantity, brand, category,
  merchant_name, url`

/** What is known before the gateway answers. Everything else starts with its default. */
export const NEW_PAYMENT_COLUMNS = [
  'id',
  'owner_id',
  'order_id',
  'api_family',
  'payment_type',
  'bank',
  'store',
  'acquirer',
  'gross_amount',
  'currency',
  'customer_first_name',
  'customer_last_name',
  'customer_email',
  'customer_phone',
  'metadata',
  'custom_field1',
  'custom_field2',
  'custom_field3',
  'transaction_id',
  'subscription_id',
  'invoice_id',
] as const satisfies readonly (keyof GatewayPayment)[]

export type NewPayment = Pick<GatewayPayment, (typeof NEW_PAYMENT_COLUMNS)[number]>

const NEW_COLUMNS = NEW_PAYMENT_COLUMNS.join(', ')

export type NewPaymentItem = Omit<GatewayPaymentItem, 'payment_id' | 'owner_id' | 'position'>

/** A payment that we did not charge, with the page on which it was made. */
export type NewLinkedPayment = NewPayment & Partial<Pick<GatewayPayment, 'checkout_id' | 'refused'>>

/**
 * Stores a payment as `initiated`, version 1. Undefined, and nothing is written, if another payment
 * that was not refused has its order id, or is the same cycle of the same subscription, or the same
 * transaction of the same checkout.
 */
export async function insertPayment(
  tx: Tx,
  payment: NewLinkedPayment,
): Promise<GatewayPayment | undefined> {
  const [inserted] = await tx.query<GatewayPayment>(
    `insert into gapura.gateway_payment (${NEW_COLUMNS}, checkout_id, refused)
     select ${NEW_COLUMNS}, checkout_id, coalesce(refused, false)
     from jsonb_populate_record(null::gapura.gateway_payment, $1)
     on conflict do nothing
     returning ${PAYMENT_COLUMNS}`,
    [toJson(payment)],
  )
  return inserted
}

/** The payment; undefined if it is missing or the caller may not see it, which look the same. */
export async function findPayment(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<GatewayPayment | undefined> {
  const where = whereOf([['id = ?', id], ...visibleTo(caller)])
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where ${where.sql}`,
    where.values,
  )
  return payment
}

/** A payment by its id, for work without a caller. Takes no lock. */
export async function findPaymentById(tx: Tx, id: string): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where id = $1`,
    [id],
  )
  return payment
}

/** The items in the caller's order. */
export const listPaymentItems = async (tx: Tx, payment_id: string): Promise<GatewayPaymentItem[]> =>
  await tx.query<GatewayPaymentItem>(
    `select ${ITEM_COLUMNS}
     from gapura.gateway_payment_item
     where payment_id = $1
     order by position`,
    [payment_id],
  )

/** The items of several payments, each in the caller's order. No statement if none is asked for. */
export async function listItemsOfPayments(
  tx: Tx,
  payment_ids: readonly string[],
): Promise<ReadonlyMap<string, GatewayPaymentItem[]>> {
  if (payment_ids.length === 0) return new Map()
  const items = await tx.query<GatewayPaymentItem>(
    `select ${ITEM_COLUMNS}
     from gapura.gateway_payment_item
     where payment_id = any($1::uuid[])
     order by payment_id, position`,
    [payment_ids],
  )
  return Map.groupBy(items, ({ payment_id }) => payment_id)
}

/** The items of the payments of these orders, by the payments' ids. Refused payments are left out. */
export async function listItemsOfOrders(
  tx: Tx,
  order_ids: readonly string[],
): Promise<ReadonlyMap<string, GatewayPaymentItem[]>> {
  const items = await tx.query<GatewayPaymentItem>(
    `select ${ITEM_COLUMNS.split(',')
      .map((column) => `item.${column.trim()}`)
      .join(', ')}
     from gapura.gateway_payment as payment
     join gapura.gateway_payment_item as item on item.payment_id = payment.id
     where payment.order_id = any($1::text[])
       and not payment.refused
     order by item.payment_id, item.position`,
    [order_ids],
  )
  return Map.groupBy(items, ({ payment_id }) => payment_id)
}

/**
 * The live payment of an order id: the one the gateway did not refuse. Without a lock and a caller,
 * to find what a duplicate or a report concerns.
 */
export async function findPaymentByOrderId(
  tx: Tx,
  order_id: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await tx.query<GatewayPayment>(
    `select ${PAYMENT_COLUMNS}
     from gapura.gateway_payment
     where order_id = $1
       and not refused`,
    [order_id],
  )
  return payment
}

/** The amounts of these orders, if they are ours. Takes no lock. */
export async function findOrderAmounts(
  tx: Tx,
  order_ids: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  const found = await tx.query<Pick<GatewayPayment, 'order_id' | 'gross_amount'>>(
    `select order_id, gross_amount
     from gapura.gateway_payment
     where order_id = any($1::text[])
       and not refused`,
    [order_ids],
  )
  return new Map(found.map(({ order_id, gross_amount }) => [order_id, gross_amount]))
}

/** The amounts of a payment, to be compared with the gateway's own records. */
export type LedgerPayment = Pick<
  GatewayPayment,
  | 'id'
  | 'order_id'
  | 'transaction_status'
  | 'refused'
  | 'checkout_id'
  | 'captured_amount'
  | 'refunded_amount'
  | 'refund_reserved_amount'
>

/** Every payment once, a page after this id. Payments created meanwhile may be missed. */
export const listLedgerPayments = async (
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<LedgerPayment[]> =>
  await tx.query<LedgerPayment>(
    `select id, order_id, transaction_status, refused, checkout_id, captured_amount,
       -- The gateway's ledger does not have what was refunded outside the gateway.
       refunded_amount - coalesce((
         select sum(refund.amount)
         from gapura.gateway_refund as refund
         where refund.payment_id = payment.id
           and refund.source = 'outside'
       ), 0)::numeric(15, 2) as refunded_amount,
       refund_reserved_amount
     from gapura.gateway_payment as payment
     where id > $1
     order by id
     limit $2`,
    [after, limit],
  )
