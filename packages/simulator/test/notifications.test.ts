import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Receiver, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()
const bca = BODIES['bca'] ?? {}

const signatureOf = (body: Body): string =>
  createHash('sha512')
    .update(`${textOf(body, 'order_id')}${textOf(body, 'status_code')}`)
    .update(`${textOf(body, 'gross_amount')}SB-Mid-server-simulator`)
    .digest('hex')

const deliveriesOf = async (order_id: string): Promise<Body[]> =>
  listOf(await rig.sim(`GET /_sim/deliveries?order_id=${order_id}`), 'deliveries')

describe('a payment notification', () => {
  test('is posted as JSON by Veritrans and signed over its own strings', async () => {
    await rig.charge('order-1', bca)
    await rig.act('order-1', 'pay')
    await rig.quiet()
    expect(rig.hook.statuses()).toEqual(['pending', 'settlement'])
    for (const { method, headers, body } of rig.hook.received) {
      expect(method).toBe('POST')
      expect(headers).toMatchObject({
        'user-agent': 'Veritrans',
        'content-type': 'application/json',
      })
      expect(body['signature_key']).toBe(signatureOf(body))
    }
  })

  test.each([
    ['settlement', 'pay', '200'],
    ['expire', 'expire', '202'],
    ['deny', 'deny', '202'],
    ['failure', 'fail', '202'],
  ])('of %s after %s carries code %s', async (status, action, status_code) => {
    await rig.charge('order-1', bca)
    await rig.act('order-1', action)
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({
      transaction_status: status,
      status_code,
    })
  })

  test('of a cancelled order says 202 although the call said 200', async () => {
    await rig.charge('order-1', bca)
    expect((await rig.wire('POST /v2/order-1/cancel')).body).toMatchObject({ status_code: '200' })
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ status_code: '202' })
  })

  test('of an expired order says 202 although call and status say 407', async () => {
    await rig.charge('order-1', bca)
    expect((await rig.wire('POST /v2/order-1/expire')).body).toMatchObject({ status_code: '407' })
    expect(await rig.status('order-1')).toMatchObject({ status_code: '407' })
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ status_code: '202' })
  })

  test('never overtakes an earlier one of its order that is still under way', async () => {
    await rig.sim('PATCH /_sim/settings', { notification_timeout_ms: 150 })
    const arrivals: number[] = []
    rig.hook.answer = ({ body }) => {
      arrivals.push(performance.now())
      return body['transaction_status'] === 'pending' ? 'never' : { status: 200 }
    }
    await rig.charge('order-1', bca)
    await rig.act('order-1', 'pay')
    await rig.quiet()
    const [pending = 0, settlement = 0] = arrivals
    expect(rig.hook.statuses()).toEqual(['pending', 'settlement'])
    // Half the time-out is far above what two sends side by side would need.
    expect(settlement - pending).toBeGreaterThan(75)
  })

  test('of a paid BNI account lists the payment', async () => {
    await rig.charge('order-1', BODIES['bni'] ?? {})
    await rig.act('order-1', 'pay')
    await rig.quiet()
    expect(rig.hook.received.at(-1)?.body['payment_amounts']).toEqual([
      { paid_at: '2026-01-05 12:00:00', amount: '44000.00' },
    ])
  })
})

