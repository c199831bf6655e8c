import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { listPayments } from '../services/payments/list_payments.ts'
import { parsePaymentQuery } from '../services/payments/payment_query.ts'
import { refuseValue } from './json_body.ts'
import { pageFor, type ListPage } from './pages.ts'

type Summary = Awaited<ReturnType<typeof listPayments>>['results'][number]

export type PaymentPage = ListPage<Summary>

/** A page of the caller's payments for a query of texts (api-rules.md#lists). */
export async function listPage(
  ctx: Context,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<PaymentPage> {
  refuseValue(query)
  const { filters, ...asked } = parsePaymentQuery(query)
  return await pageFor(asked, async (page) => await listPayments(ctx, caller, filters, page))
}
