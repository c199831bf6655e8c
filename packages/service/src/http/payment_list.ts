import type { Caller } from '../domain/caller.ts'
import type { Context } from '../services/context.ts'
import { listPayments } from '../services/payments/list_payments.ts'
import { parsePaymentQuery } from '../services/payments/payment_query.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { refuseValue } from './json_body.ts'

type Summary = Awaited<ReturnType<typeof listPayments>>['results'][number]

export interface PaymentPage {
  /** Cursors here, URLs over HTTP; nothing where there is no such page. */
  next: string | null
  previous: string | null
  results: Summary[]
}

/** A page of the caller's payments for a query of texts (Spec 4.2, D-10). */
export async function listPage(
  ctx: Context,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<PaymentPage> {
  refuseValue(query)
  const { filters, page_size, cursor } = parsePaymentQuery(query)
  const page = { page_size, cursor: cursor === null ? null : decodeCursor(cursor) }
  const { next, previous, results } = await listPayments(ctx, caller, filters, page)
  return { next: next && encodeCursor(next), previous: previous && encodeCursor(previous), results }
}

/** The same page with its neighbours as paths from the root, filters and all. */
export function withLinks(
  page: PaymentPage,
  path: string,
  query: Readonly<Record<string, unknown>>,
): PaymentPage {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const kept = Object.entries(query).filter(([name]) => name !== 'cursor')
    const texts = kept.map(([name, value]): [string, string] => [name, String(value)])
    return `${path}?${new URLSearchParams([...texts, ['cursor', cursor]]).toString()}`
  }
  return { ...page, next: link(page.next), previous: link(page.previous) }
}
