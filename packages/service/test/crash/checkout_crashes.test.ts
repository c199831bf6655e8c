// A process that dies while it creates or cancels a payment page. The gateway cannot look a page up:
// whatever it answers to a repeat, one order has at most one page that anyone can open.
import { afterEach, describe, expect, test } from 'vitest'
import { createCheckout } from '../../src/services/checkouts/actions.ts'
import { CRASH_POINTS } from '../../src/services/context.ts'
import { AMOUNT, useCheckouts } from '../services/checkout_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { crash } from './crash.ts'

const bench = useCheckouts()
const { service } = bench

afterEach(bench.heal)

const pointsOf = (flow: string) => CRASH_POINTS.filter((point) => point.startsWith(`${flow}.`))

/** Died before anything was committed: nothing exists, and nothing was sent. */
const UNWRITTEN = ['create.key_claimed', 'create.inserted', 'create.operation_inserted']

async function prepare(point: string): Promise<void> {
  const refusal = { http_status: 400, body: { error_messages: ['no'] } }
  if (point.endsWith('.refused'))
    await bench.fault('create_checkout', 'status', { options: refusal })
  if (point.endsWith('.unclear')) await bench.fault('create_checkout', 'drop_after')
}

async function dieCreating(point: string) {
  const order_id = service.fresh('crash')
  const body = { amount: AMOUNT, order_id }
  const request = requestOf('owner-1', order_id)
  await prepare(point)
  const order = { flow: 'create_checkout' as const, payment_id: '', body, request }
  expect(await crash(service, point, order)).toBe(true)
  await fetch(`${service.simulator.url}/_sim/faults`, { method: 'DELETE' })
  return { order_id, again: async () => await createCheckout(service.ctx, body, request) }
}

const openOperations = async (id: unknown) =>
  (await bench.operationsOf(String(id))).filter(
    ({ state }) => state === 'started' || state === 'unknown',
  )

describe.each(['new', 'same', 'refused'])('a creation, a repeat answered with: %s', (repeat) => {
  test.each(pointsOf('create'))('%s, and the caller does not repeat it', async (point) => {
    await bench.settings({ checkout_repeat: repeat })
    const { order_id } = await dieCreating(point)
    await bench.resolve(20)
    const [row, second] = await bench.byOrder(order_id)
    expect([row === undefined, second]).toEqual([UNWRITTEN.includes(point), undefined])
    if (row === undefined) return
    expect(['open', 'failure']).toContain(row['status'])
    expect(row['token'] === null).toBe(row['status'] === 'failure')
    expect(await openOperations(row['id'])).toEqual([])
  })

  test.each(pointsOf('create'))('%s, and the caller repeats it', async (point) => {
    await bench.settings({ checkout_repeat: repeat })
    const { order_id, again } = await dieCreating(point)
    await again().catch(() => undefined)
    await bench.resolve(20)
    const answer = await again().catch(() => undefined)
    const known = (await bench.byOrder(order_id)).filter(({ token }) => token !== null)
    expect(known.length).toBeLessThanOrEqual(1)
    const [open] = known
    if (open === undefined) return
    const checkout = bodyOf(answer ?? (await again()))
    expect(checkout).toMatchObject({ id: open['id'], status: 'open', token: open['token'] })
    const pages = await bench.pagesOf(order_id)
    expect(pages.map(({ token }) => token)).toContain(open['token'])
    expect(await bench.eventsOf(checkout.id)).toEqual(['checkout_created'])
    expect(await openOperations(checkout.id)).toEqual([])
  })
})

// Whatever the gateway answers, the checkout is cancelled here: it is never refused or unclear.
const CANCELLING = pointsOf('action').filter((point) => !/refused|unclear/.test(point))

describe('a cancellation', () => {
  test.each(CANCELLING)('%s', async (point) => {
    await bench.settings({ checkout_cancel: true })
    const order_id = service.fresh('crash')
    const { id } = await bench.create({ order_id })
    await bench.choose(order_id, 'bca_va')
    await bench.sweepAll()
    const request = requestOf('owner-1', service.fresh('key'))
    const order = { flow: 'cancel_checkout' as const, payment_id: id, body: {}, request }
    expect(await crash(service, point, order)).toBe(true)
    await bench.resolve(3)
    await bench.cancel(id, request)
    expect(await openOperations(id)).toEqual([])
    expect(await bench.read(id)).toMatchObject({ status: 'cancelled', token: null })
    const events = await bench.eventsOf(id)
    expect(events).toEqual(['checkout_created', 'checkout_cancelled'])
    const payments = await bench.paymentsOf(id)
    expect(payments.map(({ transaction_status }) => transaction_status)).toEqual(['cancel'])
  })
})
