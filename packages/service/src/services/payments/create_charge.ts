// A charge (design 6.1): validate, take a slot, write it down, send it, record the answer. Wherever
// the process dies, what is on disk is enough for the resolver to finish it; nothing is guessed.
import { gatewayError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { settledKey, type Outcome, type Request } from '../requests.ts'
import { parseChargeOrder, type ChargeOrder } from './charge_order.ts'
import { writeCharge } from './charge_written.ts'
import { repeatCharge } from './repeat_charge.ts'
import { sendCharge, unclearCharge } from './send_charge.ts'
import { afterWritten } from './written_payment.ts'

/** A paused process must not wake and charge: past this the resolver has the word. */
const SEND_WITHIN_MS = 5_000

/** Creates a charge at the gateway and keeps its record. Of one key, at most one charge is made. */
export async function createCharge(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const order = parseChargeOrder(input)
  ctx.reached('charge.validated')
  // Nothing is written down that could not be sent.
  if (!ctx.gateway.available) throw gatewayError('gateway_unavailable', { operation: 'charge' })
  return await ctx.gateway.withSlot(() => writeAndSend(ctx, order, request))
}

async function writeAndSend(ctx: Context, order: ChargeOrder, request: Request): Promise<Outcome> {
  ctx.reached('charge.slot_taken')
  const written = await writeCharge(ctx, request, order)
  if ('taken' in written) {
    const settled = settledKey(request, written.taken)
    return settled ?? (await repeatCharge(ctx, { order, request, key: written.taken }))
  }
  const committed_at = performance.now()
  return await afterWritten({ payment_id: written.payment.id, operation: 'charge' }, async () => {
    ctx.reached('charge.written_down')
    if (performance.now() - committed_at > SEND_WITHIN_MS) throw unclearCharge()
    ctx.reached('charge.before_send')
    return await sendCharge(ctx, written, request)
  })
}
