import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import type { GatewayClient } from '../../src/gateway/client.ts'
import { Resilience } from '../../src/gateway/resilience.ts'
import { always, CHARGE, clientOf, replyServer, type Answer } from './reply_server.ts'

const found = always(200, { status_code: '200', transaction_status: 'settlement' })

const pending = always(200, {
  status_code: '201',
  order_id: 'order-1',
  transaction_status: 'pending',
})

/** Fails the first n requests with this answer, then passes them. */
function failing(times: number, failure: Answer): Answer {
  let left = times
  return (response, request) => {
    left -= 1
    return (left >= 0 ? failure : found)(response, request)
  }
}

describe('retries', () => {
  test('a read is retried after a failure of the gateway, at most three times in all', async () => {
    const recovering = await replyServer(failing(2, always(503, '<html>')))
    await expect(clientOf(recovering.url).getStatus('order-1')).resolves.toMatchObject({
      transaction_status: 'settlement',
    })
    expect(recovering.received).toHaveLength(3)

    const down = await replyServer(always(503, '<html>'))
    await expect(clientOf(down.url).getStatus('order-1')).rejects.toMatchObject({
      code: 'gateway_failed',
    })
    expect(down.received).toHaveLength(3)
  })

  test.each([
    ['404', 'gateway_not_found'],
    ['401', 'gateway_authentication_failed'],
    ['429', 'gateway_rate_limited'],
  ])('a read answered %s is not retried', async (status_code, code) => {
    const { url, received } = await replyServer(always(200, { status_code }))
    await expect(clientOf(url).getStatus('order-1')).rejects.toMatchObject({ code })
    expect(received).toHaveLength(1)
  })

  test.each([
    ['a 5xx', always(503, '<html>')],
    ['silence cut short', (response) => void response.destroy()],
    ['garbage', always(200, '<html>')],
  ] satisfies [string, Answer][])(
    'an order is never sent again by itself: %s',
    async (_, answer) => {
      const { url, received } = await replyServer(answer)
      const client = clientOf(url)
      await expect(client.charge(CHARGE)).rejects.toMatchObject({ definite: false })
      await expect(
        client.refund({ order_id: 'order-1', refund_key: 'r-1', amount: 1 }),
      ).rejects.toMatchObject({ definite: false })
      expect(received).toHaveLength(2)
    },
  )
})

describe('the circuit breaker', () => {
  const down = always(503, '<html>')
  const failUntilOpen = async (client: GatewayClient, failures: number) => {
    for (let i = 0; i < failures; i++) await client.charge(CHARGE).catch(() => undefined)
  }

  test('opens when half of the last calls failed, and sends nothing while open', async () => {
    const { url, received } = await replyServer(down)
    const client = clientOf(url, { breaker_rest_ms: 60_000 })
    await failUntilOpen(client, 10)
    expect(client.available).toBe(false)
    await expect(client.charge(CHARGE)).rejects.toMatchObject({
      code: 'gateway_unavailable',
      stage: 'before',
      definite: true,
    })
    expect(received).toHaveLength(10)
  })

  test('is available again after its rest, and a charge may be the probe', async () => {
    const answer = { now: down }
    const { url } = await replyServer((response, request) => answer.now(response, request))
    const client = clientOf(url, { breaker_rest_ms: 50 })
    await failUntilOpen(client, 10)
    expect(client.available).toBe(false)
    answer.now = pending
    await expect.poll(() => client.available).toBe(true)
    await expect(client.charge(CHARGE)).resolves.toMatchObject({ order_id: 'order-1' })
    expect(client.available).toBe(true)
  })

  test('does not make a charge wait for the probe of another', async () => {
    const answer = { now: down }
    const { url } = await replyServer((response, request) => answer.now(response, request))
    const client = clientOf(url, { breaker_rest_ms: 30 })
    await failUntilOpen(client, 10)
    await expect.poll(() => client.available).toBe(true)
    answer.now = (response, request) => void setTimeout(() => pending(response, request), 300)
    const probe = client.charge(CHARGE)
    expect(client.available).toBe(false)
    const begun = performance.now()
    await expect(client.charge(CHARGE)).rejects.toMatchObject({ code: 'gateway_unavailable' })
    expect(performance.now() - begun).toBeLessThan(200)
    await probe
  })

  test.each([
    ['refusals', always(200, { status_code: '412' })],
    ['a bank in trouble behind the gateway', always(200, { status_code: '502' })],
    ['one card tried too often', always(200, { status_code: '409' })],
    ['the first request still running', always(202, {})],
  ])('stays closed through %s: the gateway works', async (_, answer) => {
    const { url } = await replyServer(answer)
    const client = clientOf(url)
    for (let i = 0; i < 25; i++) await client.cancel('order-1').catch(() => undefined)
    expect(client.available).toBe(true)
  })

  test('counts refusals as successes: one failure in six does not open it', async () => {
    let calls = 0
    const refuse = always(200, { status_code: '412' })
    const { url } = await replyServer((response, request) =>
      (++calls % 6 === 0 ? down : refuse)(response, request),
    )
    const client = clientOf(url)
    for (let i = 0; i < 120; i++) await client.cancel('order-1').catch(() => undefined)
    expect(client.available).toBe(true)
  })
})

