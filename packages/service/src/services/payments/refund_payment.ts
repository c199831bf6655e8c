// Refunds as requested. Above the limit of one staff member (ADR 0010) a refund is stored as a
// request and made when a second staff member approves it.
import { Type } from 'typebox'
import { gatewayError, type GatewayError } from '../../domain/errors.ts'
import { parseMoney, toWholeRupiah, formatMoney } from '../../domain/money.ts'
import type { RefundRequest } from '../../domain/refund_request.ts'
import {
  withReadTransaction,
  withTransaction,
  type Tx,
} from '../../store/connection/transaction.ts'
import { findIntent, type IntentRecord } from '../../store/operations/intents.ts'
import { lockPayment } from '../../store/payments/locks.ts'
import { findPayment } from '../../store/payments/rows.ts'
import {
  expireRefundRequests,
  findHeldRequest,
  findRefundRequestByKey,
  insertRefundRequest,
  keepRequestKey,
} from '../../store/refunds/requests.ts'
import { newId } from '../../store/sql/values.ts'
import { requireActingFor } from '../access/staff_caller.ts'
import { recordAudit } from '../audit/record_audit.ts'
import type { Context } from '../context.ts'
import { currentOf } from '../operations/perform.ts'
import {
  type Outcome,
  type ProblemOutcome,
  type Request,
  answerRepeat,
  intentOf,
  problem,
} from '../requests.ts'
import { keptTextParser, refuseFaults } from '../validation.ts'
import { PAYMENT_ACTIONS } from './operations.ts'
import { makeRefund, makeApproved, checkRefund, type RefundOrder } from './refund_order.ts'
import type { Refunded } from './representation.ts'

export const REFUND_INPUT = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      description: 'The amount to refund in whole rupiah.',
    }),
    reason: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Why it is refunded; the gateway stores it too.',
      }),
    ),
    direct: Type.Optional(
      Type.Boolean({ description: 'Whether to send the refund to the payment provider at once.' }),
    ),
  },
  { additionalProperties: false },
)

const parseRefund = keptTextParser(REFUND_INPUT)

/** Turns a request into a refund, or throws `invalid_request` with every fault. */
export function parseRefundOrder(input: unknown): RefundOrder {
  const { amount: given, reason = '', direct = false } = parseRefund(input)
  const amount = parseMoney(given) ?? 0n
  if (amount <= 0n || toWholeRupiah(amount) === undefined) {
    refuseFaults([{ field: 'amount', message: 'must be a positive number of whole rupiah' }])
  }
  return { amount, reason, direct }
}

/** Refunds all or part of a settled payment, or holds the refund for a second person (ADR 0010). */
export async function refundPayment(
  ctx: Context,
  request: Request,
  payment_id: string,
  input: unknown,
): Promise<Outcome<Refunded>> {
  const order = parseRefundOrder(input)
  if (needsSecondPerson(ctx, order) || (await wasHeld(ctx, request))) {
    return await holdRefund(ctx, request, payment_id, order)
  }
  return await makeRefund(ctx, request, {
    payment_id,
    ...order,
    approved_by: null,
    refund_request_id: null,
  })
}

/**
 * Requests that a refund paid outside the gateway be recorded. It always needs a second person, so it
 * ends as `refund_held`, or as a repeat of what was decided. For staff.
 */
export const requestOutsideRefund = async (
  ctx: Context,
  request: Request,
  payment_id: string,
  order: RefundOrder,
): Promise<Outcome<Refunded>> => await holdRefund(ctx, request, payment_id, order)

/** Whether the refund needs a second person. */
const needsSecondPerson = ({ refunds }: Context, { amount }: RefundOrder): boolean =>
  refunds?.second_person_above !== undefined && amount > refunds.second_person_above

