// The routes of payments, in the order of the specification (api-rules.md#payments), and the webhook
// of the gateway.
import { Type } from 'typebox'
import { CHARGE_EXAMPLES } from '../domain/payment_type_row.ts'
import { queueCharge, queueRefund } from '../services/background/queued_request.ts'
import {
  approvePayment,
  cancelPayment,
  CAPTURE_INPUT,
  capturePayment,
  denyPayment,
  expirePayment,
} from '../services/payments/actions.ts'
import { CHARGE_INPUT } from '../services/payments/charge_order.ts'
import {
  CHARGE_RULES,
  type ChargeInput,
  type QueuedChargeInput,
} from '../services/payments/charge_types.ts'
import { createCharge } from '../services/payments/create_charge.ts'
import { receiveNotification } from '../services/notifications/receive_notification.ts'
import {
  getStatus,
  listPayments,
  parsePaymentQuery,
  PAYMENT_QUERY,
  readPayment,
} from '../services/payments/read_payments.ts'
import { REFUND_INPUT, refundPayment } from '../services/payments/refund_payment.ts'
import { PAYMENT, PAYMENT_PAGE, REFUNDED, STATUS_CHECKED } from './payment_schemas.ts'
import { listRoute, NEWEST_FIRST, type ListPage } from './platform/list.ts'
import { AT_GATEWAY, CHANGING, inProcess, REFUNDING, route } from './platform/route.ts'
import { named, text, titled, uuid, variants } from './platform/schema.ts'

const gross_amount = 44_000

export type PaymentPage = ListPage<Awaited<ReturnType<typeof listPayments>>['results'][number]>

export const payments = {
  createCharge: route({
    method: 'POST',
    path: '/charge/',
    operation: 'create_charge',
    summary: 'Create a charge at the gateway',
    scope: 'payments:write',
    input: titled('ChargeInput', variants<ChargeInput>(CHARGE_INPUT, 'payment_type', CHARGE_RULES)),
    status: 201,
    reply: PAYMENT,
    errors: [
      ...CHANGING,
      'duplicate_order',
      'order_ended',
      'card_token_invalid',
      'channel_not_active',
      'account_blocked',
      'gateway_duplicate',
    ],
    is_charge: true,
    example: CHARGE_EXAMPLES,
    run: async (ctx, { input, request }) => await createCharge(ctx, input, request),
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
    run: async (ctx, { request, id }) => await cancelPayment(ctx, request, id),
  }),

  expirePayment: route({
    method: 'POST',
    path: '/payments/{pk}/expire/',
    operation: 'expire_payment',
    summary: 'Expire a pending payment',
    scope: 'payments:write',
    reply: PAYMENT,
    errors: [...CHANGING, 'payment_not_pending'],
    run: async (ctx, { request, id }) => await expirePayment(ctx, request, id),
  }),

  refundPayment: route({
    method: 'POST',
    path: '/payments/{pk}/refund/',
    operation: 'refund_payment',
    summary: 'Refund all or part of a paid payment',
    scope: 'payments:refund',
    input: titled('RefundInput', REFUND_INPUT),
    reply: REFUNDED,
    errors: REFUNDING,
    example: {
      part: {
        summary: 'A partial amount',
        value: { amount: 10_000, reason: 'One of two items was returned' },
      },
      all: {
        summary: 'The full amount',
        value: { amount: gross_amount, reason: 'Order cancelled' },
      },
    },
    run: async (ctx, { request, id, input }) => await refundPayment(ctx, request, id, input),
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
      all: { summary: 'The full authorized amount', value: {} },
      part: { summary: 'A partial amount', value: { amount: 20_000 } },
    },
    run: async (ctx, { request, id, input }) => await capturePayment(ctx, request, id, input),
  }),

  // The two tasks that are queued by a caller. A key stands for one charge or refund, whether it is
  // queued or made at once: the path is that of the direct call, and so is the fingerprint.

  queueCharge: inProcess({
    method: 'POST',
    path: '/charge/',
    scope: 'payments:write',
    input: Type.Unsafe<QueuedChargeInput>(CHARGE_INPUT),
    run: async (ctx, { request, input }) => await queueCharge(ctx, request, input),
  }),

  queueRefund: inProcess({
    method: 'POST',
    path: '/payments/{pk}/refund/',
    scope: 'payments:refund',
    input: REFUND_INPUT,
    run: async (ctx, { request, id, input }) => await queueRefund(ctx, request, id, input),
  }),

  // The specification's name of the service; its path is called `check_status`.
  getStatus: inProcess({
    method: 'GET',
    path: '/payments/{pk}/check_status/',
    scope: null,
    run: async (ctx, { request, id }) => await getStatus(ctx, request.caller, id),
  }),

  // The specification has no path for these two. Approving a payment in review captures money, so it
  // takes the scope of a capture.

  approvePayment: inProcess({
    method: 'POST',
    path: '/payments/{pk}/approve/',
    scope: 'payments:capture',
    run: async (ctx, { request, id }) => await approvePayment(ctx, request, id),
  }),

  denyPayment: inProcess({
    method: 'POST',
    path: '/payments/{pk}/deny/',
    scope: 'payments:capture',
    run: async (ctx, { request, id }) => await denyPayment(ctx, request, id),
  }),
}

/** The gateway's own payload, of which only what the signature needs is fixed. */
const NOTIFICATION = Type.Object(
  {
    order_id: text('The order id of the payment.'),
    transaction_status: text("The gateway's status of the payment."),
    status_code: text("The gateway's status code."),
    gross_amount: text('The amount of the payment, as the gateway writes it.'),
    signature_key: text('SHA-512 of order id, status code, amount and the server key.'),
  },
  { title: 'Notification' },
)

export const RECEIVED = named('NotificationReceived', {
  status: Type.Literal('ok', { description: 'The notification was accepted.' }),
  notification_id: Type.Optional(
    uuid('The id under which it is stored. An unsigned notice is not stored and has none.'),
  ),
})

export const notification = {
  receiveNotification: route({
    method: 'POST',
    path: '/notification/',
    operation: 'receive_notification',
    summary: 'Receive a webhook notification from the gateway and verify its signature',
    access: 'public',
    scope: null,
    input: NOTIFICATION,
    reply: RECEIVED,
    errors: ['signature_invalid'],
    run: async (ctx, { input }) => await receiveNotification(ctx, input),
  }),
}
