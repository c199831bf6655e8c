import { expect, test } from 'vitest'
import { always, CHARGE, clientOf, replyServer, type Answer } from './reply_server.ts'

const found = always(200, { status_code: '200', transaction_status: 'settlement' })

const pending = always(200, {
  status_code: '201',
  order_id: 'order-1',
  transaction_status: 'pending',
})

/** A server that keeps the first `max` matching requests waiting until `release`. */
async function holdingServer(max: number, answer: Answer, method = 'POST') {
  const held: (() => void)[] = []
  let holding = true
  const { url, received } = await replyServer((response, request) => {
    const hold = holding && request.method === method && held.length < max
    if (hold) held.push(() => answer(response, request))
    else (request.method === 'GET' ? found : pending)(response, request)
  })
  const release = (): void => {
    holding = false
    for (const answerNow of held) answerNow()
  }
  return { url, received, held, release }
}

test('while reads use every slot they may, a charge is sent at once', async () => {
  const { url, held, release } = await holdingServer(100, found, 'GET')
  const client = clientOf(url, { connections_max: 8 })
  const questions = ['a', 'b'].flatMap((owner) =>
    Array.from({ length: 10 }, async () => await client.forOwner(owner).getStatus('order-1')),
  )
  await expect.poll(() => held.length).toBe(6)
  const charge = await client.forOwner('a').charge(CHARGE)
  expect(charge).toMatchObject({ order_id: 'order-1' })
  expect(held).toHaveLength(6)
  release()
  expect(await Promise.all(questions)).toHaveLength(20)
})

test('while one owner uses every slot it may, a charge of another owner is sent at once', async () => {
  const { url, received, held, release } = await holdingServer(7, pending)
  const client = clientOf(url, { connections_max: 8 })
  const charges = Array.from({ length: 20 }, async () => await client.forOwner('a').charge(CHARGE))
  await expect.poll(() => held.length).toBe(7)
  const charge = await client.forOwner('b').charge(CHARGE)
  expect(charge).toMatchObject({ order_id: 'order-1' })
  expect(received).toHaveLength(8)
  release()
  expect(await Promise.all(charges)).toHaveLength(20)
})

test('a call that waits too long for a slot is refused with gateway_unavailable, and nothing is sent', async () => {
  const { url, received, held, release } = await holdingServer(1, found, 'GET')
  const client = clientOf(url, { connections_max: 1, slot_wait_ms_max: 50 })
  const first = client.getStatus('order-1')
  await expect.poll(() => held.length).toBe(1)
  await expect(client.charge(CHARGE)).rejects.toMatchObject({
    code: 'gateway_unavailable',
    stage: 'before',
    definite: true,
    retry_after_s: 5,
  })
  expect(received).toHaveLength(1)
  release()
  await first
})

test('a slot taken as one owner serves the calls of another owner inside it', async () => {
  const { url } = await replyServer(found)
  const client = clientOf(url, { connections_max: 1, waiting_max: 0 })
  const inside = await client
    .forOwner('a')
    .withSlot(async () => await client.forOwner('b').getStatus('order-1'))
  expect(inside.transaction_status).toBe('settlement')
})
