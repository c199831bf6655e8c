import { Type } from 'typebox'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney, parseMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { findPayment } from '../../store/payments.ts'
import { withReadTransaction } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { problem, type Outcome, type Request } from '../requests.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { performAction } from './perform_action.ts'
import { representAction, ruleOf, type Why } from './simple_action.ts'

export const CAPTURE_INPUT = Type.Object(
  {
    amount: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
        description: 'The amount to capture in whole rupiah; all that was authorized by default.',
      }),
    ),
  },
  { additionalProperties: false },
)

const parseCapture = requestParser(CAPTURE_INPUT)

/** Takes what a card authorization holds, all of it unless told less (Spec 3 rule 4, D-04). */
export const capturePayment = async (
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome> => await captureBecause(ctx, request, { id, input, why: {} })

/** The same, with a reason that is kept. */
export async function captureBecause(
  ctx: Context,
  request: Request,
  { id, input, why }: { id: string; input: unknown; why: Why },
): Promise<Outcome> {
  const { amount: given } = parseCapture(input ?? {})
  const { caller } = request
  const payment = await withReadTransaction(ctx.db, (tx) => findPayment(tx, caller, id))
  if (payment === undefined) return problem('not_found')
  const amount = given === undefined ? payment.gross_amount : parseMoney(given)
  if (amount === undefined || amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'a positive number of whole rupiah' }])
  }
  return await performAction(ctx, request, {
    id,
    plan: {
      kind: 'capture',
      request: { amount: formatMoney(amount ?? 0n), ...why },
      check: (held) => checkCapture(held, amount ?? 0n),
    },
    represent: representAction,
  })
}

function checkCapture(payment: GatewayPayment, amount: Money): void {
  ruleOf('capture')(payment)
  if (amount > payment.authorized_amount) throw gatewayError('capture_amount_exceeded')
}