describe('a reply of the merchant decides the retries', () => {
  const RETRIES: [number, number][] = [
    [200, 0],
    [201, 0],
    [204, 0],
    [500, 1],
    [503, 4],
    [400, 2],
    [404, 2],
    [301, 0],
    [302, 0],
    [303, 0],
    [401, 5],
    [403, 5],
    [429, 5],
    [502, 5],
  ]

  test.each(RETRIES)('%i is retried %i times', async (status, retries) => {
    rig.hook.answer = () => ({ status, location: '/elsewhere' })
    await rig.charge('order-1', bca)
    await rig.advance({ hours: 20 })
    expect(rig.hook.received).toHaveLength(1 + retries)
    const [delivery = {}] = await deliveriesOf('order-1')
    const delivered = status < 300
    expect(delivery['state']).toBe(delivered ? 'delivered' : 'given_up')
    expect(listOf(delivery, 'attempts').map(({ http_status }) => http_status)).toEqual(
      Array.from({ length: 1 + retries }, () => status),
    )
  })

  test('a time-out is retried 5 times, at 2, 10, 30, 90 and 210 minutes give or take', async () => {
    await rig.sim('PATCH /_sim/settings', { notification_timeout_ms: 50 })
    rig.hook.answer = () => 'never'
    await rig.charge('order-1', bca)
    await rig.advance({ hours: 20 })
    const [delivery = {}] = await deliveriesOf('order-1')
    const times = listOf(delivery, 'attempts').map((attempt) => Date.parse(textOf(attempt, 'at')))
    const waits = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 60_000)
    expect(waits).toHaveLength(5)
    for (const [index, wait] of [2, 10, 30, 90, 210].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wait * 0.275)
      expect(waits[index]).toBeLessThanOrEqual(wait * 1.725)
    }
  })

  test('the waits are shifted by the seed, and the same seed shifts them alike', async () => {
    const attempts = async (seed: number): Promise<unknown[]> => {
      await rig.sim('POST /_sim/reset', { seed })
      rig.hook.answer = () => ({ status: 401 })
      await rig.charge('order-1', bca)
      await rig.advance({ hours: 20 })
      const [delivery = {}] = await deliveriesOf('order-1')
      return listOf(delivery, 'attempts').map(({ at }) => at)
    }
    const first = await attempts(7)
    expect(await attempts(7)).toEqual(first)
    expect(await attempts(8)).not.toEqual(first)
  })

  test.each([307, 308])('%i is followed with POST and the same body', async (status) => {
    rig.hook.answer = ({ path }) =>
      path === '/payment' ? { status, location: '/moved' } : { status: 200 }
    await rig.charge('order-1', bca)
    await rig.advance({ hours: 1 })
    const hops = rig.hook.received.slice(0, 2).map(({ method, path }) => `${method} ${path}`)
    expect(hops).toEqual(['POST /payment', 'POST /moved'])
    expect(rig.hook.received[1]?.body).toEqual(rig.hook.received[0]?.body)
    const [delivery = {}] = await deliveriesOf('order-1')
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ hops: 1 }] })
  })

  test('a redirect that never ends is followed for five hops', async () => {
    rig.hook.answer = () => ({ status: 307, location: '/round' })
    await rig.charge('order-1', bca)
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(6)
  })

  test('a retry that succeeds is the last one', async () => {
    rig.hook.answer = () => ({ status: rig.hook.received.length < 3 ? 503 : 200 })
    await rig.charge('order-1', bca)
    await rig.advance({ minutes: 30 })
    expect(rig.hook.received).toHaveLength(3)
    await rig.advance({ hours: 20 })
    expect(rig.hook.received).toHaveLength(3)
  })
})

describe('where a notification goes', () => {
  const other = new Receiver()
  beforeAll(async () => {
    await other.start()
  })
  afterAll(async () => {
    await other.stop()
  })

  test('X-Override-Notification replaces the dashboard URL for the life of the order', async () => {
    other.received = []
    await rig.charge('order-1', bca, { 'x-override-notification': `${other.url}/a` })
    await rig.act('order-1', 'pay')
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(0)
    expect(other.received.map(({ path }) => path)).toEqual(['/a', '/a'])
  })

  test('X-Append-Notification adds to it, up to three URLs in all', async () => {
    other.received = []
    const urls = ['a', 'b', 'c'].map((path) => `${other.url}/${path}`).join(',')
    await rig.charge('order-1', bca, { 'x-append-notification': urls })
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(1)
    expect(other.received.map(({ path }) => path).sort()).toEqual(['/a', '/b'])
  })

  test('with both headers only the override counts', async () => {
    other.received = []
    await rig.charge('order-1', bca, {
      'x-override-notification': `${other.url}/o`,
      'x-append-notification': `${other.url}/p`,
    })
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(0)
    expect(other.received.map(({ path }) => path)).toEqual(['/o'])
  })

  test('without any URL it is recorded but not sent', async () => {
    await rig.sim('PATCH /_sim/settings', { notification_url: '' })
    await rig.charge('order-1', bca)
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(0)
    expect(await deliveriesOf('order-1')).toMatchObject([{ state: 'no_url', url: null }])
  })
})

describe('GET /_sim/deliveries', () => {
  test('a delivery can be sent again by hand', async () => {
    await rig.charge('order-1', bca)
    await rig.quiet()
    const [delivery = {}] = await deliveriesOf('order-1')
    await rig.sim(`POST /_sim/deliveries/${textOf(delivery, 'id')}/resend`)
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(2)
    expect(rig.hook.received[1]?.body).toEqual(rig.hook.received[0]?.body)
  })

  test('filters by transaction and pages', async () => {
    const first = await rig.charge('order-1', bca)
    await rig.charge('order-2', bca)
    await rig.quiet()
    const one = await rig.sim(`GET /_sim/deliveries?transaction_id=${idOf(first)}`)
    expect(listOf(one, 'deliveries')).toHaveLength(1)
    const rest = await rig.sim('GET /_sim/deliveries?after=1&limit=5')
    expect(listOf(rest, 'deliveries')).toMatchObject([{ order_id: 'order-2' }])
  })
})
