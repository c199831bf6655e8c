import { describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Rig, type Body } from './rig.ts'

const rig = new Rig().install()

/** A small generator of the test's own, so that the run is the same every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return Math.floor((state / 0x8000_0000) * sides)
  }
}

interface Totals {
  charges: number
  authorized: number
  released: number
  captured: number
  settled: number
  refunded: number
  reversed: number
  charged_back: number
  fees: number
}

const summaryOf = async (): Promise<Record<string, Totals>> =>
  (await rig.sim('GET /_sim/ledger/summary'))['orders'] as Record<string, Totals>

async function allMoney(): Promise<Body[]> {
  const entries: Body[] = []
  for (let since = 0, more = true; more;) {
    const page = await rig.sim(`GET /_sim/ledger?kind=money&since=${since}&limit=100`)
    entries.push(...listOf(page, 'entries'))
    since = Number(page['next_since'])
    more = page['more'] === true
  }
  return entries
}

describe('the ledger', () => {
  test('records every call with its result', async () => {
    const body = await rig.charge('order-1', BODIES['bca'] ?? {}, { 'idempotency-key': 'key-1' })
    await rig.charge('order-1', BODIES['bca'] ?? {}, { 'idempotency-key': 'key-1' })
    await rig.status('order-1')
    const page = await rig.sim('GET /_sim/ledger?kind=call')
    expect(listOf(page, 'entries')).toMatchObject([
      {
        sequence: 1,
        operation: 'charge',
        method: 'POST',
        path: '/v2/charge',
        order_id: 'order-1',
        transaction_id: idOf(body),
        idempotency_key: 'key-1',
        http_status: 200,
        status_code: '201',
        work_done: true,
        replayed: false,
      },
      { operation: 'charge', replayed: true, work_done: false },
      { operation: 'get_status', path: '/v2/{id}/status', order_id: 'order-1' },
    ])
    expect(JSON.stringify(page)).not.toContain('SB-Mid-server')
  })

  test('filters by kind, operation and order, and goes on from a sequence number', async () => {
    await rig.charge('order-1', BODIES['bca'] ?? {})
    await rig.charge('order-2', BODIES['bca'] ?? {})
    await rig.act('order-2', 'pay')
    const count = async (query: string): Promise<number> =>
      listOf(await rig.sim(`GET /_sim/ledger?${query}`), 'entries').length
    expect(await count('operation=charge')).toBe(2)
    expect(await count('order_id=order-2')).toBe(3)
    expect(await count('kind=money&operation=settle')).toBe(1)
    expect(await count('since=2')).toBe(2)
    expect(await count('since=4')).toBe(0)
  })

  test('sums up what each order has moved and how often each operation was called', async () => {
    await rig.charge('order-1', BODIES['gopay'] ?? {})
    await rig.act('order-1', 'pay')
    await rig.wire('POST /v2/order-1/refund', { amount: 4000 })
    const summary = await rig.sim('GET /_sim/ledger/summary')
    expect(summary).toMatchObject({
      orders: { 'order-1': { charges: 1, captured: 44_000, settled: 44_000, refunded: 4000 } },
      calls: { charge: 1, refund: 1 },
    })
  })
})

describe('money is conserved', () => {
  const NAMES = Object.keys(BODIES)
  const CARDS = ['4811111111111114', '4511111111111117', '4911111111111113']
  const ACTIONS = [
    'pay',
    'pay',
    'pay',
    'deny',
    'expire',
    'settle',
    'reverse',
    'chargeback',
    'refund',
    'finish_3ds',
  ]

  async function openAtRandom(order_id: string, roll: (sides: number) => number): Promise<void> {
    if (roll(3) > 0) {
      await rig.charge(order_id, BODIES[NAMES[roll(NAMES.length)] ?? 'bca'] ?? {})
      return
    }
    const kinds: Body[] = [{}, { authentication: true }, { type: 'authorize' }]
    await rig.card(order_id, kinds[roll(3)], CARDS[roll(3)])
  }

  async function actAtRandom(order_id: string, roll: (sides: number) => number): Promise<void> {
    const amount = 1 + roll(44_000)
    const page = await rig.sim(`GET /_sim/transactions?order_id=${order_id}`)
    const id = idOf(listOf(page, 'transactions').at(-1) ?? {})
    switch (roll(8)) {
      case 0:
        await rig.wire(`POST /v2/${id}/cancel`)
        break
      case 1:
        await rig.wire('POST /v2/capture', { transaction_id: id, gross_amount: amount })
        break
      case 2:
        await rig.wire(`POST /v2/${id}/refund`, { amount })
        break
      case 3:
        await rig.wire(`POST /v2/${id}/refund/online/direct`, { refund_key: `k-${roll(3)}` })
        break
      case 4:
        await rig.wire(`POST /v2/${id}/${roll(2) === 0 ? 'approve' : 'deny'}`)
        break
      case 5:
        if (roll(4) === 0) await rig.advance({ hours: roll(30) })
        break
      default: {
        // Refused actions are part of the run: they must not move money.
        const action = ACTIONS[roll(ACTIONS.length)]
        const body = JSON.stringify(roll(2) === 0 ? { amount } : {})
        await fetch(`${rig.url}/_sim/transactions/${id}/${action}`, { method: 'POST', body })
      }
    }
  }

  test.each([3, 17, 2026])('over a random run of seed %i', async (seed) => {
    const roll = dice(seed)
    await rig.sim('PATCH /_sim/settings', { balance: 0, notification_url: '', customer_fee: 0 })
    const orders: string[] = []
    for (let step = 0; step < 600; step += 1) {
      if (orders.length === 0 || roll(4) === 0) {
        orders.push(`order-${orders.length}`)
        await openAtRandom(orders.at(-1) ?? '', roll)
      }
      const recent = orders.slice(-8)
      await actAtRandom(recent[roll(recent.length)] ?? '', roll)
    }
    const summary = await summaryOf()
    const money = await allMoney()
    expect(money.length).toBeGreaterThan(60)
    let payable = 0
    for (const [order_id, totals] of Object.entries(summary)) {
      const own = money.filter((entry) => entry['order_id'] === order_id)
      const sum = (movement: string): number =>
        own
          .filter((entry) => entry['movement'] === movement)
          .reduce((total, { amount }) => total + Number(amount), 0)
      expect(totals.captured).toBe(sum('capture'))
      expect(totals.settled).toBe(sum('settle'))
      expect(totals.refunded).toBe(sum('refund'))
      expect(totals.reversed + totals.released).toBe(sum('reverse'))
      expect(totals.charged_back).toBe(sum('chargeback'))
      expect(totals.settled).toBeLessThanOrEqual(totals.captured)
      const returned = totals.refunded + totals.charged_back + totals.reversed
      expect(returned).toBeLessThanOrEqual(totals.captured)
      const { purse } = await rig.sim(`GET /_sim/transactions/${order_id}`)
      expect(purse).toMatchObject({ captured: totals.captured, refunded: totals.refunded })
      const out_of_hold = own
        .filter(({ movement, source }) => movement === 'capture' && source === 'hold')
        .reduce((total, { amount }) => total + Number(amount), 0)
      const { held } = purse as { held: number }
      expect(totals.authorized).toBe(totals.released + out_of_hold + held)
      const taken_back = own
        .filter(({ source }) => source === 'settlement')
        .reduce((total, { amount }) => total + Number(amount), 0)
      payable += totals.settled - totals.refunded - totals.charged_back - taken_back
    }
    expect((await rig.sim('GET /_sim/settings'))['balance']).toBe(payable)
  })
})
