// Run by `npm run suite examples-next`, which builds the application first.
import { test } from 'vitest'
import { useExample } from './running_example.ts'
import { buy, expectGoodsSent } from './buying.ts'

const folder = process.env['GAPURA_NEXT_APP'] ?? ''
const example = useExample({
  folder,
  command: ['node', 'node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1'],
})

test('charges once, receives the payment and calls the subscriber', async () => {
  const { order_id } = await buy(example)
  await expectGoodsSent(example, order_id)
})
