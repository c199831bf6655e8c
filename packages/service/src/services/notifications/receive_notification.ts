import { gatewayError } from '../../domain/errors.ts'
import { isObject } from '../../gateway/json.ts'
import { withoutSecrets } from '../../gateway/redaction.ts'
import { parseNotification, type PaymentNotification } from '../../gateway/wire/notifications.ts'
import { newId } from '../../store/ids.ts'
import type { Context } from '../context.ts'
import { writeInbox } from './inbox.ts'

/** How the text of a webhook is read: long ids keep their digits (D-39). */
export { parseJson } from '../../gateway/json.ts'

/** Spec 4.3: what the gateway is told once the notification is on disk. */
export interface Received {
  status: 'ok'
  notification_id: string
}

/**
 * Takes a webhook: verify, write down, apply. It resolves only once the row is committed, so a 200
 * means that it is on disk. Bad signature and unknown shape throw, and leave nothing behind (D-15).
 */
export async function receiveNotification(ctx: Context, body: unknown): Promise<Received> {
  const notification = parseNotification(body)
  if (notification === undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'body', message: 'no notification of a known shape' }],
    })
  }
  const id = newId()
  // The unsigned shapes are hints (D-21): nothing of them is believed and nothing stored here.
  if (notification.shape !== 'payment') return { status: 'ok', notification_id: id }
  const verified_with = verify(ctx, notification.payload)
  ctx.reached('webhook.verified')
  const clean = withoutSecrets(body)
  const raw_payload = isObject(clean) ? clean : {}
  const [fate] = await writeInbox(ctx, [
    { id, payload: notification.payload, raw_payload, verified_with },
  ])
  ctx.reached('webhook.committed')
  if (fate === undefined || fate.id !== id) throw new Error(`notification ${id} got no fate`)
  ctx.log.info({ notification_id: id, effect: fate.effect, reason: fate.reason }, 'notification')
  return { status: 'ok', notification_id: id }
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
