import { paramOf, type Call } from '../http/call.ts'
import { httpReply, type Reply } from '../http/reply.ts'
import { MINUTE_MS } from '../wire/times.ts'
import type { World } from '../world/world.ts'

// This API says 409 where others would say 429 (gateway-protocol.md#rate-limits).
const REQUESTS_PER_MINUTE_MAX = 100

const BRANDS: [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(?:5[1-5]|2[2-7])/, 'mastercard'],
  [/^35/, 'jcb'],
  [/^3[47]/, 'amex'],
]

const error = (http_status: number, message: string): Reply =>
  httpReply(http_status, { errors: [{ message_title: message, message }] })

/** GET /v1/bins/{bin}. */
export function getBin(world: World, call: Call): Reply {
  if (isTooMany(world)) return error(409, 'too many requests')
  const bin = paramOf(call, 'bin')
  const brand = BRANDS.find(([pattern]) => pattern.test(bin))?.[1]
  if (!/^\d{6,8}$/.test(bin) || brand === undefined) return error(404, 'not found')
  return httpReply(200, {
    data: {
      country_name: 'Indonesia',
      country_code: 'id',
      brand,
      bin_type: 'credit',
      bin_class: 'gold',
      bin,
      bank_code: 'bca',
      bank: 'bank central asia',
      channel: 'online_offline',
    },
  })
}

function isTooMany({ bin_requests, clock }: World): boolean {
  const minute = Math.floor(clock.now() / MINUTE_MS)
  if (bin_requests.minute !== minute) Object.assign(bin_requests, { minute, count: 0 })
  bin_requests.count += 1
  return bin_requests.count > REQUESTS_PER_MINUTE_MAX
}
