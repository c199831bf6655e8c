import { SCOPES } from 'gapura'
import { expect, test } from 'vitest'
import { useCli } from './cli_bench.ts'

const cli = useCli()
const dewi = { owner_id: 'dewi', staff: true, scopes: SCOPES }

test('erase counts first, and takes a person out only with --yes', async () => {
  const order = { payment_type: 'qris', gross_amount: 150_000, order_id: 'forgotten-1' } as const
  const email = 'forget.me@example.com'
  const input = { ...order, customer_details: { email } }
  const { id } = await cli.gapura.api.createCharge({ ...dewi, owner_id: 'shop' }, input)
  const flags = ['--email', email, '--reason', 'ticket 81']
  const counted = await cli.run(['privacy', 'erase', ...flags])
  expect(counted.stdout).toContain('Would erase 1 payments')
  const { customer_email } = await cli.gapura.api.getPayment(dewi, id)
  expect(customer_email).toBe(email)
  expect(await cli.json('privacy', 'erase', ...flags, '--yes', '--as', 'dewi')).toMatchObject({
    dry_run: false,
    payments: 1,
  })
  expect(await cli.gapura.api.getPayment(dewi, id)).toMatchObject({
    customer_email: null,
    gross_amount: '150000.00',
  })
  const both = await cli.run(['privacy', 'erase', ...flags, '--owner', 'shop'])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('one of them')])
})
