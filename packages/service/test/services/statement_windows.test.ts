// Reading the gateway's statements: closed days, page by page, each line once, against the
// simulator's own account of the same money.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseMoney, sumMoney } from '../../src/domain/money.ts'
import { spanOf } from '../../src/domain/statement.ts'
import { jakartaDay } from '../../src/domain/time.ts'
import { SharedParts } from '../../src/gateway/shared_parts.ts'
import { StatementClient } from '../../src/gateway/statements.ts'
import type { Context } from '../../src/services/context.ts'
import { historyLines } from '../../src/services/statements/gateway_lines.ts'
import { readStatements } from '../../src/services/statements/read_windows.ts'
import type { ReadBudget } from '../../src/services/sweeps/sweep_pages.ts'
import { readClock } from '../../src/store/connection/settings.ts'
import { BUDGET, useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service } = bench
const DAY_MINUTES = 24 * 60
const closing: SharedParts[] = []
let keys: { client_id: string; client_secret: string; partner_id: string; private_key: string }
let ctx: Context

interface Line {
  source: string
  line_key: string
  version: number
  kind: string
  day: string
  status: string | null
  amount: bigint
  fee: bigint | null
  order_id: string | null
}

const linesOf = async (where: string): Promise<Line[]> =>
  await service.database.do(
    async (tx) =>
      await tx.query<Line & Record<string, unknown>>(
        `select source, line_key, version, kind, day, status, amount, fee, order_id
         from gapura.statement_line where ${where} order by line_key, version`,
      ),
  )

const simulated = async (path: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${service.simulator.url}/_sim/${path}`)).json()) as Record<string, unknown>

const today = async (): Promise<string> => jakartaDay(await service.database.do(readClock))

function contextWith({ balance = false, history = true } = {}): Context {
  const shared = new SharedParts({
    server_key: service.simulator.server_key,
    base_url: service.simulator.url,
    retry_delay_ms: 1,
    timeout_ms_max: 500,
    breaker_rest_ms: 1,
    ...(history && { bi_snap: keys }),
  })
  closing.push(shared)
  const client = new StatementClient(shared)
  return { ...service.ctx, statements: { client, balance, days_back: 2 } }
}

const read = async (budget: ReadBudget = BUDGET) => await readStatements(ctx, { budget })

/** So many charges of one day, made at the gateway alone. */
async function chargeMany(count: number): Promise<void> {
  const key = Buffer.from(`${service.simulator.server_key}:`).toString('base64')
  for (let index = 0; index < count; index += 1) {
    await fetch(`${service.simulator.url}/v2/charge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${key}` },
      body: JSON.stringify({
        payment_type: 'qris',
        qris: { acquirer: 'gopay' },
        transaction_details: { order_id: service.fresh('many'), gross_amount: 10_000 + index },
      }),
    })
  }
}

/** Everything is due again, as it is after weeks. */
const dueNow = async (): Promise<void> => {
  await service.database.sql('update gapura.statement_window set next_read_at = gapura.now()')
}

beforeAll(async () => {
  keys = (await service.control('bi_snap/keys')) as typeof keys
  // The service knows none of the orders that are charged at the gateway alone.
  await fetch(`${service.simulator.url}/_sim/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ notification_url: '' }),
  })
})
beforeEach(() => {
  ctx = contextWith()
})
afterEach(async () => {
  await bench.heal()
  await service.database.sql('delete from gapura.statement_window')
  await Promise.all(closing.splice(0).map((shared) => shared.close()))
})

test('without credentials and settings nothing is asked', async () => {
  const before = await bench.calls('list_history')
  ctx = contextWith({ history: false })
  expect(await read()).toEqual({ read: 0, partial: 0, unreachable: 0 })
  expect(await bench.calls('list_history')).toBe(before)
})

test('a day is read once it is over, with fee and status as the gateway has them', async () => {
  const payment = await bench.charged('gopay')
  await bench.pay(payment)
  await read()
  expect(await linesOf(`order_id = '${payment.order_id}'`)).toEqual([])
  const day = await today()
  await bench.pass(DAY_MINUTES + 3 * 60)
  await read()
  const [line, ...more] = await linesOf(`order_id = '${payment.order_id}'`)
  expect(more).toEqual([])
  expect(line).toMatchObject({
    source: 'history_api',
    line_key: `PAYMENT:${payment.transaction_id}`,
    version: 1,
    kind: 'payment',
    day,
    status: 'SETTLEMENT',
  })
  const { lines } = (await simulated('balance?limit=1000')) as {
    lines: { transaction_id: string; amount: string }[]
  }
  const of_payment = lines.filter(({ transaction_id }) => transaction_id === payment.transaction_id)
  expect(line?.amount).toBe(sumMoney(of_payment.map(({ amount }) => parseMoney(amount) ?? 0n)))
})

test('a day that is read again stores nothing; a refund at the gateway is a second version', async () => {
  const payment = await bench.charged('gopay')
  await bench.pay(payment)
  await bench.pass(DAY_MINUTES + 3 * 60)
  await read()
  await dueNow()
  await read()
  const where = `order_id = '${payment.order_id}'`
  expect(await linesOf(where)).toHaveLength(1)
  await service.control(`transactions/${payment.transaction_id}/refund`, {})
  await dueNow()
  await read()
  expect((await linesOf(where)).map(({ version, status }) => [version, status])).toEqual([
    [1, 'SETTLEMENT'],
    [2, 'REFUND'],
  ])
})

