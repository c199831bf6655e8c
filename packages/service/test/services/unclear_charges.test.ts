// Each of these mistakes would have cost money: a charge made twice, or one recorded as refused.
// Each test names the mistake it guards against.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { useFaults } from './fault_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const {
  service,
  chargeOf,
  caller,
  fault,
  denyKnowing,
  mute,
  clearFaults,
  later,
  resolve,
  rowOf,
  alarmsOf,
  chargesOf,
  charged,
} = useFaults()

beforeEach(mute)
afterEach(async () => {
  await clearFaults()
})

describe('one key, one charge', () => {
  const twice = async (order_id: string, payment_type = 'bank_transfer') => {
    const input = await chargeOf(payment_type, { order_id })
    const request = requestOf('owner-1', order_id)
    const attempt = async () =>
      await createCharge(service.ctx, input, request).catch((error: unknown) => error)
    const outcomes = [await attempt(), await attempt(), await attempt()]
    await resolve()
    outcomes.push(await attempt())
    return outcomes
  }

  test("an edge's 504 and a look that finds nothing do not release the key", async () => {
    const order_id = service.fresh('edge')
    await fault('charge', 'html', { options: { http_status: 504, after: true } })
    await denyKnowing()
    await twice(order_id)
    expect(await chargesOf(order_id)).toBe(1)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending', refused: false })
  })

  test.each(['429', '411', '400'])(
    '%s to a second send says nothing about the first',
    async (status_code) => {
      const order_id = service.fresh('second')
      await fault('charge', 'timeout_after')
      await fault('charge', 'status', {
        options: { http_status: 200, body: { status_code, status_message: 'no' } },
      })
      await denyKnowing(2)
      await twice(order_id)
      expect(await chargesOf(order_id)).toBe(1)
      expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending', refused: false })
    },
  )

  test('a notification that came first takes precedence over a later failure', async () => {
    await clearFaults()
    const order_id = service.fresh('early')
    await fault('charge', 'status', {
      options: { http_status: 503, body: { status_code: '503', status_message: 'x' }, after: true },
    })
    await service.control('faults', {
      effect: 'early',
      match: { order_id_prefix: order_id },
      times: 1,
    })
    await denyKnowing()
    const outcomes = await twice(order_id)
    expect(await chargesOf(order_id)).toBe(1)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending', refused: false })
    expect(outcomes.at(-1)).toMatchObject({ kind: 'reply', reply: { code: 201 } })
  })

  test('twenty repeats of an unclear charge: one works, none stores a reply without the VA number', async () => {
    const order_id = service.fresh('twenty')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await fault('charge', 'timeout_before')
    await createCharge(service.ctx, input, request).catch(() => undefined)
    await fault('charge', 'delay', { options: { ms: 100 } })
    const repeat = async () =>
      await createCharge(service.ctx, input, request).catch(() => undefined)
    await Promise.all(Array.from({ length: 20 }, repeat))
    const kept = bodyOf(await createCharge(service.ctx, input, request))
    expect(kept).toMatchObject({ transaction_status: 'pending' })
    expect(kept['va_number']).toBeTypeOf('string')
    expect(await chargesOf(order_id)).toBe(1)
  })

  test('a caller that keeps asking does not keep it open for ever', async () => {
    const order_id = service.fresh('asking')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await fault('charge', 'timeout_before')
    await createCharge(service.ctx, input, request).catch(() => undefined)
    await later(250_000)
    await createCharge(service.ctx, input, request).catch(() => undefined)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  })

  test('a repeat of the key gets what the resolver recorded', async () => {
    const order_id = service.fresh('resolved')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await fault('charge', 'timeout_after')
    await fault('get_status', 'drop_before', { times: 3 })
    await createCharge(service.ctx, input, request).catch(() => undefined)
    await resolve(1)
    const first = await createCharge(service.ctx, input, request)
    await service.control(`transactions/${order_id}/pay`)
    await getStatus(service.ctx, caller, String((await rowOf(order_id))?.['id']))
    expect(await createCharge(service.ctx, input, request)).toEqual(first)
    expect(first).toMatchObject({ replayed: true })
  })
})

