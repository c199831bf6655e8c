import type { Caller } from '../../domain/caller.ts'
import type { GatewayInvoice, GatewayInvoiceItem, InvoiceStatus } from '../../domain/invoice.ts'
import { pageOf, pageStatement, type Page, type PageRequest } from '../sql/lists.ts'
import { toJson } from '../sql/values.ts'
import type { Tx } from '../connection/transaction.ts'
import { conditionsOf, visibleTo, whereOf } from '../sql/lists.ts'

/** Every property of GatewayInvoice; a test compares both ways. */
export const INVOICE_COLUMNS = `
  id, owner_id, invoice_number, order_id, gateway_invoice_id, status, customer_id, customer_name,
  customer_email, customer_phone, total_amount, currency, invoice_date, due_date, notes,
  void_reason, payment_link_url, pdf_url, virtual_accounts, paid_at, metadata, version,
  next_check_at, created_at, updated_at`

const ITEM_COLUMNS = 'id, invoice_id, owner_id, position, item_id, description, quantity, price'

export type NewInvoice = Pick<
  GatewayInvoice,
  | 'id'
  | 'owner_id'
  | 'invoice_number'
  | 'order_id'
  | 'customer_id'
  | 'customer_name'
  | 'customer_email'
  | 'customer_phone'
  | 'total_amount'
  | 'currency'
  | 'invoice_date'
  | 'due_date'
  | 'notes'
  | 'metadata'
>

const NEW_COLUMNS = `
  id, owner_id, invoice_number, order_id, customer_id, customer_name, customer_email,
  customer_phone, total_amount, currency, invoice_date, due_date, notes, metadata`

export type NewInvoiceItem = Omit<GatewayInvoiceItem, 'invoice_id' | 'owner_id' | 'position'>

/**
 * Stores an invoice as `initiated`, version 1, with its items. Undefined, and nothing is written,
 * if its order id or the owner's invoice number is taken.
 */
export async function insertInvoice(
  tx: Tx,
  invoice: NewInvoice,
  items: readonly NewInvoiceItem[],
): Promise<GatewayInvoice | undefined> {
  const [inserted] = await tx.query<GatewayInvoice>(
    `insert into gapura.gateway_invoice (${NEW_COLUMNS})
     select ${NEW_COLUMNS}
     from jsonb_populate_record(null::gapura.gateway_invoice, $1)
     on conflict do nothing
     returning ${INVOICE_COLUMNS}`,
    [toJson(invoice)],
  )
  if (inserted === undefined) return undefined
  const rows = items.map((item, position) => ({
    ...item,
    invoice_id: inserted.id,
    owner_id: inserted.owner_id,
    position,
  }))
  await tx.query(
    `insert into gapura.gateway_invoice_item (${ITEM_COLUMNS})
     select ${ITEM_COLUMNS}
     from jsonb_populate_recordset(null::gapura.gateway_invoice_item, $1)`,
    [toJson(rows)],
  )
  return inserted
}

export const listInvoiceItems = async (tx: Tx, invoice_id: string): Promise<GatewayInvoiceItem[]> =>
  await tx.query<GatewayInvoiceItem>(
    `select ${ITEM_COLUMNS}
     from gapura.gateway_invoice_item
     where invoice_id = $1
     order by position`,
    [invoice_id],
  )

/** The invoice; undefined if it is missing or the caller may not see it, which look the same. */
export async function findInvoice(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<GatewayInvoice | undefined> {
  const where = whereOf([['id = ?', id], ...visibleTo(caller)])
  const [invoice] = await tx.query<GatewayInvoice>(
    `select ${INVOICE_COLUMNS}
     from gapura.gateway_invoice
     where ${where.sql}`,
    where.values,
  )
  return invoice
}

/**
 * Locks this invoice's row until the transaction ends; after any payment's (see payments/locks.ts).
 */
export async function lockInvoice(tx: Tx, id: string): Promise<GatewayInvoice | undefined> {
  const [invoice] = await tx.query<GatewayInvoice>(
    `select ${INVOICE_COLUMNS}
     from gapura.gateway_invoice
     where id = $1
     for no key update`,
    [id],
  )
  return invoice
}

/** The documented filters. Both days are exclusive bounds, as their names say. */
export interface InvoiceFilters {
  status?: InvoiceStatus
  customer_email?: string
  due_before?: string
  due_after?: string
  ids?: readonly string[]
}

const FILTERS = [
  ['status', 'status = ?'],
  ['customer_email', 'lower(customer_email) = lower(?)'],
  ['due_before', 'due_date < ?::date'],
  ['due_after', 'due_date > ?::date'],
  ['ids', 'id = any(?::uuid[])'],
] as const satisfies readonly (readonly [keyof InvoiceFilters, string])[]

/** A page of the invoices the caller may see, newest first. */
export async function listInvoices(
  tx: Tx,
  caller: Caller,
  filters: InvoiceFilters,
  request: PageRequest,
): Promise<Page<GatewayInvoice>> {
  const { text, values } = pageStatement(
    {
      table: 'gapura.gateway_invoice',
      columns: INVOICE_COLUMNS,
      conditions: [...visibleTo(caller), ...conditionsOf(FILTERS, filters)],
    },
    request,
  )
  return pageOf(await tx.query<GatewayInvoice>(text, values, { prepare: false }), request)
}

const CHANGED_COLUMNS = [
  'gateway_invoice_id',
  'status',
  'void_reason',
  'payment_link_url',
  'pdf_url',
  'virtual_accounts',
  'paid_at',
  'next_check_at',
] as const satisfies readonly (keyof GatewayInvoice)[]

export type InvoiceChange = Partial<Pick<GatewayInvoice, (typeof CHANGED_COLUMNS)[number]>>

/** One transition: as changePayment, fenced by the version, which it raises by one. */
export async function changeInvoice(
  tx: Tx,
  { id, version }: Pick<GatewayInvoice, 'id' | 'version'>,
  change: InvoiceChange,
): Promise<GatewayInvoice | undefined> {
  const [changed] = await tx.query<GatewayInvoice>(
    `update gapura.gateway_invoice as invoice
     set (${CHANGED_COLUMNS.join(', ')}) = (
           select ${CHANGED_COLUMNS.map((column) => `changed.${column}`).join(', ')}
           from jsonb_populate_record(invoice, $3::jsonb) as changed
         ),
         version = version + 1,
         updated_at = gapura.now()
     where id = $1
       and version = $2
     returning ${INVOICE_COLUMNS}`,
    [id, version, toJson(change)],
  )
  return changed
}

/** Stores why it was voided, if no reason is stored. The version stays: no transition was made. */
export async function keepVoidReason(
  tx: Tx,
  id: string,
  reason: string,
): Promise<GatewayInvoice | undefined> {
  const [kept] = await tx.query<GatewayInvoice>(
    `update gapura.gateway_invoice
     set void_reason = coalesce(void_reason, $2),
         updated_at = gapura.now()
     where id = $1
     returning ${INVOICE_COLUMNS}`,
    [id, reason],
  )
  return kept
}
