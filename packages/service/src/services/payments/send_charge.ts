import { GatewayError, gatewayError } from '../../domain/errors.ts'
import { factsOf, type TransactionFacts } from '../../gateway/facts.ts'
import type { ChargeRequest } from '../../gateway/wire/charge_requests.ts'
import type { Context } from '../context.ts'
import type { Outcome, Request } from '../requests.ts'
import { recordCharged, recordRefused, recordUnknown, type Attempted } from './charge_recorded.ts'
import type { WrittenCharge } from './charge_written.ts'
import { lookForCharge } from './look_for_charge.ts'
import { canReplay, lacksInstructions } from './payer_instructions.ts'

/** Nobody knows yet: look, and never start a second one. */
export const unclearCharge = (cause?: unknown): GatewayError =>
  gatewayError('outcome_unknown', { operation: 'charge', cause })

/** Sends a charge that is written down, and records what came of it. */
export async function sendCharge(
  ctx: Context,
  { payment, operation, payload }: WrittenCharge,
  request: Request,
): Promise<Outcome> {
  const attempted: Attempted = { payment, operation, source: 'charge' }
  try {
    const facts = await chargeOnce(ctx, payload, operation.id)
    ctx.reached('charge.answered')
    const outcome = await recordCharged(ctx, attempted, facts, request)
    ctx.reached('charge.recorded')
    return outcome
  } catch (error) {
    if (!(error instanceof GatewayError) || error.stage === 'after') throw error
    return await unsent(ctx, attempted, { error, payload, request })
  }
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
    await recordUnknown(ctx, attempted, RESOLVE_AFTER_MS)
    throw error
  }
  // On a first send a 406 is somebody else's order; on a later one it may well be our own.
  const stranger = error.code === 'gateway_duplicate' && attempted.operation.attempt === 1
  if (error.definite || stranger) {
    ctx.reached('charge.refused')
    await recordRefused(ctx, attempted, error, request)
    throw error
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
    return await recordCharged(ctx, attempted, facts, request)
  }
  if (sighting.kind === 'nothing' && isServerError(error)) {
    const failed = gatewayError('gateway_failed', { operation: 'charge', gateway: error.gateway })
    await recordRefused(ctx, attempted, failed, request)
    throw failed
  }
  await recordUnknown(ctx, attempted, sighting.kind === 'nothing' ? RESOLVE_AFTER_MS : 0)
  throw unclearCharge(error)
}

/** The gateway has ended with it: what it does not have then, it did not do. */
const isServerError = ({ gateway }: GatewayError): boolean =>
  gateway !== null && (Number(gateway.status_code) >= 500 || (gateway.http_status ?? 0) >= 500)

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
