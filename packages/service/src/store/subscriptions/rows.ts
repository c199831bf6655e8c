import type { Caller } from '../../domain/caller.ts'
import type { GatewaySubscription, SubscriptionStatus } from '../../domain/subscription.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, visibleTo, whereOf } from '../sql/lists.ts'

/** Every property of GatewaySubscription; a test compares both ways. */
export const SUBSCRIPTION_COLUMNS = `
  id, owner_id, gateway_subscription_id, name, gateway_name, payment_type, amount, currency,
  interval, interval_unit, max_interval, current_interval, last_payment_id, start_time,
  next_execution_at, retry_interval, retry_interval_unit, retry_max_interval, status,
  customer_first_name, customer_last_name, customer_email, customer_phone, metadata, version,
  next_check_at, created_at, updated_at`

export type NewSubscription = Omit<
  GatewaySubscription,
  | 'gateway_subscription_id'
  | 'current_interval'
  | 'last_payment_id'
  | 'next_execution_at'
  | 'status'
  | 'version'
  | 'next_check_at'
  | 'created_at'
  | 'updated_at'
>

const NEW_COLUMNS = `
  id, owner_id, name, gateway_name, payment_type, amount, currency, interval, interval_unit,
  max_interval, start_time, retry_interval, retry_interval_unit, retry_max_interval,
  customer_first_name, customer_last_name, customer_email, customer_phone, metadata`

/** Stores a subscription as `initiated`, version 1. Its generated name is unique. */
export async function insertSubscription(
  tx: Tx,
  subscription: NewSubscription,
): Promise<GatewaySubscription | undefined> {
  const [inserted] = await tx.query<GatewaySubscription>(
    `insert into gapura.gateway_subscription (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_record(null::gapura.gateway_subscription, $1)
     returning ${SUBSCRIPTION_COLUMNS}`,
    [toJson(subscription)],
  )
  return inserted
}

/** The subscription; undefined if it is missing or the caller may not see it (ADR 0020). */
export async function findSubscription(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<GatewaySubscription | undefined> {
  const where = whereOf([['id = ?', id], ...visibleTo(caller)])
  const [subscription] = await tx.query<GatewaySubscription>(
    `select ${SUBSCRIPTION_COLUMNS}
     from gapura.gateway_subscription
     where ${where.sql}`,
    where.values,
  )
  return subscription
}

/** A subscription by its id, for work without a caller. Takes no lock. */
export async function findSubscriptionById(
  tx: Tx,
  id: string,
): Promise<GatewaySubscription | undefined> {
  const [subscription] = await tx.query<GatewaySubscription>(
    `select ${SUBSCRIPTION_COLUMNS}
     from gapura.gateway_subscription
     where id = $1`,
    [id],
  )
  return subscription
}

/**
 * Locks this subscription's row until the transaction ends; after any payment's (see
 * payments/locks.ts).
 */
export async function lockSubscription(
  tx: Tx,
  id: string,
): Promise<GatewaySubscription | undefined> {
  const [subscription] = await tx.query<GatewaySubscription>(
    `select ${SUBSCRIPTION_COLUMNS}
     from gapura.gateway_subscription
     where id = $1
     for no key update`,
    [id],
  )
  return subscription
}

export interface SubscriptionFilters {
  status?: SubscriptionStatus
  ids?: readonly string[]
}

const FILTERS = [
  ['status', 'status = ?'],
  ['ids', 'id = any(?::uuid[])'],
] as const satisfies readonly (readonly [keyof SubscriptionFilters, string])[]

/** A page of the subscriptions the caller may see, newest first. */
export async function listSubscriptions(
  tx: Tx,
  caller: Caller,
  filters: SubscriptionFilters,
  request: PageRequest,
): Promise<Page<GatewaySubscription>> {
  const { text, values } = pageStatement(
    {
      table: 'gapura.gateway_subscription',
      columns: SUBSCRIPTION_COLUMNS,
      conditions: [...visibleTo(caller), ...conditionsOf(FILTERS, filters)],
    },
    request,
  )
  return pageOf(await tx.query<GatewaySubscription>(text, values, { prepare: false }), request)
}

const CHANGED_COLUMNS = [
  'gateway_subscription_id',
  'name',
  'amount',
  'interval',
  'start_time',
  'next_execution_at',
  'retry_interval',
  'retry_interval_unit',
  'retry_max_interval',
  'status',
  'next_check_at',
] as const satisfies readonly (keyof GatewaySubscription)[]

export type SubscriptionChange = Partial<
  Pick<GatewaySubscription, (typeof CHANGED_COLUMNS)[number]>
>

/** One transition: as changePayment, fenced by the version, which it raises by one. */
export async function changeSubscription(
  tx: Tx,
  { id, version }: Pick<GatewaySubscription, 'id' | 'version'>,
  change: SubscriptionChange,
): Promise<GatewaySubscription | undefined> {
  const [changed] = await tx.query<GatewaySubscription>(
    `update gapura.gateway_subscription as subscription
     set (${CHANGED_COLUMNS.join(', ')}) = (
           select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
           from jsonb_populate_record(subscription, $3::jsonb) as changed
         ),
         (former_amount, amount_changed_at) = (
           select case when changes then amount else former_amount end,
             case when changes then gapura.now() else amount_changed_at end
           from (select coalesce(($3::jsonb ->> 'amount')::numeric <> amount, false)) as named (changes)
         ),
         version = version + 1,
         updated_at = gapura.now()
     where id = $1
       and version = $2
     returning ${SUBSCRIPTION_COLUMNS}`,
    [id, version, toJson(change)],
  )
  return changed
}
