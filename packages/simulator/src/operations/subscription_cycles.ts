// Cycles of a subscription: a cycle becomes due, is charged and retried, and then schedules the
// next cycle or ends the subscription.
import { openCard } from '../charge/card.ts'
import { openTokenizedGopay } from '../charge/gopay_tokenized.ts'
import { openTransaction } from '../charge/open_transaction.ts'
import { integerAt, isFields, textAt, type Fields } from '../wire/fields.ts'
import { codeFor } from '../wire/representation.ts'
import { addMonths, DAY_MS, HOUR_MS, isoUtcTime, MINUTE_MS } from '../wire/times.ts'
import type { IntervalUnit, Subscription } from '../world/subscription.ts'
import type { World } from '../world/world.ts'

const UNIT_MS: Record<Exclude<IntervalUnit, 'month'>, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
}

/** Some intervals later; months keep their day where the month has it. */
export const later = (at: number, interval: number, unit: IntervalUnit): number =>
  unit === 'month' ? addMonths(at, interval) : at + interval * UNIT_MS[unit]

/** Schedules the next execution; skipped if its time has changed by then. */
export function awaitCycle(world: World, subscription: Subscription): void {
  const at = subscription.next_execution_at
  world.clock.schedule(at, () => {
    if (subscription.status !== 'active' || subscription.next_execution_at !== at) return
    subscription.retries_made = 0
    attempt(world, subscription, chargeOnce)
  })
}

/** Whether there is a cycle, or a retry of one, that could run now. */
export const mayRunCycle = ({ status, cancelled, retry_at }: Subscription): boolean =>
  !cancelled && (status === 'active' || retry_at !== undefined)

/** Runs the next cycle or its retry now; on request as a failure. */
export function runCycleNow(world: World, subscription: Subscription, wish: 'charge' | 'fail') {
  if (subscription.retry_at === undefined) {
    subscription.next_execution_at = world.clock.now()
    subscription.retries_made = 0
  }
  attempt(world, subscription, wish === 'charge' ? chargeOnce : failOnce)
}

interface Charged {
  success: boolean
  transaction: Fields
}

type Charging = (world: World, subscription: Subscription) => Charged

function attempt(world: World, subscription: Subscription, charging: Charging): void {
  const charged = charging(world, subscription)
  subscription.retry_at = undefined
  if (charged.success) {
    succeed(world, subscription)
    notifyCycle(world, subscription, charged.transaction)
    return
  }
  const { retry } = subscription
  if (subscription.retries_made < retry.max_interval) {
    subscription.retries_made += 1
    const at = later(world.clock.now(), retry.interval, retry.interval_unit)
    subscription.retry_at = at
    world.clock.schedule(at, () => {
      // Disabling does not stop a pending retry, cancelling does
      // (gateway-protocol.md#subscription-statuses).
      if (!subscription.cancelled && subscription.retry_at === at)
        attempt(world, subscription, chargeOnce)
    })
    return
  }
  subscription.status = 'inactive'
  notifyCycle(world, subscription, charged.transaction)
}

function succeed(world: World, subscription: Subscription): void {
  const { max_interval, interval_unit } = subscription
  subscription.current_interval += 1
  subscription.previous_execution_at = world.clock.now()
  // From the planned time, not from now: a retry must not delay all later cycles.
  subscription.next_execution_at = later(
    subscription.next_execution_at,
    subscription.interval,
    interval_unit,
  )
  subscription.interval = subscription.next_interval ?? subscription.interval
  subscription.next_interval = undefined
  const finished =
    max_interval !== undefined && subscription.current_interval >= Math.max(1, max_interval)
  if (finished) subscription.status = 'inactive'
  else awaitCycle(world, subscription)
}

const failed = (status_code: string, status_message: string): Charged => ({
  success: false,
  transaction: { status_code, status_message },
})

const failOnce = (): Charged => failed('500', 'Internal Server Error')

/** One attempt: a transaction of its own, with its own signed notification, or none at all. */
function chargeOnce(world: World, subscription: Subscription): Charged {
  const { payment_type, name, amount, token, account_id } = subscription
  // A cycle has no call of the merchant, so a fault names the cycle itself.
  const fault = world.faults.forCall({ operation: 'subscription_charge', order_id: name })
  if (fault) {
    const http_status = integerAt(fault.options, 'http_status') ?? 500
    return failed(String(http_status), 'Internal Server Error')
  }
  if (world.settings.channels_off.has(payment_type))
    return failed('402', "Merchant doesn't have access for this payment type")
  const body: Fields =
    payment_type === 'gopay'
      ? { gopay: { account_id, payment_option_token: token, recurring: true } }
      : { credit_card: { token_id: token } }
  if (subscription.metadata) body['metadata'] = subscription.metadata
  // A one-time token is valid for one charge and not for a subscription
  // (gateway-protocol.md#creating-a-subscription).
  if (payment_type === 'credit_card' && !world.vault.findSaved(token))
    return failed('411', 'Token id is missing, invalid, or timed out')
  const order_id = `${name}${world.random.digits(32)}`
  const request = { payment_type, order_id, gross_amount: amount, body }
  const open = payment_type === 'gopay' ? openTokenizedGopay : openCard
  const outcome = open(world, request)
  if ('messages' in outcome || 'refusal' in outcome) return failed('500', 'Internal Server Error')
  const transaction = openTransaction(world, request, outcome, {
    origin: 'subscription',
    subscription_id: subscription.id,
  })
  const { transaction_id, status, details } = transaction
  const success = status === 'capture' || status === 'settlement'
  if (success) subscription.transaction_ids.push(transaction_id)
  return {
    success,
    transaction: {
      transaction_status: status,
      transaction_id,
      status_code: codeFor(transaction),
      ...(!success && { status_message: outcome.status_message }),
      channel_response_code: textAt(details, 'channel_response_code'),
      channel_response_message: textAt(details, 'channel_response_message'),
    },
  }
}

/**
 * Sent once per cycle, to the recurring URL, without a signature
 * (gateway-protocol.md#subscription-notifications).
 */
function notifyCycle(world: World, subscription: Subscription, transaction: Fields): void {
  sendRecurring(world, {
    event_name: 'subscription.charge',
    transaction,
    subscription: notifiedSubscription(world, subscription),
  })
}

/** The first of the two recurring shapes: the subscription itself. */
export const notifyCreated = (world: World, subscription: Subscription): void => {
  sendRecurring(world, notifiedSubscription(world, subscription))
}

function sendRecurring(world: World, payload: Fields): void {
  const url = world.settings.recurring_notification_url
  const inner = payload['subscription']
  const name = textAt(isFields(inner) ? inner : payload, 'name')
  world.courier.notify({
    kind: 'subscription',
    urls: url === '' ? [] : [url],
    payload,
    ...(name !== undefined && { order_id: name }),
  })
}

const notifiedSubscription = (world: World, subscription: Subscription): Fields => ({
  id: subscription.id,
  name: subscription.name,
  amount: String(subscription.amount),
  currency: 'IDR',
  token: subscription.token,
  payment_type: subscription.payment_type,
  status: subscription.status,
  merchant_id: world.settings.merchant_id,
  schedule: {
    interval: subscription.interval,
    interval_unit: subscription.interval_unit,
    current_interval: subscription.current_interval,
    start_time: isoUtcTime(subscription.start_at),
    next_execution_at: isoUtcTime(subscription.next_execution_at),
  },
  metadata: subscription.metadata,
  customer_details: subscription.customer_details,
  ...(subscription.account_id !== undefined && { gopay: { account_id: subscription.account_id } }),
})
