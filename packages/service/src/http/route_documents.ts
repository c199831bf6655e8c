import { Type } from 'typebox'
import { CHARGE_INPUT } from '../services/payments/charge_input.ts'
import { CAPTURE_INPUT } from '../services/payments/actions.ts'
import { PAYMENT_QUERY } from '../services/payments/payment_query.ts'
import { REFUND_INPUT } from '../services/payments/refund_payment.ts'
import { INVOICE_DOCUMENTS } from './invoice_documents.ts'
import * as shapes from './representation_schemas.ts'
import type { Route } from './route.ts'
import { AT_GATEWAY, CHANGING, REFUNDING, titled, type RouteDocument } from './route_document.ts'
import * as routes from './routes.ts'
import { STAFF_DOCUMENTS } from './staff_documents.ts'
import { SUBSCRIPTION_DOCUMENTS } from './subscription_documents.ts'

/** The gateway's own payload, of which only what the signature needs is fixed. */
const NOTIFICATION = Type.Object(
  {
    order_id: Type.String(),
    transaction_status: Type.String(),
    status_code: Type.String(),
    gross_amount: Type.String(),
    signature_key: Type.String(),
  },
  { title: 'Notification' },
)

const read = { status: 200, errors: [] } as const
const action = { status: 200, reply: shapes.PAYMENT } as const

export const ROUTE_DOCUMENTS: ReadonlyMap<Route, RouteDocument> = new Map<Route, RouteDocument>([
  [
    routes.createChargeRoute,
    {
      operation: 'create_charge',
      summary: 'Create a charge at the gateway',
      body: titled('ChargeInput', CHARGE_INPUT),
      status: 201,
      reply: shapes.PAYMENT,
      errors: [
        ...CHANGING,
        'duplicate_order',
        'card_token_invalid',
        'channel_not_active',
        'account_blocked',
        'gateway_duplicate',
      ],
    },
  ],
  [
    routes.listPaymentsRoute,
    {
      ...read,
      operation: 'list_payments',
      summary: 'List payments, newest first; staff see those of every owner',
      query: PAYMENT_QUERY,
      reply: shapes.PAYMENT_PAGE,
      errors: ['invalid_request'],
    },
  ],
  [
    routes.getPaymentRoute,
    { ...read, operation: 'get_payment', summary: 'Read a payment', reply: shapes.PAYMENT },
  ],
  [
    routes.checkStatusRoute,
    {
      operation: 'check_status',
      summary: 'Refresh a payment from the gateway',
      status: 200,
      reply: shapes.STATUS_CHECKED,
      errors: AT_GATEWAY,
    },
  ],
  [
    routes.cancelPaymentRoute,
    {
      ...action,
      operation: 'cancel_payment',
      summary: 'Cancel a payment that is not in a final state',
      errors: [...CHANGING, 'payment_in_final_state'],
    },
  ],
  [
    routes.expirePaymentRoute,
    {
      ...action,
      operation: 'expire_payment',
      summary: 'Expire a pending payment',
      errors: [...CHANGING, 'payment_not_pending'],
    },
  ],
  [
    routes.refundPaymentRoute,
    {
      operation: 'refund_payment',
      summary: 'Pay back all or part of a paid payment',
      body: titled('RefundInput', REFUND_INPUT),
      status: 200,
      reply: shapes.REFUNDED,
      errors: REFUNDING,
    },
  ],
  [
    routes.capturePaymentRoute,
    {
      ...action,
      operation: 'capture_payment',
      summary: 'Capture an authorized card payment',
      body: titled('CaptureInput', CAPTURE_INPUT),
      body_optional: true,
      errors: [
        ...CHANGING,
        'not_credit_card',
        'payment_not_authorized',
        'capture_amount_exceeded',
        'capture_denied',
      ],
    },
  ],
  [
    routes.notificationRoute,
    {
      operation: 'receive_notification',
      summary: 'Receive a webhook notification of the gateway; its signature is verified',
      body: NOTIFICATION,
      status: 200,
      reply: shapes.RECEIVED,
      errors: ['signature_invalid'],
    },
  ],
  ...INVOICE_DOCUMENTS,
  ...SUBSCRIPTION_DOCUMENTS,
  ...STAFF_DOCUMENTS,
])
