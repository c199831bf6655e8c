import { Type } from 'typebox'
import type { FieldFault } from '../../domain/charge_rules.ts'
import { INVOICE_STATUSES } from '../../domain/invoice.ts'
import { isDay } from '../../domain/invoice_dates.ts'
import type { InvoiceFilters } from '../../store/invoices/rows.ts'
import { listQueryParser, PAGE_QUERY } from '../page_query.ts'
import { secretFaults } from '../secret_faults.ts'

const maybe = Type.Optional
const day = (description: string) => Type.String({ minLength: 10, maxLength: 10, description })

/** What a list of invoices can be asked (api-rules.md#lists). */
export const INVOICE_QUERY = Type.Object(
  {
    status: maybe(
      Type.Enum([...INVOICE_STATUSES], { description: 'Only invoices in this status.' }),
    ),
    customer_email: maybe(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Only invoices of the customer with this email address.',
      }),
    ),
    due_before: maybe(day('Only invoices that are due before this day, as 2026-01-31.')),
    due_after: maybe(day('Only invoices that are due after this day, as 2026-01-31.')),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
)

export const parseInvoiceQuery = listQueryParser(INVOICE_QUERY, (query) => {
  const { status, customer_email, due_before, due_after } = query
  const filters: InvoiceFilters = {
    ...(status && { status }),
    ...(customer_email && { customer_email }),
    ...(due_before && { due_before }),
    ...(due_after && { due_after }),
  }
  // The links to other pages repeat what was asked.
  const secrets = secretFaults({ customer_email })
  return { filters, faults: [...secrets, ...dayFaults({ due_before, due_after })] }
})

const dayFaults = (days: Record<string, string | undefined>): FieldFault[] =>
  Object.entries(days).flatMap(([field, given]) =>
    given === undefined || isDay(given) ? [] : [{ field, message: 'a day as YYYY-MM-DD' }],
  )
