// Pages and their search parameters. The page is after the #, so that the files work under any
// prefix without more routes, and no server logs what staff search for (ADR 0024). The pages that most
// visits begin with are in the first script; the others are loaded with their first visit.
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  Navigate,
} from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import type { CustomerSearch } from './pages/customer_page.tsx'
import { PaymentPage } from './pages/payment/payment_page.tsx'
import { paymentSearch } from './pages/payments/payment_search.ts'
import { PaymentsPage } from './pages/payments/payments_page.tsx'
import { SearchPage } from './pages/search_page.tsx'
import { NothingHere } from './parts/nothing_here.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NothingHere })
const getParentRoute = () => root

/** The texts of these names, if the address has them. */
const texts =
  <Name extends string>(...names: Name[]) =>
  (given: Record<string, unknown>): Partial<Record<Name, string>> => {
    const found: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value = given[name]
      if (typeof value === 'string') found[name] = value
    }
    return found
  }

/** A number in the address is read as one, and is a term like any other. */
const searchTerm = ({ q }: Record<string, unknown>): { q?: string } =>
  typeof q === 'string' || typeof q === 'number' ? { q: String(q) } : {}

/** A phone number may be read as a number, too. */
const customerKey = ({ email, phone }: Record<string, unknown>): CustomerSearch => ({
  ...(typeof email === 'string' && { email }),
  ...((typeof phone === 'string' || typeof phone === 'number') && { phone: String(phone) }),
})

const routes = [
  createRoute({
    getParentRoute,
    path: '/',
    component: () => <Navigate to="/payments" search={{}} replace />,
  }),
  createRoute({
    getParentRoute,
    path: '/payments',
    validateSearch: paymentSearch,
    component: PaymentsPage,
  }),
  createRoute({ getParentRoute, path: '/payments/$id', component: PaymentPage }),
  createRoute({
    getParentRoute,
    path: '/search',
    validateSearch: searchTerm,
    component: SearchPage,
  }),
  createRoute({
    getParentRoute,
    path: '/customer',
    validateSearch: customerKey,
    component: lazy(async () => await import('./pages/customer_page.tsx'), 'CustomerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/overview',
    validateSearch: texts('from', 'until'),
    component: lazy(async () => await import('./pages/overview/overview_page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/refunds',
    validateSearch: texts('status', 'source'),
    component: lazy(async () => await import('./pages/refunds/refunds_page.tsx'), 'RefundsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance',
    component: () => <Navigate to="/finance/ledger" search={{}} replace />,
  }),
  createRoute({
    getParentRoute,
    path: '/finance/ledger',
    validateSearch: texts('day'),
    component: lazy(async () => await import('./pages/finance/ledger_page.tsx'), 'LedgerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/account',
    validateSearch: texts('account', 'from', 'until'),
    component: lazy(async () => await import('./pages/finance/account_page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/journal',
    validateSearch: texts('account', 'day', 'payment_id'),
    component: lazy(async () => await import('./pages/finance/journal_page.tsx'), 'JournalPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/statements',
    component: lazy(
      async () => await import('./pages/finance/statements_page.tsx'),
      'StatementsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/statements/$id',
    validateSearch: texts('repeated'),
    component: lazy(
      async () => await import('./pages/finance/statement_page.tsx'),
      'StatementPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/mappings',
    validateSearch: texts('format'),
    component: lazy(async () => await import('./pages/finance/mappings_page.tsx'), 'MappingsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/payouts',
    component: lazy(async () => await import('./pages/finance/payouts_page.tsx'), 'PayoutsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/payouts/$id',
    component: lazy(async () => await import('./pages/finance/payout_page.tsx'), 'PayoutPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/exceptions',
    validateSearch: texts('kind', 'show', 'payment_id'),
    component: lazy(
      async () => await import('./pages/finance/exceptions_page.tsx'),
      'ExceptionsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/exceptions/$id',
    component: lazy(
      async () => await import('./pages/finance/exception_page.tsx'),
      'ExceptionPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/proof',
    validateSearch: texts('from', 'until'),
    component: lazy(async () => await import('./pages/finance/proof_page.tsx'), 'ProofPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/rates',
    component: lazy(async () => await import('./pages/finance/rates_page.tsx'), 'RatesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/finance/month',
    component: lazy(async () => await import('./pages/finance/month_page.tsx'), 'MonthPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    validateSearch: texts('effect', 'all'),
    component: lazy(
      async () => await import('./pages/notifications/notifications_page.tsx'),
      'NotificationsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications/$id',
    component: lazy(
      async () => await import('./pages/notifications/notification_page.tsx'),
      'NotificationPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices',
    validateSearch: texts('status'),
    component: lazy(async () => await import('./pages/invoices/invoices_page.tsx'), 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/invoices/$id',
    component: lazy(async () => await import('./pages/invoices/invoice_page.tsx'), 'InvoicePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/links',
    validateSearch: texts('status'),
    component: lazy(async () => await import('./pages/links/links_page.tsx'), 'LinksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/links/$id',
    component: lazy(async () => await import('./pages/links/link_page.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/subscriptions',
    validateSearch: texts('status'),
    component: lazy(
      async () => await import('./pages/subscriptions/subscriptions_page.tsx'),
      'SubscriptionsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/subscriptions/$id',
    component: lazy(
      async () => await import('./pages/subscriptions/subscription_page.tsx'),
      'SubscriptionPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: texts('state'),
    component: lazy(async () => await import('./pages/webhooks/webhooks_page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id',
    validateSearch: texts('outcome'),
    component: lazy(async () => await import('./pages/webhooks/webhook_page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id/deliveries/$delivery',
    component: lazy(async () => await import('./pages/webhooks/delivery_page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports',
    validateSearch: texts('status', 'payment_type', 'bank', 'owner_id'),
    component: lazy(async () => await import('./pages/exports/exports_page.tsx'), 'ExportsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/exports/$id',
    validateSearch: texts('from'),
    component: lazy(async () => await import('./pages/exports/export_page.tsx'), 'ExportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/health',
    component: lazy(async () => await import('./pages/health/health_page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/team',
    component: lazy(async () => await import('./pages/team/team_page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: texts('actor', 'action', 'subject', 'from', 'until'),
    component: lazy(async () => await import('./pages/audit_page.tsx'), 'AuditPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  scrollRestoration: true,
  // The script of a page, when the pointer or the focus is on a link to it.
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
