// A charge (architecture.md#the-life-of-a-charge): validate, take a slot, write it down, send it,
// record the answer. Wherever the process dies, what is on disk is enough for the resolver to
// finish it; nothing is guessed.
import { gatewayError } from '../../domain/errors.ts'
import { afterWritten } from '../after_written.ts'
import type { Context } from '../context.ts'
import type { IntentRecord } from '../../store/intents.ts'
import { answerEnded, answerRepeat, problem, type Outcome, type Request } from '../requests.ts'
import { parseChargeOrder, type ChargeOrder } from './charge_order.ts'
import { writeCharge } from './charge_written.ts'
import { currentCharge, repeatCharge, whetherMade } from './repeat_charge.ts'
import { sendCharge } from './send_charge.ts'

/** Creates a charge at the gateway and keeps its record. One intent leads to at most one charge. */
export async function createCharge(
  ctx: Context,
  input: unknown,
  request: Request,
): Promise<Outcome> {
  const order = parseChargeOrder(input)
  ctx.reached('charge.validated')
  // Nothing is written down that could not be sent.
  if (!ctx.gateway.available) {
    const ended = await answerEnded(ctx, request, currentCharge)
    if (ended !== undefined) return ended
    throw gatewayError('gateway_unavailable', { operation: 'charge' })
  }
  return await ctx.gateway.withSlot(() => writeAndSend(ctx, order, request))
}

async function writeAndSend(
  ctx: Context,
  order: ChargeOrder,
  request: Request,
  instead_of?: IntentRecord,
): Promise<Outcome> {
  ctx.reached('charge.slot_taken')
  const begun_at = performance.now()
  const written = await writeCharge(ctx, request, { order, instead_of })
  if ('taken' in written) {
    const { taken } = written
    const answer = await answerRepeat(ctx, request, taken, currentCharge)
    if (answer === 'open') return await repeatCharge(ctx, { order, request, record: taken })
    if (answer !== 'retry') return answer
    if (instead_of !== undefined) return problem('request_in_progress')
    return (await whetherMade(ctx, taken)) ?? (await writeAndSend(ctx, order, request, taken))
  }
  const { id: subject_id } = written.payment
  const about = { subject_kind: 'payment', subject_id, operation: 'charge' } as const
  return await afterWritten(about, async () => {
    ctx.reached('charge.written_down')
    return await sendCharge(ctx, { ...written, begun_at }, request)
  })
}
