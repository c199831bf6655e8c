// Run by `npm run suite examples-next`, which builds the application first.
import { test } from 'vitest'
import { useExample } from './bench.ts'
import { buy, expectGoodsSent } from './buying.ts'

const folder = process.env['GAPURA_NEXT_APP'] ?? ''
const example = useExample({
  folder,
  command: ['node', 'node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1'],
})

test('charges once, hears of the payment and tells the shop', async () => {
  const { order_id } = await buy(example)
  await expectGoodsSent(example, order_id)
})
