// The charge, as a row of the operations table: how it is sent, found at the gateway and recorded.
import { GatewayError } from '../../domain/errors.ts'
import type { GatewayPayment, GatewayPaymentItem } from '../../domain/payment.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { Source } from '../../domain/signals.ts'
import { isFoundByOrderId, keepsReply, PAYMENT_TYPE } from '../../domain/payment_type.ts'
import { factsOf, savedCardOf, type SavedCard, type TransactionFacts } from '../../gateway/facts.ts'
import { parseChargeRequest, type ChargeRequest } from '../../gateway/wire/payment_types.ts'
import type { Tx } from '../../store/connection/transaction.ts'
import { changePayment } from '../../store/payments/transitions.ts'
import type { Context } from '../context.ts'
import { BELIEVED_AFTER_MS } from '../operations/engine.ts'
import {
  reasonOf,
  type Applied,
  type Attempt,
  type Found,
  type OperationType,
  type Recording,
  type Refusal,
  type Seen,
} from '../operations/operation_type.ts'
import { evidenceOf, unclearOutcome } from '../operations/record.ts'
import type { Reply } from '../requests.ts'
import { enterFacts, type Provenance } from './apply_facts.ts'
import { ask } from './check_status.ts'
import { PaymentWriteBatch } from './payment_write_batch.ts'
import { alarmAbout, recordStep } from './record_step.ts'
import { type PaymentRepresentation } from '../../domain/payment_representation.ts'
import { PAYMENT_ACCESS, representWithin, revealSavedCard } from './representation.ts'

/** What a send needs: the body with its token, and the items, which never change. */
export interface ChargeInput {
  payload: ChargeRequest
  items?: readonly GatewayPaymentItem[]
}

/** What the gateway says of a charge. The facts are recorded, the saved card is not. */
export interface ChargeAnswer {
  facts: TransactionFacts
  saved_card: SavedCard | undefined
}

type ChargeAttempt = Attempt<GatewayPayment, ChargeInput>

/** The gateway keeps a key for five minutes; after four a repeat could become a second charge. */
const RESEND_WITHIN_MS = 240_000

export const CHARGE: OperationType<
  GatewayPayment,
  ChargeAnswer,
  ChargeInput,
  PaymentRepresentation
> = {
  kind: 'charge',
  access: PAYMENT_ACCESS,
  flow: 'charge',
  source: 'charge',
  creates: true,
  repeat_continues: true,
  after_unclear: 'look',
  resend_within_ms: RESEND_WITHIN_MS,
  given_up_as: 'gateway_failed',
  send: async (ctx, attempt) => await sendCharge(ctx, attempt),
  inspect: async (ctx, payment) => await findCharge(ctx, payment),
  isDone: () => true,
  // An error, or a failed connection, is the answer to one send: it ends the charge only if there
  // was no other send, and only then does a 406 mean that another caller has the order id.
  isRefusal: ({ sends }, error) =>
    sends === 1 && (error.definite || error.code === 'gateway_duplicate'),
  next: ({ seen, age_ms, quiet_ms, input }) => {
    if (seen.kind !== 'absent') return 'wait'
    // Only the caller has the token: the resolver never sends a charge.
    if (input !== undefined && age_ms < RESEND_WITHIN_MS) return 'send'
    return quiet_ms < BELIEVED_AFTER_MS ? 'wait' : 'refuse'
  },
  needsStaff: (_held, payment) => (cannotBeFound(payment) ? 'outcome_unknown' : null),
  // What `get_status` lacks (QR code, link, 3-D Secure page), the replay of the wire key returns.
  lacksReply: (payment, { facts }) => lacksInstructions(payment, facts) && keepsReply(payment),
  storedInput: ({ request }) => {
    // Without its token, which the replay of a key does not need.
    const payload = parseChargeRequest(request)
    return payload && { payload }
  },
  keep: ({ facts }) => keptOf(facts),
  reveal: ({ saved_card }) => revealSavedCard(saved_card),
  together: recordTogether,
  apply: async (tx, locked, { facts }, recording) => await apply(tx, locked, facts, recording),
  refuse: async (tx, locked, refusal) => await refuse(tx, locked, refusal),
  isMade: ({ transaction_status, refused }) => transaction_status !== 'initiated' && !refused,
  hadEffect: (_tx, _operation, { refused }) => Promise.resolve(!refused),
  manual: {
    refused_as: 'gateway_refused',
    // A charge counts as made only if the gateway shows it; staff may say that it was not made.
    inspect: async (ctx, payment, { transaction_id = payment.transaction_id }) =>
      await findCharge(ctx, { ...payment, transaction_id }),
    mayDecideUnseen: (payment, { transaction_id = payment.transaction_id }) =>
      cannotBeFound({ ...payment, transaction_id }),
    doneFault: (payment, _seen, { transaction_id = payment.transaction_id }) => ({
      field: 'outcome',
      message: cannotBeFound({ ...payment, transaction_id })
        ? 'give the transaction_id the gateway has it under'
        : 'the gateway shows no such charge of ours',
    }),
  },
}

/** The gateway's answer to one send. An answer about another order, or none, is unclear. */
async function sendCharge(
  ctx: Context,
  { operation, input }: ChargeAttempt,
): Promise<ChargeAnswer> {
  if (input === undefined) throw unclearOutcome(operation)
  const { payload } = input
  const reply = await ctx.gateway.charge(payload, { idempotency_key: operation.id })
  const facts = factsOf(reply)
  const { order_id } = payload.transaction_details
  if (facts === undefined || (facts.order_id !== null && facts.order_id !== order_id))
    throw unclearOutcome(operation)
  return { facts, saved_card: savedCardOf(reply) }
}

