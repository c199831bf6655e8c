// Every operation on an invoice, as rows of one table.
import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { mayVoid } from '../../domain/invoice_transitions.ts'
import { formatMoney } from '../../domain/money.ts'
import { invoiceFactsOf, invoiceNamedIn, type InvoiceFacts } from '../../gateway/invoice_facts.ts'
import {
  parseInvoiceRequest,
  type InvoiceReply,
  type InvoiceRequest,
} from '../../gateway/wire/invoices.ts'
import { withReadTransaction, type Tx } from '../../store/connection/transaction.ts'
import { findInvoiceById, findInvoiceHint } from '../../store/invoices/lookups.ts'
import { findInvoice, keepVoidReason, lockInvoice } from '../../store/invoices/rows.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import { shownBy, shownUnder } from '../operations/manual.ts'
import {
  reasonOf,
  seenBy,
  type Attempt,
  type ObjectAccess,
  type OperationType,
  type Refusal,
} from '../operations/operation_type.ts'
import { evidenceOf, unclearOutcome } from '../operations/record.ts'
import {
  alarmGivenUp,
  REPEATABLE_CHANGE,
  sendAgain,
  unseenCreation,
} from '../operations/repeatable.ts'
import { applyInvoiceFacts, type InvoiceWord } from './apply_invoice_facts.ts'
import { type InvoiceRepresentation } from '../../domain/invoice_representation.ts'
import { representInvoiceWithin } from './read_invoices.ts'

/** How operations reach an invoice. */
const INVOICE_ACCESS: ObjectAccess<GatewayInvoice> = {
  subject_kind: 'invoice',
  find: findInvoice,
  findById: findInvoiceById,
  lock: lockInvoice,
  represent: representInvoiceWithin,
}

/**
 * The gateway keeps an invoice's key for five minutes; after four a repeat could create a second
 * one.
 */
const RESEND_WITHIN_MS = 240_000
const CREATION = unseenCreation(RESEND_WITHIN_MS)

/**
 * The gateway cannot look up an invoice by our order id: an unclear creation is repeated with the
 * same key for four minutes, and found later by a payment made through the invoice.
 */
const CREATE_INVOICE: OperationType<
  GatewayInvoice,
  InvoiceFacts,
  InvoiceRequest,
  InvoiceRepresentation
> = {
  ...CREATION,
  kind: 'create_invoice',
  access: INVOICE_ACCESS,
  send: async (ctx, { subject, operation, input }) => {
    const payload = input ?? parseInvoiceRequest(operation.request)
    if (payload === undefined) throw unclearOutcome(operation)
    const reply = await ctx.gateway.createInvoice(payload, { idempotency_key: operation.id })
    return factsAbout(subject, reply)
  },
  inspect: async (ctx, invoice) => await seenBy(async () => await discover(ctx, invoice)),
  next: ({ age_ms }) => (age_ms < RESEND_WITHIN_MS ? 'send' : 'wait'),
  keep: ({ gateway_invoice_id, status }) => ({ gateway_invoice_id, status }),
  apply: async (tx, locked, facts, { attempt, given_up }) => {
    if (given_up) await alarmGivenUp(tx, locked, attempt.operation)
    const after = await applyInvoiceFacts(tx, locked, facts, {
      // It cannot be looked up later, so even a late answer is accepted.
      evidence: 'gateway_answer',
      source: attempt.source,
      evidence_id: attempt.operation.id,
      ...reasonOf(attempt.by),
    })
    return { after }
  },
  refuse: async (tx, locked, refusal) => await refuseCreation(tx, locked, refusal),
  isMade: ({ gateway_invoice_id }) => gateway_invoice_id !== null,
  manual: {
    ...CREATION.manual,
    inspect: async (ctx, invoice, order) => {
      const named = await shownUnder(
        order,
        async (id) => known(invoiceFactsOf(await ctx.gateway.getInvoice(id))),
        (facts) => differs(invoice, facts),
      )
      if (named.kind === 'seen') return named
      return await shownBy(async () => await discover(ctx, invoice))
    },
  },
}

/** The facts of an answer about this very invoice. Any other answer leaves the outcome open. */
function factsAbout(invoice: GatewayInvoice, reply: InvoiceReply): InvoiceFacts {
  const facts = invoiceFactsOf(reply)
  if (facts !== undefined && facts.order_id === invoice.order_id) return facts
  throw gatewayError('outcome_unknown', { operation: 'create_invoice' })
}

