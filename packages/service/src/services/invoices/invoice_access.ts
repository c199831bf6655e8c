import type { GatewayInvoice } from '../../domain/invoice.ts'
import { findInvoiceById } from '../../store/invoice_lookups.ts'
import { findInvoice, lockInvoice } from '../../store/invoices.ts'
import type { ObjectAccess } from '../operations/object_access.ts'
import { representInvoiceWithin } from './read_invoice.ts'

/** How operations reach invoices. */
export const INVOICE_ACCESS: ObjectAccess<GatewayInvoice> = {
  subject_kind: 'invoice',
  find: findInvoice,
  findById: findInvoiceById,
  lock: lockInvoice,
  represent: representInvoiceWithin,
}
