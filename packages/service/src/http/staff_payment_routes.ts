// What staff see and do of payments: every owner's, by whatever a customer can read out.
import type { Scope } from '../domain/caller.ts'
import { replied } from '../services/requests.ts'
import * as acts from '../services/staff/act_on_payment.ts'
import { addNote } from '../services/staff/add_note.ts'
import { exportPayments } from '../services/staff/export_payments.ts'
import { readStaffPayment } from '../services/staff/payment_detail.ts'
import { readPaymentPulse } from '../services/staff/payment_pulse.ts'
import { searchPayments } from '../services/staff/search_payments.ts'
import { withLinks } from './pages.ts'
import { found, type CallerRoute } from './route.ts'
import { staffPaymentPage } from './staff_payment_list.ts'

const read = { method: 'GET', access: 'caller', scope: 'staff:read', staff: true } as const

export const listStaffPaymentsRoute: CallerRoute = {
  ...read,
  path: '/staff/payments/',
  run: async (ctx, { request, query, path }) =>
    replied(200, withLinks(await staffPaymentPage(ctx, request.caller, query), path, query)),
}

export const exportStaffPaymentsRoute: CallerRoute = {
  ...read,
  path: '/staff/payments/export/',
  run: async (ctx, { request, query }) => await exportPayments(ctx, request.caller, query),
}

export const searchPaymentsRoute: CallerRoute = {
  ...read,
  path: '/staff/search/',
  run: async (ctx, { request, query }) =>
    replied(200, await searchPayments(ctx, request.caller, query)),
}

export const getStaffPaymentRoute: CallerRoute = {
  ...read,
  path: '/staff/payments/{pk}/',
  run: async (ctx, { request, id }) => found(await readStaffPayment(ctx, request.caller, id)),
}

export const getPaymentPulseRoute: CallerRoute = {
  ...read,
  path: '/staff/payments/{pk}/pulse/',
  run: async (ctx, { request, id }) => found(await readPaymentPulse(ctx, request.caller, id)),
}

export const addPaymentNoteRoute: CallerRoute = {
  method: 'POST',
  access: 'caller',
  scope: 'staff:act',
  staff: true,
  path: '/staff/payments/{pk}/notes/',
  run: async (ctx, { request, id, input }) => found(await addNote(ctx, request, id, input)),
}

type Act = (typeof acts)['staffCancel']

/** An action takes the scope it takes of everybody: seeing all is not doing all. */
const acting = (name: string, scope: Scope, act: Act): CallerRoute => ({
  method: 'POST',
  access: 'caller',
  scope,
  staff: true,
  path: `/staff/payments/{pk}/${name}/`,
  run: async (ctx, { request, id, input }) => await act(ctx, request, id, input),
})

export const staffRefreshRoute = acting('refresh', 'staff:read', acts.staffRefresh)
export const staffCancelRoute = acting('cancel', 'payments:write', acts.staffCancel)
export const staffExpireRoute = acting('expire', 'payments:write', acts.staffExpire)
export const staffCaptureRoute = acting('capture', 'payments:capture', acts.staffCapture)
export const staffApproveRoute = acting('approve', 'payments:capture', acts.staffApprove)
export const staffDenyRoute = acting('deny', 'payments:capture', acts.staffDeny)
export const staffRefundRoute = acting('refund', 'payments:refund', acts.staffRefund)

export const STAFF_PAYMENT_ROUTES: readonly CallerRoute[] = [
  listStaffPaymentsRoute,
  exportStaffPaymentsRoute,
  searchPaymentsRoute,
  getStaffPaymentRoute,
  getPaymentPulseRoute,
  addPaymentNoteRoute,
  staffRefreshRoute,
  staffCancelRoute,
  staffExpireRoute,
  staffCaptureRoute,
  staffApproveRoute,
  staffDenyRoute,
  staffRefundRoute,
]
