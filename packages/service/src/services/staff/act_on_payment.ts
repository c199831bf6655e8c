// What staff do to a payment: the actions every caller has, with a reason that is kept.
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import {
  approvePayment,
  cancelPayment,
  CAPTURE_INPUT,
  captureFor,
  denyPayment,
  expirePayment,
  type Why,
} from '../payments/actions.ts'
import { getStatus } from '../payments/read_payments.ts'
import { refundPayment } from '../payments/refund_payment.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'
import { problem, replied, type Outcome, type Request } from '../requests.ts'
import { keptTextParser } from '../validation.ts'
import { parseAct, STAFF_ACT_INPUT } from './staff_query.ts'

export const STAFF_CAPTURE_INPUT = Type.Object(
  { ...CAPTURE_INPUT.properties, ...STAFF_ACT_INPUT.properties },
  { additionalProperties: false },
)

const parseCapture = keptTextParser(STAFF_CAPTURE_INPUT)

type Act = (
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
) => Promise<Outcome<PaymentRepresentation>>
type Plain = (
  ctx: Context,
  request: Request,
  id: string,
  why: Why,
) => Promise<Outcome<PaymentRepresentation>>

const plainly =
  (act: Plain): Act =>
  async (ctx, request, id, input) =>
    await act(ctx, request, id, parseAct(input ?? {}))

export const staffCancel = plainly(cancelPayment)
export const staffExpire = plainly(expirePayment)
export const staffApprove = plainly(approvePayment)
export const staffDeny = plainly(denyPayment)
export const staffRefund = refundPayment

export const staffRefresh = plainly(async (ctx, { caller }, id) => {
  const checked = await getStatus(ctx, caller, id)
  return checked === undefined ? problem('not_found') : replied(200, checked.payment)
})

export const staffCapture: Act = async (ctx, request, id, input) => {
  const { reason, ...taken } = parseCapture(input ?? {})
  const why = reason === undefined ? {} : { reason }
  return await captureFor(ctx, request, { id, input: taken, why })
}
