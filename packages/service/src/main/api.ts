import { checkouts } from '../http/checkouts.ts'
import { feed } from '../http/events.ts'
import { invoices } from '../http/invoices.ts'
import { payments } from '../http/payments.ts'
import { staff_routes } from './routes.ts'
import { subscriptions } from '../http/subscriptions.ts'
import { webhooks } from '../http/webhooks.ts'
import { callsOf, type CallsOf } from './api_calls.ts'
import type { Parts } from './compose.ts'

/** The routes of invoices without HTTP, and the refresh that has no path. */
export type InvoiceApi = CallsOf<typeof invoices>

/** The routes of subscriptions without HTTP, and the two services that have no path. */
export type SubscriptionApi = CallsOf<typeof subscriptions>

/** The routes of checkouts without HTTP. */
export type CheckoutApi = CallsOf<typeof checkouts>

/** The event feed without HTTP. */
export type EventApi = CallsOf<typeof feed>

/** The endpoints of webhooks without HTTP. */
export type WebhookApi = CallsOf<typeof webhooks>

/**
 * The routes without HTTP: the same inputs, checks and bodies. A caller is always named, because each
 * object belongs to one. Failures throw: a GatewayError, or a RequestProblem for what HTTP would
 * answer with 401 to 429.
 */
export interface GapuraApi
  extends
    CallsOf<typeof payments>,
    InvoiceApi,
    SubscriptionApi,
    CheckoutApi,
    EventApi,
    WebhookApi {}

/**
 * The routes of staff without HTTP, and a few that have no path. The caller is a staff member, and
 * the audit records the action under the caller's `owner_id`. Failures throw as the API's do; what is
 * not there is a RequestProblem `not_found`.
 */
export interface GapuraStaff extends CallsOf<typeof staff_routes> {}

export const createApi = (parts: Parts): GapuraApi =>
  callsOf(parts, { ...payments, ...invoices, ...subscriptions, ...checkouts, ...feed, ...webhooks })

export const createStaff = (parts: Parts): GapuraStaff => callsOf(parts, staff_routes)
