import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../src/domain/payment_type.ts'
import { PeerCell } from '../../src/gateway/peer_cell.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import {
  checkPaymentStatus,
  checkPendingPayments,
  expireStalePayments,
} from '../../src/services/sweeps/check_payments.ts'
import {
  cellReadBudget,
  readBudget,
  type ReadBudget,
} from '../../src/services/sweeps/sweep_pages.ts'
import { OwnerMoves } from '../../src/store/cells/moved_owners.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { checkPaymentsNow } from '../../src/store/payments/checks.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { requestOf } from './service_bench.ts'
import { BUDGET, useSweeps } from './sweep_bench.ts'

const bench = useSweeps()
const { service, charged, pay, pass, sweep, passAndSweep, statusOf, truthOf } = bench

beforeEach(async () => {
  await bench.mute()
})
afterEach(async () => {
  await bench.heal()
})

const check = async (order_id: string) =>
  await checkPaymentStatus(service.ctx, { order_id }, BUDGET)
const eventsOf = async (id: string) =>
  (await service.database.do((tx) => readObjectEvents(tx, id, 1, 100))).map(({ type }) => type)

describe('without a single notification', () => {
  test("every webhook lost: payments of all eleven types end with the status of the gateway's ledger", async () => {
    const payments = await Promise.all(PAYMENT_TYPES.map((type) => charged(type)))
    const unpaid = await Promise.all(['gopay', 'bank_transfer'].map((type) => charged(type)))
    for (const payment of payments.slice(1)) await pay(payment)
    await passAndSweep(4, 5)
    // The card settles with the bank's run of the next day; the account expires after one.
    await passAndSweep(10, 5 * 60)
    for (const { id, order_id, transaction_id } of payments) {
      expect([order_id, await statusOf(id)]).toEqual([order_id, 'settlement'])
      expect(await truthOf(transaction_id)).toBe('settlement')
      expect((await service.ledger(order_id))?.captured).toBe(150_000)
      expect(await eventsOf(id)).toContain('payment_settled')
    }
    for (const { id, transaction_id } of unpaid) {
      expect(await truthOf(transaction_id)).toBe('expire')
      expect(await statusOf(id)).toBe('expire')
    }
    // Nothing is left to check, so the gateway is not called.
    expect(await sweep()).toMatchObject({ moved: 0, unchanged: 0, unreachable: 0 })
  })

  test('a gateway down for ten minutes delays them and loses none', async () => {
    const payments = await Promise.all([charged('gopay'), charged('qris'), charged('ovo')])
    for (const payment of payments) await pay(payment)
    await bench.strike('drop_before')
    await passAndSweep(5, 2)
    for (const { id } of payments) {
      expect(await statusOf(id)).toBe('pending')
      expect((await bench.nextCheckOf(id))?.['in_s']).toBeLessThanOrEqual(900)
    }
    await bench.heal()
    await bench.mute()
    await passAndSweep(3, 10)
    for (const { id } of payments) expect(await statusOf(id)).toBe('settlement')
  })

  test('payments reported during the sweep are still checked once in it', async () => {
    const ids: string[] = []
    for (let n = 0; n < 24; n++) ids.push((await charged('bank_transfer')).id)
    await pass(15)
    const before = await bench.calls('get_status')
    // With the last of the first page a report about each of them arrives again.
    let asked = 0
    const take = async () => {
      asked += 1
      if (asked === 20) await service.database.do((tx) => checkPaymentsNow(tx, ids))
    }
    const swept = await checkPendingPayments(service.ctx, { budget: { take } })
    expect((await bench.calls('get_status')) - before).toBe(24)
    expect(swept.unchanged).toBe(24)
    // The next sweep checks them again.
    await sweep()
    expect((await bench.calls('get_status')) - before).toBeGreaterThan(30)
    await service.database.sql(
      "update gapura.gateway_payment set next_check_at = gapura.now() + interval '8 hours' where id = any($1)",
      [ids],
    )
  })

  test('two sweeps at once check each payment once', async () => {
    for (let n = 0; n < 6; n++) await charged('bank_transfer')
    await pass(15)
    const before = await bench.calls('get_status')
    const swept = await Promise.all([sweep(), sweep()])
    expect((await bench.calls('get_status')) - before).toBe(6)
    expect(swept.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(6)
  })
})

describe('one check', () => {
  test('sets the next one by the plan when nothing changed', async () => {
    const { id, order_id } = await charged('bank_transfer')
    await pass(15)
    expect(await check(order_id)).toMatchObject({ outcome: 'unchanged' })
    expect(await bench.nextCheckOf(id)).toMatchObject({ check_attempts: 1 })
    expect((await bench.nextCheckOf(id))?.['in_s']).toBeGreaterThan(40 * 60)
  })

  test('is skipped without a call where nothing is left to learn, or there is no such order', async () => {
    const payment = await charged('gopay')
    await pay(payment)
    expect(await check(payment.order_id)).toMatchObject({
      outcome: 'moved',
      transaction_status: 'settlement',
    })
    const before = await bench.calls('get_status')
    expect(await check(payment.order_id)).toMatchObject({ outcome: 'skipped' })
    expect(await check('unknown')).toMatchObject({ outcome: 'skipped' })
    expect(await bench.calls('get_status')).toBe(before)
  })

  test('of an order unknown to the gateway changes nothing, waits longer, and opens an alarm in the end', async () => {
    const { id, order_id } = await charged('bank_transfer')
    const lost = `${order_id}-lost`
    await service.database.sql(
      'update gapura.gateway_payment set order_id = $2, transaction_id = $2 where id = $1',
      [id, lost],
    )
    const waits: unknown[] = []
    for (let round = 0; round < 4; round++) {
      expect(await bench.alarmsOf(id)).toEqual([])
      expect(await check(lost)).toMatchObject({ outcome: 'not_found' })
      waits.push((await bench.nextCheckOf(id))?.['in_s'])
    }
    expect(await statusOf(id)).toBe('pending')
    expect(await bench.alarmsOf(id)).toEqual(['outcome_unknown'])
    expect(waits).toEqual([60, 120, 240, 480].map((s) => expect.closeTo(s, -1) as number))
  })

  test('of a gateway that is unreachable waits twice as long each time, at most 15 minutes', async () => {
    const { id, order_id } = await charged('bank_transfer')
    await bench.strike('drop_before')
    const waits: unknown[] = []
    for (let round = 0; round < 8; round++) {
      expect(await check(order_id)).toMatchObject({ outcome: 'unreachable' })
      waits.push((await bench.nextCheckOf(id))?.['in_s'])
    }
    const expected = [30, 60, 120, 240, 480, 900, 900, 900]
    expect(waits).toEqual(expected.map((s) => expect.closeTo(s, -1) as number))
    expect(await statusOf(id)).toBe('pending')
  })
})

test('money that comes after the end is looked up and recorded, with an alarm', async () => {
  const { id, order_id, transaction_id } = await charged('bank_transfer')
  const report = async (transaction_status: string, status_code: string) => {
    const signed = { order_id, status_code, gross_amount: '150000.00' }
    const signature_key = signNotification(signed, service.simulator.server_key)
    const body = { ...signed, transaction_id, transaction_status, signature_key }
    await receiveNotification(service.ctx, body)
  }
  await report('expire', '202')
  expect(await statusOf(id)).toBe('expire')
  await pay({ transaction_id })
  await report('settlement', '200')
  // Not on a report alone.
  expect(await statusOf(id)).toBe('expire')
  // An answer may be older than the end for a minute.
  await sweep()
  expect(await statusOf(id)).toBe('expire')
  await bench.passAndSweep(2, 1)
  expect(await statusOf(id)).toBe('settlement')
  expect(await bench.alarmsOf(id)).toEqual(['late_money'])
  expect(await eventsOf(id)).toEqual(['payment_received', 'payment_expired', 'payment_settled'])
})

describe('a pending payment past its expiry', () => {
  const stale = async () => await expireStalePayments(service.ctx, { budget: BUDGET })
  const forget = async (id: string) =>
    await service.database.sql(
      'update gapura.gateway_payment set next_check_at = null where id = $1',
      [id],
    )

  test('that was not checked is checked, and ends as the gateway says', async () => {
    const quiet = await charged('qris')
    const paid = await charged('qris')
    await pay(paid)
    await forget(quiet.id)
    await forget(paid.id)
    await pass(20)
    expect(await stale()).toBe(2)
    expect(await statusOf(quiet.id)).toBe('expire')
    expect(await statusOf(paid.id)).toBe('settlement')
    expect(await stale()).toBe(0)
  })

  test('by our clock alone stays pending, and is checked again within ten minutes', async () => {
    const { id } = await charged('qris')
    await service.database.do((tx) => moveClock(tx, 20 * 60_000))
    await forget(id)
    expect(await stale()).toBe(0)
    expect(await statusOf(id)).toBe('pending')
    const { caller } = requestOf()
    expect(await readPayment(service.ctx, caller, id)).toMatchObject({ is_expired: true })
    expect((await bench.nextCheckOf(id))?.['in_s']).toBeLessThan(600)
    await service.control('clock/advance', { minutes: 20 })
  })
})

test('the budget allows one second’s worth at once and spreads the rest', async () => {
  const budget = readBudget(400)
  const begun = performance.now()
  await Promise.all(Array.from({ length: 400 }, () => budget.take()))
  expect(performance.now() - begun).toBeLessThan(150)
  await Promise.all(Array.from({ length: 100 }, () => budget.take()))
  expect(performance.now() - begun).toBeGreaterThan(240)
  expect(() => readBudget(0)).toThrow(RangeError)
})

test('a cell takes its share of the rate, and a service alone takes the whole', async () => {
  const peers = ['b', 'c'].map((name) => new PeerCell(name, 'http://127.0.0.1:9'))
  const cell = { name: 'a', peers, moves: new OwnerMoves(service.ctx.db) }
  const waited = async (budget: ReadBudget, reads: number): Promise<number> => {
    const begun = performance.now()
    await Promise.all(Array.from({ length: reads }, () => budget.take()))
    return performance.now() - begun
  }
  const of_cell = cellReadBudget({ cell }, 600)
  expect(await waited(of_cell, 200)).toBeLessThan(150)
  expect(await waited(of_cell, 50)).toBeGreaterThan(180)
  expect(await waited(cellReadBudget({}, 600), 250)).toBeLessThan(150)
  // Five a second by default.
  expect(await waited(cellReadBudget({ cell }), 2)).toBeGreaterThan(180)
  expect(await waited(cellReadBudget({}), 2)).toBeLessThan(150)
})
