import type { RefundRequest, RefundRequestState } from '../../domain/refund_request.ts'
import type { Money } from '../../domain/money.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'
import type { Tx } from '../connection/transaction.ts'
import { publishOperatorEvent } from '../events/outbox.ts'
import type { Condition } from '../sql/lists.ts'

const COLUMNS = `
  id, payment_id, owner_id, amount, reason, is_direct, requested_by, requested_by_staff,
  idempotency_key, fingerprint, state, decided_by, decided_at, decision_reason, created_at,
  expires_at, outside, reference, evidence`

export type NewRefundRequest = Pick<
  RefundRequest,
  | 'id'
  | 'payment_id'
  | 'owner_id'
  | 'amount'
  | 'reason'
  | 'is_direct'
  | 'requested_by'
  | 'requested_by_staff'
  | 'idempotency_key'
  | 'fingerprint'
  | 'outside'
  | 'reference'
  | 'evidence'
>

/** Ends the expired requests about a payment. Requires the payment's lock. */
export async function expireRefundRequests(tx: Tx, payment_id: string): Promise<void> {
  await tx.query(
    `update gapura.refund_request
     set state = 'expired', decided_at = gapura.now()
     where payment_id = $1
       and state = 'held'
       and expires_at <= gapura.now()`,
    [payment_id],
  )
}

type Wish = Pick<RefundRequest, 'payment_id' | 'requested_by' | 'amount' | 'is_direct'>

/** The same request of the same caller, if it is held. */
export async function findHeldRequest(tx: Tx, wish: Wish): Promise<RefundRequest | undefined> {
  const [held] = await tx.query<RefundRequest>(
    `select ${COLUMNS}
     from gapura.refund_request
     where payment_id = $1
       and requested_by = $2
       and amount = $3
       and is_direct = $4
       and state = 'held'`,
    [wish.payment_id, wish.requested_by, wish.amount, wish.is_direct],
  )
  return held
}

export async function insertRefundRequest(
  tx: Tx,
  request: NewRefundRequest,
  hold_ms: number,
): Promise<RefundRequest | undefined> {
  const [row] = await tx.query<RefundRequest>(
    `insert into gapura.refund_request (
       id, payment_id, owner_id, amount, reason, is_direct, requested_by, requested_by_staff,
       idempotency_key, fingerprint, outside, reference, evidence, expires_at
     )
     select id, payment_id, owner_id, amount, reason, is_direct, requested_by, requested_by_staff,
       idempotency_key, fingerprint, outside, reference, evidence,
       gapura.now() + make_interval(secs => $2::double precision / 1000)
     from jsonb_populate_record(null::gapura.refund_request, $1)
     returning ${COLUMNS}`,
    [toJson(request), hold_ms],
  )
  if (row !== undefined) {
    const { id, payment_id, expires_at } = row
    const object = { id, payment_id, expires_at: expires_at.toISOString() }
    await publishOperatorEvent(tx, { type: 'refund_request_opened', object })
  }
  return row
}

