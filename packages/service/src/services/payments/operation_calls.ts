import { parseMoney } from '../../domain/money.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation, OperationKind } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { ReportedStatus } from '../../domain/payment_status.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import type { Context } from '../context.ts'

export type ActionKind = Extract<
  OperationKind,
  'cancel' | 'expire' | 'capture' | 'approve' | 'deny' | 'refund' | 'direct_refund'
>

export const isActionKind = (kind: OperationKind): kind is ActionKind => kind in SEND

type Send = (
  ctx: Context,
  payment: GatewayPayment,
  operation: GatewayOperation,
) => Promise<TransactionReply>

const amountIn = ({ request }: GatewayOperation): bigint => parseMoney(request['amount']) ?? 0n
const textIn = ({ request }: GatewayOperation, field: string): string =>
  typeof request[field] === 'string' ? request[field] : ''

/** By the gateway's own id where we know it; DANA knows no other, and belongs to the other family. */
const idOf = ({ transaction_id, order_id }: GatewayPayment): string => transaction_id ?? order_id
const optionsOf = ({ payment_type }: GatewayPayment, { id }: GatewayOperation) => ({
  idempotency_key: id,
  snap_source: payment_type === 'dana',
})

const refundOf = (payment: GatewayPayment, operation: GatewayOperation) => ({
  order_id: idOf(payment),
  refund_key: operation.refund_id ?? '',
  amount: amountIn(operation),
  reason: textIn(operation, 'reason'),
})

/** The call of each action, made from the written operation alone, so that it can be made again. */
const SEND: Record<ActionKind, Send> = {
  cancel: ({ gateway }, payment, operation) =>
    gateway.cancel(idOf(payment), optionsOf(payment, operation)),
  expire: ({ gateway }, payment, operation) =>
    gateway.expire(idOf(payment), optionsOf(payment, operation)),
  approve: ({ gateway }, payment, operation) =>
    gateway.approve(idOf(payment), optionsOf(payment, operation)),
  deny: ({ gateway }, payment, operation) =>
    gateway.deny(idOf(payment), optionsOf(payment, operation)),
  capture: ({ gateway }, payment, operation) =>
    gateway.capture(
      { transaction_id: idOf(payment), gross_amount: amountIn(operation) },
      optionsOf(payment, operation),
    ),
  refund: ({ gateway }, payment, operation) =>
    gateway.refund(refundOf(payment, operation), optionsOf(payment, operation)),
  direct_refund: ({ gateway }, payment, operation) =>
    gateway.directRefund(refundOf(payment, operation), optionsOf(payment, operation)),
}

/** Makes the call. An answer whose status word we do not know leaves the outcome open. */
export async function sendAction(
  ctx: Context,
  payment: GatewayPayment,
  operation: GatewayOperation & { kind: ActionKind },
): Promise<TransactionFacts> {
  const facts = factsOf(await SEND[operation.kind](ctx, payment, operation))
  if (facts !== undefined) return facts
  throw gatewayError('outcome_unknown', { operation: operation.kind })
}

const TARGETS: Record<ActionKind, readonly ReportedStatus[]> = {
  cancel: ['cancel'],
  expire: ['expire'],
  approve: ['capture', 'settlement'],
  deny: ['deny'],
  capture: ['capture', 'settlement'],
  refund: [],
  direct_refund: [],
}

/** Whether what `get_status` says shows that the action was carried out (ADR 0008). */
export function isDone(
  { kind, refund_id }: GatewayOperation & { kind: ActionKind },
  facts: TransactionFacts,
): boolean {
  if (kind === 'refund' || kind === 'direct_refund') {
    return facts.refunds.some(({ refund_key }) => refund_key === refund_id)
  }
  if (kind === 'approve' && facts.fraud === 'challenge') return false
  return TARGETS[kind].includes(facts.status)
}
