import type { GatewayOperation } from '../../domain/operation.ts'
import { OPERATION_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

export const OVERDUE_OPERATIONS_MAX = 100

const COLUMNS = OPERATION_COLUMNS.split(',')
  .map((column) => `operation.${column.trim()}`)
  .join(', ')

/**
 * Claims the open operations that are longest overdue, in no particular order, and begins a new
 * attempt at each, which fences off the previous process. Locked rows are skipped, so two resolvers
 * never claim the same one. If the process dies, they are due again after the lease.
 */
export const claimOverdueOperations = async (
  tx: Tx,
  { limit, lease_ms }: { limit: number; lease_ms: number },
): Promise<GatewayOperation[]> =>
  await tx.query<GatewayOperation>(
    `with overdue as (
       select id
       from gapura.gateway_operation
       where state in ('started', 'unknown')
         and due_at <= gapura.now()
       order by due_at
       limit $1
       -- Never waits, so a payment's lock may be taken before or after.
       for no key update skip locked
     )
     update gapura.gateway_operation as operation
     set attempt = attempt + 1,
         -- The lease holder works on it; a repeated request waits until the lease ends.
         state = 'started',
         due_at = gapura.now() + make_interval(secs => $2::double precision / 1000),
         updated_at = gapura.now()
     from overdue
     where operation.id = overdue.id
     returning ${COLUMNS}`,
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
): Promise<GatewayOperation | undefined> {
  const [claimed] = await tx.query<GatewayOperation>(
    `update gapura.gateway_operation
     set attempt = attempt + 1,
         state = 'started',
         due_at = gapura.now() + make_interval(secs => $3::double precision / 1000),
         updated_at = gapura.now()
     where id = $1
       and attempt = $2
       and state in ('started', 'unknown')
     returning ${OPERATION_COLUMNS}`,
    [id, attempt, lease_ms],
  )
  return claimed
}

/**
 * Those of these claims that were committed and are still ours: after a commit whose reply was lost.
 * No other claim has this attempt and this time; the attempt alone may by now be another process's.
 * Locks each row, which waits for a commit that is still under way, and for the standby (ADR 0007).
 */
export async function findClaims(
  tx: Tx,
  claims: readonly Pick<GatewayOperation, 'id' | 'attempt' | 'due_at'>[],
): Promise<GatewayOperation[]> {
  if (claims.length === 0) return []
  const found = await tx.query<GatewayOperation>(
    `select ${OPERATION_COLUMNS}
     from gapura.gateway_operation
     where id = any($1::uuid[])
     order by id
     for no key update`,
    [claims.map(({ id }) => id)],
  )
  return found.filter((one) =>
    claims.some(
      ({ id, attempt, due_at }) =>
        one.id === id &&
        one.attempt === attempt &&
        one.state === 'started' &&
        one.due_at?.getTime() === due_at?.getTime(),
    ),
  )
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
): Promise<GatewayOperation | undefined> {
  const [begun] = await tx.query<GatewayOperation>(
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
     returning ${OPERATION_COLUMNS}`,
    [id, attempt, lease_ms, within_ms ?? null],
  )
  return begun
}

/**
 * The send that was stored here, if it exists and is still ours: after a commit whose reply was
 * lost. No other send has this attempt, this number and this time. Locked, so that the transaction
 * writes and its commit waits for the standby as the lost one did (ADR 0007).
 */
export async function findBegunSend(
  tx: Tx,
  { id, attempt, sends, sent_at }: Pick<GatewayOperation, 'id' | 'attempt' | 'sends' | 'sent_at'>,
): Promise<GatewayOperation | undefined> {
  const [begun] = await tx.query<GatewayOperation>(
    `select ${OPERATION_COLUMNS}
     from gapura.gateway_operation
     where id = $1
       and attempt = $2
       and sends = $3
       and sent_at = $4
       and state = 'started'
     for no key update`,
    [id, attempt, sends, sent_at],
  )
  return begun
}
