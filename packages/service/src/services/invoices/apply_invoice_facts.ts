// Creation, void, status queries and sweeps all apply reports about an invoice here. The caller has
// locked the row; everything is written in the caller's transaction.
import type { Evidence } from '../../domain/answer.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { nextInvoiceCheckAt } from '../../domain/invoice_dates.ts'
import {
  decideInvoiceTransition,
  type ReportedInvoiceStatus,
} from '../../domain/invoice_transitions.ts'
import { formatMoney, type Money } from '../../domain/money.ts'
import type { Source } from '../../domain/signals.ts'
import type { InvoiceFacts } from '../../gateway/invoice_facts.ts'
import { readClock } from '../../store/connection/settings.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { checkInvoiceNow } from '../../store/invoices/checks.ts'
import { findInvoiceHint } from '../../store/invoices/lookups.ts'
import { changeInvoice, type InvoiceChange } from '../../store/invoices/rows.ts'
import { alarmAboutObject, recordObjectStep } from '../object_step.ts'
import { representInvoiceWithin } from './read_invoices.ts'

/** The source and the evidence of a report about an invoice. */
export type InvoiceWord = { status: ReportedInvoiceStatus } & Partial<InvoiceFacts>

interface InvoiceProvenance {
  evidence: Evidence
  source: Source
  /** The operation the transition points back to. */
  evidence_id: string | null
  reason?: string | null
  void_reason?: string | null
}

/** Applies what the gateway reports to a locked invoice, and returns the invoice after it. */
export async function applyInvoiceFacts(
  tx: Tx,
  invoice: GatewayInvoice,
  word: InvoiceWord,
  provenance: InvoiceProvenance,
): Promise<GatewayInvoice> {
  const move = decideInvoiceTransition(invoice.status, word.status, provenance.evidence)
  // Only the gateway's current answer about the invoice can decide this pair.
  if (move.kind === 'ask') await checkInvoiceNow(tx, invoice.id)
  if (move.kind !== 'move') return invoice
  const now = await readClock(tx)
  const changed = await changeInvoice(tx, invoice, {
    ...word.details,
    ...idOf(invoice, word),
    status: move.to,
    ...(move.to === 'paid' && { paid_at: word.paid_at ?? now }),
    ...(provenance.void_reason !== undefined && { void_reason: provenance.void_reason }),
    next_check_at: await nextCheckOf(tx, { ...invoice, status: move.to }, now),
  })
  if (changed === undefined) throw new Error(`invoice ${invoice.id} changed while locked`)
  await recordObjectStep(
    tx,
    {
      object_kind: 'invoice',
      object: changed,
      from_status: invoice.status,
      to_status: changed.status,
      show: async () => ({ object: await representInvoiceWithin(tx, changed) }),
    },
    {
      signal: move.signal,
      source: provenance.source,
      evidence_id: provenance.evidence_id,
      notification_id: null,
      reason: move.surprise ?? provenance.reason ?? null,
    },
  )
  const about = { subject_kind: 'invoice', id: invoice.id, owner_id: invoice.owner_id } as const
  if (move.surprise !== null) {
    await alarmAboutObject(tx, about, move.surprise, `${invoice.status} became ${changed.status}`)
  }
  if (differs(invoice, word.total_amount)) {
    const said = `the gateway asks ${formatMoney(word.total_amount ?? 0n)}`
    await alarmAboutObject(tx, about, 'amount_mismatch', said)
  }
  return changed
}

/** Paid, but its payment is not known here: the sweep looks for it at once. */
async function nextCheckOf(tx: Tx, invoice: GatewayInvoice, now: Date): Promise<Date | null> {
  const untold = invoice.status === 'paid' && (await findInvoiceHint(tx, invoice.id)) === undefined
  return untold ? now : nextInvoiceCheckAt(invoice, now)
}

const idOf = (invoice: GatewayInvoice, { gateway_invoice_id }: InvoiceWord): InvoiceChange =>
  gateway_invoice_id !== undefined && invoice.gateway_invoice_id === null
    ? { gateway_invoice_id }
    : {}

const differs = ({ total_amount }: GatewayInvoice, said: Money | null | undefined): boolean =>
  said !== null && said !== undefined && said !== total_amount
