import type { GatewayOperation } from '../../domain/operation.ts'
import type { Context } from '../context.ts'
import { CHECKOUT_OPERATIONS } from '../checkouts/operations.ts'
import { INVOICE_OPERATIONS } from '../invoices/operations.ts'
import { resolveClaimed, resolveOverdue, type OperationTypes } from '../operations/resolver.ts'
import { PAYMENT_OPERATIONS } from '../payments/operations.ts'
import { SUBSCRIPTION_OPERATIONS } from '../subscriptions/operations.ts'

/** Every kind of operation, by the tables of the objects. */
export const OPERATION_TYPES: OperationTypes = {
  ...PAYMENT_OPERATIONS,
  ...INVOICE_OPERATIONS,
  ...SUBSCRIPTION_OPERATIONS,
  ...CHECKOUT_OPERATIONS,
}

/** Finishes operations past their time, at most `limit`. Returns how many it took. */
export const resolveOperations = async (ctx: Context, limit: number): Promise<number> =>
  await resolveOverdue(ctx, OPERATION_TYPES, limit)

/** Finishes one operation that this process holds, as far as the gateway's answer goes. */
export const resolveOne = async (ctx: Context, operation: GatewayOperation): Promise<void> =>
  await resolveClaimed(ctx, OPERATION_TYPES, operation)
