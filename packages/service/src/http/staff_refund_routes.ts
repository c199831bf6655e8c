// Refunds that wait for a second person (ADR 0010), as she finds and decides them.
import { approveRefund, declineRefund } from '../services/staff/decide_refund.ts'
import { representRefundRequest } from '../services/staff/list_refund_requests.ts'
import { problem } from '../services/requests.ts'
import { found, type CallerRoute } from './route.ts'
import { listed } from './staff_desk_routes.ts'
import { refundRequestPage } from './staff_pages.ts'

/** The scope of a refund; that it also takes staff:act is looked at where it is decided. */
const decide = { method: 'POST', access: 'caller', scope: 'payments:refund', staff: true } as const

export const listRefundRequestsRoute = listed('/staff/refund_requests/', refundRequestPage)

export const approveRefundRequestRoute: CallerRoute = {
  ...decide,
  path: '/staff/refund_requests/{pk}/approve/',
  run: async (ctx, { request, id, input }) =>
    (await approveRefund(ctx, request.caller, id, input ?? {})) ?? problem('not_found'),
}

export const declineRefundRequestRoute: CallerRoute = {
  ...decide,
  path: '/staff/refund_requests/{pk}/decline/',
  run: async (ctx, { request, id, input }) => {
    const declined = await declineRefund(ctx, request.caller, id, input)
    return found(declined && representRefundRequest(declined))
  },
}

export const STAFF_REFUND_ROUTES: readonly CallerRoute[] = [
  listRefundRequestsRoute,
  approveRefundRequestRoute,
  declineRefundRequestRoute,
]
