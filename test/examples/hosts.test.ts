import { describe, expect, test } from 'vitest'
import { useExample } from './bench.ts'
import { buy, expectGoodsSent } from './buying.ts'

// As `npm start` does, without npm in between, which would not hand on the signal to stop.
const HOSTS = {
  express: ['node', 'server.ts'],
  fastify: ['node', 'server.ts'],
  hono: ['node', 'server.ts'],
  nestjs: ['node', 'dist/main.js'],
} as const

describe.each(Object.entries(HOSTS))('%s', (folder, command) => {
  const example = useExample({ folder, command })

  test('charges once, hears of the payment, tells the shop, and stops when asked', async () => {
    const { order_id } = await buy(example)
    await expectGoodsSent(example, order_id)
    // Nest lets its hooks run and then sends itself the same signal.
    expect(await example.stop()).toBe(folder === 'nestjs' ? 'SIGTERM' : 0)
  })
})
