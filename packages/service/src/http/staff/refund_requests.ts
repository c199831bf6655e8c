// Refunds that need a second staff member (ADR 0010).
import { REFUND_SOURCES, REFUND_STATUSES } from '../../domain/payment.ts'
import { PAYMENT_TYPES } from '../../domain/payment_type.ts'
import { REFUND_REQUEST_STATES } from '../../domain/refund_request.ts'
import {
  listRefunds,
  OUTSIDE_REFUND_INPUT,
  parseRefundQuery,
  REFUND_QUERY,
  requestOutside,
} from '../../services/staff/refunds.ts'
import {
  approveRefund,
  declineRefund,
  listRefundRequests,
  representRefundRequest,
} from '../../services/staff/refund_requests.ts'
import {
  parseRefundRequestQuery,
  REASON_INPUT,
  REFUND_REQUEST_QUERY,
} from '../../services/staff/staff_query.ts'
import { REFUNDED } from '../payment_schemas.ts'
import { listRoute, NEWEST_FIRST } from '../platform/list.ts'
import { REFUNDING, route } from '../platform/route.ts'
import {
  money,
  named,
  oneOf,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull,
  titled,
  uuid,
  yesOrNo,
} from '../platform/schema.ts'

export const REFUND_REQUEST = named('RefundRequest', {
  id: uuid('The id of the request.'),
  payment_id: uuid('The payment to refund.'),
  owner_id: text('The owner of the payment.'),
  amount: money('The amount to refund, in rupiah with two decimals.'),
  reason: text('Why it is to be refunded.'),
  is_direct: yesOrNo('Whether the refund is to be sent to the payment provider at once.'),
  requested_by: text('The caller who requested the refund.'),
  requested_by_staff: yesOrNo('Whether that caller is a staff member.'),
  state: oneOf(REFUND_REQUEST_STATES, '`held` waits for a second staff member.'),
  decided_by: textOrNull('The staff member who approved or declined it.'),
  decided_at: timeOrNull('When it was approved or declined.'),
  decision_reason: textOrNull('Why it was approved or declined.'),
  created_at: time('When the refund was requested.'),
  expires_at: time('Until when it can be approved.'),
  outside: yesOrNo('Whether it was paid outside the gateway and is only recorded.'),
  reference: textOrNull('The number of the transfer, if it was paid outside the gateway.'),
  evidence: textOrNull('What else proves that it was paid.'),
})

export const STAFF_REFUND_PAGE = pageOf(
  'StaffRefundPage',
  named('StaffRefund', {
    id: uuid('The id of the refund.'),
    payment_id: uuid('The payment that was refunded.'),
    order_id: text('The order id of the payment.'),
    payment_type: oneOf(PAYMENT_TYPES, 'The payment method.'),
    owner_id: text('The owner of the payment.'),
    refund_key: text('The key under which the refund is known.'),
    amount: money('The refunded amount, in rupiah with two decimals.'),
    reason: text('Why it was refunded.'),
    is_direct: yesOrNo('Whether the refund was sent to the payment provider at once.'),
    status: oneOf(REFUND_STATUSES, '`pending`: the gateway has not answered clearly yet.'),
    source: oneOf(REFUND_SOURCES, 'Where it was made; `outside`: by staff, outside the gateway.'),
    status_message: textOrNull("The gateway's message of its answer."),
    requested_by: textOrNull('Who requested it.'),
    approved_by: textOrNull('Who else approved it.'),
    reference: textOrNull('The number of the transfer, if it was paid outside the gateway.'),
    evidence: textOrNull('What else proves that it was paid.'),
    confirmed_at: timeOrNull('When it was confirmed.'),
    created_at: time('When it was created here.'),
  }),
)

export const REFUND_REQUEST_PAGE = pageOf('RefundRequestPage', REFUND_REQUEST)

/** The scope of a refund; the service checks that the caller has `staff:act` as well. */
const deciding = { method: 'POST', access: 'staff', scope: 'payments:refund' } as const

export const refund_requests = {
  listRefundRequests: listRoute(
    {
      path: '/staff/refund_requests/',
      operation: 'list_staff_refund_requests',
      summary: 'List refund requests that need or needed a second approval, newest first',
      access: 'staff',
      scope: 'staff:read',
      query: REFUND_REQUEST_QUERY,
      reply: REFUND_REQUEST_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseRefundRequestQuery, find: listRefundRequests },
  ),

  listRefunds: listRoute(
    {
      path: '/staff/refunds/',
      operation: 'list_staff_refunds',
      summary: 'List the refunds of all payments, newest first',
      access: 'staff',
      scope: 'staff:read',
      query: REFUND_QUERY,
      reply: STAFF_REFUND_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseRefundQuery, find: listRefunds },
  ),

  recordOutsideRefund: route({
    ...deciding,
    path: '/staff/payments/{pk}/record_refund/',
    operation: 'record_refund_staff_payment',
    summary:
      'Request to record a refund that was paid outside the gateway; another person approves it',
    input: titled('OutsideRefundInput', OUTSIDE_REFUND_INPUT),
    reply: REFUNDED,
    errors: [...REFUNDING, 'outside_refund_unavailable'],
    run: async (ctx, { request, id, input }) => await requestOutside(ctx, request, id, input),
  }),

  approveRefund: route({
    ...deciding,
    path: '/staff/refund_requests/{pk}/approve/',
    operation: 'approve_staff_refund_request',
    summary: 'Approve and make a held refund that another staff member requested, with a reason',
    input: titled('ReasonInput', REASON_INPUT),
    repeat: 'repeated approvals of a request make one refund.',
    reply: REFUNDED,
    errors: [...REFUNDING, 'second_person_needed', 'refund_request_ended'],
    run: async (ctx, { request, id, input }) => await approveRefund(ctx, request.caller, id, input),
  }),

  declineRefund: route({
    ...deciding,
    path: '/staff/refund_requests/{pk}/decline/',
    operation: 'decline_staff_refund_request',
    summary: 'Decline a held refund, or withdraw your own request, with a reason',
    input: titled('ReasonInput', REASON_INPUT),
    repeat: 'a repeat returns the declined request.',
    reply: REFUND_REQUEST,
    errors: ['refund_request_ended'],
    run: async (ctx, { request, id, input }) => {
      const declined = await declineRefund(ctx, request.caller, id, input)
      return declined && representRefundRequest(declined)
    },
  }),
}
