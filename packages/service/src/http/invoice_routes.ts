// The routes of invoices (api-rules.md#invoices).
import { createInvoice } from '../services/invoices/create_invoice.ts'
import { getInvoiceStatus } from '../services/invoices/invoice_status.ts'
import { readInvoice } from '../services/invoices/read_invoice.ts'
import { voidInvoice } from '../services/invoices/void_invoice.ts'
import { replied } from '../services/requests.ts'
import { listInvoicePage } from './invoice_list.ts'
import { withLinks } from './pages.ts'
import { found, type CallerRoute } from './route.ts'

export const listInvoicesRoute: CallerRoute = {
  method: 'GET',
  path: '/invoices/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, query, path }) =>
    replied(200, withLinks(await listInvoicePage(ctx, request.caller, query), path, query)),
}

export const createInvoiceRoute: CallerRoute = {
  method: 'POST',
  path: '/invoices/',
  access: 'caller',
  scope: 'invoices:write',
  run: async (ctx, { input, request }) => await createInvoice(ctx, input, request),
}

export const getInvoiceRoute: CallerRoute = {
  method: 'GET',
  path: '/invoices/{pk}/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await readInvoice(ctx, request.caller, id)),
}

export const voidInvoiceRoute: CallerRoute = {
  method: 'POST',
  path: '/invoices/{pk}/void/',
  access: 'caller',
  scope: 'invoices:write',
  run: async (ctx, { request, id, input }) => await voidInvoice(ctx, request, id, input),
}

// The specification names it among the services and gives it no path; in-process only.
export const getInvoiceStatusRoute: CallerRoute = {
  method: 'GET',
  path: '/invoices/{pk}/status/',
  access: 'caller',
  scope: null,
  run: async (ctx, { request, id }) => found(await getInvoiceStatus(ctx, request.caller, id)),
}

export const INVOICE_ROUTES: readonly CallerRoute[] = [
  listInvoicesRoute,
  createInvoiceRoute,
  getInvoiceRoute,
  voidInvoiceRoute,
]
