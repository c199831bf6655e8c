// The routes, in the order of the specification. Everything a route promises is in its row: who may
// call it, what it takes and gives. The router, the in-process API and the OpenAPI file read it here.
import type { Scope } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { receiveNotification } from '../services/notifications/receive_notification.ts'
import { approvePayment } from '../services/payments/approve_payment.ts'
import { cancelPayment } from '../services/payments/cancel_payment.ts'
import { capturePayment } from '../services/payments/capture_payment.ts'
import { getStatus } from '../services/payments/check_status.ts'
import { createCharge } from '../services/payments/create_charge.ts'
import { denyPayment } from '../services/payments/deny_payment.ts'
import { expirePayment } from '../services/payments/expire_payment.ts'
import { readPayment } from '../services/payments/read_payment.ts'
import { refundPayment } from '../services/payments/refund_payment.ts'
import { problem, replied, type Outcome, type Request } from '../services/requests.ts'
import { listPage, withLinks } from './payment_list.ts'

/** What a route works on. */
export interface Asked {
  request: Request
  /** `{pk}` of the path, or empty. */
  id: string
  input: unknown
  query: Readonly<Record<string, unknown>>
  /** The path as the client sees it, for links to other pages. */
  path: string
}

interface RouteBase {
  method: 'GET' | 'POST'
  /** With its slash; the form without is served too and never redirected (D-17). */
  path: `/${string}/`
}

/** Needs a caller, and the scope if it names one (Spec 5). */
export interface CallerRoute extends RouteBase {
  access: 'caller'
  scope: Scope | null
  run: (ctx: Context, asked: Asked) => Promise<Outcome>
}

/** Open to everyone (D-35): only the webhook, which its signature protects. */
interface PublicRoute extends RouteBase {
  access: 'public'
  run: (ctx: Context, input: unknown) => Promise<Outcome>
}

export type Route = CallerRoute | PublicRoute

const found = (body: object | undefined): Outcome =>
  body === undefined ? problem('not_found') : replied(200, body)

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
  run: async (ctx, { request, id }) => await cancelPayment(ctx, request, id),
}

export const expirePaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/expire/',
  access: 'caller',
  scope: 'payments:write',
  run: async (ctx, { request, id }) => await expirePayment(ctx, request, id),
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
  run: async (ctx, { request, id }) => await approvePayment(ctx, request, id),
}

export const denyPaymentRoute: CallerRoute = {
  method: 'POST',
  path: '/payments/{pk}/deny/',
  access: 'caller',
  scope: 'payments:capture',
  run: async (ctx, { request, id }) => await denyPayment(ctx, request, id),
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
]
