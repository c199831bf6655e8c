import { INVOICE_STATUSES, type GatewayInvoice } from '../domain/invoice.ts'
import type { ReportedInvoiceStatus } from '../domain/invoice_transitions.ts'
import { parseMoney, type Money } from '../domain/money.ts'
import { parseGatewayTime } from '../domain/time.ts'
import { isObject } from './json.ts'
import type { InvoiceReply } from './wire/invoices.ts'
import type { TransactionReply } from './wire/transactions.ts'

/** What the gateway reports about an invoice, in our terms and types. */
export interface InvoiceFacts {
  status: ReportedInvoiceStatus
  gateway_invoice_id: string
  order_id: string
  total_amount: Money | null
  paid_at: Date | null
  details: Partial<Pick<GatewayInvoice, 'payment_link_url' | 'pdf_url' | 'virtual_accounts'>>
}

/** The facts of an answer; undefined if its status is unknown: then there is no transition. */
export function invoiceFactsOf(reply: InvoiceReply): InvoiceFacts | undefined {
  const word = reply.status.toLowerCase()
  const status = INVOICE_STATUSES.find((known) => known === word)
  // The first two are statuses of our own.
  if (status === undefined || status === 'initiated' || status === 'failure') return undefined
  const { payment_link_url, pdf_url } = reply
  const accounts = (reply.virtual_accounts ?? []).flatMap(({ bank, name, number }) => {
    const named = bank ?? name
    return named && number ? [{ name: named, number }] : []
  })
  return {
    status,
    gateway_invoice_id: reply.id,
    order_id: reply.order_id,
    total_amount: parseMoney(reply.gross_amount) ?? null,
    paid_at: parseGatewayTime(reply.paid_date) ?? null,
    details: {
      ...(payment_link_url && { payment_link_url }),
      ...(pdf_url && { pdf_url }),
      ...(accounts.length > 0 && { virtual_accounts: accounts }),
    },
  }
}

/** The gateway's id of the invoice that a transaction claims to pay. */
export function invoiceNamedIn({ metadata }: Pick<TransactionReply, 'metadata'>) {
  const named = isObject(metadata) ? metadata['midtrans_invoice_id'] : undefined
  return typeof named === 'string' && named !== '' ? named : undefined
}
