import { GatewayError } from '../../domain/errors.ts'
import type { GatewayInvoice } from '../../domain/invoice.ts'
import type { Source } from '../../domain/signals.ts'
import type { GatewaySubscription } from '../../domain/subscription.ts'
import { factsOf } from '../../gateway/facts.ts'
import { invoiceNamedIn } from '../../gateway/invoice_facts.ts'
import type { SubscriptionFacts } from '../../gateway/subscription_facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { withReadTransaction, withTransaction } from '../../store/connection/transaction.ts'
import { listPaymentIdsOfInvoice } from '../../store/invoices/lookups.ts'
import { listUnknownCycles } from '../../store/subscriptions/cycles.ts'
import type { Context } from '../context.ts'
import { alarmAboutObject } from '../object_step.ts'
import { applyFacts } from '../payments/apply_facts.ts'
import { PaymentWriteBatch } from '../payments/payment_write_batch.ts'
import { evidenceAbout, linkPayment } from './link_payment.ts'

/** How many queries one check may make; the rest is queried a minute later. */
const CYCLES_PER_CHECK_MAX = 12
/** The gateway's list grows for ever: only its newest entries are compared with ours. */
const CYCLES_LISTED_MAX = 1_000

export interface Mirroring {
  source: Source
  /** Waits for a slot in the shared rate limit of background queries. */
  take: () => Promise<void>
}

/**
 * Creates payments for the cycles that the gateway lists and we do not know: their notifications
 * were lost. Returns whether all of them are known now.
 */
export async function mirrorCycles(
  ctx: Context,
  subscription: GatewaySubscription,
  { transaction_ids }: SubscriptionFacts,
  { source, take }: Mirroring,
): Promise<boolean> {
  const listed = transaction_ids.slice(-CYCLES_LISTED_MAX)
  if (listed.length === 0) return true
  const unknown = await withReadTransaction(
    ctx.db,
    async (tx) => await listUnknownCycles(tx, subscription.id, listed),
  )
  let whole = unknown.length <= CYCLES_PER_CHECK_MAX
  for (const transaction_id of unknown.slice(0, CYCLES_PER_CHECK_MAX)) {
    // While the breaker is open every query would fail.
    if (!ctx.gateway.available) return false
    await take()
    const reply = await lookAt(ctx, transaction_id)
    // A cycle that cannot be queried must not block the others.
    if (reply === 'unreachable') whole = false
    else if (reply === 'not_found') await alarmMissing(ctx, subscription, transaction_id)
    else await mirrorCycle(ctx, subscription, { ...reply, transaction_id }, source)
  }
  return whole
}

/** What the gateway reports about a transaction, by its own id or the order id. */
async function lookAt(ctx: Context, id: string) {
  try {
    return await ctx.gateway.getStatus(id)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'gateway_not_found' ? 'not_found' : 'unreachable'
  }
}

/** The gateway lists the charge but has no transaction to create a payment from. */
const alarmMissing = async (
  ctx: Context,
  subscription: GatewaySubscription,
  transaction_id: string,
): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const about = { ...subscription, subject_kind: 'subscription' as const }
    const detail = `transaction ${transaction_id} is listed and not known`
    await alarmAboutObject(tx, about, 'outcome_unknown', detail)
  })
}

const mirrorCycle = async (
  ctx: Context,
  subscription: GatewaySubscription,
  payload: TransactionReply & { transaction_id: string },
  source: Source,
): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const provenance = { source, evidence: 'gateway_answer', evidence_id: null } as const
    const payment = await linkPayment(tx, { ...provenance, payload })
    const facts = factsOf(payload)
    const linked = typeof payment === 'object' && payment.subscription_id === subscription.id
    if (linked && facts !== undefined) {
      await applyFacts(new PaymentWriteBatch(tx, ctx), payment, facts, {
        ...provenance,
        evidence: evidenceAbout(payment),
        notification_id: null,
      })
      return
    }
    // The gateway lists it among this subscription's charges, but its order id is another's.
    const about = { ...subscription, subject_kind: 'subscription' as const }
    const detail = `transaction ${payload.transaction_id} cannot be its payment`
    await alarmAboutObject(tx, about, 'duplicate_at_gateway', detail)
  })
}

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

const record = async (ctx: Context, payload: TransactionReply): Promise<void> => {
  await withTransaction(ctx.db, async (tx) => {
    const provenance = { source: 'sweep', evidence: 'gateway_answer', evidence_id: null } as const
    const payment = await linkPayment(tx, { ...provenance, payload })
    const facts = factsOf(payload)
    if (typeof payment !== 'object' || facts === undefined) return
    await applyFacts(new PaymentWriteBatch(tx, ctx), payment, facts, {
      ...provenance,
      evidence: evidenceAbout(payment),
      notification_id: null,
    })
  })
}
