// Transaction 2 of a charge: what the gateway said, fenced by the attempt that asked.
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import type { Source } from '../../domain/signals.ts'
import type { TransactionFacts } from '../../gateway/facts.ts'
import { findOperation, finishOperation } from '../../store/operations.ts'
import { changePayment } from '../../store/payment_changes.ts'
import { readClock } from '../../store/settings.ts'
import type { Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { keepFailure, keepReply, replied, type Outcome, type Request } from '../requests.ts'
import { applyFacts, enterFacts, type Testimony } from './apply_facts.ts'
import { reasonOf, type ByHand } from '../operations/by_hand.ts'
import { fencedTransaction } from '../operations/fenced.ts'
import { evidenceOf } from '../operations/record_operation.ts'
import { lockedPayment } from './locked_payment.ts'
import { lacksInstructions } from './payer_instructions.ts'
import { alarmAbout } from './payment_alarm.ts'
import { PaymentBook } from './payment_book.ts'
import { representWithin, type KnownParts } from './read_payment.ts'
import { recordStep } from './record_step.ts'

export interface Attempted {
  payment: GatewayPayment
  /** Its items, where whoever wrote them down is still at work: they never change. */
  items?: readonly GatewayPaymentItem[]
  operation: GatewayOperation
  source: Source
  /** Who ended it by hand, and why. */
  by?: ByHand
}

const aboutCharge = ({ order_id }: GatewayPayment): string => `charge of ${order_id}`

/** The gateway took the charge. What another attempt has ended meanwhile, it ended for all. */
export async function recordCharged(
  ctx: Context,
  attempted: Attempted,
  facts: TransactionFacts,
): Promise<Outcome> {
  const { payment, operation, source } = attempted
  try {
    return await fencedTransaction(ctx, operation, async (tx) => {
      // The clock is read under the lock, whoever had it before.
      const [held, now] = await Promise.all([lockedPayment(tx, payment.id), readClock(tx)])
      ctx.reached('charge.locked')
      return await recordHeld(tx, ctx, { attempted, held, now }, facts)
    })
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error
    const outcome = await fencedTransaction(ctx, operation, async (tx) => {
      const held = await lockedPayment(tx, payment.id)
      return await fencedOff(tx, held, { operation, facts, source })
    })
    if (outcome !== undefined) return outcome
    throw gatewayError('outcome_unknown', { operation: 'charge' })
  }
}

/** Rolls back what was written in the belief that the operation is still ours. */
class TakenOver extends Error {}

async function recordHeld(
  tx: Tx,
  ctx: Context,
  { attempted, held, now }: { attempted: Attempted; held: GatewayPayment; now: Date },
  facts: TransactionFacts,
): Promise<Outcome> {
  const { payment, items, operation, source, by } = attempted
  const book = new PaymentBook(tx, now)
  const evidence = evidenceOf(payment, held)
  const testimony = { ...testimonyOf(operation, source), evidence, ...reasonOf(by) }
  const charged = await enterFacts(book, held, { facts, testimony })
  if (lacksInstructions(charged.payment, facts))
    await alarmAbout(tx, held, 'payer_instructions_lost', aboutCharge(held))
  const known = { now, ...(items && { items }), ...(isFirst(held, facts) && { refunds: [] }) }
  const reply = { status_code: facts.status_code, status: facts.status, ...by }
  // Nothing is read in between, so all of it is sent together.
  const [finished, outcome] = await Promise.all([
    finishOperation(tx, operation, { state: 'succeeded', reply }, now),
    keepCharged(tx, operation, charged.payment, known),
    book.close(),
  ])
  ctx.reached('charge.operation_finished')
  if (finished === undefined) throw new TakenOver()
  ctx.reached('charge.applied')
  return outcome
}

/** Whether nothing was known of the payment before, so that nothing of it can have been refunded. */
const isFirst = ({ version }: GatewayPayment, { refunds }: TransactionFacts): boolean =>
  version === 1 && refunds.length === 0

const testimonyOf = ({ id }: GatewayOperation, source: Source): Testimony => ({
  evidence: 'gateway_answer',
  own: 'charge',
  source,
  evidence_id: id,
  notification_id: null,
})

async function keepCharged(
  tx: Tx,
  { id }: GatewayOperation,
  payment: GatewayPayment,
  known: KnownParts = {},
): Promise<Outcome> {
  const outcome = replied(201, await representWithin(tx, payment, known))
  if (outcome.kind === 'reply') await keepReply(tx, id, outcome.reply, known.now)
  return outcome
}

interface Fenced {
  operation: GatewayOperation
  facts: TransactionFacts
  source: Source
}

/**
 * This attempt was taken over. While the other one is at work only that one may record: nothing is
 * returned. If it gave the charge up it was wrong, for here is the gateway's answer: the payment is
 * revived.
 */
async function fencedOff(
  tx: Tx,
  held: GatewayPayment,
  { operation, facts, source }: Fenced,
): Promise<Outcome | undefined> {
  const ended = await findOperation(tx, operation.id)
  if (ended?.state === 'succeeded') return await keepCharged(tx, operation, held)
  if (ended?.state !== 'refused') return undefined
  // Since it was given up nothing newer came from the gateway: its answer is believed.
  const evidence = held.refused ? 'gateway_answer' : 'report'
  const { payment } = await applyFacts(tx, held, facts, {
    ...testimonyOf(operation, source),
    evidence,
  })
  // Another payment has the order id by now: which of the two the caller means, only staff can tell.
  return payment.refused ? undefined : replied(201, await representWithin(tx, payment))
}

/**
 * The gateway refused for good: the order id is free again, and nobody waits for this payment.
 * Throws the refusal, unless a notification has meanwhile shown that the charge was made.
 */
export async function recordRefused(
  ctx: Context,
  { payment, operation, source, by }: Attempted,
  error: GatewayError,
  request: Request | null,
): Promise<Outcome> {
  const made = await fencedTransaction(ctx, operation, async (tx) => {
    const held = await lockedPayment(tx, payment.id)
    const state = held.transaction_status === 'initiated' ? 'refused' : 'succeeded'
    const reply = { error: error.code, ...error.gateway, ...by }
    const finished = await finishOperation(tx, operation, { state, reply })
    if (finished === undefined) {
      // Ended before, perhaps by ourselves with the answer to that commit lost: made is made.
      const ended = await findOperation(tx, operation.id)
      return ended?.state === 'succeeded' ? await keepCharged(tx, operation, held) : undefined
    }
    if (state === 'succeeded') return await keepCharged(tx, operation, held)
    await refuse(tx, held, { error, operation, source, ...(by && { by }) })
    if (error.code === 'gateway_duplicate')
      await alarmAbout(tx, held, 'duplicate_at_gateway', aboutCharge(held))
    await keepFailure(tx, operation, error, request)
    return undefined
  })
  if (made !== undefined) return made
  throw error
}

async function refuse(
  tx: Tx,
  payment: GatewayPayment,
  { error, operation, source, by }: Omit<Attempted, 'payment'> & { error: GatewayError },
): Promise<void> {
  const changed = await changePayment(tx, payment, {
    transaction_status: 'failure',
    refused: true,
    status_code: error.gateway?.status_code ?? null,
    status_message: error.gateway?.status_message ?? error.row.title,
    // A report that waits for the gateway's answer is still asked about.
    next_check_at: payment.deferred_since === null ? null : payment.next_check_at,
  })
  if (changed === undefined) throw new Error(`payment ${payment.id} moved under its own lock`)
  await recordStep(tx, payment, changed, {
    signal: 'payment_failed',
    source,
    evidence_id: operation.id,
    notification_id: null,
    reason: reasonOf(by).reason ?? error.code,
  })
}
