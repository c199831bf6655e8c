// The resolver (design 6.8): operations past their time that nobody finished, because the process
// died or the answer was unclear. It looks, and it never creates a charge.
import type { GatewayOperation } from '../../domain/operation.ts'
import { claimOverdueOperations } from '../../store/operation_claims.ts'
import { findPaymentById } from '../../store/payments.ts'
import { withReadTransaction, withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { Due } from './due.ts'
import { resolveAction } from './resolve_action.ts'
import { resolveCharge } from './resolve_charge.ts'

/** Longer than three looks and a send; a resolver that dies leaves them due after this. */
const RESOLVE_LEASE_MS = 90_000
/** As many as are worked on at once: none waits behind the others with its lease running. */
export const RESOLVE_AT_ONCE_MAX = 8

/** Takes overdue operations, at most so many, and brings each as far as the gateway's word goes. */
export async function resolveOperations(ctx: Context, limit: number): Promise<number> {
  let resolved = 0
  while (resolved < limit) {
    const overdue = await withTransaction(ctx.db, async (tx) => {
      const page = Math.min(RESOLVE_AT_ONCE_MAX, limit - resolved)
      return await claimOverdueOperations(tx, { limit: page, lease_ms: RESOLVE_LEASE_MS })
    })
    if (overdue.length === 0) break
    await Promise.all(overdue.map((operation) => resolveSafely(ctx, operation)))
    resolved += overdue.length
  }
  return resolved
}

/** One that cannot be resolved must not keep the others waiting; its lease brings it back. */
async function resolveSafely(ctx: Context, operation: GatewayOperation): Promise<void> {
  try {
    await resolveOne(ctx, operation)
  } catch (error) {
    const { id: operation_id, kind } = operation
    ctx.log.error({ operation_id, kind, error: nameOf(error) }, 'resolver')
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

async function resolveOne(ctx: Context, operation: GatewayOperation): Promise<void> {
  const payment = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, operation.subject_id),
  )
  if (payment === undefined) return
  const now = operation.updated_at.getTime()
  const due: Due = {
    payment,
    operation,
    quiet_ms: now - operation.sent_at.getTime(),
    age_ms: now - operation.created_at.getTime(),
  }
  await (isCharge(operation) ? resolveCharge(ctx, due) : resolveAction(ctx, due))
}

const isCharge = ({ kind }: GatewayOperation): boolean => kind === 'charge'
