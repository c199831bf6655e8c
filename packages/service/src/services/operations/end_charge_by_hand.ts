import type { ErrorCode } from '../../domain/error_catalogue.ts'
import { gatewayError } from '../../domain/errors.ts'
import { isFoundByOrderId } from '../../domain/payment_type.ts'
import type { Context } from '../context.ts'
import { recordCharged, recordRefused, type Attempted } from '../payments/charge_recorded.ts'
import { lookForCharge } from '../payments/look_for_charge.ts'
import type { Due, HandOrder } from './due.ts'

/**
 * A charge was made only if the gateway shows it: money is never booked on a person's word. That it
 * was not made is believed of her where the gateway cannot be asked, which is DANA.
 */
export async function endChargeByHand(
  ctx: Context,
  { payment, operation }: Due,
  { outcome, by, ...given }: HandOrder,
): Promise<void> {
  const transaction_id = given.transaction_id ?? payment.transaction_id
  const attempted = { payment, operation, source: 'staff' as const, by }
  const sighting = await lookForCharge(ctx, { ...payment, transaction_id })
  if (sighting.kind === 'ours') {
    await recordCharged(ctx, attempted, sighting.facts)
    return
  }
  const unaskable = !isFoundByOrderId(payment) && transaction_id === null
  if (sighting.kind === 'unknown' && !unaskable) throw gatewayError('gateway_unavailable')
  if (outcome === 'done') {
    const message = unaskable
      ? 'give the transaction_id the gateway has it under'
      : 'the gateway shows no such charge of ours'
    throw gatewayError('invalid_request', { errors: [{ field: 'outcome', message }] })
  }
  await refuse(
    ctx,
    attempted,
    sighting.kind === 'stranger' ? 'gateway_duplicate' : 'gateway_refused',
  )
}

/** The refusal is on record; whoever ended it by hand is not to be told it as a failure. */
async function refuse(ctx: Context, attempted: Attempted, code: ErrorCode): Promise<void> {
  const error = gatewayError(code, { operation: 'charge' })
  try {
    await recordRefused(ctx, attempted, error, null)
  } catch (refusal) {
    if (refusal !== error) throw refusal
  }
}
