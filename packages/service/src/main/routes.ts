// All routes, in the order of the specification, and what is made of them.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { checkouts } from '../http/checkouts.ts'
import { feed } from '../http/events.ts'
import { invoices } from '../http/invoices.ts'
import { notification, payments } from '../http/payments.ts'
import { ownApp, routesPlugin, type AppOptions } from '../http/platform/app.ts'
import { documentOf } from '../http/platform/openapi.ts'
import { isServed, type InProcessRoute, type Route } from '../http/platform/route.ts'
import { alarms } from '../http/staff/alarms.ts'
import { cells } from '../http/staff/cells.ts'
import { desk, identity, staff_objects } from '../http/staff/desk.ts'
import { events } from '../http/staff/events.ts'
import { exports_by_mail } from '../http/staff/exports.ts'
import { fees } from '../http/staff/fees.ts'
import { ledger } from '../http/staff/ledger.ts'
import { notifications } from '../http/staff/notifications.ts'
import { operations } from '../http/staff/operations.ts'
import { overview } from '../http/staff/overview.ts'
import { audit, people } from '../http/staff/people.ts'
import { staff_payments } from '../http/staff/payments.ts'
import { reconciliation } from '../http/staff/reconciliation.ts'
import { refund_requests } from '../http/staff/refund_requests.ts'
import { search } from '../http/staff/search.ts'
import { statements } from '../http/staff/statements.ts'
import { subscriptionAction, subscriptions } from '../http/subscriptions.ts'
import { webhooks } from '../http/webhooks.ts'

/** The routes of staff. To callers who are not staff, none of these paths exists (ADR 0020). */
export const staff_routes = {
  ...identity,
  ...staff_payments,
  ...cells,
  ...search,
  ...refund_requests,
  ...staff_objects,
  ...exports_by_mail,
  ...overview,
  ...ledger,
  ...fees,
  ...reconciliation,
  ...notifications,
  ...operations,
  ...alarms,
  ...events,
  ...desk,
  ...statements,
  ...people,
  ...audit,
}

/** Also those that only the in-process API has. */
export const ALL_ROUTES: readonly InProcessRoute[] = [
  ...Object.values(payments),
  ...Object.values(notification),
  ...Object.values(invoices),
  ...Object.values(subscriptions),
  subscriptionAction,
  ...Object.values(checkouts),
  ...Object.values(feed),
  ...Object.values(webhooks),
  ...Object.values(staff_routes),
]

/** What HTTP serves. */
export const ROUTES: readonly Route[] = ALL_ROUTES.filter(isServed)

export const openApiDocument = (version: string): Record<string, unknown> =>
  documentOf(ROUTES, version)

type Options = Omit<AppOptions, 'routes'>

/** All routes as a plugin: `app.register(plugin, { prefix: '/pay' })`. */
export const gapuraRoutes = (options: Options): FastifyPluginAsync =>
  routesPlugin({ ...options, routes: ROUTES })

/** The same inside a Fastify of our own, for hosts that are not Fastify. */
export const createOwnApp = (options: Options): FastifyInstance =>
  ownApp({ ...options, routes: ROUTES })
