import { GatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import { factsOf } from '../../gateway/facts.ts'
import { invoiceNamedIn } from '../../gateway/invoice_facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { listPaymentIdsOfInvoice } from '../../store/invoices/lookups.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import type { Context } from '../context.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { linkPayment } from './link_payment.ts'

/**
 * Creates the payment of a paid invoice whose notification was lost, if the gateway knows it under
 * the invoice's own order id; under another id it cannot be queried (ADR 0011). False: the query
 * failed.
 */
export async function mirrorPayment(
  ctx: Context,
  invoice: GatewayInvoice,
  take: () => Promise<void>,
): Promise<boolean> {
  const { id, order_id, gateway_invoice_id } = invoice
  const known = await withReadTransaction(ctx.db, (tx) => listPaymentIdsOfInvoice(tx, id))
  if (known.length > 0) return true
  await take()
  const reply = await lookAt(ctx, order_id)
  if (reply === 'unreachable') return false
  if (reply === 'not_found' || reply.order_id !== order_id) return true
  if (invoiceNamedIn(reply) === gateway_invoice_id) await record(ctx, reply)
  return true
}

async function lookAt(ctx: Context, order_id: string) {
  try {
    return await ctx.gateway.getStatus(order_id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? 'not_found' : 'unreachable'
  }
}

const record = async (ctx: Context, payload: TransactionReply): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const provenance = { source: 'sweep', evidence: 'gateway_answer', evidence_id: null } as const
    const payment = await linkPayment(tx, { ...provenance, payload })
    const facts = factsOf(payload)
    if (typeof payment !== 'object' || facts === undefined) return
    await applyFacts(tx, payment, facts, { ...provenance, notification_id: null })
  })
}
