// Pages and their search parameters. The page is after the #, so that the files work under any
// prefix without more routes, and no server logs what staff search for (ADR 0024).
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
} from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { AuditPage } from './pages/audit_page.tsx'
import { CustomerPage, type CustomerSearch } from './pages/customer_page.tsx'
import { AccountPage } from './pages/finance/account_page.tsx'
import { ExceptionPage } from './pages/finance/exception_page.tsx'
import { ExceptionsPage } from './pages/finance/exceptions_page.tsx'
import { JournalPage } from './pages/finance/journal_page.tsx'
import { LedgerPage } from './pages/finance/ledger_page.tsx'
import { MappingsPage } from './pages/finance/mappings_page.tsx'
import { MonthPage } from './pages/finance/month_page.tsx'
import { PayoutPage } from './pages/finance/payout_page.tsx'
import { PayoutsPage } from './pages/finance/payouts_page.tsx'
import { ProofPage } from './pages/finance/proof_page.tsx'
import { RatesPage } from './pages/finance/rates_page.tsx'
import { StatementPage } from './pages/finance/statement_page.tsx'
import { StatementsPage } from './pages/finance/statements_page.tsx'
import { ExportPage } from './pages/exports/export_page.tsx'
import { ExportsPage } from './pages/exports/exports_page.tsx'
import { HealthPage } from './pages/health/health_page.tsx'
import { InvoicePage } from './pages/invoices/invoice_page.tsx'
import { InvoicesPage } from './pages/invoices/invoices_page.tsx'
import { LinkPage } from './pages/links/link_page.tsx'
import { LinksPage } from './pages/links/links_page.tsx'
import { NotificationPage } from './pages/notifications/notification_page.tsx'
import { NotificationsPage } from './pages/notifications/notifications_page.tsx'
import { OverviewPage } from './pages/overview/overview_page.tsx'
import { PaymentPage } from './pages/payment/payment_page.tsx'
import { paymentSearch } from './pages/payments/payment_search.ts'
import { PaymentsPage } from './pages/payments/payments_page.tsx'
import { RefundsPage } from './pages/refunds/refunds_page.tsx'
import { SearchPage } from './pages/search_page.tsx'
import { SubscriptionPage } from './pages/subscriptions/subscription_page.tsx'
import { SubscriptionsPage } from './pages/subscriptions/subscriptions_page.tsx'
import { TeamPage } from './pages/team/team_page.tsx'
import { DeliveryPage } from './pages/webhooks/delivery_page.tsx'
import { WebhookPage } from './pages/webhooks/webhook_page.tsx'
import { WebhooksPage } from './pages/webhooks/webhooks_page.tsx'
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
    component: CustomerPage,
  }),
  createRoute({
    getParentRoute,
    path: '/overview',
    validateSearch: texts('from', 'until'),
    component: OverviewPage,
  }),
  createRoute({
    getParentRoute,
    path: '/refunds',
    validateSearch: texts('status', 'source'),
    component: RefundsPage,
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
    component: LedgerPage,
  }),
  createRoute({
    getParentRoute,
    path: '/finance/account',
    validateSearch: texts('account', 'from', 'until'),
    component: AccountPage,
  }),
  createRoute({
    getParentRoute,
    path: '/finance/journal',
    validateSearch: texts('account', 'day', 'payment_id'),
    component: JournalPage,
  }),
  createRoute({ getParentRoute, path: '/finance/statements', component: StatementsPage }),
  createRoute({
    getParentRoute,
    path: '/finance/statements/$id',
    validateSearch: texts('repeated'),
    component: StatementPage,
  }),
  createRoute({
    getParentRoute,
    path: '/finance/mappings',
    validateSearch: texts('format'),
    component: MappingsPage,
  }),
  createRoute({ getParentRoute, path: '/finance/payouts', component: PayoutsPage }),
  createRoute({ getParentRoute, path: '/finance/payouts/$id', component: PayoutPage }),
  createRoute({
    getParentRoute,
    path: '/finance/exceptions',
    validateSearch: texts('kind', 'show', 'payment_id'),
    component: ExceptionsPage,
  }),
  createRoute({ getParentRoute, path: '/finance/exceptions/$id', component: ExceptionPage }),
  createRoute({
    getParentRoute,
    path: '/finance/proof',
    validateSearch: texts('from', 'until'),
    component: ProofPage,
  }),
  createRoute({ getParentRoute, path: '/finance/rates', component: RatesPage }),
  createRoute({ getParentRoute, path: '/finance/month', component: MonthPage }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    validateSearch: texts('effect', 'all'),
    component: NotificationsPage,
  }),
  createRoute({ getParentRoute, path: '/notifications/$id', component: NotificationPage }),
  createRoute({
    getParentRoute,
    path: '/invoices',
    validateSearch: texts('status'),
    component: InvoicesPage,
  }),
  createRoute({ getParentRoute, path: '/invoices/$id', component: InvoicePage }),
  createRoute({
    getParentRoute,
    path: '/links',
    validateSearch: texts('status'),
    component: LinksPage,
  }),
  createRoute({ getParentRoute, path: '/links/$id', component: LinkPage }),
  createRoute({
    getParentRoute,
    path: '/subscriptions',
    validateSearch: texts('status'),
    component: SubscriptionsPage,
  }),
  createRoute({ getParentRoute, path: '/subscriptions/$id', component: SubscriptionPage }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: texts('state'),
    component: WebhooksPage,
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id',
    validateSearch: texts('outcome'),
    component: WebhookPage,
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id/deliveries/$delivery',
    component: DeliveryPage,
  }),
  createRoute({
    getParentRoute,
    path: '/exports',
    validateSearch: texts('status', 'payment_type', 'bank', 'owner_id'),
    component: ExportsPage,
  }),
  createRoute({
    getParentRoute,
    path: '/exports/$id',
    validateSearch: texts('from'),
    component: ExportPage,
  }),
  createRoute({ getParentRoute, path: '/health', component: HealthPage }),
  createRoute({ getParentRoute, path: '/team', component: TeamPage }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: texts('actor', 'action', 'subject', 'from', 'until'),
    component: AuditPage,
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
