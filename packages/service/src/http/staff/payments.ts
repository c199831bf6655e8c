// What staff see and do of payments: those of every owner.
import { Type } from 'typebox'
import type { Scope } from '../../domain/caller.ts'
import * as acts from '../../services/staff/act_on_object.ts'
import { addNote, NOTE_INPUT } from '../../services/staff/add_note.ts'
import { adoptOrder } from '../../services/staff/adopt_order.ts'
import { exportPayments, exportWorkbook } from '../../services/staff/export_payments.ts'
import {
  readPaymentHistory,
  readObjectHistory,
  readPaymentPulse,
} from '../../services/staff/history.ts'
import { listStaffPayments, totalStaffPayments } from '../../services/staff/list_payments.ts'
import { readStaffPayment } from '../../services/staff/payment_detail.ts'
import {
  EXPORT_QUERY,
  parseStaffPaymentQuery,
  STAFF_PAYMENT_QUERY,
} from '../../services/staff/payment_query.ts'
import { WORKBOOK_TYPE } from '../../services/staff/workbook.ts'
import {
  ADOPTION_INPUT,
  SHORT_REASON_INPUT,
  STAFF_ACT_INPUT,
} from '../../services/staff/staff_query.ts'
import { PAYMENT, REFUNDED } from '../payment_schemas.ts'
import { BY_TIME_OR_AMOUNT, listRoute } from '../platform/list.ts'
import { AT_GATEWAY, CHANGING, inProcess, REFUNDING, route } from '../platform/route.ts'
import { titled } from '../platform/schema.ts'
import {
  PAYMENT_PULSE,
  PAYMENT_TOTALS,
  STAFF_NOTE,
  STAFF_PAYMENT,
  STAFF_PAYMENT_PAGE,
} from './payment_schemas.ts'

const reading = { method: 'GET', access: 'staff', scope: 'staff:read' } as const

/** An action takes the scope it takes of every caller: seeing all is not doing all. */
const acting = <const S extends Scope>(scope: S) =>
  ({
    method: 'POST',
    access: 'staff',
    scope,
    input: titled('StaffReasonInput', SHORT_REASON_INPUT),
    reply: PAYMENT,
  }) as const

