import { Type } from 'typebox'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney, parseMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { refundRefusal } from '../../domain/refund_rules.ts'
import { newId } from '../../store/ids.ts'
import { reserveRefund } from '../../store/payment_amounts.ts'
import { insertRefund } from '../../store/refunds.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { performAction } from './perform_action.ts'
import { representRefunded } from './simple_action.ts'

export const REFUND_INPUT = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })]),
    reason: Type.Optional(Type.String({ maxLength: 255 })),
    direct: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const parseRefund = requestParser(REFUND_INPUT)

interface RefundOrder {
  id: string
  amount: Money
  reason: string
  direct: boolean
}

/**
 * Pays back all or part of a settled payment. The amount is reserved under the payment's lock
 * before anybody is asked, so refunds cannot exceed what was captured however many come at once.
 */
export async function refundPayment(
  ctx: Context,
  request: Request,
  payment_id: string,
  input: unknown,
): Promise<Outcome> {
  const { amount: given, reason = '', direct = false } = parseRefund(input)
  const amount = parseMoney(given) ?? 0n
  if (amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'a positive number of whole rupiah' }])
  }
  const order: RefundOrder = { id: newId(), amount, reason, direct }
  return await performAction(ctx, request, {
    id: payment_id,
    plan: {
      kind: direct ? 'direct_refund' : 'refund',
      request: { amount: formatMoney(amount), reason },
      check: (payment) => checkRefund(payment, order),
      reserve: async (tx, payment) => await reserve(ctx, tx, payment, order),
    },
    represent: representRefunded,
  })
}

function checkRefund(payment: GatewayPayment, { amount, direct }: RefundOrder): void {
  const facts = { ...payment, status: payment.transaction_status }
  const refusal = refundRefusal(facts, amount, direct)
  if (refusal !== undefined) throw gatewayError(refusal)
}

async function reserve(ctx: Context, tx: Tx, payment: GatewayPayment, order: RefundOrder) {
  const reserved = await reserveRefund(tx, payment.id, order.amount)
  if (reserved === undefined) throw gatewayError('refund_amount_exceeded')
  ctx.reached('refund.reserved')
  await insertRefund(tx, {
    id: order.id,
    payment_id: payment.id,
    owner_id: payment.owner_id,
    // The row's own id: made once, before the first call, and never another.
    refund_key: order.id,
    amount: order.amount,
    reason: order.reason,
    is_direct: order.direct,
  })
  ctx.reached('refund.row_inserted')
  return order.id
}
