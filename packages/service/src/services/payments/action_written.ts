// Transaction 1 of an action on a payment. Charges have a transaction of their own.
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { IntentRecord } from '../../store/intents.ts'
import { lockPayment } from '../../store/payment_locks.ts'
import { findPayment } from '../../store/payments.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { writeChange } from '../operations/write_operation.ts'
import type { Outcome, Request } from '../requests.ts'

export interface WrittenAction {
  payment: GatewayPayment
  operation: GatewayOperation
}

export type Written = WrittenAction | { taken: IntentRecord } | Outcome

/** What an action adds: its rule, which throws, and what it sets aside before it is sent. */
export interface ActionPlan {
  kind: OperationKind
  request: Readonly<Record<string, unknown>>
  check: (payment: GatewayPayment) => void
  /** For a refund: reserves its amount and gives the id of its row. */
  reserve?: (tx: Tx, payment: GatewayPayment) => Promise<string>
  /** The operation that carried the intent before and had no effect. */
  instead_of?: IntentRecord
  /** Whether it had one after all, asked under the payment's lock. */
  hadEffect?: (tx: Tx, operation: GatewayOperation) => Promise<boolean>
}

const access = { subject_kind: 'payment', find: findPayment, lock: lockPayment } as const
const REFUND_POINTS = { locked: 'refund.locked', inserted: 'refund.operation_inserted' } as const

/** Writes an action down, or says why not: not found, in progress, or its intent is carried already. */
export async function writeAction(
  ctx: Context,
  request: Request,
  id: string,
  plan: ActionPlan,
): Promise<Written> {
  const points = plan.reserve === undefined ? {} : { points: REFUND_POINTS }
  const written = await writeChange(ctx, request, { access, id }, { ...plan, ...points })
  if (!('subject' in written)) return written
  return { payment: written.subject, operation: written.operation }
}
