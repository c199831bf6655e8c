import { describe, expect, test } from 'vitest'
import { useExample } from './running_example.ts'
import { buy, expectGoodsSent } from './buying.ts'

// As `npm start` does, but without npm, which would not pass on the stop signal.
const HOSTS = {
  express: ['node', 'server.ts'],
  fastify: ['node', 'server.ts'],
  hono: ['node', 'server.ts'],
  nestjs: ['node', 'dist/main.js'],
} as const

describe.each(Object.entries(HOSTS))('%s', (folder, command) => {
  const example = useExample({ folder, command })

  test('charges once, receives the payment, calls the subscriber, and stops on SIGTERM', async () => {
    const { order_id } = await buy(example)
    await expectGoodsSent(example, order_id)
    // Nest runs its hooks and then sends itself the same signal.
    expect(await example.stop()).toBe(folder === 'nestjs' ? 'SIGTERM' : 0)
  })
})
