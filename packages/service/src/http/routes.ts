// The routes, in the order of the specification. Everything a route promises is in its row: who may
// call it, what it takes and gives. The router, the in-process API and the OpenAPI file read it here.
import { receiveNotification } from '../services/notifications/receive_notification.ts'
import { approvePayment } from '../services/payments/actions.ts'
import { cancelPayment } from '../services/payments/actions.ts'
import { capturePayment } from '../services/payments/actions.ts'
import { getStatus } from '../services/payments/check_status.ts'
import { createCharge } from '../services/payments/create_charge.ts'
import { denyPayment } from '../services/payments/actions.ts'
import { expirePayment } from '../services/payments/actions.ts'
import { readPayment } from '../services/payments/read_payment.ts'
import { refundPayment } from '../services/payments/refund_payment.ts'
import { replied } from '../services/requests.ts'
import { INVOICE_ROUTES } from './invoice_routes.ts'
import { withLinks } from './pages.ts'
import { listPage } from './payment_list.ts'
import { found, refuseInput, type CallerRoute, type PublicRoute, type Route } from './route.ts'
import { STAFF_ROUTES } from './staff_routes.ts'
import { SUBSCRIPTION_ROUTES } from './subscription_routes.ts'

export const createChargeRoute: CallerRoute = {
  method: 'POST',
  path: '/charge/',
  access: 'caller',
  scope: 'payments:write',
  run: async (ctx, { input, request }) => await createCharge(ctx, input, request),
}

export const listPaymentsRoute: CallerRoute = {
  method: 'GET',
  path: '/payments/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, query, path }) =>
    replied(200, withLinks(await listPage(ctx, request.caller, query), path, query)),
}

export const getPaymentRoute: CallerRoute = {
  method: 'GET',
  path: '/payments/{pk}/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await readPayment(ctx, request.caller, id)),
}

export const checkStatusRoute: CallerRoute = {
  method: 'GET',
  path: '/payments/{pk}/check_status/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await getStatus(ctx, request.caller, id)),
}

export const cancelPaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/cancel/',
  access: 'caller',
  scope: 'payments:write',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return await cancelPayment(ctx, request, id)
  },
}

export const expirePaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/expire/',
  access: 'caller',
  scope: 'payments:write',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return await expirePayment(ctx, request, id)
  },
}

export const refundPaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/refund/',
  access: 'caller',
  scope: 'payments:refund',
  run: async (ctx, { request, id, input }) => await refundPayment(ctx, request, id, input),
}

export const capturePaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/capture/',
  access: 'caller',
  scope: 'payments:capture',
  run: async (ctx, { request, id, input }) => await capturePayment(ctx, request, id, input),
}

// The specification has no path for these two; they are for the in-process API and the staff pages.
// Letting a payment out of review gives value, so it takes the scope that takes money.

export const approvePaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/approve/',
  access: 'caller',
  scope: 'payments:capture',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return await approvePayment(ctx, request, id)
  },
}

export const denyPaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/deny/',
  access: 'caller',
  scope: 'payments:capture',
  run: async (ctx, { request, id, input }) => {
    refuseInput(input)
    return await denyPayment(ctx, request, id)
  },
}

export const notificationRoute: PublicRoute = {
  method: 'POST',
  path: '/notification/',
  access: 'public',
  run: async (ctx, input) => replied(200, await receiveNotification(ctx, input)),
}

export const ROUTES: readonly Route[] = [
  createChargeRoute,
  listPaymentsRoute,
  getPaymentRoute,
  checkStatusRoute,
  cancelPaymentRoute,
  expirePaymentRoute,
  refundPaymentRoute,
  capturePaymentRoute,
  notificationRoute,
  ...INVOICE_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...STAFF_ROUTES,
]
