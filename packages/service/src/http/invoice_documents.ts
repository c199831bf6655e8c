import { INVOICE_INPUT, VOID_INPUT } from '../services/invoices/invoice_input.ts'
import { INVOICE_QUERY } from '../services/invoices/invoice_query.ts'
import * as routes from './invoice_routes.ts'
import { INVOICE, INVOICE_PAGE } from './invoice_schemas.ts'
import type { Route } from './route.ts'
import { CHANGING, titled, type RouteDocument } from './route_document.ts'

export const INVOICE_DOCUMENTS: readonly (readonly [Route, RouteDocument])[] = [
  [
    routes.listInvoicesRoute,
    {
      operation: 'list_invoices',
      summary: 'List invoices, newest first; staff see those of every owner',
      query: INVOICE_QUERY,
      status: 200,
      reply: INVOICE_PAGE,
      errors: ['invalid_request'],
    },
  ],
  [
    routes.createInvoiceRoute,
    {
      operation: 'create_invoice',
      summary: 'Create an invoice at the gateway',
      body: titled('InvoiceInput', INVOICE_INPUT),
      status: 201,
      reply: INVOICE,
      errors: [...CHANGING, 'duplicate_order', 'gateway_duplicate'],
    },
  ],
  [
    routes.getInvoiceRoute,
    {
      operation: 'get_invoice',
      summary: 'Read an invoice',
      status: 200,
      reply: INVOICE,
      errors: [],
    },
  ],
  [
    routes.voidInvoiceRoute,
    {
      operation: 'void_invoice',
      summary: 'Void an invoice that is pending or overdue',
      body: titled('VoidInput', VOID_INPUT),
      body_optional: true,
      status: 200,
      reply: INVOICE,
      errors: [...CHANGING, 'invoice_not_voidable'],
    },
  ],
]
