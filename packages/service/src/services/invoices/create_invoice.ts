import { randomBytes } from 'node:crypto'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { mintInvoiceNumber, mintInvoiceOrderId } from '../../domain/order_id.ts'
import { jakartaDay } from '../../domain/time.ts'
import { newId } from '../../store/sql/values.ts'
import { findIntent } from '../../store/operations/intents.ts'
import { findInvoicesByOrderIds } from '../../store/invoices/lookups.ts'
import { insertInvoice } from '../../store/invoices/rows.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { createObject } from '../operations/prepare.ts'
import { intentOf, type Outcome, type Request } from '../requests.ts'
import { parseInvoiceOrder, type InvoiceOrder } from './invoice_order.ts'
import { invoiceRequest } from './invoice_request.ts'
import { INVOICE_OPERATIONS } from './operations.ts'

/** Creates an invoice at the gateway and stores it. One key creates at most one invoice. */
export async function createInvoice(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const today = jakartaDay(await askedAt(ctx, request))
  const order = parseInvoiceOrder(input, today)
  const inputFor = (invoice: GatewayInvoice) => invoiceRequest(order, invoice)
  return await createObject(ctx, request, {
    type: INVOICE_OPERATIONS.create_invoice,
    insert: async (tx) => await insert(tx, request.caller.owner_id, order),
    kept: (invoice) => ({ ...inputFor(invoice) }),
    inputFor,
  })
}

/** Its rows are written a moment after its dates are checked. */
const JUDGED_BEFORE_MS = 60_000

/**
 * When the invoice was first requested. A repeat is checked against that day: otherwise a repeat
 * after midnight would refuse an invoice that exists, because it was due the day before.
 */
const askedAt = async (ctx: Context, request: Request): Promise<Date> =>
  await withReadTransaction(ctx.db, async (tx) => {
    const intent = intentOf(request)
    const record = intent && (await findIntent(tx, intent))
    if (!record) return await readClock(tx)
    return new Date(record.operation.created_at.getTime() - JUDGED_BEFORE_MS)
  })

async function insert(tx: Tx, owner_id: string, order: InvoiceOrder): Promise<GatewayInvoice> {
  const order_id = order.order_id ?? mintInvoiceOrderId(randomBytes(16))
  const number = order.invoice_number ?? mintInvoiceNumber(order.invoice_date, randomBytes(8))
  const { customer_name, customer_email, invoice_date, due_date, total_amount } = order
  const invoice = await insertInvoice(
    tx,
    {
      id: newId(),
      owner_id,
      order_id,
      invoice_number: number,
      customer_id: order.customer_id ?? null,
      customer_name,
      customer_email,
      customer_phone: order.customer_phone ?? null,
      total_amount,
      currency: 'IDR',
      invoice_date,
      due_date,
      notes: order.notes ?? null,
      metadata: order.metadata ?? {},
    },
    order.items.map(({ item_id, ...item }) => ({ ...item, id: newId(), item_id: item_id ?? null })),
  )
  if (invoice === undefined) throw await duplicate(tx, owner_id, order_id)
  const written = { object_kind: 'invoice', object: invoice, to_status: invoice.status } as const
  await recordWritten(tx, written, { source: 'action' })
  return invoice
}

/** Names the caller's own invoice of that order id; another owner's is not revealed (ADR 0020). */
async function duplicate(tx: Tx, owner_id: string, order_id: string) {
  const [other] = await findInvoicesByOrderIds(tx, [order_id])
  const message = other?.owner_id === owner_id ? `invoice ${other.id} has it` : 'it is in use'
  const field = other === undefined ? 'invoice_number' : 'order_id'
  return gatewayError('duplicate_order', { errors: [{ field, message }] })
}
