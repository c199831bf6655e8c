import {
  checkInvoiceNow,
  claimDueInvoices,
  claimOverdueInvoices,
  setNextInvoiceCheck,
} from '../../src/store/invoices/checks.ts'
import {
  findInvoiceByGatewayId,
  findInvoiceById,
  findInvoiceHint,
  findInvoicesByOrderIds,
  listPaymentIdsOfInvoice,
} from '../../src/store/invoices/lookups.ts'
import { keepVoidReason, listInvoices, type InvoiceFilters } from '../../src/store/invoices/rows.ts'
import { hurryOperations } from '../../src/store/operations/rows.ts'
import type { Tx } from '../../src/store/connection/transaction.ts'
import { ownerOf, STAFF } from '../store/sample_rows.ts'
import type { Landmarks, PlanCase } from './plan_case.ts'
import { looks, writes } from './row_cases.ts'

const DAY_MS = 86_400_000
const OWNER = ownerOf('owner-1')

export function invoiceCases({ invoice_id, middle }: Landmarks): PlanCase[] {
  const list = (caller: typeof OWNER, filters: InvoiceFilters) => async (tx: Tx) =>
    await listInvoices(tx, caller, filters, { cursor: null, page_size: 20 })
  const day = (ahead: number): string =>
    new Date(middle.getTime() + ahead * DAY_MS).toISOString().slice(0, 10)
  const one_day = { due_after: day(13), due_before: day(15) }
  const claim = { limit: 20, lease_ms: 60_000 }
  const invoices = (name: string) => `gateway_invoice_${name}`
  const owners = [invoices('owner'), invoices('owner_status'), invoices('owner_due')]
  return [
    { query: 'invoices of an owner', indexes: owners, run: list(OWNER, {}) },
    {
      query: 'invoices of an owner, status',
      indexes: owners,
      run: list(OWNER, { status: 'pending' }),
    },
    { query: 'invoices of an owner, a day', indexes: owners, run: list(OWNER, one_day) },
    {
      query: 'invoices, staff, status',
      indexes: [invoices('status'), invoices('created')],
      run: list(STAFF, { status: 'pending' }),
    },
    {
      query: 'invoices, staff, a day',
      indexes: [invoices('due_date'), invoices('created')],
      run: list(STAFF, { ...one_day }),
    },
    {
      query: 'invoices, staff, e-mail',
      indexes: [invoices('email')],
      run: list(STAFF, { customer_email: 'Budi7@example.com' }),
    },
    {
      query: 'invoice by the gateway’s id',
      indexes: [invoices('gateway_id')],
      run: async (tx) => await findInvoiceByGatewayId(tx, 'gateway-7'),
    },
    {
      query: 'invoice by an order of its own',
      indexes: [invoices('order_id')],
      run: async (tx) => await findInvoicesByOrderIds(tx, ['invoice-7-1700000000000', 'invoice-7']),
    },
    {
      query: 'payments of an invoice',
      indexes: ['gateway_payment_invoice'],
      run: async (tx) => await listPaymentIdsOfInvoice(tx, invoice_id),
    },
    {
      query: 'what a payment says of its invoice',
      indexes: ['gateway_payment_invoice'],
      run: async (tx) => await findInvoiceHint(tx, invoice_id),
    },
    looks('invoice by id', 'gateway_invoice_pkey', (tx) => findInvoiceById(tx, invoice_id)),
    writes('ask about an invoice', 'gateway_invoice_pkey', (tx) => checkInvoiceNow(tx, invoice_id)),
    writes('plan the check of an invoice', 'gateway_invoice_pkey', (tx) =>
      setNextInvoiceCheck(tx, invoice_id, middle),
    ),
    writes('reason of a void', 'gateway_invoice_pkey', (tx) =>
      keepVoidReason(tx, invoice_id, 'changed'),
    ),
    writes('hurry the operations of an invoice', 'gateway_operation_subject', (tx) =>
      hurryOperations(tx, invoice_id),
    ),
    {
      query: 'claim 20 due invoices',
      indexes: [invoices('next_check')],
      writes: true,
      run: async (tx) => await claimDueInvoices(tx, claim),
    },
    {
      query: 'claim 20 invoices past their day',
      indexes: [invoices('due')],
      writes: true,
      run: async (tx) => await claimOverdueInvoices(tx, claim),
    },
  ]
}
