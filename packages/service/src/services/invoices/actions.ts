// Create and void, as callers request them.
import { randomBytes } from 'node:crypto'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { endOfDay } from '../../domain/invoice_dates.ts'
import { mayVoid } from '../../domain/invoice_transitions.ts'
import { toWholeRupiah, type Money } from '../../domain/money.ts'
import { mintInvoiceNumber, mintInvoiceOrderId } from '../../domain/order_id.ts'
import { jakartaDay, formatGatewayTime } from '../../domain/time.ts'
import type { InvoiceRequest } from '../../gateway/wire/invoices.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { findInvoicesByOrderIds } from '../../store/invoices/lookups.ts'
import { insertInvoice } from '../../store/invoices/rows.ts'
import { findIntent } from '../../store/operations/intents.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { recordWritten } from '../object_step.ts'
import { createObject, changeObject } from '../operations/prepare.ts'
import { intentOf, type Outcome, type Request } from '../requests.ts'
import { keptTextParser } from '../validation.ts'
import { parseInvoiceOrder, type InvoiceOrder, VOID_INPUT } from './invoice_order.ts'
import { INVOICE_OPERATIONS } from './operations.ts'
import type { InvoiceRepresentation } from '../../domain/invoice_representation.ts'

/** Creates an invoice at the gateway and stores it. One key creates at most one invoice. */
export async function createInvoice(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome<InvoiceRepresentation>> {
  const today = jakartaDay(await askedAt(ctx, request))
  const order = parseInvoiceOrder(input, today)
  const inputFor = (invoice: GatewayInvoice) => invoiceRequest(order, invoice)
  return await createObject(ctx, request, {
    type: INVOICE_OPERATIONS.create_invoice,
    insert: async (tx) => await insert(tx, request.caller.owner_id, order, ctx.cell?.name),
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

async function insert(
  tx: Tx,
  owner_id: string,
  order: InvoiceOrder,
  cell?: string,
): Promise<GatewayInvoice> {
  const order_id = order.order_id ?? mintInvoiceOrderId(randomBytes(16), cell)
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

type Written = Pick<GatewayInvoice, 'order_id' | 'invoice_number' | 'invoice_date' | 'due_date'>

/**
 * The body to send (gateway-protocol.md#creating-an-invoice). Days become timestamps with their
 * zone; taxes are left out. A stored invoice is sent as it was stored, on any later day.
 */
export function invoiceRequest(
  order: InvoiceOrder,
  { order_id, invoice_number, invoice_date, due_date }: Written,
): InvoiceRequest {
  const { customer_id: id, customer_phone: phone, customer_email: email, notes } = order
  return {
    order_id,
    invoice_number,
    invoice_date: `${invoice_date} 00:00:00 +0700`,
    due_date: formatGatewayTime(endOfDay(due_date)),
    customer_details: {
      ...(id !== undefined && { id }),
      name: order.customer_name,
      email,
      ...(phone !== undefined && { phone }),
    },
    item_details: order.items.map((item) => ({ ...item, price: whole(item.price) })),
    ...(notes !== undefined && notes !== '' && { notes }),
    ...paymentOf(order),
  }
}

const whole = (amount: Money): number => toWholeRupiah(amount) ?? Number.NaN

function paymentOf({ payment_type = 'payment_link', ...order }: InvoiceOrder) {
  const { virtual_accounts, enabled_payments } = order
  return {
    payment_type,
    ...(virtual_accounts !== undefined && { virtual_accounts }),
    ...(enabled_payments !== undefined && { payment_link: { enabled_payments } }),
  }
}

const parseVoid = keptTextParser(VOID_INPUT)

/** Voids an unpaid invoice. The reason is stored here only: the gateway has no field for it. */
export async function voidInvoice(
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome<InvoiceRepresentation>> {
  const { reason } = parseVoid(input ?? {})
  return await changeObject(ctx, request, {
    type: INVOICE_OPERATIONS.void_invoice,
    id,
    kept: reason === undefined || reason === '' ? {} : { reason },
    check: ({ status }) => {
      if (!mayVoid(status)) throw gatewayError('invoice_not_voidable')
    },
  })
}
