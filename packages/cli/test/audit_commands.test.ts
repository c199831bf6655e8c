// The audit on the command line, and the rights of an application's role.
import { SCOPES } from 'gapura'
import { expect, test } from 'vitest'
import { DATABASE_URL } from '../../service/test/store/test_database.ts'
import { Pool } from 'pg'
import { useCli, type Json } from './cli_bench.ts'

const cli = useCli()
const shop = { owner_id: 'shop', staff: false, scopes: SCOPES }

test('list and verify print the entries; verify finds a removed row and exits with 1', async () => {
  const made = await cli.json('keys', 'create', '--owner', 'shop', '--name', 'till', '--as', 'dewi')
  await cli.run(['keys', 'revoke', String(made['id']), '--reason', 'lost', '--as', 'eka'])
  const input = { payment_type: 'qris', gross_amount: 5_000 } as const
  const { id } = await cli.gapura.api.createCharge(shop, input)
  await cli.gapura.api.cancelPayment(shop, id)
  await cli.run(['payments', 'show', id])
  const listed = await cli.run(['audit', 'list', '--subject', id])
  expect(listed.stdout).toMatch(/^SEQ +WHEN +WHO +WHAT +ABOUT +OF +WHY\n/)
  expect(listed.stdout).toContain('payment.cancel')
  const keys = await cli.run(['audit', 'list', '--actor', 'eka', '--json'])
  expect(JSON.parse(keys.stdout)).toMatchObject([{ action: 'key.revoke', reason: 'lost' }])

  const before = await cli.run(['audit', 'verify'])
  expect([before.code, before.stdout]).toEqual([0, expect.stringContaining('not sealed yet')])
  expect(before.stdout).toContain('payment.cancel')
  const worker = await cli.gapura.startWorker()
  await expect
    .poll(async () => (await cli.json('audit', 'verify'))['sealed'], { timeout: 15_000 })
    .toBeGreaterThan(2)
  await worker.stop()
  const { head } = (await cli.json('audit', 'verify')) as Json & { head: Json }
  const expected = ['--expect', `${String(head['seq'])}:${String(head['hash'])}`]
  expect((await cli.run(['audit', 'verify', ...expected])).code).toBe(0)
  expect((await cli.run(['audit', 'verify', '--expect', '1'])).code).toBe(2)

  const pool = new Pool({ connectionString: DATABASE_URL, max: 1 })
  const table = `${cli.schema}.audit_sealed`
  await pool.query(`alter table ${table} disable trigger all; delete from ${table} where seq = 2`)
  await pool.end()
  const after = await cli.run(['audit', 'verify'])
  expect([after.code, after.stdout]).toEqual([1, expect.stringContaining('removed: 2 before it')])
})

test('migrate --grants prints SQL, and refuses what is no name', async () => {
  const { stdout, code } = await cli.run(['migrate', '--grants', 'shop_app'])
  expect(code).toBe(0)
  expect(stdout).toContain('to shop_app;')
  expect((await cli.run(['migrate', '--grants', 'x; drop'])).code).toBe(2)
})
