// The resolver (design 6.8): operations past their time that nobody finished, because the process
// died or the answer was unclear. It looks, and it never creates a charge.
import type { GatewayOperation } from '../../domain/operation.ts'
import { claimOverdueOperations, type OverdueOperation } from '../../store/operation_claims.ts'
import { findPaymentById } from '../../store/payments.ts'
import { withReadTransaction, withTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { Due } from './due.ts'
import { resolveAction } from './resolve_action.ts'
import { resolveCharge } from './resolve_charge.ts'

/** Longer than a look and a send together; a resolver that dies leaves them due after this. */
const RESOLVE_LEASE_MS = 45_000

/** Takes up to so many overdue operations and brings each as far as the gateway's word goes. */
export async function resolveOperations(ctx: Context, limit: number): Promise<number> {
  const overdue = await withTransaction(
    ctx.db,
    async (tx) => await claimOverdueOperations(tx, { limit, lease_ms: RESOLVE_LEASE_MS }),
  )
  for (const operation of overdue) {
    try {
      await resolveOne(ctx, operation)
    } catch (error) {
      // One that cannot be resolved must not keep the others waiting; its lease brings it back.
      ctx.log.error(
        { operation_id: operation.id, kind: operation.kind, error: nameOf(error) },
        'resolver',
      )
    }
  }
  return overdue.length
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

async function resolveOne(ctx: Context, operation: OverdueOperation): Promise<void> {
  const payment = await withReadTransaction(
    ctx.db,
    async (tx) => await findPaymentById(tx, operation.subject_id),
  )
  if (payment === undefined) return
  const now = operation.updated_at.getTime()
  const due: Due = {
    payment,
    operation,
    quiet_ms: now - operation.touched_at.getTime(),
    age_ms: now - operation.created_at.getTime(),
  }
  await (isCharge(operation) ? resolveCharge(ctx, due) : resolveAction(ctx, due))
}

const isCharge = ({ kind }: GatewayOperation): boolean => kind === 'charge'
