import type { InvoiceRepresentation } from 'gapura'
import { invoiceRows } from '../object_rows.ts'
import { asMade, scenario, type Kind, type Stage } from './scenario.ts'

const INVOICE: Kind<InvoiceRepresentation> = {
  noun: 'invoice',
  find: async ({ gapura, caller }, id) => await gapura.api.getInvoice(caller, id),
  history: async ({ gapura, caller }, id) => await gapura.staff.invoiceHistory(caller, id),
  refresh: async ({ gapura, caller }, id) => await gapura.api.getInvoiceStatus(caller, id),
  rows: invoiceRows,
}

const WEEK_MS = 7 * 86_400_000
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Jakarta', dateStyle: 'short' })

const made = async ({ gapura, caller }: Stage): Promise<InvoiceRepresentation> =>
  await gapura.api.createInvoice(caller, {
    customer_name: 'Budi Santoso',
    customer_email: 'budi@example.com',
    due_date: DAY.format(Date.now() + WEEK_MS),
    items: [{ description: 'Teh Melati, a box', price: 75_000, quantity: 2 }],
  })

const paid = async (
  { simulator }: Stage,
  { gateway_invoice_id }: InvoiceRepresentation,
): Promise<void> => await simulator.act(`invoices/${gateway_invoice_id ?? ''}/pay`)

const voided = async ({ gapura, caller }: Stage, { id }: InvoiceRepresentation): Promise<void> => {
  await gapura.api.voidInvoice(caller, id, { reason: 'gapura trigger' })
}

export const INVOICE_SCENARIOS = {
  invoice_created: scenario(INVOICE, { make: made, provoke: asMade }),
  invoice_paid: scenario(INVOICE, { make: made, provoke: paid }),
  invoice_voided: scenario(INVOICE, { make: made, provoke: voided }),
}
