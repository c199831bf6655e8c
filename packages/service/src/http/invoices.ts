// The routes of invoices (api-rules.md#invoices).
import { INVOICE_STATUSES } from '../domain/invoice.ts'
import { createInvoice, voidInvoice } from '../services/invoices/actions.ts'
import {
  INVOICE_INPUT,
  INVOICE_RULES,
  VOID_INPUT,
  type InvoiceInput,
} from '../services/invoices/invoice_order.ts'
import { getInvoiceStatus } from '../services/invoices/invoice_status.ts'
import {
  INVOICE_QUERY,
  parseInvoiceQuery,
  listInvoices,
  readInvoice,
} from '../services/invoices/read_invoices.ts'
import { listRoute, NEWEST_FIRST, type ListPage } from './platform/list.ts'
import { CHANGING, inProcess, route } from './platform/route.ts'
import {
  anyObject,
  count,
  day,
  listOf,
  money,
  named,
  oneOf,
  pageOf,
  text,
  textOrNull,
  timeOrNull,
  titled,
  uuid,
  variants,
  yesOrNo,
} from './platform/schema.ts'

const summary = {
  id: uuid('The id of the invoice.'),
  invoice_number: text('The number that is printed on the invoice.'),
  order_id: text('The order id, under which the gateway knows the payments of the invoice.'),
  status: oneOf(
    INVOICE_STATUSES,
    "The gateway's status, or `initiated` (not answered clearly yet) or `failure` (refused).",
  ),
  customer_name: text('The name of the customer.'),
  customer_email: text('The email address of the customer.'),
  total_amount: money('The sum of all items, in rupiah with two decimals.'),
  due_date: day('The last day to pay, in Jakarta.'),
  is_overdue: yesOrNo('Whether the due date has passed and the invoice is not paid.'),
  created_at: timeOrNull('When the invoice was created here.'),
}

export const INVOICE_SUMMARY = named('InvoiceSummary', summary)
export const INVOICE_PAGE = pageOf('InvoicePage', INVOICE_SUMMARY)

const INVOICE_ITEM = named('InvoiceItem', {
  id: uuid('The id of the item.'),
  item_id: textOrNull('Your own id of the item.'),
  description: text('The item, as it is printed on the invoice.'),
  quantity: count('How many were ordered.'),
  price: money('The price of one, in rupiah with two decimals.'),
  subtotal: money('Price times quantity, in rupiah with two decimals.'),
})

const VIRTUAL_ACCOUNT = named('InvoiceVirtualAccount', {
  name: text('The bank of the account, such as `bca_va`.'),
  number: text('The account number to transfer to.'),
})

export const INVOICE = named('Invoice', {
  id: summary.id,
  invoice_number: summary.invoice_number,
  order_id: summary.order_id,
  gateway_invoice_id: textOrNull("The gateway's id of the invoice; null until it has answered."),
  status: summary.status,
  customer_name: summary.customer_name,
  customer_email: summary.customer_email,
  customer_phone: textOrNull('The phone number of the customer.'),
  customer_id: textOrNull('Your own id of the customer.'),
  total_amount: summary.total_amount,
  currency: text('The currency; always `IDR`.'),
  invoice_date: day('The day the invoice was issued, in Jakarta.'),
  due_date: summary.due_date,
  paid_at: timeOrNull('When the invoice was paid.'),
  notes: textOrNull('The notes that are printed on the invoice.'),
  void_reason: textOrNull('Why the invoice was voided.'),
  payment_link_url: textOrNull('The page where the customer pays.'),
  pdf_url: textOrNull('The invoice as a PDF file.'),
  virtual_accounts: listOf(VIRTUAL_ACCOUNT, 'The virtual accounts the customer can transfer to.'),
  items: listOf(INVOICE_ITEM, 'The items of the invoice.'),
  payment_ids: listOf(uuid('The id of a payment.'), 'The payments of the invoice, oldest first.'),
  is_overdue: summary.is_overdue,
  metadata: anyObject('Your own data, stored as it was given.'),
  created_at: summary.created_at,
  updated_at: timeOrNull('When the invoice last changed here.'),
})

const example = {
  customer_name: 'Ani',
  customer_email: 'ani@example.com',
  due_date: '2099-12-31',
  items: [
    { description: 'Jasmine tea', price: 20_000, quantity: 2 },
    { description: 'Delivery', price: 4_000, quantity: 1 },
  ],
  notes: 'Thank you',
}

export type InvoicePage = ListPage<Awaited<ReturnType<typeof listInvoices>>['results'][number]>

export const invoices = {
  listInvoices: listRoute(
    {
      path: '/invoices/',
      operation: 'list_invoices',
      summary: 'List invoices, newest first; staff see those of every owner',
      scope: null,
      query: INVOICE_QUERY,
      reply: INVOICE_PAGE,
    },
    { cursors: NEWEST_FIRST, parse: parseInvoiceQuery, find: listInvoices },
  ),

  createInvoice: route({
    method: 'POST',
    path: '/invoices/',
    operation: 'create_invoice',
    summary: 'Create an invoice at the gateway',
    scope: 'invoices:write',
    input: titled(
      'InvoiceInput',
      variants<InvoiceInput>(INVOICE_INPUT, 'payment_type', INVOICE_RULES, 'payment_link'),
    ),
    status: 201,
    reply: INVOICE,
    errors: [...CHANGING, 'duplicate_order', 'gateway_duplicate'],
    example: {
      link: { summary: 'By payment link', value: example },
      account: {
        summary: 'Into a virtual account at BCA',
        value: {
          ...example,
          payment_type: 'virtual_account',
          virtual_accounts: [{ bank: 'bca_va' }],
        },
      },
    },
    run: async (ctx, { input, request }) => await createInvoice(ctx, input, request),
  }),

  getInvoice: route({
    method: 'GET',
    path: '/invoices/{pk}/',
    operation: 'get_invoice',
    summary: 'Read an invoice',
    scope: null,
    reply: INVOICE,
    run: async (ctx, { request, id }) => await readInvoice(ctx, request.caller, id),
  }),

  voidInvoice: route({
    method: 'POST',
    path: '/invoices/{pk}/void/',
    operation: 'void_invoice',
    summary: 'Void an invoice that is pending or overdue',
    scope: 'invoices:write',
    input: titled('VoidInput', VOID_INPUT),
    input_optional: true,
    reply: INVOICE,
    errors: [...CHANGING, 'invoice_not_voidable'],
    example: { reason: { summary: 'With the reason', value: { reason: 'Ordered twice' } } },
    run: async (ctx, { request, id, input }) => await voidInvoice(ctx, request, id, input),
  }),

  // The specification names it among the services and gives it no path.
  getInvoiceStatus: inProcess({
    method: 'GET',
    path: '/invoices/{pk}/status/',
    scope: null,
    run: async (ctx, { request, id }) => await getInvoiceStatus(ctx, request.caller, id),
  }),
}
