// How an invoice is created (ADR 0008): nobody can look it up by our order id, so an unclear
// creation is sent again under the same key for four minutes, and found by what is paid through it.
import type { GatewayError } from '../../domain/errors.ts'
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { invoiceFactsOf, type InvoiceFacts } from '../../gateway/invoice_facts.ts'
import type { InvoiceReply, InvoiceRequest } from '../../gateway/wire/invoices.ts'
import { alarmAboutObject } from '../object_alarm.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { reasonOf } from '../operations/by_hand.ts'
import type { OpenCreation } from '../operations/create_object.ts'
import type { Attempt } from '../operations/record_operation.ts'
import { applyInvoiceFacts } from './apply_invoice_facts.ts'
import { INVOICE_ACCESS } from './invoice_access.ts'

/** The gateway keeps an invoice's key for five minutes (gateway-protocol.md#idempotency). */
const REPLAY_WITHIN_MS = 240_000

/** The facts of an answer about this very invoice. Anything else leaves the outcome open. */
export function factsAbout(invoice: GatewayInvoice, reply: InvoiceReply): InvoiceFacts {
  const facts = invoiceFactsOf(reply)
  if (facts !== undefined && facts.order_id === invoice.order_id) return facts
  throw gatewayError('outcome_unknown', { operation: 'create_invoice' })
}

/** What becomes of a creation, whoever sent it. */
export const INVOICE_CREATION: Omit<OpenCreation<GatewayInvoice, InvoiceFacts>, 'send'> = {
  access: INVOICE_ACCESS,
  kind: 'create_invoice',
  replay_within_ms: REPLAY_WITHIN_MS,
  saidBy: ({ gateway_invoice_id, status }) => ({ gateway_invoice_id, status }),
  isKnown: ({ gateway_invoice_id }) => gateway_invoice_id !== null,
  made: async (tx, held, facts, attempt) =>
    await applyInvoiceFacts(tx, held, facts, {
      // Nobody can look it up again, so even a late answer is believed.
      evidence: 'gateway_answer',
      source: attempt.source,
      evidence_id: attempt.operation.id,
      ...reasonOf(attempt.by),
    }),
  refused: async (tx, held, error, attempt) => await refuse(tx, held, error, attempt),
}

/** Everything about creating one but the row: the same for the caller, a repeat and the resolver. */
export const invoiceCreation = (
  ctx: Context,
  payload: (invoice: GatewayInvoice) => InvoiceRequest,
): OpenCreation<GatewayInvoice, InvoiceFacts> => ({
  ...INVOICE_CREATION,
  send: async (invoice, idempotency_key) => {
    const reply = await ctx.gateway.createInvoice(payload(invoice), { idempotency_key })
    return factsAbout(invoice, reply)
  },
})

async function refuse(
  tx: Tx,
  held: GatewayInvoice,
  error: GatewayError,
  { operation, source, by }: Attempt,
): Promise<void> {
  const word = { status: 'failure' } as const
  const testimony = { evidence: 'report', source, evidence_id: operation.id } as const
  await applyInvoiceFacts(tx, held, word, { ...testimony, reason: error.code, ...reasonOf(by) })
  if (error.code !== 'gateway_duplicate') return
  const about = { subject_kind: 'invoice', id: held.id, owner_id: held.owner_id } as const
  await alarmAboutObject(tx, about, 'duplicate_at_gateway', `invoice of ${held.order_id}`)
}
