import { gatewayError } from '../../domain/errors.ts'
import { parseGatewayTime } from '../../domain/time.ts'
import { isObject } from '../../gateway/json.ts'
import { parseNotification, type PaymentNotification } from '../../gateway/wire/notifications.ts'
import { newId } from '../../store/sql/values.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import { takeHint } from './take_hint.ts'

/** How the text of a webhook is read: long ids keep their digits (ADR 0002). */
export { parseJson } from '../../gateway/json.ts'

/** What the gateway is told once the notification is on disk (api-rules.md#the-webhook). */
export interface Received {
  status: 'ok'
  notification_id: string
}

/**
 * Takes a webhook: verify, write down, apply. It resolves only once the row is committed, so a 200
 * means that it is on disk. Bad signature and unknown shape throw, and leave nothing behind
 * (ADR 0005).
 */
export async function receiveNotification(ctx: Context, body: unknown): Promise<Received> {
  const notification = parseNotification(body)
  if (notification === undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'body', message: 'no notification of a known shape' }],
    })
  }
  const id = newId()
  if (notification.shape !== 'payment') {
    await takeHint(ctx, notification)
    return { status: 'ok', notification_id: id }
  }
  const verified_with = verify(ctx, notification.payload)
  ctx.reached('webhook.verified')
  const clean = ctx.gateway.redact(body)
  const raw_payload = isObject(clean) ? clean : {}
  // Read anew: only some of its fields are signed, and in the others anything may stand.
  const kept = parseNotification(raw_payload)
  const payload = kept?.shape === 'payment' ? kept.payload : notification.payload
  const result = await ctx.inbox.hand({ id, payload, raw_payload, verified_with })
  ctx.reached('webhook.committed')
  if (result.id !== id) throw new Error(`notification ${id} got no result`)
  ctx.telemetry?.record({ kind: 'notification', effect: result.effect, age_ms: ageOf(payload) })
  ctx.log.info(
    { notification_id: id, effect: result.effect, reason: result.reason },
    'notification',
  )
  // Enough of its order is on disk, and this one is not: a 200 would be a lie (ADR 0004).
  if (result.kept_as === null) throw new RequestProblem('too_many_requests')
  return { status: 'ok', notification_id: result.kept_as }
}

/** How old the news is: since it was settled, or else since it was charged. Null if it is silent. */
function ageOf({ settlement_time, transaction_time }: PaymentNotification): number | null {
  const happened = parseGatewayTime(settlement_time) ?? parseGatewayTime(transaction_time)
  return happened === undefined ? null : Math.max(0, Date.now() - happened.getTime())
}

const hasAmount = (amount: unknown): amount is string | number =>
  typeof amount === 'string' || typeof amount === 'number'

function verify(ctx: Context, payload: PaymentNotification): string {
  const { order_id, status_code, gross_amount, signature_key } = payload
  if (
    typeof order_id !== 'string' ||
    typeof signature_key !== 'string' ||
    !hasAmount(gross_amount)
  ) {
    throw gatewayError('signature_invalid')
  }
  // The received strings, never a number we formatted again.
  const fields = { order_id, status_code: String(status_code), gross_amount: String(gross_amount) }
  const verified = ctx.gateway.verifiedWith(fields, signature_key)
  if (verified === null) throw gatewayError('signature_invalid')
  return verified
}
