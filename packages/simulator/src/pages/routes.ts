import { route, type ControlRoute } from '../control/reply.ts'
import { ASSETS } from './assets.ts'
import { CHECKOUT_PAGE } from './checkout_page.ts'
import { CHECKOUTS_PAGE } from './checkouts_page.ts'
import { CLOCK_PAGE } from './clock_page.ts'
import { DELIVERIES_PAGE } from './deliveries_page.ts'
import { FAULTS_PAGE } from './faults_page.ts'
import { INVOICE_PAYER_PAGE } from './invoice_payer_page.ts'
import { INVOICES_PAGE } from './invoices_page.ts'
import { HOME, seeOther } from './layout.ts'
import { LINK_PAGE } from './link_page.ts'
import { PAYER_PAGE } from './payer_page.ts'
import { SNAP_ROUTES } from './snap_script.ts'
import { SUBSCRIPTIONS_PAGE } from './subscriptions_page.ts'
import { TRANSACTION_PAGE } from './transaction_page.ts'
import { TRANSACTIONS_PAGE } from './transactions_page.ts'

const home = (): ReturnType<typeof seeOther> => seeOther(HOME)

/** Every page; the address without a path leads to the first. */
export const PAGES: readonly ControlRoute[] = [
  route('GET /', home),
  route('GET /_sim/', home),
  route(`GET ${HOME}/`, home),
  ...TRANSACTIONS_PAGE,
  ...TRANSACTION_PAGE,
  ...DELIVERIES_PAGE,
  ...SUBSCRIPTIONS_PAGE,
  ...INVOICES_PAGE,
  ...CHECKOUTS_PAGE,
  ...FAULTS_PAGE,
  ...CLOCK_PAGE,
  ...PAYER_PAGE,
  ...INVOICE_PAYER_PAGE,
  ...CHECKOUT_PAGE,
  ...SNAP_ROUTES,
  ...LINK_PAGE,
  ...ASSETS,
]
