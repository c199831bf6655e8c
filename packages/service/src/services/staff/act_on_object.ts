// What staff do to an object of any owner: the actions every caller has, with a reason that is
// required and kept in the audit. Callers' own routes take none: the specification has none.
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import {
  approvePayment,
  cancelPayment,
  CAPTURE_INPUT,
  captureFor,
  denyPayment,
  expirePayment,
} from '../payments/actions.ts'
import { cancelCheckout, createCheckoutFor } from '../checkouts/actions.ts'
import { CHECKOUT_INPUT, parseCheckoutOrder } from '../checkouts/checkout_order.ts'
import { voidInvoice } from '../invoices/actions.ts'
import { getStatus } from '../payments/read_payments.ts'
import { REFUND_INPUT, refundPayment } from '../payments/refund_payment.ts'
import type { Refunded } from '../payments/representation.ts'
import type { CheckoutReply } from '../../domain/checkout_representation.ts'
import type { PaymentRepresentation } from '../../domain/payment_representation.ts'
import { problem, replied, type Outcome, type Request, type Why } from '../requests.ts'
import {
  cancelSubscription,
  disableSubscription,
  enableSubscription,
} from '../subscriptions/actions.ts'
import { requireActingFor } from '../access/staff_caller.ts'
import { keptTextParser } from '../validation.ts'
import { parseAct, parseShortReason, SHORT_REASON } from './staff_query.ts'

const withReason = { reason: SHORT_REASON }
const closed = { additionalProperties: false }

export const STAFF_CAPTURE_INPUT = Type.Object(
  { ...CAPTURE_INPUT.properties, ...withReason },
  closed,
)
export const STAFF_REFUND_INPUT = Type.Object({ ...REFUND_INPUT.properties, ...withReason }, closed)
export const STAFF_CHECKOUT_INPUT = Type.Object(
  {
    owner_id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The owner that the checkout and its payments are to belong to.',
    }),
    ...CHECKOUT_INPUT.properties,
  },
  closed,
)

const parseCheckout = keptTextParser(STAFF_CHECKOUT_INPUT)
const parseCapture = keptTextParser(STAFF_CAPTURE_INPUT)
const parseRefund = keptTextParser(STAFF_REFUND_INPUT)

type Act<Body extends object> = (
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
) => Promise<Outcome<Body>>
type Plain<Body extends object> = (
  ctx: Context,
  request: Request,
  id: string,
  why: Why,
) => Promise<Outcome<Body>>

const withItsReason =
  <Body extends object>(act: Plain<Body>): Act<Body> =>
  async (ctx, request, id, input) =>
    await act(ctx, request, id, parseShortReason(input ?? {}))

export const staffCancel = withItsReason(cancelPayment)
export const staffExpire = withItsReason(expirePayment)
export const staffApprove = withItsReason(approvePayment)
export const staffDeny = withItsReason(denyPayment)
export const staffCancelCheckout = withItsReason(cancelCheckout)
export const staffVoidInvoice = withItsReason(voidInvoice)
export const staffDisableSubscription = withItsReason(disableSubscription)
export const staffEnableSubscription = withItsReason(enableSubscription)
export const staffCancelSubscription = withItsReason(cancelSubscription)

export const staffRefund: Act<Refunded> = async (ctx, request, id, input) =>
  await refundPayment(ctx, request, id, parseRefund(input ?? {}))

/** It changes nothing at the gateway, so its reason is optional. */
export const staffRefresh: Act<PaymentRepresentation> = async (ctx, { caller }, id, input) => {
  parseAct(input ?? {})
  const checked = await getStatus(ctx, caller, id)
  return checked === undefined ? problem('not_found') : replied(200, checked.payment)
}

export const staffCapture: Act<PaymentRepresentation> = async (ctx, request, id, input) => {
  const { reason, ...taken } = parseCapture(input ?? {})
  return await captureFor(ctx, request, { id, input: taken, why: { reason } })
}

/** A payment link that belongs to the owner it is for, so that the owner gets its events. */
export async function staffCreateCheckout(
  ctx: Context,
  request: Request,
  input: unknown,
): Promise<Outcome<CheckoutReply>> {
  const { owner_id, ...order } = parseCheckout(input)
  requireActingFor(request.caller, owner_id)
  return await createCheckoutFor(ctx, request, parseCheckoutOrder(order), owner_id)
}