describe('a process that was paused', () => {
  test('between writing and sending does not send', async () => {
    const order_id = service.fresh('paused')
    const input = await chargeOf('bank_transfer', { order_id })
    const clock = performance.now.bind(performance)
    const ctx = {
      ...service.ctx,
      // As if the process had been stopped for a minute at this point.
      reached: (point: string) => {
        if (point === 'charge.before_send') performance.now = () => clock() + 60_000
      },
    }
    const outcome = await createCharge(ctx, input, requestOf())
      .catch((error: unknown) => error)
      .finally(() => {
        performance.now = clock
      })
    expect(outcome).toMatchObject({ code: 'outcome_unknown' })
    expect(await chargesOf(order_id)).toBe(0)
    await resolve()
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  })

  test('after sending, until it was given up: the answer revives it, and an alarm is opened', async () => {
    const order_id = service.fresh('woken')
    const input = await chargeOf('bank_transfer', { order_id })
    let wake: () => void = () => undefined
    const asleep = new Promise<void>((resolve_) => {
      wake = resolve_
    })
    const { gateway } = service.ctx
    const slow: typeof gateway = Object.create(gateway, {
      charge: {
        value: async (...call: Parameters<typeof gateway.charge>) => {
          const reply = await gateway.charge(...call)
          await asleep
          return reply
        },
      },
      withSlot: { value: <T>(work: () => Promise<T>) => gateway.withSlot(work) },
      available: { get: () => true },
      getStatus: { value: gateway.getStatus.bind(gateway) },
    }) as typeof gateway
    const charging = createCharge({ ...service.ctx, gateway: slow }, input, requestOf())
    await expect.poll(() => chargesOf(order_id)).toBe(1)
    await denyKnowing(3)
    await resolve(3)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
    wake()
    expect(bodyOf(await charging)).toMatchObject({ transaction_status: 'pending' })
    const row = await rowOf(order_id)
    expect(row).toMatchObject({ transaction_status: 'pending', refused: false })
    expect(await alarmsOf(row?.['id'])).toContain('outcome_unknown')
  })
})

describe('406, the order exists', () => {
  test('406 of our own order: the second send of a lost charge finds the first', async () => {
    const order_id = service.fresh('own')
    const input = await chargeOf('bank_transfer', { order_id })
    const request = requestOf('owner-1', order_id)
    await fault('charge', 'timeout_after')
    await fault('charge', 'status', {
      options: { http_status: 200, body: { status_code: '406', status_message: 'order_id taken' } },
    })
    // Twice the gateway does not show what it has, so that it is sent again.
    await denyKnowing(2)
    const attempt = async () => await createCharge(service.ctx, input, request)
    await expect(attempt()).rejects.toMatchObject({ code: 'outcome_unknown' })
    const body = bodyOf(await attempt())
    expect(body).toMatchObject({ order_id, transaction_status: 'pending' })
    expect(body['va_number']).toBeTypeOf('string')
    expect(await chargesOf(order_id)).toBe(1)
  })

  test('406 of another system: its order is never adopted by its id alone', async () => {
    const order_id = service.fresh('theirs')
    await service.ctx.gateway.charge({
      payment_type: 'bank_transfer',
      bank_transfer: { bank: 'bca' },
      transaction_details: { order_id, gross_amount: 150_000 },
    })
    await service.control(`transactions/${order_id}/pay`)
    await fault('charge', 'delay', { options: { ms: 200 } })
    const input = await chargeOf('bank_transfer', { order_id })
    const charging = createCharge(service.ctx, input, requestOf()).catch((error: unknown) => error)
    const row = await expect
      .poll(() => rowOf(order_id))
      .toBeDefined()
      .then(() => rowOf(order_id))
    const seen = await getStatus(service.ctx, caller, String(row?.['id']))
    expect(seen?.payment).toMatchObject({ transaction_status: 'initiated', is_paid: false })
    expect(await charging).toMatchObject({ code: 'gateway_duplicate' })
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  })

  test('once the transaction is known, a reused order id has no effect on it', async () => {
    const { id, order_id } = await charged('bank_transfer')
    await service.control(`transactions/${order_id}/expire`)
    await service.ctx.gateway.charge({
      payment_type: 'bank_transfer',
      bank_transfer: { bank: 'bca' },
      transaction_details: { order_id, gross_amount: 150_000 },
    })
    const seen = await getStatus(service.ctx, caller, id)
    expect(seen?.payment.transaction_status).toBe('expire')
  })
})

describe('an unclear charge ends as soon as a 404 can be believed', () => {
  const look = async (after_ms: number) => {
    await later(after_ms)
    await resolveOperations(service.ctx, 50)
  }

  test('a minute after it was sent, not a minute after the first look', async () => {
    await fault('charge', 'timeout_before')
    await fault('get_status', 'drop_before', { times: 3 })
    const order_id = service.fresh('unmade')
    const input = await chargeOf('bank_transfer', { order_id })
    await createCharge(service.ctx, input, requestOf()).catch(() => undefined)
    // Unreachable at first; then it answers, too soon to be believed.
    await look(40_000)
    expect(await rowOf(order_id)).toMatchObject({ refused: false })
    await look(20_000)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  })
})