/** Whether this key was used for a held refund, whatever the limit is now. */
const wasHeld = async (ctx: Context, request: Request): Promise<boolean> => {
  const intent = intentOf(request)
  // A refund that the service makes for an approved request carries the empty owner.
  if (intent === null || intent.owner_id === '') return false
  return await withReadTransaction(
    ctx.db,
    async (tx) => (await findRefundRequestByKey(tx, intent.owner_id, intent.key)) !== undefined,
  )
}

/**
 * Holds a refund and throws `refund_held`: it was not made. A repeat with the same Idempotency-Key,
 * or of the same refund while it is held, finds the same request; after the decision a repeat gets
 * its outcome.
 */
async function holdRefund(
  ctx: Context,
  request: Request,
  payment_id: string,
  order: RefundOrder,
): Promise<Outcome<Refunded>> {
  const held = await withTransaction(
    ctx.db,
    async (tx) => await hold(tx, ctx, request, { payment_id, ...order }),
  )
  if ('kind' in held) return held
  if ('operation' in held) {
    const current = currentOf(PAYMENT_ACTIONS[order.direct ? 'direct_refund' : 'refund'])
    const answer = await answerRepeat<Refunded>(ctx, request, held, current)
    return answer === 'open' || answer === 'retry' ? problem('request_in_progress') : answer
  }
  const about = { kind: 'payment', id: payment_id } as const
  if (held.state === 'approved') return await makeApproved(ctx, held)
  throw (held.state === 'held' ? heldError(held) : gatewayError('refund_declined')).about(about)
}

const heldError = ({ id, expires_at }: RefundRequest): GatewayError => {
  const message = `held as refund request ${id} until ${expires_at.toISOString()}`
  return gatewayError('refund_held', { errors: [{ field: 'amount', message }] })
}

async function hold(
  tx: Tx,
  ctx: Context,
  request: Request,
  { payment_id, ...order }: RefundOrder & { payment_id: string },
): Promise<RefundRequest | IntentRecord | ProblemOutcome> {
  const { caller, idempotency } = request
  const visible = await findPayment(tx, caller, payment_id)
  if (visible === undefined) return problem('not_found')
  requireActingFor(caller, visible.owner_id)
  // While the payment is locked, no other request can hold the same refund.
  const payment = await lockPayment(tx, payment_id)
  if (payment === undefined) return problem('not_found')
  await expireRefundRequests(tx, payment_id)
  const repeated = await repeatedIn(tx, request)
  if (repeated !== undefined) return repeated
  checkRefund(payment, order)
  const row = {
    id: newId(),
    payment_id,
    owner_id: payment.owner_id,
    amount: order.amount,
    reason: order.reason,
    is_direct: order.direct,
    requested_by: caller.owner_id,
    requested_by_staff: caller.staff,
    idempotency_key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
    outside: order.outside !== undefined,
    reference: order.outside?.reference ?? null,
    evidence: order.outside?.evidence ?? null,
  }
  const waiting = await findHeldRequest(tx, row)
  if (waiting !== undefined) {
    if (idempotency !== null) await keepRequestKey(tx, waiting, idempotency)
    return waiting
  }
  const held = await insertRefundRequest(tx, row, ctx.refunds?.hold_ms ?? 0)
  if (held === undefined) throw new Error(`the refund request ${row.id} was not written`)
  await recordAudit(tx, ctx, caller, {
    action: 'refund.hold',
    subject_kind: 'refund_request',
    subject_id: row.id,
    owner_id: row.owner_id,
    reason: order.reason === '' ? null : order.reason,
    request_id: request.request_id,
    detail: { payment_id, amount: formatMoney(order.amount) },
  })
  return held
}

/** What this key is already used for, here or elsewhere. */
async function repeatedIn(
  tx: Tx,
  request: Request,
): Promise<RefundRequest | IntentRecord | ProblemOutcome | undefined> {
  const intent = intentOf(request)
  if (intent === null) return undefined
  const known = await findRefundRequestByKey(tx, request.caller.owner_id, intent.key)
  if (known !== undefined) {
    return known.fingerprint === intent.fingerprint ? known : problem('idempotency_key_reused')
  }
  return await findIntent(tx, intent)
}
