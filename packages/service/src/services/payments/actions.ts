// The actions on a payment, as callers and staff request them. The rule of each is checked under
// the payment's lock; a staff member's reason is stored with the operation and never sent.
import { Type } from 'typebox'
import { gatewayError } from '../../domain/errors.ts'
import { formatMoney, parseMoney, toWholeRupiah, type Money } from '../../domain/money.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import { actionRefusal, type PaymentAction } from '../../domain/payment_actions.ts'
import { withReadTransaction } from '../../store/connection/transaction.ts'
import { findPayment } from '../../store/payments/rows.ts'
import type { Context } from '../context.ts'
import { changeObject } from '../operations/prepare.ts'
import { problem, type Outcome, type Request, type Why } from '../requests.ts'
import { refuseFaults, requestParser } from '../validation.ts'
import { PAYMENT_ACTIONS } from './operations.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'

function checkRule(
  action: PaymentAction,
  { payment_type, transaction_status, fraud_status }: GatewayPayment,
): void {
  const facts = { payment_type, status: transaction_status, fraud: fraud_status }
  const refusal = actionRefusal(action, facts)
  if (refusal !== undefined) throw gatewayError(refusal)
}

const plain =
  (action: 'cancel' | 'expire' | 'approve' | 'deny') =>
  async (
    ctx: Context,
    request: Request,
    id: string,
    why: Why = {},
  ): Promise<Outcome<PaymentRepresentation>> =>
    await changeObject(ctx, request, {
      type: PAYMENT_ACTIONS[action],
      id,
      kept: why,
      check: (payment) => checkRule(action, payment),
    })

/** Cancels a payment before it is settled. */
export const cancelPayment = plain('cancel')
/** Ends a pending payment before its expiry time. */
export const expirePayment = plain('expire')
/** Accepts a card payment that the fraud detection holds for review. */
export const approvePayment = plain('approve')
/** Rejects a card payment that the fraud detection holds for review. */
export const denyPayment = plain('deny')

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

/** Captures a card authorization: all of it, or the given amount (api-rules.md#actions). */
export const capturePayment = async (
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome<PaymentRepresentation>> => await captureFor(ctx, request, { id, input, why: {} })

/** The same with the reason of a staff member. */
export async function captureFor(
  ctx: Context,
  request: Request,
  { id, input, why }: { id: string; input: unknown; why: Why },
): Promise<Outcome<PaymentRepresentation>> {
  const { amount: given } = parseCapture(input ?? {})
  const { caller } = request
  const payment = await withReadTransaction(ctx.db, (tx) => findPayment(tx, caller, id))
  if (payment === undefined) return problem('not_found')
  const amount = (given === undefined ? payment.gross_amount : parseMoney(given)) ?? 0n
  if (amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'must be a positive number of whole rupiah' }])
  }
  return await changeObject(ctx, request, {
    type: PAYMENT_ACTIONS.capture,
    id,
    kept: { amount: formatMoney(amount), ...why },
    check: (locked) => checkCapture(locked, amount),
  })
}

function checkCapture(payment: GatewayPayment, amount: Money): void {
  checkRule('capture', payment)
  if (amount > payment.authorized_amount) throw gatewayError('capture_amount_exceeded')
}
