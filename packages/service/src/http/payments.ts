// The routes of payments, in the order of the specification (Spec 4.1, 4.2).
import { approvePayment } from '../services/payments/approve_payment.ts'
import { cancelPayment } from '../services/payments/cancel_payment.ts'
import { CAPTURE_INPUT, capturePayment } from '../services/payments/capture_payment.ts'
import { CHARGE_INPUT } from '../services/payments/charge_input.ts'
import { getStatus } from '../services/payments/check_status.ts'
import { createCharge } from '../services/payments/create_charge.ts'
import { denyPayment } from '../services/payments/deny_payment.ts'
import { expirePayment } from '../services/payments/expire_payment.ts'
import { listPayments } from '../services/payments/list_payments.ts'
import { parsePaymentQuery, PAYMENT_QUERY } from '../services/payments/payment_query.ts'
import { readPayment } from '../services/payments/read_payment.ts'
import { REFUND_INPUT, refundPayment } from '../services/payments/refund_payment.ts'
import type { PaymentRepresentation, representRefund } from '../services/payments/representation.ts'
import { PAYMENT, PAYMENT_PAGE, REFUNDED, STATUS_CHECKED } from './payment_schemas.ts'
import { kept } from './platform/kept_reply.ts'
import { listRoute, NEWEST_FIRST, type ListPage } from './platform/list.ts'
import { AT_GATEWAY, CHANGING, inProcess, REFUNDING, route } from './platform/route.ts'
import { titled } from './platform/schema.ts'

export interface Refunded {
  payment: PaymentRepresentation
  refund: ReturnType<typeof representRefund>
}

const gross_amount = 44_000

export type PaymentPage = ListPage<Awaited<ReturnType<typeof listPayments>>['results'][number]>

export const payments = {
  createCharge: route({
    method: 'POST',
    path: '/charge/',
    operation: 'create_charge',
    summary: 'Create a charge at the gateway',
    scope: 'payments:write',
    input: titled('ChargeInput', CHARGE_INPUT),
    status: 201,
    reply: PAYMENT,
    errors: [
      ...CHANGING,
      'duplicate_order',
      'card_token_invalid',
      'channel_not_active',
      'account_blocked',
      'gateway_duplicate',
    ],
    is_charge: true,
    example: {
      virtual_account: {
        summary: 'Virtual account at BCA',
        value: { payment_type: 'bank_transfer', bank: 'bca', gross_amount },
      },
      qris: { summary: 'QRIS', value: { payment_type: 'qris', gross_amount } },
      gopay: {
        summary: 'GoPay, with the customer and the items',
        value: {
          payment_type: 'gopay',
          gross_amount,
          customer_details: { first_name: 'Ani', email: 'ani@example.com', phone: '081234567890' },
          item_details: [
            { id: 'tea-1', name: 'Jasmine tea', price: 20_000, quantity: 2 },
            { name: 'Delivery', price: 4_000 },
          ],
        },
      },
      convenience_store: {
        summary: 'Cash at Alfamart, within a day',
        value: {
          payment_type: 'cstore',
          store: 'alfamart',
          gross_amount,
          custom_expiry: { expiry_duration: 1, unit: 'day' },
        },
      },
      card: {
        summary: 'Card, by a token of the browser',
        value: { payment_type: 'credit_card', token_id: 'token-of-the-card', gross_amount },
      },
    },
    run: async (ctx, { input, request }) =>
      kept<PaymentRepresentation>(await createCharge(ctx, input, request)),
  }),

  listPayments: listRoute(
    {
      path: '/payments/',
      operation: 'list_payments',
      summary: 'List payments, newest first; staff see those of every owner',
      scope: null,
      query: PAYMENT_QUERY,
      reply: PAYMENT_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parsePaymentQuery, find: listPayments },
  ),

  getPayment: route({
    method: 'GET',
    path: '/payments/{pk}/',
    operation: 'get_payment',
    summary: 'Read a payment',
    scope: null,
    reply: PAYMENT,
    run: async (ctx, { request, id }) => await readPayment(ctx, request.caller, id),
  }),

  checkStatus: route({
    method: 'GET',
    path: '/payments/{pk}/check_status/',
    operation: 'check_status',
    summary: 'Refresh a payment from the gateway',
    scope: null,
    reply: STATUS_CHECKED,
    errors: AT_GATEWAY,
    run: async (ctx, { request, id }) => await getStatus(ctx, request.caller, id),
  }),

  cancelPayment: route({
    method: 'POST',
    path: '/payments/{pk}/cancel/',
    operation: 'cancel_payment',
    summary: 'Cancel a payment that is not in a final state',
    scope: 'payments:write',
    reply: PAYMENT,
    errors: [...CHANGING, 'payment_in_final_state'],
    run: async (ctx, { request, id }) =>
      kept<PaymentRepresentation>(await cancelPayment(ctx, request, id)),
  }),

  expirePayment: route({
    method: 'POST',
    path: '/payments/{pk}/expire/',
    operation: 'expire_payment',
    summary: 'Expire a pending payment',
    scope: 'payments:write',
    reply: PAYMENT,
    errors: [...CHANGING, 'payment_not_pending'],
    run: async (ctx, { request, id }) =>
      kept<PaymentRepresentation>(await expirePayment(ctx, request, id)),
  }),

  refundPayment: route({
    method: 'POST',
    path: '/payments/{pk}/refund/',
    operation: 'refund_payment',
    summary: 'Pay back all or part of a paid payment',
    scope: 'payments:refund',
    input: titled('RefundInput', REFUND_INPUT),
    reply: REFUNDED,
    errors: REFUNDING,
    example: {
      part: { summary: 'A part', value: { amount: 10_000, reason: 'One of two came back' } },
      all: { summary: 'All of it', value: { amount: gross_amount, reason: 'Order cancelled' } },
    },
    run: async (ctx, { request, id, input }) =>
      kept<Refunded>(await refundPayment(ctx, request, id, input)),
  }),

  capturePayment: route({
    method: 'POST',
    path: '/payments/{pk}/capture/',
    operation: 'capture_payment',
    summary: 'Capture an authorized card payment',
    scope: 'payments:capture',
    input: titled('CaptureInput', CAPTURE_INPUT),
    input_optional: true,
    reply: PAYMENT,
    errors: [
      ...CHANGING,
      'not_credit_card',
      'payment_not_authorized',
      'capture_amount_exceeded',
      'capture_denied',
    ],
    example: {
      all: { summary: 'All that was authorized', value: {} },
      part: { summary: 'A part', value: { amount: 20_000 } },
    },
    run: async (ctx, { request, id, input }) =>
      kept<PaymentRepresentation>(await capturePayment(ctx, request, id, input)),
  }),

  // The specification has no path for these two. Approving a payment in review captures money, so it
  // takes the scope of a capture.

  approvePayment: inProcess({
    method: 'POST',
    path: '/payments/{pk}/approve/',
    scope: 'payments:capture',
    run: async (ctx, { request, id }) =>
      kept<PaymentRepresentation>(await approvePayment(ctx, request, id)),
  }),

  denyPayment: inProcess({
    method: 'POST',
    path: '/payments/{pk}/deny/',
    scope: 'payments:capture',
    run: async (ctx, { request, id }) =>
      kept<PaymentRepresentation>(await denyPayment(ctx, request, id)),
  }),
}
