import { gatewayError } from '../../domain/errors.ts'
import { parseMoney } from '../../domain/money.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { Context } from '../context.ts'
import { recordDone, recordRefusal } from '../payments/action_recorded.ts'
import { ask } from '../payments/check_status.ts'
import { isDone, type ActionKind } from '../payments/operation_calls.ts'
import { representationOf } from '../payments/simple_action.ts'
import type { Due, HandOrder } from './due.ts'

type DueAction = Due & { operation: GatewayOperation & { kind: ActionKind } }

/**
 * The gateway is asked first: what it shows as done is done, whatever a person says. Only of a
 * refund she may say that it was paid although the gateway does not list it, as when a bank's
 * statement shows the money gone.
 */
export async function endActionByHand(
  ctx: Context,
  due: DueAction,
  { outcome, by }: HandOrder,
): Promise<void> {
  const { payment, operation } = due
  const attempt = { operation, source: 'staff' as const, request: null, by, asked: payment }
  const seen = factsOf(await ask(ctx, payment))
  if (seen === undefined) throw gatewayError('gateway_failed', { operation: 'get_status' })
  const represent = representationOf(operation)
  if (isDone(operation, seen)) {
    await recordDone(ctx, attempt, seen, represent)
  } else if (outcome === 'refused') {
    const code = operation.refund_id === null ? 'gateway_state_conflict' : 'refund_denied'
    await recordRefusal(ctx, attempt, gatewayError(code, { operation: operation.kind }))
  } else if (operation.refund_id === null) {
    const message = `the gateway shows ${seen.status}; only a refund is believed without its word`
    throw gatewayError('invalid_request', { errors: [{ field: 'outcome', message }] })
  } else {
    await recordDone(ctx, attempt, refundedBy(due, seen), represent)
  }
}

/** What the gateway would say had it booked this refund. The refund itself is added by its key. */
function refundedBy({ payment, operation }: DueAction, seen: TransactionFacts): TransactionFacts {
  const amount = parseMoney(operation.request['amount']) ?? 0n
  const whole = payment.refunded_amount + amount >= payment.captured_amount
  return { ...seen, status: whole ? 'refund' : 'partial_refund', refund_amount: null }
}