export const staff_payments = {
  listPayments: listRoute(
    {
      path: '/staff/payments/',
      operation: 'list_staff_payments',
      summary: 'List the payments of every owner, sorted in one of four ways',
      access: 'staff',
      scope: 'staff:read',
      query: STAFF_PAYMENT_QUERY,
      reply: STAFF_PAYMENT_PAGE,
      between_cells: true,
    },
    { cursors: BY_TIME_OR_AMOUNT, parse: parseStaffPaymentQuery, find: listStaffPayments },
  ),

  exportPayments: route({
    ...reading,
    path: '/staff/payments/export/',
    operation: 'export_staff_payments',
    summary: 'Export the payments that match the filters as a streamed CSV file',
    query: EXPORT_QUERY,
    reply: Type.String(),
    media: 'text/csv',
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await exportPayments(ctx, request.caller, query),
  }),

  exportWorkbook: route({
    ...reading,
    path: '/staff/payments/export_xlsx/',
    operation: 'export_xlsx_staff_payments',
    summary: 'Export the payments that match the filters as a streamed XLSX file',
    query: EXPORT_QUERY,
    reply: Type.String(),
    media: WORKBOOK_TYPE,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await exportWorkbook(ctx, request.caller, query),
  }),

  totalPayments: route({
    ...reading,
    path: '/staff/payments/totals/',
    operation: 'total_staff_payments',
    summary: 'Count and sum the payments that match the filters, estimated above 10,000',
    query: EXPORT_QUERY,
    reply: PAYMENT_TOTALS,
    errors: ['invalid_request'],
    run: async (ctx, { request, query }) => await totalStaffPayments(ctx, request.caller, query),
  }),

  getPayment: route({
    ...reading,
    path: '/staff/payments/{pk}/',
    operation: 'get_staff_payment',
    summary: 'Read a payment with its history, the reason for its status and the possible actions',
    reply: STAFF_PAYMENT,
    run: async (ctx, { request, id }) => await readStaffPayment(ctx, request.caller, id),
  }),

  getPaymentPulse: route({
    ...reading,
    path: '/staff/payments/{pk}/pulse/',
    operation: 'pulse_staff_payment',
    summary: 'Check whether a payment has changed',
    reply: PAYMENT_PULSE,
    run: async (ctx, { request, id }) => await readPaymentPulse(ctx, request.caller, id),
  }),

  addPaymentNote: route({
    method: 'POST',
    path: '/staff/payments/{pk}/notes/',
    operation: 'note_staff_payment',
    summary: 'Add a note for other staff members to a payment',
    access: 'staff',
    scope: 'staff:act',
    input: titled('NoteInput', NOTE_INPUT),
    reply: STAFF_NOTE,
    run: async (ctx, { request, id, input }) => await addNote(ctx, request, id, input),
  }),

  refreshPayment: route({
    method: 'POST',
    access: 'staff',
    scope: 'staff:read',
    input: titled('StaffActInput', STAFF_ACT_INPUT),
    input_optional: true,
    reply: PAYMENT,
    path: '/staff/payments/{pk}/refresh/',
    operation: 'refresh_staff_payment',
    summary: 'Refresh a payment from the gateway',
    repeat: 'a repeat asks the gateway again.',
    errors: AT_GATEWAY,
    run: async (ctx, { request, id, input }) => await acts.staffRefresh(ctx, request, id, input),
  }),

  cancelPayment: route({
    ...acting('payments:write'),
    path: '/staff/payments/{pk}/cancel/',
    operation: 'cancel_staff_payment',
    summary: 'Cancel a payment that is not in a final state, with a reason',
    errors: [...CHANGING, 'payment_in_final_state'],
    run: async (ctx, { request, id, input }) => await acts.staffCancel(ctx, request, id, input),
  }),

  expirePayment: route({
    ...acting('payments:write'),
    path: '/staff/payments/{pk}/expire/',
    operation: 'expire_staff_payment',
    summary: 'Expire a pending payment, with a reason',
    errors: [...CHANGING, 'payment_not_pending'],
    run: async (ctx, { request, id, input }) => await acts.staffExpire(ctx, request, id, input),
  }),

  capturePayment: route({
    ...acting('payments:capture'),
    path: '/staff/payments/{pk}/capture/',
    operation: 'capture_staff_payment',
    summary: 'Capture an authorized card payment, with a reason',
    input: titled('StaffCaptureInput', acts.STAFF_CAPTURE_INPUT),
    errors: [...CHANGING, 'not_credit_card', 'payment_not_authorized', 'capture_amount_exceeded'],
    run: async (ctx, { request, id, input }) => await acts.staffCapture(ctx, request, id, input),
  }),

  approvePayment: route({
    ...acting('payments:capture'),
    path: '/staff/payments/{pk}/approve/',
    operation: 'approve_staff_payment',
    summary: 'Approve a card payment that is in review, with a reason',
    errors: [...CHANGING, 'payment_not_in_review'],
    run: async (ctx, { request, id, input }) => await acts.staffApprove(ctx, request, id, input),
  }),

  denyPayment: route({
    ...acting('payments:capture'),
    path: '/staff/payments/{pk}/deny/',
    operation: 'deny_staff_payment',
    summary: 'Deny a card payment that is in review, with a reason',
    errors: [...CHANGING, 'payment_not_in_review'],
    run: async (ctx, { request, id, input }) => await acts.staffDeny(ctx, request, id, input),
  }),

  refundPayment: route({
    method: 'POST',
    path: '/staff/payments/{pk}/refund/',
    operation: 'refund_staff_payment',
    summary: 'Refund all or part of a paid payment, with a reason',
    access: 'staff',
    scope: 'payments:refund',
    input: titled('StaffRefundInput', acts.STAFF_REFUND_INPUT),
    reply: REFUNDED,
    errors: REFUNDING,
    run: async (ctx, { request, id, input }) => await acts.staffRefund(ctx, request, id, input),
  }),

  paymentHistory: inProcess({
    ...reading,
    path: '/staff/payments/{pk}/history/',
    run: async (ctx, { request, id }) => await readPaymentHistory(ctx, request.caller, id),
  }),

  invoiceHistory: inProcess({
    ...reading,
    path: '/staff/invoices/{pk}/history/',
    run: async (ctx, { request, id }) =>
      await readObjectHistory(ctx, request.caller, { kind: 'invoice', id }),
  }),

  checkoutHistory: inProcess({
    ...reading,
    path: '/staff/checkouts/{pk}/history/',
    run: async (ctx, { request, id }) =>
      await readObjectHistory(ctx, request.caller, { kind: 'checkout', id }),
  }),

  subscriptionHistory: inProcess({
    ...reading,
    path: '/staff/subscriptions/{pk}/history/',
    run: async (ctx, { request, id }) =>
      await readObjectHistory(ctx, request.caller, { kind: 'subscription', id }),
  }),

  /** Creates the payment of an order that was made elsewhere, in the gateway's state of it. */
  adoptOrder: inProcess({
    method: 'POST',
    path: '/staff/payments/adopt/',
    access: 'staff',
    scope: 'staff:act',
    input: ADOPTION_INPUT,
    repeat: 'an order is adopted once; a repeat is refused.',
    run: async (ctx, { request, input }) => await adoptOrder(ctx, request.caller, input),
  }),
}
