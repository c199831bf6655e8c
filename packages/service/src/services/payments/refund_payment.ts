import { Type } from 'typebox'
import { parseMoney, toWholeRupiah } from '../../domain/money.ts'
import type { Context } from '../context.ts'
import { holdRefund, needsSecondPerson, wasHeld } from './hold_refund.ts'
import { makeRefund } from './refund_order.ts'
import type { Outcome, Request } from '../requests.ts'
import { keptTextParser } from '../secret_faults.ts'
import { refuseFaults } from '../validation.ts'

export const REFUND_INPUT = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      description: 'The amount to refund in whole rupiah.',
    }),
    reason: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Why it is refunded; the gateway stores it too.',
      }),
    ),
    direct: Type.Optional(
      Type.Boolean({ description: 'Whether to send the refund to the payment provider at once.' }),
    ),
  },
  { additionalProperties: false },
)

const parseRefund = keptTextParser(REFUND_INPUT)

/** Refunds all or part of a settled payment, or holds the refund for a second person (ADR 0010). */
export async function refundPayment(
  ctx: Context,
  request: Request,
  payment_id: string,
  input: unknown,
): Promise<Outcome> {
  const { amount: given, reason = '', direct = false } = parseRefund(input)
  const amount = parseMoney(given) ?? 0n
  if (amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'must be a positive number of whole rupiah' }])
  }
  const order = { amount, reason, direct }
  if (needsSecondPerson(ctx, order) || (await wasHeld(ctx, request))) {
    return await holdRefund(ctx, request, payment_id, order)
  }
  return await makeRefund(ctx, request, {
    payment_id,
    ...order,
    approved_by: null,
    refund_request_id: null,
  })
}
