import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import type { Fields } from '../wire/fields.ts'
import { signNotification } from '../wire/signature.ts'
import { wibTime } from '../wire/times.ts'
import type { Delivery } from '../notify/courier.ts'
import type { LedgerEntry } from '../world/ledger.ts'
import type { Transaction } from '../world/transaction.ts'
import type { World } from '../world/world.ts'
import { pageOf, wholeNumber } from './page.ts'
import { fault, route, type ControlRoute } from './reply.ts'

const iso = (at: number): string => new Date(at).toISOString()

const shownDelivery = (delivery: Delivery): Fields => ({
  ...delivery,
  created_at: iso(delivery.created_at),
  next_attempt_at: delivery.next_attempt_at === null ? null : iso(delivery.next_attempt_at),
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
})

function listDeliveries(host: Host, call: Call): Reply {
  const { after, limit } = pageOf(call.query)
  const wanted = (delivery: Delivery): boolean =>
    agrees(call, 'order_id', delivery.order_id) &&
    agrees(call, 'transaction_id', delivery.transaction_id) &&
    agrees(call, 'state', delivery.state) &&
    agrees(call, 'kind', delivery.kind)
  const found = host.world().courier.list().filter(wanted).drop(after).take(limit)
  const deliveries = [...found].map(shownDelivery)
  return httpReply(200, { deliveries, next_after: after + deliveries.length })
}

function showDelivery(host: Host, call: Call): Reply {
  const delivery = host.world().courier.find(paramOf(call, 'id'))
  return delivery ? httpReply(200, shownDelivery(delivery)) : fault(404, 'no such delivery')
}

function resend(host: Host, call: Call): Reply {
  const delivery = host.world().courier.resend(paramOf(call, 'id'))
  return delivery ? httpReply(202, shownDelivery(delivery)) : fault(404, 'no such delivery')
}

/** An absent filter matches everything. */
function agrees(call: Call, name: string, value: string | undefined): boolean {
  const wanted = call.query.get(name)
  return wanted === null || wanted === value
}

function listLedger(host: Host, call: Call): Reply {
  const since = wholeNumber(call.query.get('since')) ?? 0
  const { limit } = pageOf(call.query)
  const entries: LedgerEntry[] = []
  let last = since
  const { ledger } = host.world()
  for (const entry of ledger.after(since)) {
    if (entries.length === limit) break
    last = entry.sequence
    const fits =
      agrees(call, 'kind', entry.kind) &&
      agrees(call, 'operation', nameOf(entry)) &&
      agrees(call, 'order_id', entry.order_id) &&
      agrees(call, 'transaction_id', entry.transaction_id)
    if (fits) entries.push(entry)
  }
  return httpReply(200, { entries, next_since: last, more: last < ledger.size })
}

function nameOf(entry: LedgerEntry): string {
  if (entry.kind === 'call') return entry.operation
  return entry.kind === 'money' ? entry.movement : entry.event
}

/** Each transaction with the metadata and reasons that the merchant sent. */
const shownEffects = (transaction: Transaction): Fields => ({
  transaction_id: transaction.transaction_id,
  order_id: transaction.order_id,
  origin: transaction.origin,
  subscription_id: transaction.subscription_id,
  invoice_id: transaction.invoice_id,
  checkout_token: transaction.checkout_token,
  payment_type: transaction.payment_type,
  charged_amount: transaction.charged_amount,
  captured: transaction.purse.captured,
  custom: transaction.custom,
  refunds: transaction.refunds.map(({ refund_key, amount, reason, refund_method }) => ({
    refund_key,
    amount,
    reason,
    refund_method,
  })),
  history: transaction.history.map(({ at, status, fraud_status, cause }) => ({
    at: iso(at),
    status,
    ...(fraud_status && { fraud_status }),
    cause,
  })),
})

function listEffects(host: Host, call: Call): Reply {
  const { after, limit } = pageOf(call.query)
  const transactions = host.world().transactions.page({ after, limit }).map(shownEffects)
  return httpReply(200, { transactions, next_after: after + transactions.length })
}

const summary = (host: Host): Reply => httpReply(200, { ...host.world().ledger.summary() })

/**
 * The dashboard's test button: validly signed, about an order that does not exist
 * (gateway-protocol.md#test-notification).
 */
export function sendTestNotification({ courier, settings, clock, random }: World): string {
  const { notification_url: url, server_key, merchant_id } = settings
  const order_id = `payment_notif_test_${merchant_id}_${random.uuid()}`
  const signed = { order_id, status_code: '200', gross_amount: '105000.00' }
  courier.notify({
    kind: 'payment',
    urls: url === '' ? [] : [url],
    order_id,
    payload: {
      ...signed,
      status_message: 'midtrans payment notification',
      transaction_id: random.uuid(),
      transaction_time: wibTime(clock.now()),
      transaction_status: 'settlement',
      fraud_status: 'accept',
      payment_type: 'bank_transfer',
      currency: 'IDR',
      merchant_id,
      signature_key: signNotification(signed, server_key),
    },
  })
  return order_id
}

const testPing = (host: Host): Reply =>
  httpReply(202, { order_id: sendTestNotification(host.world()) })

/** Accepts every notification, for a merchant that has no endpoint yet. */
const sink = (): Reply => httpReply(200, { status: 'ok' })

/** Ledger, deliveries and effects: the evidence of a run. */
export const EVIDENCE_ROUTES: ControlRoute[] = [
  route('GET /_sim/deliveries', listDeliveries),
  route('GET /_sim/deliveries/{id}', showDelivery),
  route('POST /_sim/deliveries/{id}/resend', resend),
  route('POST /_sim/test_notification', testPing),
  route('POST /_sim/sink', sink),
  route('GET /_sim/ledger', listLedger),
  route('GET /_sim/ledger/summary', summary),
  route('GET /_sim/ledger/effects', listEffects),
]
