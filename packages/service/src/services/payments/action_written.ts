// Transaction 1 of an action: the rule is asked under the row's lock and the call is on disk before
// it is made. Charges have a transaction of their own.
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { IdempotencyKey } from '../../store/idempotency_keys.ts'
import { newId } from '../../store/ids.ts'
import { insertOperation } from '../../store/operations.ts'
import { lockPayment } from '../../store/payment_locks.ts'
import { findPayment } from '../../store/payments.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { claimKey, problem, type Outcome, type Request } from '../requests.ts'
import { CALL_DUE_MS } from './call_times.ts'

export interface WrittenAction {
  payment: GatewayPayment
  operation: GatewayOperation
}

export type Written = WrittenAction | { taken: IdempotencyKey } | Outcome

/** What an action adds: its rule, which throws, and what it sets aside before it is sent. */
export interface ActionPlan {
  kind: OperationKind
  request: Readonly<Record<string, unknown>>
  check: (payment: GatewayPayment) => void
  /** For a refund: reserves its amount and gives the id of its row. */
  reserve?: (tx: Tx, payment: GatewayPayment) => Promise<string>
}

/** Writes an action down, or says why not: not found, in progress, or its key is taken. */
export const writeAction = async (
  ctx: Context,
  request: Request,
  id: string,
  plan: ActionPlan,
): Promise<Written> =>
  await withTransaction(ctx.db, async (tx) => {
    // Seen first, locked second: a caller must not hold a lock on a row she may not see.
    const visible = await findPayment(tx, request.caller, id)
    const payment = visible && (await lockPayment(tx, id))
    if (payment === undefined) return problem('not_found')
    ctx.reached(plan.reserve === undefined ? 'action.locked' : 'refund.locked')
    const operation_id = newId()
    const taken = await claimKey(tx, request, operation_id)
    if (taken !== undefined) return { taken }
    plan.check(payment)
    const refund_id = (await plan.reserve?.(tx, payment)) ?? null
    const operation = await insertOperation(
      tx,
      {
        id: operation_id,
        owner_id: payment.owner_id,
        kind: plan.kind,
        subject_kind: 'payment',
        subject_id: payment.id,
        refund_id,
        request: plan.request,
      },
      CALL_DUE_MS,
    )
    if (operation === undefined) throw new InProgress()
    if (plan.reserve !== undefined) ctx.reached('refund.operation_inserted')
    return { payment, operation }
  }).catch((error: unknown) => {
    if (error instanceof InProgress) return problem('operation_in_progress')
    throw error
  })

/** Rolls back what the transaction wrote: the key stays free for when the other one has ended. */
class InProgress extends Error {}
