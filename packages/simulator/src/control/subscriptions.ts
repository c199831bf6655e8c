import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { mayRunCycle, runCycleNow } from '../operations/subscription_cycles.ts'
import { textAt } from '../wire/fields.ts'
import { fault, route, type ControlRoute } from './reply.ts'

/** Runs the next cycle or its retry now. */
function runCycle(host: Host, call: Call): Reply {
  const world = host.world()
  const subscription = world.subscriptions.get(paramOf(call, 'id'))
  if (!subscription) return fault(404, 'no such subscription')
  if (!mayRunCycle(subscription)) return fault(409, 'no cycle is left')
  const wish = textAt(call.body ?? {}, 'result') === 'fail' ? 'fail' : 'charge'
  runCycleNow(world, subscription, wish)
  const { status, current_interval, retries_made, transaction_ids } = subscription
  return httpReply(200, { status, current_interval, retries_made, transaction_ids })
}

/** Every subscription with the merchant's changes, as evidence of their number. */
function list(host: Host): Reply {
  const subscriptions = [...host.world().subscriptions.values()].map((one) => ({
    id: one.id,
    name: one.name,
    amount: one.amount,
    status: one.status,
    cancelled: one.cancelled,
    transaction_ids: one.transaction_ids,
    changes: one.changes.map(({ at, change }) => ({ at: new Date(at).toISOString(), change })),
    metadata: one.metadata ?? {},
  }))
  return httpReply(200, { subscriptions })
}

/** Runs subscriptions ahead of time. */
export const SUBSCRIPTION_ROUTES: ControlRoute[] = [
  route('GET /_sim/subscriptions', list),
  route('POST /_sim/subscriptions/{id}/cycle', runCycle),
]
