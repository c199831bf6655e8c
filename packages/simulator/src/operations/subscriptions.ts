import { headerOf, paramOf, type Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { fieldsAt, has, integerAt, textAt, type Fields } from '../wire/fields.ts'
import { isoWibTime, parseTime } from '../wire/times.ts'
import type { Subscription } from '../world/subscription.ts'
import type { World } from '../world/world.ts'
import { awaitCycle, later, notifyCreated } from './subscription_cycles.ts'
import {
  commonFaults,
  parseRetry,
  parseSubscription,
  type SubscriptionRequest,
} from './subscription_request.ts'

const UPDATED = httpReply(200, { status_message: 'Subscription is updated.' })
const UNKNOWN = httpReply(404, { status_message: "Subscription doesn't exist." })

const invalid = (validation_messages: string[]): Reply =>
  httpReply(400, { status_message: 'Invalid parameter.', validation_messages })

/**
 * POST /v1/subscriptions. The body is checked before the idempotency key counts
 * (gateway-protocol.md#idempotency).
 */
export function createSubscription(world: World, call: Call): Reply {
  const request = parseSubscription(call.body ?? {}, world.clock.now())
  if (Array.isArray(request)) return invalid(request)
  const key = headerOf(call, 'idempotency-key')
  const seen = key === undefined ? undefined : world.subscription_keys.find(key)
  if (seen && seen !== 'running') return seen
  const subscription = openSubscription(world, request)
  const reply = httpReply(200, subscriptionFields(subscription))
  if (key !== undefined) {
    world.subscription_keys.start(key)
    world.subscription_keys.finish(key, reply)
  }
  return reply
}

function openSubscription(
  world: World,
  { start_at, ...request }: SubscriptionRequest,
): Subscription {
  const now = world.clock.now()
  // Without a start the first charge comes one interval from now
  // (gateway-protocol.md#subscription-schedules).
  const first = start_at ?? later(now, request.interval, request.interval_unit)
  const subscription: Subscription = {
    id: world.random.uuid(),
    ...request,
    status: 'active',
    cancelled: false,
    created_at: now,
    current_interval: 0,
    start_at: first,
    previous_execution_at: undefined,
    next_execution_at: first,
    retries_made: 0,
    retry_at: undefined,
    next_interval: undefined,
    transaction_ids: [],
    changes: [],
  }
  world.subscriptions.set(subscription.id, subscription)
  awaitCycle(world, subscription)
  notifyCreated(world, subscription)
  return subscription
}

function subscriptionFields(subscription: Subscription): Fields {
  const { previous_execution_at, account_id } = subscription
  return {
    id: subscription.id,
    name: subscription.name,
    amount: String(subscription.amount),
    currency: 'IDR',
    created_at: isoWibTime(subscription.created_at),
    schedule: {
      interval: subscription.interval,
      interval_unit: subscription.interval_unit,
      max_interval: subscription.max_interval,
      current_interval: subscription.current_interval,
      start_time: isoWibTime(subscription.start_at),
      ...(previous_execution_at !== undefined && {
        previous_execution_at: isoWibTime(previous_execution_at),
      }),
      next_execution_at: isoWibTime(subscription.next_execution_at),
    },
    retry_schedule: subscription.retry,
    status: subscription.status,
    token: subscription.token,
    payment_type: subscription.payment_type,
    transaction_ids: subscription.transaction_ids,
    metadata: subscription.metadata,
    customer_details: subscription.customer_details,
    ...(account_id !== undefined && { gopay: { account_id } }),
  }
}

const found = (world: World, call: Call): Subscription | undefined =>
  world.subscriptions.get(paramOf(call, 'id'))

/** GET /v1/subscriptions/{id}. */
export function getSubscription(world: World, call: Call): Reply {
  const subscription = found(world, call)
  return subscription ? httpReply(200, subscriptionFields(subscription)) : UNKNOWN
}

function note(
  { clock }: World,
  { changes }: Subscription,
  change: Subscription['changes'][number]['change'],
): void {
  changes.push({ at: clock.now(), change })
}

/** POST /v1/subscriptions/{id}/disable: no new cycle, but a retry that waits still runs. */
export function disableSubscription(world: World, call: Call): Reply {
  const subscription = found(world, call)
  if (!subscription) return UNKNOWN
  if (subscription.status === 'active') note(world, subscription, 'disable')
  subscription.status = 'inactive'
  return UPDATED
}

/** POST /v1/subscriptions/{id}/cancel: nothing runs any more. */
export function cancelSubscription(world: World, call: Call): Reply {
  const subscription = found(world, call)
  if (!subscription) return UNKNOWN
  if (!subscription.cancelled) note(world, subscription, 'cancel')
  subscription.status = 'inactive'
  subscription.cancelled = true
  return UPDATED
}

/** POST /v1/subscriptions/{id}/enable: cycles missed meanwhile are not made up for. */
export function enableSubscription(world: World, call: Call): Reply {
  const subscription = found(world, call)
  if (!subscription) return UNKNOWN
  if (subscription.cancelled) return invalid(['subscription is cancelled'])
  if (subscription.status === 'active') return UPDATED
  note(world, subscription, 'enable')
  const { interval, interval_unit } = subscription
  while (subscription.next_execution_at <= world.clock.now()) {
    const next = later(subscription.next_execution_at, interval, interval_unit)
    subscription.next_execution_at = next
  }
  revive(world, subscription)
  return UPDATED
}

function revive(world: World, subscription: Subscription): void {
  subscription.status = 'active'
  subscription.cancelled = false
  awaitCycle(world, subscription)
}

/**
 * PATCH /v1/subscriptions/{id}. gateway-protocol.md#updating-a-subscription: of the schedule only
 * the interval, or a new future date.
 */
export function updateSubscription(world: World, call: Call): Reply {
  const subscription = found(world, call)
  if (!subscription) return UNKNOWN
  const body = call.body ?? {}
  const messages = commonFaults(body)
  const schedule = fieldsAt(body, 'schedule')
  const interval = integerAt(schedule, 'interval')
  if (has(schedule, 'interval') && (interval === undefined || interval < 1))
    messages.push('subscription.schedule.interval must be a whole number of at least 1')
  const retry = has(body, 'retry_schedule')
    ? parseRetry(fieldsAt(body, 'retry_schedule'))
    : undefined
  if (typeof retry === 'string') messages.push(retry)
  const next = parseTime(textAt(schedule, 'next_execution_at') ?? '')
  if (next !== undefined && next <= world.clock.now())
    messages.push('subscription.schedule.next_execution_at must be in the future')
  if (messages.length > 0) return invalid(messages)
  subscription.name = textAt(body, 'name') ?? subscription.name
  subscription.amount = Number(textAt(body, 'amount'))
  subscription.token = textAt(body, 'token') ?? subscription.token
  subscription.account_id = textAt(fieldsAt(body, 'gopay'), 'account_id') ?? subscription.account_id
  if (typeof retry === 'object') subscription.retry = retry
  if (interval !== undefined) subscription.next_interval = interval
  if (next !== undefined) {
    subscription.next_execution_at = next
    revive(world, subscription)
  }
  return UPDATED
}
