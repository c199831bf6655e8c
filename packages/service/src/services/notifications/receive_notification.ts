import { gatewayError } from '../../domain/errors.ts'
import { parseGatewayTime } from '../../domain/time.ts'
import { isObject } from '../../gateway/json.ts'
import { isCellOffer } from '../../gateway/peer_cell.ts'
import {
  parseNotification,
  type PaymentNotification,
  type WireNotification,
} from '../../gateway/wire/notifications.ts'
import { codeOf, LOCK_NOT_AVAILABLE } from '../../store/connection/errors.ts'
import { withTransaction } from '../../store/connection/transaction.ts'
import { newId } from '../../store/sql/values.ts'
import { hintSubscription } from '../../store/subscriptions/checks.ts'
import type { Context } from '../context.ts'
import { RequestProblem } from '../problem.ts'
import { cellOfNotification, type StoredElsewhere } from './offer_to_cells.ts'

/** The parser of a webhook's text: long ids keep all their digits (ADR 0002). */
export { parseJson } from '../../gateway/json.ts'

/** The reply to the gateway once the notification is on disk (api-rules.md#the-webhook). */
export interface Received {
  status: 'ok'
  /** The row that stores it. An unsigned notice has none. */
  notification_id?: string
}

/**
 * Receives a webhook: verifies, stores and applies it. It resolves only after the commit, so a 200
 * means that the notification is on disk. A bad signature or unknown shape throws and stores
 * nothing (ADR 0005).
 */
export async function receiveNotification(ctx: Context, given: unknown): Promise<Received> {
  const offer = ctx.cell !== undefined && isCellOffer(given) ? given : undefined
  const body = offer === undefined ? given : offer.notification
  const notification = parseNotification(body)
  if (notification === undefined) {
    throw gatewayError('invalid_request', {
      errors: [{ field: 'body', message: 'must be a notification of a known shape' }],
    })
  }
  if (notification.shape !== 'payment') {
    const hint = await takeHint(ctx, notification)
    ctx.log.info({ shape: notification.shape, ...hint }, 'unsigned notice')
    return { status: 'ok' }
  }
  const id = newId()
  const verified_with = verify(ctx, notification.payload)
  ctx.reached('webhook.verified')
  const { cell } = ctx
  const place = async () =>
    cell === undefined
      ? 'ours'
      : await cellOfNotification(ctx, cell, notification.payload, { body, offer })
  const taken = await place()
  if (taken !== 'ours') return receivedElsewhere(ctx, taken)
  const clean = ctx.gateway.redact(body)
  const raw_payload = isObject(clean) ? clean : {}
  // Parsed again without secrets: only some fields are signed, and the others may hold anything.
  const kept = parseNotification(raw_payload)
  const payload = kept?.shape === 'payment' ? kept.payload : notification.payload
  const began = performance.now()
  const store = async () => await ctx.inbox.hand({ id, payload, raw_payload, verified_with })
  const result = await counted(
    ctx,
    cell === undefined ? store : async () => await storeWhere(store, place),
  )
  if ('kind' in result) return receivedElsewhere(ctx, result)
  ctx.reached('webhook.committed')
  if (result.id !== id) throw new Error(`notification ${id} got no result`)
  ctx.telemetry?.record({
    kind: 'notification',
    effect: result.effect,
    age_ms: ageOf(payload),
    stored_ms: result.kept_as === null ? null : performance.now() - began,
  })
  ctx.log.info(
    { notification_id: id, effect: result.effect, reason: result.reason },
    'notification',
  )
  // This notification is not stored, because its order has too many: a 200 would be wrong (ADR
  // 0004).
  if (result.kept_as === null) throw new RequestProblem('too_many_requests')
  return { status: 'ok', notification_id: result.kept_as }
}

/**
 * Stores it, or passes it on if its owner began to leave after the first look: writes that wait for
 * the fence of a move are refused, and the gateway would repeat the notification only minutes later.
 */
async function storeWhere<Result>(
  store: () => Promise<Result>,
  place: () => Promise<'ours' | StoredElsewhere>,
): Promise<Result | StoredElsewhere> {
  try {
    return await store()
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
    const taken = await place()
    return taken === 'ours' ? await store() : taken
  }
}

function receivedElsewhere(ctx: Context, { notification_id }: StoredElsewhere): Received {
  ctx.log.info({ notification_id, effect: 'passed_on' }, 'notification')
  return { status: 'ok', ...(notification_id !== null && { notification_id }) }
}

/** An authentic notification that cannot be stored is counted: the gateway must repeat it. */
async function counted<Result>(ctx: Context, store: () => Promise<Result>): Promise<Result> {
  try {
    return await store()
  } catch (error) {
    ctx.telemetry?.record({ kind: 'notification_lost' })
    throw error
  }
}

/** The age of the report since settlement, or else since the charge. Null if it has no time. */
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
  // The received strings: formatting the amount again would break the signature.
  const fields = { order_id, status_code: String(status_code), gross_amount: String(gross_amount) }
  const verified = ctx.gateway.verifiedWith(fields, signature_key)
  if (verified === null) throw gatewayError('signature_invalid')
  return verified
}

/**
 * Unsigned notices are hints (ADR 0004): none of their content is trusted or stored. A subscription
 * of ours that a notice names is queried soon, at most once a minute.
 */
async function takeHint(ctx: Context, { shape, payload }: WireNotification): Promise<Hint> {
  if (shape !== 'subscription_created' && shape !== 'subscription_charge') {
    return { effect: 'ignored', reason: 'no_object_of_ours' }
  }
  const { id, name } = shape === 'subscription_charge' ? payload.subscription : payload
  const hinted = await withTransaction(
    ctx.db,
    async (tx) => await hintSubscription(tx, { gateway_id: id, gateway_name: name }),
  )
  if (hinted) return { effect: 'deferred', reason: 'subscription_is_queried' }
  return { effect: 'ignored', reason: 'unknown_or_queried_anyway' }
}

/** What came of a notice, for the log. */
interface Hint {
  effect: 'deferred' | 'ignored'
  reason: string
}
