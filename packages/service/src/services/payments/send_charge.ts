import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { Context } from '../context.ts'
import { recordUnclear } from '../operations/record_operation.ts'
import type { Outcome, Request } from '../requests.ts'
import { SEND_WITHIN_MS } from '../operations/call_times.ts'
import { recordCharged, recordRefused, type Attempted } from './charge_recorded.ts'
import type { WrittenCharge } from './charge_written.ts'
import { lookForCharge } from './look_for_charge.ts'
import { canReplay, lacksInstructions } from './payer_instructions.ts'

/** Nobody knows yet: look, and never start a second one. */
export const unclearCharge = (cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: 'charge', cause })

export type ReadyCharge = Omit<WrittenCharge, 'items'> &
  Partial<Pick<WrittenCharge, 'items'>> & {
    /** Before it was written down, by the process's own clock: pauses count. */
    begun_at: number
  }

/** Sends a charge that is written down, and records what came of it. */
export async function sendCharge(
  ctx: Context,
  { payment, items, operation, payload, begun_at }: ReadyCharge,
  request: Request,
): Promise<Outcome> {
  const attempted: Attempted = { payment, operation, source: 'charge', ...(items && { items }) }
  ctx.reached('charge.before_send')
  if (performance.now() - begun_at > SEND_WITHIN_MS) throw unclearCharge()
  let facts: TransactionFacts
  try {
    facts = await chargeOnce(ctx, payload, operation.id)
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
async function chargeOnce(ctx: Context, payload: ChargeRequest, idempotency_key: string) {
  const reply = await ctx.gateway.charge(payload, { idempotency_key })
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
  // Not connected: nothing was sent, and the same key may send it. The resolver ends it otherwise.
  if (error.code === 'gateway_unavailable') {
    await recordUnclear(ctx, attempted.operation, RESOLVE_AFTER_MS)
    throw error
  }
  // A refusal speaks for the send it answers. Only if there was no other is it the last word, and
  // only then is a 406 somebody else's order.
  const only = attempted.operation.sends === 1
  if (only && (error.definite || error.code === 'gateway_duplicate')) {
    ctx.reached('charge.refused')
    return await recordRefused(ctx, attempted, error, request)
  }
  ctx.reached('charge.unclear')
  return await lookOnce(ctx, attempted, failure)
}

/** The gateway keeps a key for five minutes; past four a repeat could become a second charge. */
export const RESEND_WITHIN_MS = 240_000

/** 404 is believed only this long after a send that may still be on its way (design 6.8). */
export const RESOLVE_AFTER_MS = 60_000

/** One look while the caller waits. A gateway that answered 5xx and has nothing did nothing. */
async function lookOnce(ctx: Context, attempted: Attempted, failure: Failure): Promise<Outcome> {
  const { error, payload, request } = failure
  const sighting = await lookForCharge(ctx, attempted.payment)
  if (sighting.kind === 'ours') {
    const facts = await withInstructions(ctx, attempted, payload, sighting.facts)
    return await recordCharged(ctx, attempted, facts)
  }
  if (sighting.kind === 'nothing' && attempted.operation.sends === 1 && isOver(error)) {
    const { gateway } = error
    const failed = gatewayError('gateway_failed', { operation: 'charge', gateway })
    return await recordRefused(ctx, attempted, failed, request)
  }
  await recordUnclear(ctx, attempted.operation, sighting.kind === 'nothing' ? RESOLVE_AFTER_MS : 0)
  throw unclearCharge(error)
}

/**
 * The gateway itself says that it failed, so it has ended with the request. A bare 5xx is an edge's:
 * behind it the request may still be on its way.
 */
const isOver = ({ gateway }: GatewayError): boolean => Number(gateway?.status_code) >= 500

/** What `get_status` does not tell (QR, link, 3DS page), the replay of the same key still does. */
export async function withInstructions(
  ctx: Context,
  { payment, operation }: Attempted,
  payload: ChargeRequest,
  facts: TransactionFacts,
): Promise<TransactionFacts> {
  if (!lacksInstructions(payment, facts) || !canReplay(payment)) return facts
  try {
    return await chargeOnce(ctx, payload, operation.id)
  } catch (error) {
    // The charge stands either way; what is missing is marked when it is recorded.
    if (!(error instanceof GatewayError)) throw error
    return facts
  }
}