describe('a day of several pages', () => {
  const count = 120
  let day: string
  let before: number
  beforeEach(async () => {
    // The first moment of a new day, so that all charges are on it.
    const now = await service.database.do(readClock)
    const next = spanOf(jakartaDay(now)).to.getTime() + 60_000
    await bench.pass(Math.ceil((next - now.getTime()) / 60_000))
    day = await today()
    // The service knows nothing of them.
    await bench.mute()
    await chargeMany(count)
    await bench.heal()
    await bench.pass(DAY_MINUTES + 3 * 60)
    before = await bench.calls('list_history')
  })
  const stored = async () => await linesOf(`day = '${day}'`)
  const asked = async () => (await bench.calls('list_history')) - before

  test('is read until a pass brings nothing new, within the budget of background reads', async () => {
    let taken = 0
    await read({
      take: async () => {
        taken += 1
      },
    })
    expect(await stored()).toHaveLength(count)
    // Two passes of three pages, and one page of the other day.
    expect(await asked()).toBe(7)
    expect(taken).toBe(7)
  })

  test('goes on at the same page after the process was killed between two pages', async () => {
    let taken = 0
    const killed: ReadBudget = {
      take: async () => {
        taken += 1
        if (taken > 3) throw new Error('killed')
      },
    }
    await read(killed)
    const [place] = await service.database.sql(
      `select page, pass from gapura.statement_window where day = '${day}'`,
    )
    expect(place).toEqual({ page: 2, pass: 0 })
    expect(await stored()).toHaveLength(100)
    // Until the lease of the killed process ends, no other process reads this day.
    await read()
    expect(await stored()).toHaveLength(100)
    await bench.pass(3)
    await read()
    expect(await stored()).toHaveLength(count)
    expect(await asked()).toBe(7)
  })

  test('holds each line once although pages shift and lines repeat while it is read', async () => {
    for (const effect of ['shifted_page', 'repeated_lines']) {
      await service.control('faults', { effect, times: 2, probability: 0.7 })
    }
    await read()
    const lines = await stored()
    expect(lines).toHaveLength(count)
    expect(lines.every(({ version }) => version === 1)).toBe(true)
  })

  test('stays at its place while the gateway is away, and says so', async () => {
    await bench.strike('status', 'list_history')
    expect(await read()).toMatchObject({ read: 0 })
    const [place] = await service.database.sql(
      `select failures, last_error, next_read_at > gapura.now() as waits
       from gapura.statement_window where day = '${day}'`,
    )
    expect(place).toEqual({ failures: 1, last_error: 'gateway_failed', waits: true })
    await bench.heal()
    await bench.pass(2)
    await read()
    expect(await stored()).toHaveLength(count)
  })
})

test('the balances of days join, and their movements are the sum of the simulator’s lines', async () => {
  ctx = contextWith({ balance: true, history: false })
  const payment = await bench.charged('bank_transfer')
  await bench.pay(payment)
  await bench.pass(2 * DAY_MINUTES)
  await bench.pay(await bench.charged('qris'))
  await bench.pass(2 * DAY_MINUTES)
  await read()
  await bench.pass(DAY_MINUTES)
  await read()
  const days = await service.database.do(
    async (tx) =>
      await tx.query<{ day: string; amount: bigint; balance: bigint }>(
        `select day, amount, balance from gapura.statement_line
         where source = 'balance_api' order by day`,
      ),
  )
  expect(days).toHaveLength(3)
  for (const [index, { amount, balance }] of days.entries()) {
    if (index > 0) expect(balance - amount).toBe(days[index - 1]?.balance)
  }
  const { overall } = await simulated('balance')
  expect(days.at(-1)?.balance).toBe(parseMoney(overall))
})

describe('a line that cannot be read', () => {
  const good = {
    dateTime: '2026-01-05T12:00:00+07:00',
    amount: { value: '95560.00', currency: 'IDR' },
    additionalInfo: { referenceNo: 't-1', type: 'PAYMENT', customerEmail: 'ani@example.com' },
  }
  const same = (value: unknown): unknown => value

  test.each([
    ['no object', 7],
    ['no amount', { ...good, amount: {} }],
    ['an amount with three decimals', { ...good, amount: { value: '1.005' } }],
    ['a time that is none', { ...good, dateTime: 'soon' }],
    ['no reference', { ...good, additionalInfo: { type: 'PAYMENT' } }],
    [
      'a fee that is no amount',
      { ...good, additionalInfo: { referenceNo: 'x', fee: { value: 'x' } } },
    ],
  ])('%s: it is kept as it is, beside the others', (_, row) => {
    const kinds = historyLines([good, row, good], same).map(({ kind }) => kind)
    expect(kinds).toEqual(['payment', 'unreadable'])
  })

  test('keeps no address of the customer', () => {
    expect(JSON.stringify(historyLines([good], same)[0]?.raw)).not.toMatch(/ani@/)
  })
})
