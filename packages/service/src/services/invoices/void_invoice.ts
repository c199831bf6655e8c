import { gatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { mayVoid } from '../../domain/invoice_moves.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import { keepVoidReason } from '../../store/invoices.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { reasonOf } from '../operations/by_hand.ts'
import { changeObject, type Change } from '../operations/change_object.ts'
import { evidenceOf, type Attempt } from '../operations/record_operation.ts'
import type { Outcome, Request } from '../requests.ts'
import { keptTextParser } from '../secret_faults.ts'
import { applyInvoiceFacts, type InvoiceWord } from './apply_invoice_facts.ts'
import { INVOICE_ACCESS } from './invoice_access.ts'
import { factsAbout } from './invoice_creation.ts'
import { VOID_INPUT } from './invoice_input.ts'

const parseVoid = keptTextParser(VOID_INPUT)

/** Voids what is still to be paid. The reason stays here: the gateway takes none. */
export async function voidInvoice(
  ctx: Context,
  request: Request,
  id: string,
  input: unknown,
): Promise<Outcome> {
  const { reason } = parseVoid(input ?? {})
  return await changeObject(ctx, request, {
    id,
    plan: {
      kind: 'void_invoice',
      request: reason === undefined || reason === '' ? {} : { reason },
      check: ({ status }) => {
        if (!mayVoid(status)) throw gatewayError('invoice_not_voidable')
      },
    },
    change: INVOICE_VOID,
  })
}

/** The same for the caller and the resolver. */
export const INVOICE_VOID: Change<GatewayInvoice, InvoiceWord> = {
  access: INVOICE_ACCESS,
  send: async ({ gateway }, invoice) => {
    await gateway.voidInvoice(gatewayIdOf(invoice))
    return { status: 'voided' }
  },
  look: async ({ gateway }, invoice) =>
    factsAbout(invoice, await gateway.getInvoice(gatewayIdOf(invoice))),
  isDone: (_operation, { status }) => status === 'voided',
  maySend: (_operation, { status }) => mayVoid(status),
  done: async (tx, held, seen, attempt) => {
    const void_reason = reasonIn(attempt.operation)
    const after = await apply(tx, held, { word: seen, attempt, void_reason })
    if (after.void_reason !== null || void_reason === null) return after
    // A sweep saw it voided before we recorded that we did it.
    return (await keepVoidReason(tx, held.id, void_reason)) ?? after
  },
  refused: async (tx, held, seen, attempt) =>
    seen === undefined ? held : await apply(tx, held, { word: seen, attempt }),
}

interface Heard {
  word: InvoiceWord
  attempt: Attempt
  void_reason?: string | null
}

const apply = async (tx: Tx, held: GatewayInvoice, { word, attempt, ...more }: Heard) =>
  await applyInvoiceFacts(tx, held, word, {
    evidence: evidenceOf(attempt.asked, held),
    source: attempt.source,
    evidence_id: attempt.operation.id,
    ...reasonOf(attempt.by),
    ...more,
  })

/** Only what is pending or overdue is voided, and that the gateway has named. */
function gatewayIdOf({ id, gateway_invoice_id }: GatewayInvoice): string {
  if (gateway_invoice_id === null) throw new Error(`invoice ${id} has no name at the gateway`)
  return gateway_invoice_id
}

const reasonIn = ({ request }: GatewayOperation): string | null =>
  typeof request['reason'] === 'string' ? request['reason'] : null
