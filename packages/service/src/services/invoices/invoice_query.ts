import { Type } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { INVOICE_STATUSES } from '../../domain/invoice.ts'
import { isDay } from '../../domain/invoice_dates.ts'
import type { InvoiceFilters } from '../../store/invoices/rows.ts'
import { PAGE_QUERY, pageAsked } from '../page_query.ts'
import { secretFaults } from '../secret_faults.ts'
import { refuseFaults, requestParser } from '../validation.ts'

const maybe = Type.Optional
const day = Type.String({ minLength: 10, maxLength: 10 })

/** What a list of invoices can be asked. Closed, as that of payments. */
export const INVOICE_QUERY = Type.Object(
  {
    status: maybe(Type.Enum([...INVOICE_STATUSES])),
    customer_email: maybe(Type.String({ minLength: 1, maxLength: 255 })),
    due_before: maybe(day),
    due_after: maybe(day),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

const parseQuery = requestParser(INVOICE_QUERY)

/** The filters of a query, its page size and its cursor as it came; every fault at once. */
export function parseInvoiceQuery(input: unknown) {
  const { status, customer_email, due_before, due_after, ...rest } = parseQuery(input)
  const { page_size, cursor, faults } = pageAsked(rest)
  // The links to other pages repeat what was asked.
  const secrets = secretFaults({ customer_email })
  refuseFaults([...secrets, ...dayFaults({ due_before, due_after }), ...faults])
  const filters: InvoiceFilters = {
    ...(status && { status }),
    ...(customer_email && { customer_email }),
    ...(due_before && { due_before }),
    ...(due_after && { due_after }),
  }
  return { filters, page_size, cursor }
}

const dayFaults = (days: Record<string, string | undefined>): FieldFault[] =>
  Object.entries(days).flatMap(([field, given]) =>
    given === undefined || isDay(given) ? [] : [{ field, message: 'a day as YYYY-MM-DD' }],
  )
