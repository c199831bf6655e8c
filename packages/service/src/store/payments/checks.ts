import type { GatewayPayment } from '../../domain/payment.ts'
import { PAYMENT_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

/** What a check needs to query, and to decide later whether its answer still fits. */
export type DueCheck = Pick<
  GatewayPayment,
  'id' | 'owner_id' | 'order_id' | 'transaction_id' | 'api_family' | 'version' | 'check_attempts'
>

export const DUE_CHECKS_MAX = 500

interface ClaimOptions {
  limit: number
  /** After this the check is due again unless it was made: a killed worker loses nothing. */
  lease_ms: number
  /** Only what was due by then; by default, by now. */
  due_by?: Date
}

/** Plans the next query about a payment; null if none is needed. */
export async function setNextCheck(
  tx: Tx,
  id: string,
  next_check_at: Date | null,
  check_attempts: number,
): Promise<void> {
  await tx.query(
    `update gapura.gateway_payment
     set next_check_at = $2,
         check_attempts = $3,
         updated_at = gapura.now()
     where id = $1`,
    [id, next_check_at, check_attempts],
  )
}

/**
 * Plans a query now for payments whose reports only the gateway's own answer can settle, and stores
 * since when: what stays unsettled for long ends in an alarm. `again` for a report beside those that
 * are deferred already.
 */
export async function deferPayments(
  tx: Tx,
  ids: readonly string[],
  { now, again = false }: { now: Date; again?: boolean },
): Promise<void> {
  await tx.query(
    `update gapura.gateway_payment
     set next_check_at = least(next_check_at, $2),
         deferred_since = case when $3 then $2 else coalesce(deferred_since, $2) end,
         updated_at = $2
     where id = any($1::uuid[])`,
    [ids, now, again],
  )
}

/**
 * Plans a query for deferred payments without a check: a process of an earlier release, which does
 * not know deferrals, may have removed it. Returns how many there were.
 */
export async function resumeDeferred(tx: Tx): Promise<number> {
  const resumed = await tx.query(
    `update gapura.gateway_payment
     set next_check_at = gapura.now(),
         updated_at = gapura.now()
     where deferred_since is not null
       and next_check_at is null
     returning id`,
  )
  return resumed.length
}

/** The gateway's own answer has settled the deferred reports of these payments. */
export async function settlePayments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_payment
     set deferred_since = null,
         updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
}

/** Plans a query now, unless an earlier one is planned. */
export async function checkPaymentsNow(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    `update gapura.gateway_payment
     set next_check_at = least(next_check_at, gapura.now()),
         updated_at = gapura.now()
     where id = any($1::uuid[])`,
    [ids],
  )
}

/**
 * Claims those longest due, in the order of their ids, and postpones each by the lease. Locked rows
 * are left to the next run; two sweeps never claim the same one.
 */
export async function claimDueChecks(
  tx: Tx,
  { limit, lease_ms, due_by }: ClaimOptions,
): Promise<DueCheck[]> {
  return await tx.query<DueCheck>(
    `with due as (
       select payment.id
       from gapura.gateway_payment_state as state
       join gapura.gateway_payment as payment using (id)
       where state.next_check_at <= gapura.now()
         and ($3::timestamptz is null or state.next_check_at <= $3)
         -- Of the locked row, which another sweep may have claimed meanwhile. In these words the
         -- planner does not take it for a second, rare condition and sort all that are due.
         and coalesce(payment.next_check_at <= gapura.now(), false)
       order by state.next_check_at, state.id
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update of payment skip locked
     ),
     claimed as (
       update gapura.gateway_payment as payment
       set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000)
       from due
       where payment.id = due.id
       returning payment.id, owner_id, order_id, transaction_id, api_family, version,
         check_attempts
     )
     select * from claimed order by id`,
    [Math.min(limit, DUE_CHECKS_MAX), lease_ms, due_by ?? null],
  )
}

/**
 * Claims one payment's check, due or not, and postpones it by the lease. Returns the payment;
 * undefined if no query is needed. Waits if the row is locked.
 */
export async function claimCheck(
  tx: Tx,
  which: { id: string } | { order_id: string },
  lease_ms: number,
): Promise<GatewayPayment | undefined> {
  // A refused payment is found by its id only: its order id may be another payment's now.
  const [where, value] =
    'id' in which ? ['id = $1', which.id] : ['order_id = $1 and not refused', which.order_id]
  const [claimed] = await tx.query<GatewayPayment>(
    `update gapura.gateway_payment
     set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000)
     where ${where}
       and next_check_at is not null
     returning ${PAYMENT_COLUMNS}`,
    [value, lease_ms],
  )
  return claimed
}

export type StalePayment = Pick<GatewayPayment, 'id' | 'order_id'>

/**
 * Pending payments past their expiry that no sweep is checking and that have no check soon: the
 * gateway decides whether they expired, not our clock. Takes no lock.
 */
export const listStalePayments = async (tx: Tx, limit: number): Promise<StalePayment[]> =>
  await tx.query<StalePayment>(
    `select state.id, payment.order_id
     from gapura.gateway_payment_state as state
     join gapura.gateway_payment as payment using (id)
     where state.transaction_status = 'pending'
       and state.expiry_time < gapura.now()
       and (
         state.next_check_at is null
         or state.next_check_at <= gapura.now()
         or state.next_check_at > gapura.now() + interval '10 minutes'
       )
     order by state.expiry_time, state.id
     limit $1`,
    [Math.min(limit, DUE_CHECKS_MAX)],
  )