/**
 * A payment made through the invoice names it, and the gateway confirms that. If no such payment is
 * known, the gateway may know one under the invoice's own order id.
 */
async function discover(ctx: Context, invoice: GatewayInvoice): Promise<InvoiceFacts | undefined> {
  const hint = await withReadTransaction(ctx.db, (tx) => findInvoiceHint(tx, invoice.id))
  const named = invoiceNamedIn(hint ?? (await ctx.gateway.getStatus(invoice.order_id)))
  return named === undefined ? undefined : factsAbout(invoice, await ctx.gateway.getInvoice(named))
}

function known(facts: InvoiceFacts | undefined): InvoiceFacts {
  if (facts === undefined) throw gatewayError('gateway_failed', { operation: 'get_invoice' })
  return facts
}

/** The order id is ours alone, and the amount is the one we sent. */
function differs(invoice: GatewayInvoice, facts: InvoiceFacts): string | undefined {
  if (facts.order_id !== invoice.order_id) {
    return `there it is the invoice of order ${facts.order_id}, not of ${invoice.order_id}`
  }
  if (facts.total_amount === invoice.total_amount) return undefined
  const asked = facts.total_amount === null ? 'no amount' : formatMoney(facts.total_amount)
  return `there it asks for ${asked}, not for ${formatMoney(invoice.total_amount)}`
}

async function refuseCreation(
  tx: Tx,
  locked: GatewayInvoice,
  { error, attempt }: Refusal<GatewayInvoice, InvoiceFacts, InvoiceRequest>,
): Promise<void> {
  const { operation, source, by } = attempt
  const because = { source, evidence_id: operation.id, reason: error.code, ...reasonOf(by) }
  await applyInvoiceFacts(tx, locked, { status: 'failure' }, { evidence: 'report', ...because })
  if (error.code !== 'gateway_duplicate') return
  const about = { subject_kind: 'invoice', id: locked.id, owner_id: locked.owner_id } as const
  await alarmAboutObject(tx, about, 'duplicate_at_gateway', `invoice of ${locked.order_id}`)
}

/** A change that is sent again for as long as the invoice may be voided. */
const VOID_INVOICE: OperationType<GatewayInvoice, InvoiceWord, undefined, InvoiceRepresentation> = {
  ...REPEATABLE_CHANGE,
  kind: 'void_invoice',
  access: INVOICE_ACCESS,
  send: async ({ gateway }, { subject }) => {
    await gateway.voidInvoice(gatewayIdOf(subject))
    return { status: 'voided' }
  },
  inspect: async ({ gateway }, invoice) =>
    await seenBy(async () => factsAbout(invoice, await gateway.getInvoice(gatewayIdOf(invoice)))),
  isDone: (_operation, { status }) => status === 'voided',
  next: (deciding) =>
    deciding.seen.kind === 'seen' && mayVoid(deciding.seen.answer.status)
      ? sendAgain(deciding)
      : 'refuse',
  apply: async (tx, locked, word, { attempt, given_up }) => {
    if (given_up) await alarmGivenUp(tx, locked, attempt.operation)
    const { reason } = attempt.operation.request
    const void_reason = typeof reason === 'string' ? reason : null
    const after = await applyWord(tx, locked, word, { attempt, void_reason })
    if (after.void_reason !== null || void_reason === null) return { after }
    // A sweep found it voided before this operation was recorded.
    return { after: (await keepVoidReason(tx, locked.id, void_reason)) ?? after }
  },
  refuse: async (tx, locked, { attempt, seen }) => {
    if (seen?.kind === 'seen') await applyWord(tx, locked, seen.answer, { attempt })
  },
}

const applyWord = async (
  tx: Tx,
  locked: GatewayInvoice,
  word: InvoiceWord,
  { attempt, ...more }: { attempt: Attempt<GatewayInvoice>; void_reason?: string | null },
): Promise<GatewayInvoice> =>
  await applyInvoiceFacts(tx, locked, word, {
    evidence: evidenceOf(attempt.subject, locked),
    source: attempt.source,
    evidence_id: attempt.operation.id,
    ...reasonOf(attempt.by),
    ...more,
  })

/** Only a pending or overdue invoice is voided, and such an invoice has a gateway id. */
function gatewayIdOf({ id, gateway_invoice_id }: GatewayInvoice): string {
  if (gateway_invoice_id === null) throw new Error(`invoice ${id} has no id at the gateway`)
  return gateway_invoice_id
}

export const INVOICE_OPERATIONS = { create_invoice: CREATE_INVOICE, void_invoice: VOID_INVOICE }
