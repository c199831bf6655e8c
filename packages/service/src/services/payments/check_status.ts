import { gatewayError } from '../../domain/errors.ts'
import { isFurtherAttempt, type GatewayPayment } from '../../domain/payment.ts'
import { usesSnapSource } from '../../domain/payment_type.ts'
import type { Source } from '../../domain/signals.ts'
import { factsOf, savedCardOf, type SavedCard } from '../../gateway/facts.ts'
import type { TransactionReply } from '../../gateway/wire/transactions.ts'
import { readClock } from '../../store/connection/settings.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { deferPayments } from '../../store/payments/checks.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import type { Context } from '../context.ts'
import { evidenceOf } from '../operations/record.ts'
import { applyFacts } from './apply_facts.ts'
import { PaymentWriteBatch } from './payment_write_batch.ts'
import { closeSettled } from './record_step.ts'
import { type PaymentRepresentation } from '../../domain/payment_representation.ts'
import { representWithin } from './representation.ts'

/** How often a query is repeated because the payment changed meanwhile. */
const ASKS_MAX = 3

export interface StatusChecked {
  payment: PaymentRepresentation
  gateway_response: unknown
}

/** What a query of the gateway showed. The saved card is for the owner's own reply alone. */
interface Refreshed extends StatusChecked {
  saved_card: SavedCard | undefined
}

/**
 * Queries the gateway and applies the answer if the payment has not changed since; otherwise queries
 * again. The answer is returned without its signature and other secrets (ADR 0004).
 */
export async function refreshPayment(
  ctx: Context,
  payment: GatewayPayment,
  source: Source,
): Promise<Refreshed> {
  let asked = payment
  for (let round = 1; ; round++) {
    const asked_at = performance.now()
    const reply = await ask(ctx, asked)
    const last = round === ASKS_MAX
    const applied = await applyAnswer(ctx, asked, reply, { source, asked_at, last })
    if ('payment' in applied) {
      const gateway_response = ctx.gateway.redact(reply)
      return { payment: applied.payment, gateway_response, saved_card: savedCardOf(reply) }
    }
    if ('failure' in applied) throw gatewayError(applied.failure, { operation: 'get_status' })
    asked = applied.moved
  }
}

/**
 * By the gateway's own id once it is known: an order id may later belong to another transaction.
 */
export async function ask(ctx: Context, payment: GatewayPayment): Promise<TransactionReply> {
  const { transaction_id, order_id } = payment
  const snap_source = usesSnapSource(payment)
  return await ctx.gateway.getStatus(transaction_id ?? order_id, { snap_source })
}

const applyAnswer = async (
  ctx: Context,
  asked: GatewayPayment,
  reply: TransactionReply,
  { source, asked_at, last }: { source: Source; asked_at: number; last: boolean },
): Promise<
  | { payment: PaymentRepresentation }
  | { moved: GatewayPayment }
  | { failure: 'gateway_failed' | 'gateway_not_found' }
> =>
  await withTransaction(ctx.db, async (tx) => {
    const held = await lockPayment(tx, asked.id)
    if (held === undefined) throw new Error(`payment ${asked.id} does not exist`)
    const evidence = evidenceOf(asked, held)
    if (evidence === 'report' && !last) return { moved: held }
    const facts = factsOf(reply)
    if (facts === undefined) {
      // A status that this version does not know: the payment is deferred, so that it ends in an
      // alarm.
      await deferPayments(tx, [held.id], { now: await readClock(tx) })
      return { failure: 'gateway_failed' }
    }
    // The order id of a refused payment may be another payment's now: that transaction is not
    // shown.
    if (held.refused && !isFurtherAttempt(held) && facts.payment_id !== held.id) {
      return { failure: 'gateway_not_found' }
    }
    const { payment } = await applyFacts(new PaymentWriteBatch(tx, ctx), held, facts, {
      evidence,
      asked_at,
      source,
      evidence_id: null,
      notification_id: null,
    })
    await closeSettled(tx, held, payment)
    return { payment: await representWithin(tx, payment) }
  })
