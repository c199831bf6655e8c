import type { GatewayInvoice } from '../../domain/invoice.ts'
import { INVOICE_COLUMNS } from './rows.ts'
import type { Tx } from '../connection/transaction.ts'

export const DUE_INVOICES_MAX = 500

const COLUMNS = INVOICE_COLUMNS.split(',')
  .map((column) => `invoice.${column.trim()}`)
  .join(', ')

/**
 * Plans a check now, unless an earlier one is planned. Returns the gateway's id of the invoice:
 * null while its creation is open.
 */
export async function checkInvoiceNow(tx: Tx, id: string): Promise<string | null> {
  const [invoice] = await tx.query<Pick<GatewayInvoice, 'gateway_invoice_id'>>(
    `update gapura.gateway_invoice
     set next_check_at = least(next_check_at, gapura.now()),
         updated_at = gapura.now()
     where id = $1
     returning gateway_invoice_id`,
    [id],
  )
  return invoice?.gateway_invoice_id ?? null
}

/** Plans the next query about an invoice; null if none is needed. */
export async function setNextInvoiceCheck(
  tx: Tx,
  id: string,
  next_check_at: Date | null,
): Promise<void> {
  await tx.query(
    `update gapura.gateway_invoice
     set next_check_at = $2,
         updated_at = gapura.now()
     where id = $1`,
    [id, next_check_at],
  )
}

interface ClaimOptions {
  limit: number
  /** After this the check is due again unless it was made: a killed worker loses nothing. */
  lease_ms: number
}

const claim = async (
  tx: Tx,
  due: string,
  { limit, lease_ms }: ClaimOptions,
): Promise<GatewayInvoice[]> =>
  await tx.query<GatewayInvoice>(
    `with due as (
       ${due}
       limit $1
       -- Never waits, so the lock order does not matter here.
       for no key update skip locked
     ),
     claimed as (
       update gapura.gateway_invoice as invoice
       set next_check_at = gapura.now() + make_interval(secs => $2::double precision / 1000)
       from due
       where invoice.id = due.id
       returning ${COLUMNS}
     )
     select * from claimed order by id`,
    [Math.min(limit, DUE_INVOICES_MAX), lease_ms],
  )

/**
 * Claims those longest due and postpones each by the lease; two sweeps never claim the same one.
 */
export const claimDueInvoices = async (tx: Tx, options: ClaimOptions): Promise<GatewayInvoice[]> =>
  await claim(
    tx,
    `select id
     from gapura.gateway_invoice
     where next_check_at <= gapura.now()
     order by next_check_at, id`,
    options,
  )

/**
 * The same for pending invoices whose due day is over in Jakarta and that have no check soon: the
 * gateway decides whether they are overdue, not our calendar.
 */
export const claimOverdueInvoices = async (
  tx: Tx,
  options: ClaimOptions,
): Promise<GatewayInvoice[]> =>
  await claim(
    tx,
    `select id
     from gapura.gateway_invoice
     where status = 'pending'
       and due_date < (gapura.now() at time zone 'Asia/Jakarta')::date
       and (
         next_check_at is null
         or next_check_at <= gapura.now()
         or next_check_at > gapura.now() + interval '1 hour'
       )
     order by due_date`,
    options,
  )