describe('slots', () => {
  test('limit the calls in flight and those that wait; one of three is reserved for writes', async () => {
    let open = 0
    let peak = 0
    const { url } = await replyServer((response, request) => {
      peak = Math.max(peak, ++open)
      setTimeout(() => {
        open -= 1
        found(response, request)
      }, 30)
    })
    const client = clientOf(url, { connections_max: 3, waiting_max: 4 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.getStatus('order-1')),
    )
    expect(peak).toBe(2)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(4)
    expect(refused[0]?.reason).toMatchObject({ code: 'gateway_unavailable', stage: 'before' })
  })

  test('a slot held for a charge serves the calls inside it', async () => {
    const { url } = await replyServer(found)
    const client = clientOf(url, { connections_max: 1, waiting_max: 0 })
    const inside = await client.withSlot(() => client.withSlot(() => client.getStatus('order-1')))
    expect(inside.transaction_status).toBe('settlement')
    await client.withSlot(async () => {
      await client.getStatus('order-1')
    })
  })

  test('work left in a timer after the slot was released has no slot', async () => {
    let open = 0
    let peak = 0
    const { url } = await replyServer((response, request) => {
      peak = Math.max(peak, ++open)
      setTimeout(() => {
        open -= 1
        found(response, request)
      }, 30)
    })
    const client = clientOf(url, { connections_max: 8, waiting_max: 8 })
    const slots = new Resilience({
      concurrent_max: 1,
      waiting_max: 8,
      slot_wait_ms_max: 5_000,
      retry_delay_ms: 1,
      breaker_rest_ms: 1_000,
    })
    const late = Promise.withResolvers<unknown>()
    await slots.withSlot(async () => {
      const ask = () => slots.withSlot(() => client.getStatus('order-1'))
      setTimeout(() => late.resolve(Promise.all([ask(), ask(), ask()])), 20)
      await Promise.resolve()
    })
    await late.promise
    expect(peak).toBe(1)
  })

  test('a call that waited runs in its own async context, not in that of the call before it', async () => {
    const slots = new Resilience({
      concurrent_max: 1,
      waiting_max: 8,
      slot_wait_ms_max: 5_000,
      retry_delay_ms: 1,
      breaker_rest_ms: 1_000,
    })
    const request = new AsyncLocalStorage<string>()
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        request.run(name, () =>
          slots.withSlot(async () => {
            await new Promise((resolve) => setTimeout(resolve, 5))
            return request.getStore()
          }),
        ),
      ),
    )
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  test('an observer that throws does not fail a charge', async () => {
    const { url } = await replyServer(pending)
    const client = clientOf(url, {
      observe: () => {
        throw new Error('the log is full')
      },
    })
    await expect(client.charge(CHARGE)).resolves.toMatchObject({ order_id: 'order-1' })
  })

  test('a guard refuses calls inside a database transaction', async () => {
    const { url, received } = await replyServer(found)
    const client = clientOf(url, {
      guard: () => {
        throw new Error('inside a transaction')
      },
    })
    await expect(client.getStatus('order-1')).rejects.toThrow('inside a transaction')
    expect(received).toHaveLength(0)
  })
})
