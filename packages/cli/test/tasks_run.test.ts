import { SCOPES, type Caller } from 'gapura'
import { expect, test } from 'vitest'
import { useCli } from './cli_bench.ts'

const cli = useCli()
const shop: Caller = { owner_id: 'shop', staff: false, scopes: SCOPES }

test('tasks run check_payment_status asks the gateway and records that the payer has paid', async () => {
  const input = { payment_type: 'gopay', gross_amount: 150_000, order_id: 'task-1' } as const
  const { id } = await cli.gapura.api.createCharge(shop, input)
  await cli.control('POST', 'transactions/task-1/pay')
  const done = await cli.json('tasks', 'run', 'check_payment_status', '--order', 'task-1')
  expect(done).toMatchObject({ task: 'check_payment_status', outcome: 'moved' })
  expect((await cli.gapura.api.getPayment(shop, id)).is_paid).toBe(true)
})

test.each([
  'check_pending_payments',
  'expire_stale_payments',
  'check_overdue_invoices',
  'sync_subscription_status',
])('tasks run %s reports its counts', async (name) => {
  expect(await cli.json('tasks', 'run', name)).toMatchObject({ task: name, moved: 0 })
})

test('an unknown task, or a missing order, is an error that names what is allowed', async () => {
  const unknown = await cli.run(['tasks', 'run', 'check_everything'])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('check_pending_payments'),
  ])
  const missing = await cli.run(['tasks', 'run', 'check_payment_status'])
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('--order is required'),
  ])
})
