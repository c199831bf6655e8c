import { describe, expect, test } from 'vitest'
import { always, CHARGE, clientOf, replyServer, type Answer } from './reply_server.ts'

const found = always(200, { status_code: '200', transaction_status: 'settlement' })

/** Fails the first n requests with this answer, then lets them through. */
function failing(times: number, failure: Answer): Answer {
  let left = times
  return (response, request) => {
    left -= 1
    return (left >= 0 ? failure : found)(response, request)
  }
}

describe('asking again', () => {
  test('a question is asked again after a failure of the gateway, at most three times in all', async () => {
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
  ])('a question answered %s is not asked again', async (status_code, code) => {
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
        client.refund({ order_id: 'order-1', refund_key: 'r-1', amount: 100n }),
      ).rejects.toMatchObject({ definite: false })
      expect(received).toHaveLength(2)
    },
  )
})

describe('the breaker', () => {
  test('opens when half of the last calls failed, sends nothing while open, and tries again', async () => {
    const { url, received } = await replyServer(failing(12, always(500, '')))
    const client = clientOf(url, { breaker_rest_ms: 150 })
    for (let i = 0; i < 12 && client.available; i++) {
      await client.charge(CHARGE).catch(() => undefined)
    }
    expect(client.available).toBe(false)
    const sent = received.length
    await expect(client.charge(CHARGE)).rejects.toMatchObject({
      code: 'gateway_unavailable',
      stage: 'before',
      definite: true,
    })
    expect(received).toHaveLength(sent)

    // Two more failures are left in the server: each half-open try may spend one.
    await expect
      .poll(
        () =>
          client.getStatus('order-1').then(
            () => true,
            () => false,
          ),
        { timeout: 5_000 },
      )
      .toBe(true)
    expect(client.available).toBe(true)
  })

  test('stays closed through refusals: the gateway is at work', async () => {
    const { url } = await replyServer(always(200, { status_code: '412' }))
    const client = clientOf(url)
    for (let i = 0; i < 25; i++) await client.cancel('order-1').catch(() => undefined)
    expect(client.available).toBe(true)
  })
})

describe('the semaphore', () => {
  test('bounds what is under way, and what waits for it', async () => {
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
    expect(peak).toBe(3)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(3)
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

  test('a guard keeps calls out of a database transaction', async () => {
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
