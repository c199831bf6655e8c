import type { Caller } from '../../domain/caller.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import type { Source } from '../../domain/signals.ts'
import { invoiceFactsOf, type InvoiceFacts } from '../../gateway/invoice_facts.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { findInvoice, lockInvoice } from '../../store/invoices/rows.ts'
import { recordRead } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import { lockExisting } from '../operations/operation_type.ts'
import { applyInvoiceFacts } from './apply_invoice_facts.ts'
import { type InvoiceRepresentation } from '../../domain/invoice_representation.ts'
import { representInvoiceWithin } from './read_invoices.ts'

const INVOICE_LOCK = { subject_kind: 'invoice', lock: lockInvoice } as const

/** How often a query is repeated because the invoice changed while it was under way. */
const ASKS_MAX = 3

/**
 * `get_invoice_status`: queries the gateway about an invoice of the caller and applies the answer.
 */
export async function getInvoiceStatus(
  ctx: Context,
  caller: Caller,
  id: string,
): Promise<InvoiceRepresentation | undefined> {
  const invoice = await withReadTransaction(ctx.db, (tx) => findInvoice(tx, caller, id))
  if (invoice === undefined) return undefined
  await recordRead(ctx, caller, 'invoice.check_status', invoice)
  const after = await refreshInvoice(ctx, invoice, 'check_status')
  return await withReadTransaction(ctx.db, async (tx) => await representInvoiceWithin(tx, after))
}

/**
 * Queries the gateway and applies the answer if the invoice has not changed since; otherwise
 * queries again. An invoice without a gateway id is left to its creation.
 */
export async function refreshInvoice(
  ctx: Context,
  invoice: GatewayInvoice,
  source: Source,
): Promise<GatewayInvoice> {
  let asked = invoice
  for (let round = 1; ; round++) {
    if (asked.gateway_invoice_id === null) return asked
    const facts = invoiceFactsOf(await ctx.gateway.getInvoice(asked.gateway_invoice_id))
    if (facts === undefined) throw gatewayError('gateway_failed', { operation: 'get_invoice' })
    const applied = await applyAnswer(ctx, asked, facts, { source, last: round === ASKS_MAX })
    if ('after' in applied) return applied.after
    asked = applied.moved
  }
}

const applyAnswer = async (
  ctx: Context,
  asked: GatewayInvoice,
  facts: InvoiceFacts,
  { source, last }: { source: Source; last: boolean },
): Promise<{ after: GatewayInvoice } | { moved: GatewayInvoice }> =>
  await withTransaction(ctx.db, async (tx) => {
    const held = await lockExisting(tx, INVOICE_LOCK, asked.id)
    const fresh = held.version === asked.version
    if (!fresh && !last) return { moved: held }
    if (facts.order_id !== held.order_id) {
      const about = { subject_kind: 'invoice', id: held.id, owner_id: held.owner_id } as const
      await alarmAboutObject(tx, about, 'duplicate_at_gateway', 'its id names another invoice')
      return { after: held }
    }
    // An answer to a query about an older version counts only as a report.
    const evidence = fresh ? 'gateway_answer' : 'report'
    const provenance = { evidence, source, evidence_id: null } as const
    return { after: await applyInvoiceFacts(tx, held, facts, provenance) }
  })
