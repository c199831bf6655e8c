// The one route without authentication: forged and malformed notifications, and genuine ones with
// unusual contents.
import { FORGERY_NAMES, forged, settlement, signed, type Notice } from '../bench/forgeries.ts'
import type { Random } from '../bench/random.ts'
import { render, type HostileInput, type World } from './input.ts'

const post = (body: unknown): Buffer =>
  render({ path: '/notification/', body: JSON.stringify(body) })

function forgery(random: Random, world: World): HostileInput {
  const genuine = settlement(random.pick(world.payments), world.server_key)
  const other = settlement(
    { order_id: 'somebody-else-a', transaction_id: 'x', gross_amount: '10000.00' },
    world.server_key,
  )
  const name = random.pick(FORGERY_NAMES)
  return {
    category: 'webhook',
    name,
    bytes: post(forged(name, { genuine, other }, random)),
    invalid: 'no signature of ours',
  }
}

const LONG = 'x'.repeat(3_000)

/** These fields are not signed, so they may hold anything; an invalid detail is left out. */
const ODD: readonly ((notice: Notice, random: Random) => Record<string, unknown>)[] = [
  (notice) => ({ ...notice, unheard_of: { of: [1, 2, 3] } }),
  (notice) => ({ ...notice, fraud_status: LONG }),
  (notice) => ({ ...notice, payment_type: LONG }),
  (notice) => ({ ...notice, transaction_id: LONG }),
  (notice) => ({ ...notice, transaction_status: LONG }),
  (notice) => ({ ...notice, transaction_status: 'no such word' }),
  (notice) => ({ ...notice, settlement_time: '2026-02-30 25:61:61' }),
  (notice) => ({ ...notice, settlement_time: '0000-00-00 00:00:00' }),
  (notice) => ({ ...notice, settlement_time: '9999-12-31 23:59:59' }),
  (notice) => ({ ...notice, expiry_time: 12, transaction_time: [] }),
  (notice) => ({ ...notice, va_numbers: [{ bank: 1 }], actions: 'none' }),
  (notice) => ({ ...notice, va_numbers: [{ bank: LONG, va_number: LONG }] }),
  (notice) => ({ ...notice, refunds: [{ refund_key: LONG, refund_amount: '1e400' }] }),
  (notice) => ({ ...notice, refund_amount: -1, refunds: {} }),
  (notice) => ({ ...notice, metadata: { gapura_payment_id: LONG, extra_info: [] } }),
  (notice) => ({ ...notice, status_message: `${LONG}'; drop table x; --` }),
  (notice) => ({ ...notice, masked_card: LONG, bank: LONG, issuer: LONG, acquirer: LONG }),
  (notice) => ({ ...notice, on_us: 'perhaps', installment_term: {} }),
]

/** Correctly signed: accepted whatever the other fields hold. */
function oddDetails(random: Random, world: World): HostileInput {
  const genuine = settlement(random.pick(world.payments), world.server_key)
  return {
    category: 'webhook',
    name: 'odd details under a signature of ours',
    bytes: post(random.pick(ODD)(genuine, random)),
    invalid: null,
  }
}

/** Signed too, with an invalid order id or amount. */
function oddCore(random: Random, world: World): HostileInput {
  const genuine = settlement(random.pick(world.payments), world.server_key)
  const change = random.pick<Record<string, string>>([
    { order_id: LONG },
    { order_id: 'ä'.repeat(60) },
    { order_id: "'; drop table gapura.gateway_payment; --" },
    { order_id: '../../v2/charge' },
    { order_id: 'stranger-a' },
    { gross_amount: '9999999999999.99' },
    { gross_amount: '0.00' },
    { status_code: '999' },
  ])
  return {
    category: 'webhook',
    name: `an odd ${Object.keys(change).join()} under a signature of ours`,
    bytes: post(signed({ ...genuine, ...change }, world.server_key)),
    invalid: null,
  }
}

const SHAPES: readonly [string, unknown][] = [
  ['nothing', {}],
  ['a list', []],
  ['a word', 'settlement'],
  ['null', null],
  ['a status alone', { transaction_status: 'settlement' }],
  ['an account without its status', { account_id: 'x', account_status: 1 }],
  ['a cycle without its transaction', { event_name: 'subscription.charge' }],
  ['a number for a status', { transaction_status: 200, order_id: 'x' }],
  ['an unknown event', { event_name: 'subscription.nonsense' }],
]

function misshapen(random: Random): HostileInput {
  const [name, body] = random.pick(SHAPES)
  return { category: 'webhook', name, bytes: post(body), invalid: 'no notification' }
}

export function webhookInput(random: Random, world: World): HostileInput {
  const at = random.fraction()
  if (at < 0.8) return forgery(random, world)
  if (at < 0.93) return misshapen(random)
  return at < 0.97 ? oddDetails(random, world) : oddCore(random, world)
}
