import type { Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { parseTime, SECOND_MS } from '../wire/times.ts'
import type { BalanceSums } from '../world/balance.ts'
import type { World } from '../world/world.ts'

const refusal = (message: string): Reply => httpReply(400, { error_messages: [message] })

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/

/** Numbers with two decimals, as the gateway prints them. */
const sums = (name: 'opening' | 'closing', { effective, pending, overall }: BalanceSums) => ({
  [`${name}_balance_effective`]: effective / 100,
  [`${name}_balance_pending`]: pending / 100,
  [`${name}_balance_overall`]: overall / 100,
})

/** GET /v1/balance/mutation: the balance at both ends of a window; the last second is inside it. */
export function getBalanceMutation(world: World, { query }: Call): Reply {
  if (query.get('currency') !== 'IDR') return refusal('currency must be IDR')
  const [start, end] = [query.get('start_time') ?? '', query.get('end_time') ?? '']
  const [from, to] = [parseTime(start), parseTime(end)]
  if (from === undefined || to === undefined || !ZONED.test(start) || !ZONED.test(end)) {
    return refusal('start_time and end_time must be ISO 8601 with a zone')
  }
  if (from > to) return refusal('start_time must be before end_time')
  const mutation = {
    ...sums('opening', world.balance.before(from)),
    ...sums('closing', world.balance.before(to + SECOND_MS)),
  }
  return httpReply(200, {
    currency: 'IDR',
    start_time: start,
    end_time: end,
    ...mutation,
    wallets: [{ source: 'payin', ...mutation }],
  })
}
