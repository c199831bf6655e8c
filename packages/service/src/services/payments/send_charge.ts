import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { Context } from '../context.ts'
import { recordUnclear } from '../operations/record_operation.ts'
import type { Outcome, Request } from '../requests.ts'
import { writeSend } from '../operations/fenced.ts'
import { sendWritten, type WrittenSend } from '../operations/sending.ts'
import { REPEAT_LEASE_MS } from '../operations/take_over.ts'
import { recordCharged, recordRefused, type Attempted } from './charge_recorded.ts'
import type { WrittenCharge } from './charge_written.ts'
import { lookForCharge } from './look_for_charge.ts'
import { canReplay, lacksInstructions } from './payer_instructions.ts'

/** Nobody knows yet: look, and never start a second one. */
export const unclearCharge = (cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: 'charge', cause })

export type ReadyCharge = Omit<WrittenCharge, 'items'> &
  Partial<Pick<WrittenCharge, 'items'>> &
  WrittenSend

/** Sends a charge that is written down, and records what came of it. */
export async function sendCharge(
  ctx: Context,
  { payment, items, operation, payload, begun_at }: ReadyCharge,
  request: Request,
): Promise<Outcome> {
  const attempted: Attempted = { payment, operation, source: 'charge', ...(items && { items }) }
  ctx.reached('charge.before_send')
  let facts: TransactionFacts
  try {
    facts = await chargeOnce(ctx, payload, { operation, begun_at })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return await unsent(ctx, attempted, { error, payload, request })
  }
  ctx.reached('charge.answered')
  const outcome = await recordCharged(ctx, attempted, facts)
  ctx.reached('charge.recorded')
  return outcome
}

/** The gateway's answer to one send. An answer about another order, or none, is unclear. */
async function chargeOnce(ctx: Context, payload: ChargeRequest, send: WrittenSend) {
  const idempotency_key = send.operation.id
  const reply = await sendWritten(
    send,
    async () => await ctx.gateway.charge(payload, { idempotency_key }),
  )
  const facts = factsOf(reply)
  const asked = payload.transaction_details.order_id
  if (facts === undefined || (facts.order_id !== null && facts.order_id !== asked))
    throw unclearCharge()
  return facts
}

interface Failure {
  error: GatewayError
  payload: ChargeRequest
  request: Request
}

async function unsent(ctx: Context, attempted: Attempted, failure: Failure): Promise<Outcome> {
  const { error, request } = failure
  // A refusal, or a connection that was never made, speaks for the one send it answers. Only if there
  // was no other does it end the charge, and only then is a 406 somebody else's order.
  const only = attempted.operation.sends === 1
  if (only && (error.definite || error.code === 'gateway_duplicate')) {
    ctx.reached('charge.refused')
    return await recordRefused(ctx, attempted, error, request)
  }
  if (error.code === 'gateway_unavailable') {
    await recordUnclear(ctx, attempted.operation, RESOLVE_AFTER_MS)
    throw error
  }
  ctx.reached('charge.unclear')
  return await lookOnce(ctx, attempted, failure)
}

/** The gateway keeps a key for five minutes; past four a repeat could become a second charge. */
export const RESEND_WITHIN_MS = 240_000

/** 404 is believed only this long after a send that may still be on its way (ADR 0008). */
export const RESOLVE_AFTER_MS = 60_000

/**
 * One look while the caller waits. That the gateway has nothing proves nothing yet, not even after
 * an error of its own: what it reads from may be behind what it writes to.
 */
async function lookOnce(ctx: Context, attempted: Attempted, failure: Failure): Promise<Outcome> {
  const { error, payload } = failure
  const sighting = await lookForCharge(ctx, attempted.payment)
  if (sighting.kind === 'ours') {
    const found = await withInstructions(ctx, attempted, payload, sighting.facts)
    return await recordCharged(ctx, found.attempted, found.facts)
  }
  await recordUnclear(ctx, attempted.operation, sighting.kind === 'nothing' ? RESOLVE_AFTER_MS : 0)
  throw unclearCharge(error)
}

interface Found {
  attempted: Attempted
  facts: TransactionFacts
}

/**
 * What `get_status` does not tell (QR, link, 3DS page), the replay of the same wire key still does.
 * It is a send like any other: on disk before it is made, and not made once the key may be forgotten
 * or another process has the operation.
 */
export async function withInstructions(
  ctx: Context,
  attempted: Attempted,
  payload: ChargeRequest,
  facts: TransactionFacts,
): Promise<Found> {
  const { payment, operation } = attempted
  if (!lacksInstructions(payment, facts) || !canReplay(payment)) return { attempted, facts }
  const plan = { lease_ms: REPEAT_LEASE_MS, within_ms: RESEND_WITHIN_MS }
  const again = await writeSend(ctx, operation, plan)
  if (again === undefined) return { attempted, facts }
  const replayed = { ...attempted, operation: again.operation }
  try {
    return { attempted: replayed, facts: await chargeOnce(ctx, payload, again) }
  } catch (error) {
    // The charge stands either way; what is missing is marked when it is recorded.
    if (!(error instanceof GatewayError)) throw error
    return { attempted: replayed, facts }
  }
}
