import { gatewayError } from '../../domain/errors.ts'
import type { GatewayOperation } from '../../domain/operation.ts'
import type { GatewayPayment } from '../../domain/payment.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import { findIdempotencyKey, type IdempotencyKey } from '../../store/idempotency_keys.ts'
import { beginSend, claimOperation } from '../../store/operation_claims.ts'
import { findOperation } from '../../store/operations.ts'
import { findPayment } from '../../store/payments.ts'
import { readClock } from '../../store/settings.ts'
import { withTransaction, type Tx } from '../../store/transaction.ts'
import type { Context } from '../context.ts'
import { problem, settledKey, type Outcome, type Request } from '../requests.ts'
import type { ChargeOrder } from './charge_order.ts'
import { recordCharged, recordRefused, recordUnknown } from './charge_recorded.ts'
import { chargeRequest } from './charge_request.ts'
import { lookForCharge } from './look_for_charge.ts'
import {
  RESEND_WITHIN_MS,
  RESOLVE_AFTER_MS,
  sendCharge,
  unclearCharge,
  withInstructions,
} from './send_charge.ts'
import { afterWritten } from './written_payment.ts'

/** While this lasts nobody else works on the operation. */
const REPEAT_LEASE_MS = 30_000

interface Repeat {
  order: ChargeOrder
  request: Request
  key: IdempotencyKey
}

interface Taken {
  kind: 'taken'
  payment: GatewayPayment
  operation: GatewayOperation
  /** Since it was written down, and since it was last sent. */
  age_ms: number
  quiet_ms: number
  begun_at: number
}

/**
 * A repeated request whose first has no definite outcome: look once, and if the gateway has nothing
 * and little time has passed, send the same thing under the same wire key (design 6.1).
 */
export async function repeatCharge(
  ctx: Context,
  { order, request, key }: Repeat,
): Promise<Outcome> {
  const begun_at = performance.now()
  const found = await withTransaction(ctx.db, (tx) => takeOver(tx, request, key, begun_at))
  if (found.kind !== 'taken') return found
  return await afterWritten(
    { payment_id: found.payment.id, operation: 'charge' },
    async () => await lookAndGoOn(ctx, found, order, request),
  )
}

async function lookAndGoOn(
  ctx: Context,
  taken: Taken,
  order: ChargeOrder,
  request: Request,
): Promise<Outcome> {
  const { payment, operation, age_ms, quiet_ms } = taken
  const attempted = { payment, operation, source: 'charge' as const }
  const payload = chargeRequest(order, { payment_id: payment.id, order_id: payment.order_id })
  const sighting = await lookForCharge(ctx, payment)
  switch (sighting.kind) {
    case 'ours': {
      const young = age_ms < RESEND_WITHIN_MS
      const facts = young
        ? await withInstructions(ctx, attempted, payload, sighting.facts)
        : sighting.facts
      return await recordCharged(ctx, attempted, facts)
    }
    case 'stranger': {
      const error = gatewayError('gateway_duplicate', { operation: 'charge' })
      return await recordRefused(ctx, attempted, error, request)
    }
    case 'unknown':
      await recordUnknown(ctx, attempted, RESOLVE_AFTER_MS)
      throw unclearCharge()
    case 'nothing':
      if (age_ms < RESEND_WITHIN_MS) return await sendAgain(ctx, taken, payload, request)
      return await giveUp(ctx, attempted, request, quiet_ms)
  }
}

/** The same charge under the same wire key, written down as a further send before it leaves. */
async function sendAgain(
  ctx: Context,
  { payment, operation, begun_at }: Taken,
  payload: ChargeRequest,
  request: Request,
): Promise<Outcome> {
  const again = await withTransaction(
    ctx.db,
    async (tx) => await beginSend(tx, operation, REPEAT_LEASE_MS),
  )
  if (again === undefined) return problem('request_in_progress')
  return await sendCharge(ctx, { payment, operation: again, payload, begun_at }, request)
}

async function giveUp(
  ctx: Context,
  attempted: Parameters<typeof recordRefused>[1],
  request: Request,
  quiet_ms: number,
): Promise<Outcome> {
  if (quiet_ms < RESOLVE_AFTER_MS) {
    await recordUnknown(ctx, attempted, RESOLVE_AFTER_MS)
    throw unclearCharge()
  }
  const error = gatewayError('gateway_failed', { operation: 'charge' })
  return await recordRefused(ctx, attempted, error, request)
}

/** Fences off whoever worked on it before, unless somebody still does or it has ended. */
async function takeOver(
  tx: Tx,
  request: Request,
  key: IdempotencyKey,
  begun_at: number,
): Promise<Taken | Outcome> {
  const operation = await findOperation(tx, key.operation_id ?? '')
  const payment = operation && (await findPayment(tx, request.caller, operation.subject_id))
  if (operation === undefined || payment === undefined) return problem('request_in_progress')
  // Ended between the look at the key and here; whoever ended it has settled the key.
  if (isEnded(operation)) return await settledAfterAll(tx, request, key)
  const now = await readClock(tx)
  if (isAtWork(operation, now)) return problem('request_in_progress')
  const claimed = await claimOperation(tx, operation, REPEAT_LEASE_MS)
  if (claimed === undefined) return problem('request_in_progress')
  return {
    kind: 'taken',
    payment,
    operation: claimed,
    age_ms: now.getTime() - operation.created_at.getTime(),
    quiet_ms: now.getTime() - operation.sent_at.getTime(),
    begun_at,
  }
}

const isEnded = ({ state }: GatewayOperation): boolean =>
  state === 'succeeded' || state === 'refused'

/** A freed key is free for the next request; this one came a moment too early for it. */
async function settledAfterAll(tx: Tx, request: Request, key: IdempotencyKey): Promise<Outcome> {
  const row = await findIdempotencyKey(tx, key.owner_id, key.key)
  return (row && settledKey(request, row)) ?? problem('request_in_progress')
}

const isAtWork = ({ state, due_at }: GatewayOperation, now: Date): boolean =>
  state === 'started' && due_at !== null && due_at > now
