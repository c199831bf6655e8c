// The resolver (ADR 0008): operations past their time that nobody finished, because the process
// died or the answer was unclear. It looks, and it never creates a charge.
import { errorName } from '../../domain/error_name.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { ObjectKind } from '../../domain/signals.ts'
import { isUnavailable } from '../../store/availability.ts'
import { claimOverdueOperations } from '../../store/operation_claims.ts'
import { StoreError } from '../../store/store_error.ts'
import { withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { resolveInvoice } from '../invoices/resolve_invoice.ts'
import { dueOf, type DueOperation } from './due.ts'
import { handBack } from './fenced.ts'
import { resolvePayment } from './resolve_payment.ts'
import { resolveSubscription } from '../subscriptions/resolve_subscription.ts'

/** Longer than three looks and a send; a resolver that dies leaves them due after this. */
const RESOLVE_LEASE_MS = 90_000
/** As many as are worked on at once: none waits behind the others with its lease running. */
export const RESOLVE_AT_ONCE_MAX = 8

/** Takes overdue operations, at most so many, and brings each as far as the gateway's word goes. */
export async function resolveOperations(ctx: Context, limit: number): Promise<number> {
  let resolved = 0
  while (resolved < limit) {
    const overdue = await claimPage(ctx, Math.min(RESOLVE_AT_ONCE_MAX, limit - resolved))
    if (overdue.length === 0) break
    await Promise.all(overdue.map((operation) => resolveSafely(ctx, operation)))
    resolved += overdue.length
  }
  return resolved
}

/**
 * If the answer to the claim's commit is lost they are worked on all the same: each is fenced by its
 * attempt, so nothing is done if the claim did not happen; and if it did, nobody else would come
 * before its lease is over.
 */
async function claimPage(ctx: Context, limit: number): Promise<GatewayOperation[]> {
  let claimed: GatewayOperation[] = []
  try {
    await withTransaction(ctx.db, async (tx) => {
      claimed = await claimOverdueOperations(tx, { limit, lease_ms: RESOLVE_LEASE_MS })
    })
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'commit_unknown')) throw error
  }
  return claimed
}

/** While the database is away nobody can work anyway; past these a lease is hardly longer. */
const HAND_BACK_PAUSES_MS = [50, 500, 2_000, 4_000, 8_000]

/**
 * One that cannot be resolved must not keep the others waiting; its lease brings it back. Where only
 * the database was away for a moment it is given back and taken anew, with a look of its own.
 */
async function resolveSafely(ctx: Context, operation: GatewayOperation): Promise<void> {
  try {
    await resolveOne(ctx, operation)
  } catch (error) {
    const { id: operation_id, kind } = operation
    ctx.log.error({ operation_id, kind, error: errorName(error) }, 'resolver')
    if (isUnavailable(error)) await handBack(ctx, operation, HAND_BACK_PAUSES_MS)
  }
}

/** Brings an operation that somebody holds as far as the gateway's word goes. */
export async function resolveOne(ctx: Context, operation: GatewayOperation): Promise<void> {
  const resolve = RESOLVERS[operation.subject_kind]
  if (resolve === undefined) throw new Error(`nobody resolves a ${operation.subject_kind}`)
  await resolve(ctx, dueOf(operation))
}

/** Who ends the operations of each kind of object. */
const RESOLVERS: Partial<Record<ObjectKind, (ctx: Context, due: DueOperation) => Promise<void>>> = {
  payment: resolvePayment,
  invoice: resolveInvoice,
  subscription: resolveSubscription,
}
