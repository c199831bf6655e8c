// Made from docs/openapi.json by `npm run sdk`; change the interface instead.
import type { Pages } from '../pages.ts'
import type { CallOptions, WriteOptions } from '../settings.ts'
import type { Uuid } from '../values.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceInput } from './invoice_input.ts'
import type { InvoiceSummary } from './invoice_summary.ts'
import type { InvoiceStatus } from './unions.ts'
import type { VoidInput } from './void_input.ts'

export interface InvoiceListQuery {
  /** Only invoices in this status. */
  status?: InvoiceStatus
  /** Only invoices of the customer with this email address. 1 to 255 characters. */
  customer_email?: string
  /** Only invoices that are due before this day, as 2026-01-31. 10 to 10 characters. */
  due_before?: string
  /** Only invoices that are due after this day, as 2026-01-31. 10 to 10 characters. */
  due_after?: string
  /** How many rows a page has: 1 to 100, 20 by default. */
  page_size?: number
  /** Where the page begins: the `cursor` in `next` or `previous`, unchanged. 1 to 200 characters. */
  cursor?: string
}

export interface Invoices {
  /**
   * List invoices, newest first; staff see those of every owner.
   * `GET /invoices/`
   */
  list: (query?: InvoiceListQuery, options?: CallOptions) => Pages<InvoiceSummary>

  /**
   * Create an invoice at the gateway. Needs the scope `invoices:write`.
   * `POST /invoices/`
   */
  create: (input: InvoiceInput, options?: WriteOptions) => Promise<Invoice>

  /**
   * Read an invoice.
   * `GET /invoices/{pk}/`
   */
  get: (id: Uuid, options?: CallOptions) => Promise<Invoice>

  /**
   * Void an invoice that is pending or overdue. Needs the scope `invoices:write`.
   * `POST /invoices/{pk}/void/`
   */
  void: (id: Uuid, input?: VoidInput, options?: WriteOptions) => Promise<Invoice>
}
