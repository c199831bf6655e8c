import type { Tx } from '../../store/connection/transaction.ts'
import { checkInvoiceNow } from '../../store/invoices/checks.ts'
import { hurryOperations } from '../../store/operations/rows.ts'
import { recordCheckoutPayment } from '../checkouts/record_checkout_payment.ts'
import type { LinkedStep } from '../object_step.ts'
import { recordCycle } from '../subscriptions/record_cycle.ts'

/**
 * Updates what a payment belongs to after its transition, in the same transaction. An invoice is
 * queried at the gateway, because only `get_invoice` says that it is paid (ADR 0011).
 */
export async function notifyLinked(
  tx: Tx,
  { before, after, facts, provenance }: LinkedStep,
): Promise<void> {
  const { invoice_id, subscription_id, checkout_id } = after
  if (invoice_id !== null) await checkInvoice(tx, invoice_id)
  if (checkout_id !== null)
    await recordCheckoutPayment(tx, checkout_id, { before, after, provenance })
  if (subscription_id === null) return
  const { source, evidence_id, notification_id } = provenance
  await recordCycle(tx, {
    subscription_id,
    before,
    after,
    gateway_id: facts.subscription_id,
    provenance: { source, evidence_id, notification_id },
  })
}

async function checkInvoice(tx: Tx, id: string): Promise<void> {
  const named = await checkInvoiceNow(tx, id)
  // The invoice's creation is still unclear, and this payment can prove it. Lock order: invoice
  // first, then operation, as in the transaction that ends the creation.
  if (named === null) await hurryOperations(tx, id)
}
