import type { GatewayOperation } from '../../domain/operation.ts'
import { OPERATION_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

export const OVERDUE_OPERATIONS_MAX = 100

/** An operation with an attempt that was begun here. */
export interface Claim extends GatewayOperation {
  /** The transaction that wrote the row: after a lost reply to its commit the claim is found by it. */
  written_by: string
}

const WRITTEN_BY = 'xmin::text as written_by'
const CLAIM_COLUMNS = `${OPERATION_COLUMNS}, ${WRITTEN_BY}`
const COLUMNS = CLAIM_COLUMNS.split(',')
  .map((column) => `operation.${column.trim()}`)
  .join(', ')

/**
 * Claims the open operations that are longest overdue and begins a new attempt at each, which
 * fences off the previous process. Locked rows are skipped, so two resolvers never claim the same
 * one. If the process dies, they are due again after the lease. They come in the order of their ids.
 */
export const claimOverdueOperations = async (
  tx: Tx,
  { limit, lease_ms }: { limit: number; lease_ms: number },
): Promise<Claim[]> =>
  await tx.query<Claim>(
    `with overdue as (
       select id
       from gapura.gateway_operation
       where state in ('started', 'unknown')
         and due_at <= gapura.now()
       order by due_at, id
       limit $1
       -- Never waits, so a payment's lock may be taken before or after.
       for no key update skip locked
     ),
     claimed as (
       update gapura.gateway_operation as operation
       set attempt = attempt + 1,
           -- The lease holder works on it; a repeated request waits until the lease ends.
           state = 'started',
           due_at = gapura.now() + make_interval(secs => $2::double precision / 1000),
           updated_at = gapura.now()
       from overdue
       where operation.id = overdue.id
       returning ${COLUMNS}
     )
     select * from claimed order by id`,
    [Math.min(limit, OVERDUE_OPERATIONS_MAX), lease_ms],
  )

/**
 * The same for one operation, for a caller that repeats its request. Undefined if it has ended or
 * another attempt began since it was read. Waits if the row is locked.
 */
export async function claimOperation(
  tx: Tx,
  { id, attempt }: Pick<GatewayOperation, 'id' | 'attempt'>,
  lease_ms: number,
): Promise<Claim | undefined> {
  const [claimed] = await tx.query<Claim>(
    `update gapura.gateway_operation
     set attempt = attempt + 1,
         state = 'started',
         due_at = gapura.now() + make_interval(secs => $3::double precision / 1000),
         updated_at = gapura.now()
     where id = $1
       and attempt = $2
       and state in ('started', 'unknown')
     returning ${CLAIM_COLUMNS}`,
    [id, attempt, lease_ms],
  )
  return claimed
}

/** How a further send is stored. */
export interface SendPlan {
  lease_ms: number
  /** No further send once the operation is older than this; without it, at any age. */
  within_ms?: number
}

/**
 * Stores that the operation is about to be sent again. It must be committed before anything is
 * sent. Undefined if another attempt has begun, it has ended, or it is too old.
 */
export async function beginSend(
  tx: Tx,
  { id, attempt }: Pick<GatewayOperation, 'id' | 'attempt'>,
  { lease_ms, within_ms }: SendPlan,
): Promise<Claim | undefined> {
  const [begun] = await tx.query<Claim>(
    `update gapura.gateway_operation
     set attempt = attempt + 1,
         sends = sends + 1,
         sent_at = gapura.now(),
         state = 'started',
         due_at = gapura.now() + make_interval(secs => $3::double precision / 1000),
         updated_at = gapura.now()
     where id = $1
       and attempt = $2
       and state in ('started', 'unknown')
       and (
         $4::double precision is null
         or created_at > gapura.now() - make_interval(secs => $4::double precision / 1000)
       )
     returning ${CLAIM_COLUMNS}`,
    [id, attempt, lease_ms, within_ms ?? null],
  )
  return begun
}

/**
 * Those of these claims and sends that were committed and not changed since: after a commit whose
 * reply was lost. The attempt alone is not enough: if the commit failed, another process may have
 * begun one of the same number, in the same millisecond. Nor is the transaction: its
 * number may come again after a failover that lost it. Locks the rows, which waits for a commit that
 * is still under way, and lets ours wait for the standby as the lost one did (ADR 0007).
 */
export async function findClaims(tx: Tx, claims: readonly ClaimMark[]): Promise<Claim[]> {
  if (claims.length === 0) return []
  const found = await tx.query<Claim>(
    `select ${CLAIM_COLUMNS}
     from gapura.gateway_operation
     where id = any($1::uuid[])
     order by id
     for no key update`,
    [claims.map(({ id }) => id)],
  )
  const made = new Set(claims.map(markOf))
  return found.filter((one) => one.state === 'started' && made.has(markOf(one)))
}

type ClaimMark = Pick<Claim, 'id' | 'written_by' | 'attempt' | 'sends' | 'due_at'>

const markOf = ({ id, written_by, attempt, sends, due_at }: ClaimMark): string =>
  JSON.stringify([id, written_by, attempt, sends, due_at])
