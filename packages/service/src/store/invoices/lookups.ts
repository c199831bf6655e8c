import type { GatewayInvoice } from '../../domain/invoice.ts'
import { INVOICE_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

/** An invoice by its id, for work without a caller. Takes no lock. */
export async function findInvoiceById(tx: Tx, id: string): Promise<GatewayInvoice | undefined> {
  const [invoice] = await tx.query<GatewayInvoice>(
    `select ${INVOICE_COLUMNS}
     from gapura.gateway_invoice
     where id = $1`,
    [id],
  )
  return invoice
}

/** The invoice with this gateway id. */
export async function findInvoiceByGatewayId(
  tx: Tx,
  gateway_invoice_id: string,
): Promise<GatewayInvoice | undefined> {
  const [invoice] = await tx.query<GatewayInvoice>(
    `select ${INVOICE_COLUMNS}
     from gapura.gateway_invoice
     where gateway_invoice_id = $1`,
    [gateway_invoice_id],
  )
  return invoice
}

/** The live invoices of these order ids: those the gateway did not refuse. */
export const findInvoicesByOrderIds = async (
  tx: Tx,
  order_ids: readonly string[],
): Promise<GatewayInvoice[]> =>
  await tx.query<GatewayInvoice>(
    `select ${INVOICE_COLUMNS}
     from gapura.gateway_invoice
     where order_id = any($1::text[])
       and status <> 'failure'`,
    [order_ids],
  )

const PAYMENTS_SHOWN_MAX = 100

/** The payments made through an invoice, oldest first. */
export async function listPaymentIdsOfInvoice(tx: Tx, invoice_id: string): Promise<string[]> {
  const found = await tx.query<{ id: string }>(
    `select id
     from gapura.gateway_payment
     where invoice_id = $1
     order by created_at, id
     limit $2`,
    [invoice_id, PAYMENTS_SHOWN_MAX],
  )
  return found.map(({ id }) => id)
}

/** What a payment made through an invoice shows about it. */
export interface InvoicePaymentHint {
  paid_at: Date | null
  metadata: Readonly<Record<string, unknown>>
}

/** The most informative payment of an invoice: a paid one if there is one, else any. */
export async function findInvoiceHint(
  tx: Tx,
  invoice_id: string,
): Promise<InvoicePaymentHint | undefined> {
  const [hint] = await tx.query<{ paid_at: Date | null; metadata: Record<string, unknown> }>(
    `select paid_at, metadata
     from gapura.gateway_payment
     where invoice_id = $1
     order by paid_at nulls last, id
     limit 1`,
    [invoice_id],
  )
  return hint
}
