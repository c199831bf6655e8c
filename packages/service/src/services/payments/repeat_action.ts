import { ERRORS, type ErrorCode } from '../../domain/error_catalogue.ts'
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { IdempotencyKey } from '../../store/idempotency_keys.ts'
import { findOperation } from '../../store/operations.ts'
import { findPayment } from '../../store/payments.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { keepReply, problem, type Outcome, type Reply, type Request } from '../requests.ts'

interface Repeat {
  key: IdempotencyKey
  represent: (tx: Tx, payment: GatewayPayment, operation: GatewayOperation) => Promise<Reply>
}

/**
 * A repeated action whose first request kept no outcome: if it has ended meanwhile, its end is the
 * answer. If not, the resolver is on it, and the caller comes back.
 */
export const repeatAction = async (
  ctx: Context,
  request: Request,
  { key, represent }: Repeat,
): Promise<Outcome> =>
  await withTransaction(ctx.db, async (tx) => {
    const operation = await findOperation(tx, key.operation_id ?? '')
    const payment = operation && (await findPayment(tx, request.caller, operation.subject_id))
    if (operation === undefined || payment === undefined) return problem('request_in_progress')
    if (operation.state === 'refused') throw refusalOf(operation)
    if (operation.state !== 'succeeded') return problem('request_in_progress')
    const reply = await represent(tx, payment, operation)
    await keepReply(tx, request, reply)
    return { kind: 'reply', reply, replayed: true }
  })

/** The refusal an ended operation remembers. */
export function refusalOf({ kind, reply }: GatewayOperation): GatewayError {
  const code = reply?.['error']
  return gatewayError(isErrorCode(code) ? code : 'gateway_failed', { operation: kind })
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && code in ERRORS