/** If the gateway cannot be queried by order id, a 404 proves nothing. */
const cannotBeFound = (payment: GatewayPayment): boolean =>
  payment.transaction_id === null && !isFoundByOrderId(payment)

/**
 * Queries the gateway for the charge. It is ours only if it carries our payment's id and our
 * amount: an order id alone proves nothing.
 */
export async function findCharge(
  ctx: Context,
  payment: GatewayPayment,
): Promise<Seen<ChargeAnswer>> {
  if (cannotBeFound(payment)) return { kind: 'unknown' }
  try {
    const reply = await ask(ctx, payment)
    const facts = factsOf(reply)
    if (facts === undefined) return { kind: 'unknown' }
    if (!isOurs(payment, facts)) return { kind: 'foreign' }
    return { kind: 'seen', answer: { facts, saved_card: savedCardOf(reply) } }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { kind: error.code === 'gateway_not_found' ? 'absent' : 'unknown' }
  }
}

const isOurs = (payment: GatewayPayment, { payment_id, gross_amount }: TransactionFacts): boolean =>
  payment_id === payment.id && (gross_amount === null || gross_amount >= payment.gross_amount)

const aboutCharge = ({ order_id }: GatewayPayment): string => `charge of ${order_id}`

/**
 * Only the plain answer to the only send is recorded together with others: nothing else has changed
 * the payment, and nothing has to be read to record it.
 */
async function recordTogether(
  ctx: Context,
  { attempt, answer: { facts } }: Found<GatewayPayment, ChargeAnswer, ChargeInput>,
  alone: () => Promise<Reply>,
): Promise<Reply> {
  const { subject: payment, operation, source, by, input } = attempt
  const plain =
    source === 'charge' &&
    by === undefined &&
    payment.version === 1 &&
    operation.attempt === 1 &&
    operation.sends === 1 &&
    facts.refunds.length === 0 &&
    PLAIN.has(facts.status) &&
    !lacksInstructions(payment, facts)
  if (!plain || input?.items === undefined) return await alone()
  const answered = { payment, operation, items: input.items, facts, kept: keptOf(facts) }
  return await ctx.charges.record(answered, alone)
}

const PLAIN: ReadonlySet<string> = new Set(['pending', 'authorize', 'capture', 'settlement'])

const keptOf = ({ status_code, status }: TransactionFacts) => ({ status_code, status })

/** The answer to our own charge. */
export const chargeProvenance = ({ id }: GatewayOperation, source: Source = 'charge') =>
  ({ own: 'charge', source, evidence_id: id, notification_id: null }) as const

async function apply(
  tx: Tx,
  locked: GatewayPayment,
  facts: TransactionFacts,
  { ctx, attempt, now, given_up, asked_at }: Recording<GatewayPayment, ChargeInput>,
): Promise<Applied<GatewayPayment>> {
  const { subject, operation, source, input, by } = attempt
  const batch = new PaymentWriteBatch(tx, ctx, now)
  if (input?.items) batch.knowItems(new Map([[locked.id, input.items]]))
  // The charge was given up: this answer counts, and the gateway is queried about what came since.
  const revived = given_up && locked.refused
  const provenance: Provenance = {
    ...chargeProvenance(operation, source),
    evidence: revived ? 'gateway_answer' : evidenceOf(subject, locked),
    asked_at,
    ...reasonOf(by),
  }
  const entered = await enterFacts(batch, locked, { facts, provenance })
  // The gateway may have ended it since: a given-up charge records no report of that.
  const payment = revived ? await batch.defer(entered.payment, true) : entered.payment
  if (lacksInstructions(payment, facts))
    await alarmAbout(tx, locked, 'payer_instructions_lost', aboutCharge(locked))
  // The payment was unknown until now, so it has no refunds.
  const first = locked.version === 1 && facts.refunds.length === 0
  const known = { now, ...(input?.items && { items: input.items }), ...(first && { refunds: [] }) }
  return {
    after: payment,
    flush: async (last) => await (last ? batch.closeLast(last) : batch.close()),
    represent: async () => await representWithin(tx, payment, known),
  }
}

/** Frees the order id and ends the checks of the payment. */
async function refuse(
  tx: Tx,
  payment: GatewayPayment,
  { error, attempt }: Refusal<GatewayPayment, ChargeAnswer, ChargeInput>,
): Promise<void> {
  const { operation, source, by } = attempt
  const changed = await changePayment(tx, payment, {
    transaction_status: 'failure',
    refused: true,
    ...refusalWords(error),
    // A report that waits for the gateway's answer is still queried.
    next_check_at: payment.deferred_since === null ? null : payment.next_check_at,
  })
  if (changed === undefined) throw new Error(`payment ${payment.id} changed while locked`)
  await recordStep(tx, payment, changed, {
    signal: 'payment_failed',
    source,
    evidence_id: operation.id,
    notification_id: null,
    reason: reasonOf(by).reason ?? error.code,
  })
  if (error.code === 'gateway_duplicate')
    await alarmAbout(tx, payment, 'duplicate_at_gateway', aboutCharge(payment))
}

/** The gateway's own message if it answered, ours if it did not. */
export const refusalWords = ({ gateway, row }: GatewayError) => ({
  status_code: gateway?.status_code ?? null,
  status_message: gateway?.status_message ?? row.title,
})

/**
 * Whether a pending charge lacks the payer's instructions, which only the reply to the charge has.
 */
function lacksInstructions(
  { payment_type }: Pick<GatewayPayment, 'payment_type'>,
  { status, details }: TransactionFacts,
): boolean {
  const { instructions } = PAYMENT_TYPE[payment_type]
  if (status !== 'pending' || instructions.length === 0) return false
  return !instructions.some((field) => details[field] !== undefined)
}