/** Stores a further key with which the same held refund was requested. */
export async function keepRequestKey(
  tx: Tx,
  { id, owner_id, requested_by }: Pick<RefundRequest, 'id' | 'owner_id' | 'requested_by'>,
  { key, fingerprint }: { key: string; fingerprint: string },
): Promise<void> {
  await tx.query(
    `insert into gapura.refund_request_repeat
       (refund_request_id, owner_id, requested_by, key, fingerprint)
     values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [id, owner_id, requested_by, key, fingerprint],
  )
}

/** What a caller requested with this key, the first one or a further one. */
export async function findRefundRequestByKey(
  tx: Tx,
  requested_by: string,
  idempotency_key: string,
): Promise<RefundRequest | undefined> {
  const [row] = await tx.query<RefundRequest>(
    `select ${COLUMNS}
     from gapura.refund_request
     where requested_by = $1
       and idempotency_key = $2
     union all
     select ${COLUMNS.split(',')
       .map((column) => column.trim())
       .map((column) =>
         column === 'idempotency_key' || column === 'fingerprint'
           ? `further.${column === 'fingerprint' ? column : 'key'}`
           : `request.${column}`,
       )
       .join(', ')}
     from gapura.refund_request_repeat as further
     join gapura.refund_request as request on request.id = further.refund_request_id
     where further.requested_by = $1
       and further.key = $2`,
    [requested_by, idempotency_key],
  )
  return row
}

/** Locks a request, and ends it if it has expired. */
export async function lockRefundRequest(tx: Tx, id: string): Promise<RefundRequest | undefined> {
  const [row] = await tx.query<RefundRequest & { over: boolean }>(
    `select ${COLUMNS}, state = 'held' and expires_at <= gapura.now() as over
     from gapura.refund_request
     where id = $1
     for no key update`,
    [id],
  )
  if (row === undefined) return undefined
  const { over, ...request } = row
  return over ? { ...request, state: 'expired' } : request
}

/** Ends a held request. Requires its lock. */
export async function decideRefundRequest(
  tx: Tx,
  id: string,
  decision: { state: RefundRequestState; decided_by: string | null; reason: string | null },
): Promise<RefundRequest | undefined> {
  const [row] = await tx.query<RefundRequest>(
    `update gapura.refund_request
     set state = $2, decided_by = $3, decision_reason = $4, decided_at = gapura.now()
     where id = $1
       and state = 'held'
     returning ${COLUMNS}`,
    [id, decision.state, decision.decided_by, decision.reason],
  )
  return row
}

/** A held request past its expiry counts as ended, also before that is stored. */
const NOW = `case when state = 'held' and expires_at <= gapura.now() then 'expired' else state end`
const LISTED = COLUMNS.replace(' state,', ` ${NOW} as state,`)

const conditionOf = (state: RefundRequestState): Condition =>
  state === 'held' ? ['state = ? and expires_at > gapura.now()', state] : [`${NOW} = ?`, state]

export interface RefundRequestFilters {
  state?: RefundRequestState
  payment_id?: string
}

/** A page of requests, newest first. For staff: not filtered by owner. */
export async function listRefundRequests(
  tx: Tx,
  { state, payment_id }: RefundRequestFilters,
  request: PageRequest,
): Promise<Page<RefundRequest>> {
  const conditions = [
    ...(state === undefined ? [] : [conditionOf(state)]),
    ...(payment_id === undefined ? [] : [['payment_id = ?', payment_id] as const]),
  ]
  const source = { table: 'gapura.refund_request', columns: LISTED, conditions }
  const { text, values } = pageStatement(source, request)
  return pageOf(await tx.query<RefundRequest>(text, values, { prepare: false }), request)
}

/** When a request about a payment was last made or decided, if ever. */
export async function lastRequestAt(tx: Tx, payment_id: string): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(
    `select max(greatest(created_at, decided_at)) as at
     from gapura.refund_request
     where payment_id = $1`,
    [payment_id],
  )
  return row?.at ?? null
}

/**
 * Serialises the refunds of one caller until this transaction ends, so that two concurrent refunds
 * cannot both use the last of the daily limit. It runs before the sum: a statement sees what was
 * committed before it began.
 */
export async function lockRefunder(tx: Tx, requested_by: string): Promise<void> {
  await tx.query(
    "select pg_advisory_xact_lock(hashtextextended('gapura.refunds_alone ' || $1, 0))::text",
    [requested_by],
  )
}

/** What a caller has refunded alone in the last 24 hours. */
export async function sumRefundsAlone(tx: Tx, requested_by: string): Promise<Money> {
  const [row] = await tx.query<{ sum: Money }>(
    `select coalesce(sum(amount), 0)::numeric(15, 2) as sum
     from gapura.gateway_refund
     where requested_by = $1
       and approved_by is null
       and created_at > gapura.now() - interval '24 hours'
       and status <> 'failed'`,
    [requested_by],
  )
  return row?.sum ?? 0n
}
