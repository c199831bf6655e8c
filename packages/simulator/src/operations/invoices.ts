import { headerOf, paramOf, type Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { has, isFields, listAt, textAt, type Fields } from '../wire/fields.ts'
import { parseTime, zonedTime } from '../wire/times.ts'
import type { Invoice, InvoiceAccount } from '../world/invoice.ts'
import type { World } from '../world/world.ts'
import { expireInvoice } from './invoice_payments.ts'
import { accountName, invoiceFaults, linkExpiryOf, totalOf } from './invoice_request.ts'

const refuse = (http_status: number, ...error_messages: string[]): Reply =>
  httpReply(http_status, { error_messages })

/**
 * POST /v1/invoices. Its idempotency header has a name of its own
 * (gateway-protocol.md#idempotency).
 */
export function createInvoice(world: World, call: Call): Reply {
  const key = headerOf(call, 'x-idempotency-key')
  const seen = key === undefined ? undefined : world.invoice_keys.find(key)
  if (seen && seen !== 'running') return seen
  const body = call.body
  if (!body) return refuse(400, 'the body must be a JSON object')
  const messages = invoiceFaults(body)
  if (messages.length > 0) return refuse(400, ...messages)
  const order_id = textAt(body, 'order_id') ?? ''
  // Unlike a charge's, an invoice's order id is never free again.
  if (world.invoice_order_ids.has(order_id)) return refuse(409, 'Duplicate order id')
  const invoice = openInvoice(world, body)
  const reply = httpReply(201, invoiceFields(world, invoice))
  if (key !== undefined) {
    world.invoice_keys.start(key)
    world.invoice_keys.finish(key, reply)
  }
  return reply
}

const SENT_KEYS = [
  'invoice_number',
  'invoice_title',
  'invoice_paid_title',
  'reference',
  'notes',
  'customer_details',
  'item_details',
  'amount',
  'tax_mode',
]

function openInvoice(world: World, body: Fields): Invoice {
  const now = world.clock.now()
  const { gross_amount, taxes } = totalOf(body)
  const invoice: Invoice = {
    id: world.random.hex(24),
    order_id: textAt(body, 'order_id') ?? '',
    status: 'pending',
    gross_amount,
    published_at: now,
    due_at: parseTime(textAt(body, 'due_date') ?? '') ?? now,
    invoice_at: parseTime(textAt(body, 'invoice_date') ?? '') ?? now,
    expires_at: linkExpiryOf(body, now),
    paid_at: undefined,
    payment_type: body['payment_type'] === 'virtual_account' ? 'virtual_account' : 'payment_link',
    virtual_accounts: accountsOf(world, body),
    taxes,
    sent: Object.fromEntries(
      SENT_KEYS.filter((name) => has(body, name)).map((name) => [name, body[name]]),
    ),
  }
  world.invoices.set(invoice.id, invoice)
  world.invoice_order_ids.add(invoice.order_id)
  for (const { number } of invoice.virtual_accounts) world.invoice_numbers.set(number, invoice)
  watchDates(world, invoice)
  return invoice
}

function accountsOf(world: World, body: Fields): InvoiceAccount[] {
  if (body['payment_type'] !== 'virtual_account') return []
  return listAt(body, 'virtual_accounts')
    .filter(isFields)
    .map((account) => ({
      bank: accountName(account),
      number: textAt(account, 'number') ?? world.random.digits(11),
    }))
}

/** An overdue invoice can still be paid or voided, an expired one cannot. */
function watchDates(world: World, invoice: Invoice): void {
  world.clock.schedule(invoice.due_at, () => {
    if (invoice.status === 'pending') invoice.status = 'overdue'
  })
  if (invoice.expires_at === undefined) return
  world.clock.schedule(invoice.expires_at, () => {
    if (invoice.status === 'pending' || invoice.status === 'overdue') expireInvoice(world, invoice)
  })
}

/** An invoice as both calls answer it. */
function invoiceFields(world: World, invoice: Invoice): Fields {
  const page = `${world.base_url}/_sim/pages/invoices/${invoice.id}`
  const { paid_at, payment_type } = invoice
  return {
    ...invoice.sent,
    id: invoice.id,
    order_id: invoice.order_id,
    status: invoice.status,
    gross_amount: invoice.gross_amount,
    published_date: zonedTime(invoice.published_at),
    due_date: zonedTime(invoice.due_at),
    invoice_date: zonedTime(invoice.invoice_at),
    payment_type,
    virtual_accounts: invoice.virtual_accounts,
    ...(payment_type === 'payment_link' && { payment_link_url: page }),
    pdf_url: `${page}?pdf`,
    taxes: invoice.taxes,
    document_type: 'invoice',
    ...(paid_at !== undefined && {
      paid_date: zonedTime(paid_at),
      paid_pdf_url: `${page}?paid_pdf`,
    }),
  }
}

/** GET /v1/invoices/{id}. */
export function getInvoice(world: World, call: Call): Reply {
  const invoice = world.invoices.get(paramOf(call, 'id'))
  return invoice ? httpReply(200, invoiceFields(world, invoice)) : refuse(404, 'Not Found')
}

/**
 * PATCH /v1/invoices/{id}/void: without a reason and without a notification
 * (gateway-protocol.md#voiding-an-invoice).
 */
export function voidInvoice(world: World, call: Call): Reply {
  const invoice = world.invoices.get(paramOf(call, 'id'))
  if (!invoice) return refuse(404, 'Not Found')
  if (invoice.status !== 'pending' && invoice.status !== 'overdue')
    return refuse(409, 'Invoice cannot be canceled')
  invoice.status = 'voided'
  return httpReply(200, { success: true })
}
