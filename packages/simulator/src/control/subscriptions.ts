import { paramOf, type Call } from '../http/call.ts'
import type { Host } from '../http/host.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { mayRunCycle, runCycleNow } from '../operations/subscription_cycles.ts'
import { textAt } from '../wire/fields.ts'
import { fault, route, type ControlRoute } from './reply.ts'

/** Brings the next cycle, or the retry it waits for, forward to now. */
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

/** What time would do to a subscription, now. */
export const SUBSCRIPTION_ROUTES: ControlRoute[] = [
  route('POST /_sim/subscriptions/{id}/cycle', runCycle),
]
