// Staff accounts from the command line: how the first person of an installation gets in.
import { expect, test } from 'vitest'
import { useCli, type Json } from './cli_bench.ts'

const cli = useCli()
const LINK = /^https:\/\/shop\.example\/pay\/dashboard\/#\/join\?token=gpl_[0-9a-f]{64}\n$/

test('an invitation prints a link, a second one for the same address another; the account is disabled', async () => {
  const email = 'dewi@shop.example'
  const line = ['staff', 'invite', '--email', email, '--url', 'https://shop.example/pay/']
  const first = await cli.run([...line, '--name', 'Dewi'])
  expect(first.stdout).toMatch(LINK)
  expect(first.stderr).toContain('role admin')
  const second = await cli.run(line)
  expect(second.stdout).toMatch(LINK)
  expect(second.stdout).not.toBe(first.stdout)

  const listed = (await cli.json('staff', 'list'))['results'] as Json[]
  expect(listed).toMatchObject([{ staff_id: 'dewi', name: 'Dewi', role: 'admin', email }])
  expect(JSON.stringify(listed)).not.toContain('gpl_')

  const why = ['--reason', 'left the company']
  const ended = await cli.run(['staff', 'disable', '--email', email.toUpperCase(), ...why])
  expect(ended.stdout).toContain('Disabled')
  const entries = (await cli.json(
    'audit',
    'list',
    '--action',
    'person.update',
  )) as unknown as Json[]
  expect(entries).toMatchObject([{ reason: 'left the company' }])
})

test.each([
  [['staff', 'invite', '--email', 'no address'], 2],
  [['staff', 'invite', '--email', 'eka@shop.example', '--role', 'captain'], 2],
  [['staff', 'disable', '--email', 'stranger@shop.example'], 3],
])('%j ends with exit code %d', async (line, code) => {
  expect((await cli.run(line)).code).toBe(code)
})
