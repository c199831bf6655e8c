// The routes of staff. To callers who are not, none of them exists (ADR 0020).
import { replied } from '../services/requests.ts'
import { readMe } from '../services/staff/read_me.ts'
import type { CallerRoute } from './route.ts'
import { STAFF_DESK_ROUTES } from './staff_desk_routes.ts'
import { STAFF_PAYMENT_ROUTES } from './staff_payment_routes.ts'
import { STAFF_REFUND_ROUTES } from './staff_refund_routes.ts'

/** Who a key or session belongs to: what a page asks first, and shows in its corner. */
export const getMeRoute: CallerRoute = {
  method: 'GET',
  path: '/staff/me/',
  access: 'caller',
  scope: null,
  staff: true,
  run: async (ctx, { request }) => replied(200, await readMe(ctx, request.caller)),
}

export const STAFF_ROUTES: readonly CallerRoute[] = [
  getMeRoute,
  ...STAFF_PAYMENT_ROUTES,
  ...STAFF_REFUND_ROUTES,
  ...STAFF_DESK_ROUTES,
]
