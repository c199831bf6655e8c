import {
  REASON_INPUT,
  REFUND_REQUEST_QUERY,
  STAFF_ACT_INPUT,
} from '../services/staff/staff_query.ts'
import { REFUNDED } from './representation_schemas.ts'
import type { Route } from './route.ts'
import { REFUNDING, titled, type RouteDocument } from './route_document.ts'
import { REFUND_REQUEST_PAGE } from './staff_desk_schemas.ts'
import { REFUND_REQUEST } from './staff_payment_schemas.ts'
import * as routes from './staff_refund_routes.ts'

export const STAFF_REFUND_DOCUMENTS: readonly (readonly [Route, RouteDocument])[] = [
  [
    routes.listRefundRequestsRoute,
    {
      operation: 'list_staff_refund_requests',
      summary: 'List refunds that wait for a second person, or waited, newest first',
      query: REFUND_REQUEST_QUERY,
      status: 200,
      reply: REFUND_REQUEST_PAGE,
      errors: ['invalid_request'],
    },
  ],
  [
    routes.approveRefundRequestRoute,
    {
      operation: 'approve_staff_refund_request',
      repeat: 'however often a request is approved, it is one refund.',
      summary: 'Agree to a held refund, as another person than who asked for it, and make it',
      body: titled('StaffActInput', STAFF_ACT_INPUT),
      body_optional: true,
      status: 200,
      reply: REFUNDED,
      errors: [...REFUNDING, 'second_person_needed', 'refund_request_ended'],
    },
  ],
  [
    routes.declineRefundRequestRoute,
    {
      operation: 'decline_staff_refund_request',
      repeat: 'a repeat answers with the declined request.',
      summary: 'Say no to a held refund, or take it back if it is one’s own, with a reason',
      body: titled('ReasonInput', REASON_INPUT),
      status: 200,
      reply: REFUND_REQUEST,
      errors: ['refund_request_ended'],
    },
  ],
]
