// One owner's requests, however many and slow, do not delay other owners' charges.
import { SCOPES } from '../../src/domain/caller.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGapura } from '../../src/main/create_gapura.ts'
import { contextFor, type Context } from '../../src/services/context.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { useFaults } from '../services/fault_bench.ts'
import { requestOf } from '../services/service_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const SLOT_WAIT_MS_MAX = 1_500
const bench = useFaults({
  breaker_rest_ms: 1,
  timeout_ms_max: 10_000,
  slot_wait_ms_max: SLOT_WAIT_MS_MAX,
})
const { service, chargeOf, fault, mute, clearFaults } = bench
beforeEach(mute)
afterEach(clearFaults)

/** How long the gateway takes for a slow call. */
const SLOW_MS = 7_000
/** Less than a slow call takes: a charge that waited for one of them fails the test. */
const CHARGES_WITHIN_MS = 5_000
/** On a busy machine the first refusals come late. */
const UNTIL_REFUSED = { timeout: 20_000 }

interface Ended {
  as: string
  after_ms: number
}

/** Starts a call and records how and when it ends. */
async function ended(ends: Ended[], call: Promise<{ kind?: string } | undefined>): Promise<void> {
  const begun = performance.now()
  const as = await call.then(
    (outcome) => outcome?.kind ?? 'answered',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  )
  ends.push({ as, after_ms: performance.now() - begun })
}

const charge = async (ctx: Context, owner_id: string, order_id: string) =>
  await createCharge(ctx, await chargeOf('bank_transfer', { order_id }), requestOf(owner_id))

/** Five charges of another owner, and how they ended. */
async function chargeFive(owner_id: string): Promise<Ended[]> {
  const ctx = contextFor(service.ctx, owner_id)
  const ends: Ended[] = []
  const five = Array.from({ length: 5 }, () => service.fresh('quick'))
  await Promise.all(
    five.map(async (order_id) => await ended(ends, charge(ctx, owner_id, order_id))),
  )
  return ends
}

test('while one owner has 600 slow status checks in flight, five charges of another owner are answered within five seconds', async () => {
  const { id } = await bench.charged('bank_transfer')
  await fault('get_status', 'delay', { times: null, options: { ms: SLOW_MS } })
  const ctx = contextFor(service.ctx, 'owner-1')
  const { caller } = requestOf('owner-1')
  const checks: Ended[] = []
  const flood = Array.from({ length: 600 }, async () => {
    await ended(checks, getStatus(ctx, caller, id) as Promise<undefined>)
  })
  // The first refusals mean that all slots and all places in the queue are taken.
  await expect.poll(() => checks.length, UNTIL_REFUSED).toBeGreaterThan(0)

  const charges = await chargeFive('owner-2')
  expect(charges.map(({ as }) => as)).toEqual(Array.from({ length: 5 }, () => 'reply'))
  expect(Math.max(...charges.map(({ after_ms }) => after_ms))).toBeLessThan(CHARGES_WITHIN_MS)

  await Promise.all(flood)
  expect(new Set(checks.map(({ as }) => as))).toEqual(new Set(['answered', 'gateway_unavailable']))
  const refused = checks.filter(({ as }) => as === 'gateway_unavailable')
  expect(refused.length).toBeGreaterThan(500)
  // The wait for a slot is bounded; the rest is our own work for 600 requests.
  const longest_ms = Math.max(...refused.map(({ after_ms }) => after_ms))
  expect(longest_ms).toBeLessThan(SLOT_WAIT_MS_MAX + 5_000)
})

test('while one owner has 300 slow charges in flight, five charges of another owner are answered within five seconds', async () => {
  const options = { times: null, options: { ms: SLOW_MS } }
  const match = { operation: 'charge', order_id_prefix: 'slow' }
  await service.control('faults', { effect: 'delay', match, ...options })
  const ctx = contextFor(service.ctx, 'owner-1')
  const slow: Ended[] = []
  const orders = Array.from({ length: 300 }, () => service.fresh('slow'))
  const flood = orders.map(async (order_id) => await ended(slow, charge(ctx, 'owner-1', order_id)))
  await expect.poll(() => slow.length, UNTIL_REFUSED).toBeGreaterThan(0)

  const charges = await chargeFive('owner-2')
  expect(charges.map(({ as }) => as)).toEqual(Array.from({ length: 5 }, () => 'reply'))
  expect(Math.max(...charges.map(({ after_ms }) => after_ms))).toBeLessThan(CHARGES_WITHIN_MS)

  await Promise.all(flood)
  expect(new Set(slow.map(({ as }) => as))).toEqual(new Set(['reply', 'gateway_unavailable']))
  // A refused charge wrote nothing: only those with a reply have a payment.
  const [row] = await service.database.sql(
    `select count(*)::int as count from gapura.gateway_payment where order_id like 'slow%'`,
  )
  expect(row?.['count']).toBe(slow.filter(({ as }) => as === 'reply').length)
})

test('while one staff member has many slow look-ups in flight, the look-up of another is answered', async () => {
  const { server_key, url: base_url } = service.simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: service.database.db.schema,
    database: { connections_max: 2 },
    gateway: { server_key, base_url, connections_max: 2, waiting_max: 4 },
  })
  try {
    await fault('get_status', 'delay', { times: null, options: { ms: 300 } })
    const adopt = async (owner_id: string) => {
      const caller = { owner_id, staff: true, scopes: [...SCOPES] }
      const input = { order_id: service.fresh('none'), owner_id: 'owner-1', reason: 'test' }
      await gapura.staff.adoptOrder(caller, input)
    }
    const looks: Ended[] = []
    const flood = Array.from({ length: 20 }, async () => {
      await ended(looks, adopt('eka') as Promise<undefined>)
    })
    await expect.poll(() => looks.length, UNTIL_REFUSED).toBeGreaterThan(0)
    await expect(adopt('dewi')).rejects.toMatchObject({ code: 'gateway_not_found' })
    await Promise.all(flood)
    const codes = new Set(looks.map(({ as }) => as))
    expect(codes).toEqual(new Set(['gateway_unavailable', 'gateway_not_found']))
  } finally {
    await gapura.close()
  }
})
