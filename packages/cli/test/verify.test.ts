// The promises of a living database, and our payments against the simulator's ledger.
import { SCOPES } from 'gapura'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../service/test/store/test_database.ts'
import { inProcess, lineOf, useCli, type Json } from './cli_bench.ts'

const cli = useCli()
const shop = { owner_id: 'shop', staff: true, scopes: SCOPES }

beforeAll(async () => {
  const api = cli.start(['serve'])
  const { url } = JSON.parse(await lineOf(api, /"listening"/)) as { url: string }
  await cli.control('PATCH', 'settings', { notification_url: `${url}/notification/` })
  for (const signal of ['payment_refunded', 'payment_cancelled', 'invoice_paid']) {
    await cli.json('trigger', signal)
  }
})

const charge = async (order_id: string) => {
  const input = { payment_type: 'gopay', gross_amount: 150_000, order_id } as const
  const { id } = await cli.gapura.api.createCharge(shop, input)
  return id
}

describe('the database alone', () => {
  test('0: every promise holds; only an address is needed, and progress goes beside the result', async () => {
    const { DATABASE_URL, GAPURA_SCHEMA } = cli.environment()
    const spoken = await inProcess(['verify'], { DATABASE_URL, GAPURA_SCHEMA })
    expect(spoken.code).toBe(0)
    expect(spoken.stdout).toMatch(/^I-01 +holds +/)
    expect(spoken.stdout).toMatch(/\n\d+ promises, 0 broken, [\d.]+ s\n$/)
    expect(spoken.stderr).toMatch(/1 of \d+ questions answered/)
    const { ok, checked } = await cli.json('verify')
    expect(ok).toBe(true)
    expect((checked as Json[]).length).toBeGreaterThan(20)
  })

  test('1: a broken promise is named with an example', async () => {
    const id = await charge('broken-1')
    await cli.control('POST', 'transactions/broken-1/pay')
    const look = async () => (await cli.gapura.api.getPayment(shop, id)).transaction_status
    await eventually(look, (status) => status === 'settlement')
    const paid = 'update gapura.gateway_payment set paid_at = $2 where id = $1'
    await cli.sql(paid, [id, null])
    const { code, json } = await cli.run(['verify', '--json'])
    const spoken = await cli.run(['verify'])
    await cli.sql(paid, [id, new Date()])
    expect([code, json['ok']]).toEqual([1, false])
    const broken = (json['checked'] as Json[]).filter(({ violations }) => violations !== 0)
    expect(broken.find((one) => one['id'] === 'I-14')).toMatchObject({
      violations: 1,
      examples: [{ subject: id }],
    })
    expect(spoken.stdout).toMatch(/I-14 +BROKEN by 1 +/)
  })

  test('6 if the tables do not exist', async () => {
    const { code, error } = await cli.run(['verify', '--json'], { GAPURA_SCHEMA: 'no_such' })
    expect([code, error['message']]).toEqual([
      6,
      'The schema no_such has no tables of this release',
    ])
  })
})

describe('against the ledger', () => {
  const compared = async (...more: string[]) =>
    await cli.run(['verify', '--simulator', cli.simulator.url, ...more])

  test('0 where every order agrees', async () => {
    const spoken = await compared()
    expect([spoken.code, spoken.stdout]).toEqual([
      0,
      expect.stringMatching(/\n\d+ payments against \d+ orders of the ledger, 0 differences\n$/),
    ])
  })

  test('1 for what the gateway has otherwise, order by order', async () => {
    await charge('unheard-1')
    await cli.control('POST', 'faults', { effect: 'muted', match: { operation: 'notification' } })
    await cli.control('POST', 'transactions/unheard-1/pay')
    const spoken = await compared()
    expect(spoken.code).toBe(1)
    expect(spoken.stdout).toContain('unheard-1 pending, not settlement')
    expect(spoken.stdout).toContain('unheard-1 (pending, there settlement) 0, not 150000')
    const { json } = await compared('--json')
    const { differences } = json['ledger'] as {
      differences: { promise: string; items: string[] }[]
    }
    expect(differences.filter(({ items }) => items.length > 0)).toHaveLength(2)
    await cli.control('DELETE', 'faults')
    await cli.json('payments', 'check', 'unheard-1')
    expect((await compared()).code).toBe(0)
  })

  test('2 where no simulator answers', async () => {
    for (const url of ['http://127.0.0.1:1', 'simulator']) {
      const { code, error } = await cli.run(['verify', '--simulator', url, '--json'])
      expect([code, error['code']]).toEqual([2, 'no_simulator'])
    }
  })
})
