import { Type } from 'typebox'
import { STAFF_CAPTURE_INPUT } from '../services/staff/act_on_payment.ts'
import { NOTE_INPUT } from '../services/staff/add_note.ts'
import { EXPORT_QUERY, STAFF_PAYMENT_QUERY } from '../services/staff/payment_query.ts'
import { SEARCH_QUERY } from '../services/staff/search_payments.ts'
import { STAFF_ACT_INPUT } from '../services/staff/staff_query.ts'
import { REFUND_INPUT } from '../services/payments/refund_payment.ts'
import { PAYMENT, REFUNDED } from './representation_schemas.ts'
import type { Route } from './route.ts'
import { AT_GATEWAY, CHANGING, REFUNDING, titled, type RouteDocument } from './route_document.ts'
import * as shapes from './staff_payment_schemas.ts'
import * as payments from './staff_payment_routes.ts'
import { STAFF_DESK_DOCUMENTS } from './staff_desk_documents.ts'
import { PAYMENT_PULSE } from './staff_desk_schemas.ts'
import { STAFF_REFUND_DOCUMENTS } from './staff_refund_documents.ts'
import { getMeRoute } from './staff_routes.ts'

const read = { status: 200, errors: [] } as const
const act = {
  status: 200,
  reply: PAYMENT,
  body: titled('StaffActInput', STAFF_ACT_INPUT),
  body_optional: true,
} as const

type Documented = readonly [Route, RouteDocument]

const READS: readonly Documented[] = [
  [
    getMeRoute,
    {
      ...read,
      operation: 'get_me',
      summary: 'Read whom this key or session belongs to',
      reply: shapes.ME,
    },
  ],
  [
    payments.listStaffPaymentsRoute,
    {
      ...read,
      operation: 'list_staff_payments',
      summary: "List every owner's payments, in one of four orders",
      query: STAFF_PAYMENT_QUERY,
      reply: shapes.STAFF_PAYMENT_PAGE,
      errors: ['invalid_request'],
    },
  ],
  [
    payments.exportStaffPaymentsRoute,
    {
      ...read,
      operation: 'export_staff_payments',
      summary: 'Export what the same filters list, as a CSV file made while it is sent',
      query: EXPORT_QUERY,
      reply: Type.String(),
      media: 'text/csv',
      errors: ['invalid_request'],
    },
  ],
  [
    payments.searchPaymentsRoute,
    {
      ...read,
      operation: 'search_payments',
      summary: 'Find payments by whatever a customer can read out',
      query: SEARCH_QUERY,
      reply: shapes.SEARCHED,
      errors: ['invalid_request'],
    },
  ],
  [
    payments.getStaffPaymentRoute,
    {
      ...read,
      operation: 'get_staff_payment',
      summary: 'Read a payment with its history, why it is so and what can be done',
      reply: shapes.STAFF_PAYMENT,
    },
  ],
  [
    payments.getPaymentPulseRoute,
    {
      ...read,
      operation: 'pulse_staff_payment',
      summary: 'Read whether a payment has moved, and nothing else of it',
      reply: PAYMENT_PULSE,
    },
  ],
]

const ACTS: readonly Documented[] = [
  [
    payments.addPaymentNoteRoute,
    {
      ...read,
      operation: 'note_staff_payment',
      summary: 'Write a note on a payment, for the others at the desk',
      body: titled('NoteInput', NOTE_INPUT),
      reply: shapes.STAFF_NOTE,
    },
  ],
  [
    payments.staffRefreshRoute,
    {
      ...act,
      operation: 'refresh_staff_payment',
      summary: 'Refresh a payment from the gateway',
      repeat: 'a repeat asks the gateway again.',
      errors: AT_GATEWAY,
    },
  ],
  [
    payments.staffCancelRoute,
    {
      ...act,
      operation: 'cancel_staff_payment',
      summary: 'Cancel a payment that is not in a final state, with a reason',
      errors: [...CHANGING, 'payment_in_final_state'],
    },
  ],
  [
    payments.staffExpireRoute,
    {
      ...act,
      operation: 'expire_staff_payment',
      summary: 'Expire a pending payment, with a reason',
      errors: [...CHANGING, 'payment_not_pending'],
    },
  ],
  [
    payments.staffCaptureRoute,
    {
      ...act,
      operation: 'capture_staff_payment',
      summary: 'Capture an authorized card payment, with a reason',
      body: titled('StaffCaptureInput', STAFF_CAPTURE_INPUT),
      errors: [...CHANGING, 'not_credit_card', 'payment_not_authorized', 'capture_amount_exceeded'],
    },
  ],
  [
    payments.staffApproveRoute,
    {
      ...act,
      operation: 'approve_staff_payment',
      summary: 'Let a card payment out of review',
      errors: [...CHANGING, 'payment_not_in_review'],
    },
  ],
  [
    payments.staffDenyRoute,
    {
      ...act,
      operation: 'deny_staff_payment',
      summary: 'Deny a card payment that is in review',
      errors: [...CHANGING, 'payment_not_in_review'],
    },
  ],
  [
    payments.staffRefundRoute,
    {
      operation: 'refund_staff_payment',
      summary: 'Pay back all or part of a paid payment',
      body: titled('RefundInput', REFUND_INPUT),
      status: 200,
      reply: REFUNDED,
      errors: REFUNDING,
    },
  ],
]

export const STAFF_DOCUMENTS: readonly Documented[] = [
  ...READS,
  ...ACTS,
  ...STAFF_REFUND_DOCUMENTS,
  ...STAFF_DESK_DOCUMENTS,
]
