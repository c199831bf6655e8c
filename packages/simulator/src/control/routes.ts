import { CHECKOUT_ROUTES } from './checkouts.ts'
import { CONDITION_ROUTES } from './conditions.ts'
import { INVOICE_ROUTES } from './invoices.ts'
import { PAY_ACCOUNT_ROUTES } from './pay_accounts.ts'
import { PAYOUT_ROUTES } from './payouts.ts'
import type { ControlRoute } from './reply.ts'
import { SUBSCRIPTION_ROUTES } from './subscriptions.ts'
import { TRANSACTION_ROUTES } from './transactions.ts'
import { EVIDENCE_ROUTES } from './evidence.ts'

/** The whole control API. */
export const CONTROL: readonly ControlRoute[] = [
  ...CONDITION_ROUTES,
  ...TRANSACTION_ROUTES,
  ...EVIDENCE_ROUTES,
  ...INVOICE_ROUTES,
  ...CHECKOUT_ROUTES,
  ...PAY_ACCOUNT_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...PAYOUT_ROUTES,
]
