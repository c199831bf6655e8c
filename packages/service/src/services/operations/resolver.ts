// The resolver: finishes operations whose lease expired, because a process died or an answer was
// unclear.
import { errorName } from '../../domain/error_name.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import { isUnavailable } from '../../store/connection/errors.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { advance } from './engine.ts'
import { claimOverdue, heldOf, releaseLease } from './lease.ts'
import type { AnyOperationType, OperationSubject } from './operation_type.ts'

/** Every kind of operation the service can resolve. */
export type OperationTypes = Readonly<Record<OperationKind, AnyOperationType>>

/** Longer than three queries and a send. If a resolver dies, its operations are due after this. */
const RESOLVE_LEASE_MS = 90_000
/** As many as are worked on at once, so that none waits for others while its lease runs. */
const RESOLVE_AT_ONCE_MAX = 8
/** Pauses between tries to release a lease; after these the lease is about to expire anyway. */
const RELEASE_PAUSES_MS = [50, 500, 2_000, 4_000, 8_000]

/** Claims overdue operations, at most `limit`, and advances each. Returns how many it claimed. */
export async function resolveOverdue(
  ctx: Context,
  types: OperationTypes,
  limit: number,
): Promise<number> {
  let resolved = 0
  while (resolved < limit) {
    const page = Math.min(RESOLVE_AT_ONCE_MAX, limit - resolved)
    const overdue = await claimOverdue(ctx, { limit: page, lease_ms: RESOLVE_LEASE_MS })
    if (overdue.length === 0) break
    await Promise.all(overdue.map((operation) => resolveSafely(ctx, types, operation)))
    resolved += overdue.length
  }
  return resolved
}

/** An operation that fails must not stop the others; it is due again when its lease expires. */
async function resolveSafely(
  ctx: Context,
  types: OperationTypes,
  operation: GatewayOperation,
): Promise<void> {
  try {
    await resolveClaimed(ctx, types, operation)
  } catch (error) {
    const { id: operation_id, kind } = operation
    ctx.log.error({ operation_id, kind, error: errorName(error) }, 'operation not resolved')
    if (isUnavailable(error)) await releaseLease(ctx, operation, RELEASE_PAUSES_MS)
  }
}

/** Advances an operation that this process holds. A refusal or an unclear outcome is recorded. */
export async function resolveClaimed(
  ctx: Context,
  types: OperationTypes,
  operation: GatewayOperation,
): Promise<void> {
  const type = types[operation.kind]
  const subject = await subjectOf(ctx, type, operation)
  const attempt = { operation, subject, source: 'resolver' as const, request: null }
  try {
    await advance(ctx, type, attempt, heldOf(operation))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
  }
}

/** The object of an operation, as it is now. */
export async function subjectOf(
  ctx: Context,
  { access }: AnyOperationType,
  { subject_id }: GatewayOperation,
): Promise<OperationSubject> {
  const subject = await withReadTransaction(ctx.db, (tx) => access.findById(tx, subject_id))
  if (subject === undefined) throw new Error(`${access.subject_kind} ${subject_id} does not exist`)
  return subject
}
