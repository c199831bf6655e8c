// The ledger on the command line.
import { SCOPES } from 'gapura'
import { expect, test } from 'vitest'
import { useCli, type Json } from './cli_bench.ts'

const cli = useCli()
const shop = { owner_id: 'shop', staff: false, scopes: SCOPES }

test('balances, journal, back-fill and corrections of a paid payment', async () => {
  const input = { payment_type: 'gopay', gross_amount: 5_000 } as const
  const { id, order_id } = await cli.gapura.api.createCharge(shop, input)
  await cli.control('POST', `transactions/${order_id}/pay`)
  await cli.gapura.api.checkStatus(shop, id)

  const balances = await cli.run(['ledger', 'balances'])
  expect(balances.stdout).toMatch(/gateway:pending +5000\.00 +0\.00 +5000\.00\n/)
  expect(balances.stdout).toMatch(/sum of all accounts 0\.00; closed until -\n$/)
  const journal = await cli.run(['ledger', 'journal', '--payment', id])
  expect(journal.stdout).toMatch(/received +sales:shop +gateway:pending +5000\.00/)
  const page = await cli.json('ledger', 'journal', '--payment', id)
  expect((page['results'] as Json[])[0]).toMatchObject({ id, owner_id: 'shop' })

  const booked = await cli.run(['ledger', 'backfill', '--finish', '--as', 'dewi'])
  expect(booked).toMatchObject({ code: 0, stdout: 'Booked 0 payments.\n' })
  const corrected = await cli.run(['ledger', 'correct', id, '--reason', 'to be sure'])
  expect(corrected.stdout).toBe('The accounts of this payment are right.\n')
  const closed = await cli.run(['ledger', 'close-day', '2026-01-31', '--as', 'dewi'])
  expect(closed.stdout).toBe('Closed until 2026-01-31.\n')
  expect((await cli.run(['verify'])).code).toBe(0)
})

test.each([
  [['ledger', 'journal', '--day', '2026-13-01'], 'day'],
  [['ledger', 'close-day', '2999-01-01'], 'it must be before'],
  [['ledger', 'balances', '--day', 'yesterday'], 'day'],
])('%j is refused: %s', async (line, words) => {
  const refused = await cli.run(line)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain(words)
})
