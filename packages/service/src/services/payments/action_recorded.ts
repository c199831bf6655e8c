// Transaction 2 of an action and of the resolver: what came of it, fenced by the attempt.
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { findOperation, finishOperation } from '../../store/operations.ts'
import { releaseRefund } from '../../store/payment_amounts.ts'
import { checkPaymentsNow } from '../../store/payment_checks.ts'
import { findRefundByKey, finishRefund } from '../../store/refunds.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { fencedTransaction } from '../operations/fenced.ts'
import { evidenceOf, type Attempt } from '../operations/record_operation.ts'
import { keepFailure, keepReply, type Reply } from '../requests.ts'
import { applyFacts } from './apply_facts.ts'
import { reasonOf } from '../operations/by_hand.ts'
import { lockedPayment } from './locked_payment.ts'

/** The gateway did it. The reply is built in the same transaction and kept under the key. */
export const recordDone = async (
  ctx: Context,
  attempt: Attempt,
  facts: TransactionFacts,
  represent: (tx: Tx, payment: GatewayPayment, operation: GatewayOperation) => Promise<Reply>,
): Promise<Reply> => {
  const { operation, source, by } = attempt
  return await fencedTransaction(ctx, operation, async (tx) => {
    const held = await lockedPayment(tx, operation.subject_id)
    ctx.reached(operation.refund_id === null ? 'action.locked' : 'refund.relocked')
    const said = { status_code: facts.status_code, status: facts.status, ...by }
    const finished = await finishOperation(tx, operation, { state: 'succeeded', reply: said })
    if (finished === undefined) await mustHaveEnded(tx, operation)
    const { payment } =
      finished === undefined
        ? { payment: held }
        : await applyFacts(tx, held, await withRefund(tx, operation, facts), {
            evidence: evidenceOf(attempt.asked, held),
            own: 'action',
            source,
            evidence_id: operation.id,
            notification_id: null,
            ...reasonOf(by),
          })
    if (operation.refund_id !== null) ctx.reached('refund.applied')
    const reply = await represent(tx, payment, operation)
    await keepReply(tx, operation.id, reply)
    return reply
  })
}

/** Taken over by another attempt: unless that one has ended it well, it has the word. */
async function mustHaveEnded(tx: Tx, { id, kind }: GatewayOperation): Promise<void> {
  const ended = await findOperation(tx, id)
  if (ended?.state !== 'succeeded') throw gatewayError('outcome_unknown', { operation: kind })
}

/** The answer to a refund may not list it; ours is then added, so that its reservation is settled. */
async function withRefund(
  tx: Tx,
  { refund_id, subject_id }: GatewayOperation,
  facts: TransactionFacts,
): Promise<TransactionFacts> {
  // Our refunds carry their own id as key.
  const refund = refund_id === null ? undefined : await findRefundByKey(tx, subject_id, refund_id)
  if (refund === undefined) return facts
  if (facts.refunds.some(({ refund_key }) => refund_key === refund.refund_key)) return facts
  const { refund_key, amount, reason, is_direct } = refund
  const ours = { refund_key, amount, reason, is_direct, confirmed_at: null }
  return { ...facts, refunds: [...facts.refunds, ours] }
}

/** The gateway refused for good: a reservation is given back, and the payment is asked about. */
export const recordRefusal = async (
  ctx: Context,
  { operation, request, by }: Attempt,
  error: GatewayError,
): Promise<void> => {
  await fencedTransaction(ctx, operation, async (tx) => {
    const held = await lockedPayment(tx, operation.subject_id)
    const reply = { error: error.code, ...error.gateway, ...by }
    const finished = await finishOperation(tx, operation, { state: 'refused', reply })
    if (finished === undefined) return
    if (operation.refund_id !== null) await giveBack(tx, held, operation.refund_id, error)
    // It is not in the state we thought it in.
    if (error.code === 'gateway_state_conflict') await checkPaymentsNow(tx, [held.id])
    await keepFailure(tx, operation, error, request)
  })
}

async function giveBack(tx: Tx, payment: GatewayPayment, refund_id: string, error: GatewayError) {
  const failed = await finishRefund(tx, refund_id, {
    status: 'failed',
    status_code: error.gateway?.status_code ?? null,
    status_message: error.gateway?.status_message ?? error.row.title,
    confirmed_at: null,
  })
  if (failed === undefined) return
  const released = await releaseRefund(tx, payment.id, failed.amount)
  if (released === undefined) throw new Error(`refund ${refund_id} had nothing reserved`)
}
