import type { Caller } from '../domain/caller.ts'
import { listInvoicePage, type InvoicePage } from '../http/invoice_list.ts'
import * as routes from '../http/invoice_routes.ts'
import type { InvoiceRepresentation } from '../services/invoices/invoice_representation.ts'
import { has, type CallWith, type List, type Lister, type Perform } from './api_calls.ts'

type Invoiced = Promise<InvoiceRepresentation>

/** The routes of invoices without HTTP, and the refresh that has no path. */
export interface InvoiceApi {
  createInvoice: (caller: Caller, input: unknown, options?: CallWith) => Invoiced
  getInvoice: (caller: Caller, id: string) => Invoiced
  listInvoices: List<InvoicePage>
  getInvoiceStatus: (caller: Caller, id: string) => Invoiced
  voidInvoice: (caller: Caller, id: string, input?: unknown, options?: CallWith) => Invoiced
}

const isInvoice = (value: unknown): value is InvoiceRepresentation => has(value, 'invoice_number')

export const invoiceApi = (perform: Perform, list: Lister): InvoiceApi => ({
  createInvoice: async (caller, input, options) =>
    await perform(routes.createInvoiceRoute, isInvoice, { caller, input, options }),
  getInvoice: async (caller, id) =>
    await perform(routes.getInvoiceRoute, isInvoice, { caller, id }),
  listInvoices: list(listInvoicePage),
  getInvoiceStatus: async (caller, id) =>
    await perform(routes.getInvoiceStatusRoute, isInvoice, { caller, id }),
  voidInvoice: async (caller, id, input, options) =>
    await perform(routes.voidInvoiceRoute, isInvoice, { caller, id, input, options }),
})
