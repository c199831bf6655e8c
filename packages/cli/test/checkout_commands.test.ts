// Payment links from the command line, against the simulator's page.
import { expect, test } from 'vitest'
import { useCli, type Json } from './cli_bench.ts'

const cli = useCli()

test('a link is created, shown, listed, and cancelled', async () => {
  const flags = ['--owner', 'shop', '--description', 'by phone', '--order-id', 'link-1']
  const made = await cli.run(['checkouts', 'create', '150000', ...flags])
  expect(made.stdout).toMatch(/^http:\S+\/redirection\/\S+\n$/)
  expect(made.stderr).toMatch(/status +open/)
  // A repeat is the same page.
  expect((await cli.run(['checkouts', 'create', '150000', ...flags])).stdout).toBe(made.stdout)

  const listed = await cli.json('checkouts', 'list', '--status', 'open', '--order-id', 'link-1')
  const [found] = listed['results'] as Json[]
  expect(found).toMatchObject({ order_id: 'link-1', amount: '150000.00', description: 'by phone' })
  // The page is for those who ask for one checkout.
  expect(found).not.toHaveProperty('redirect_url')
  const id = String(found?.['id'])
  expect((await cli.run(['checkouts', 'show', id])).stdout).toContain(made.stdout.trim())

  const ended = await cli.json('checkouts', 'cancel', id, '--reason', 'a mistake')
  expect(ended).toMatchObject({ status: 'cancelled', redirect_url: null })
  expect((await cli.run(['checkouts', 'list', '--status', 'open'])).stdout).toBe('No checkouts.\n')
})

test.each([
  [['checkouts', 'create', '150000'], '--owner'],
  [['checkouts', 'cancel', 'x'], '--reason'],
  [['checkouts', 'create', '1.5', '--owner', 'shop'], 'whole rupiah'],
  [['checkouts', 'create', '150000', '--owner', 'shop', '--minutes', '4'], 'minutes'],
])('%j is refused: %s', async (line, words) => {
  const refused = await cli.run(line)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(words)
})
