// A charge (design 6.1): validate, take a slot, write it down, send it, record the answer. Wherever
// the process dies, what is on disk is enough for the resolver to finish it; nothing is guessed.
import { gatewayError } from '../../domain/errors.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import { keptReply, settledKey, type Outcome, type Request } from '../requests.ts'
import { parseChargeOrder, type ChargeOrder } from './charge_order.ts'
import { writeCharge } from './charge_written.ts'
import { repeatCharge } from './repeat_charge.ts'
import { sendCharge } from './send_charge.ts'

/** Creates a charge at the gateway and keeps its record. Of one key, at most one charge is made. */
export async function createCharge(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const order = parseChargeOrder(input)
  ctx.reached('charge.validated')
  // Nothing is written down that could not be sent.
  if (!ctx.gateway.available) {
    const kept = await keptReply(ctx, request)
    if (kept !== undefined) return kept
    throw gatewayError('gateway_unavailable', { operation: 'charge' })
  }
  return await ctx.gateway.withSlot(() => writeAndSend(ctx, order, request))
}

async function writeAndSend(ctx: Context, order: ChargeOrder, request: Request): Promise<Outcome> {
  ctx.reached('charge.slot_taken')
  const begun_at = performance.now()
  const written = await writeCharge(ctx, request, order)
  if ('taken' in written) {
    const settled = settledKey(request, written.taken)
    return settled ?? (await repeatCharge(ctx, { order, request, key: written.taken }))
  }
  const { id: subject_id } = written.payment
  const about = { subject_kind: 'payment', subject_id, operation: 'charge' } as const
  return await afterWritten(about, async () => {
    ctx.reached('charge.written_down')
    return await sendCharge(ctx, { ...written, begun_at }, request)
  })
}
