import { describe, expect, test } from 'vitest'
import { BODIES, idOf, listOf, Rig, textOf, type Body } from './rig.ts'

const rig = new Rig().install()

const refund = async (id: string, body?: Body) =>
  (await rig.wire(`POST /v2/${id}/refund`, body)).body
const directRefund = async (id: string, body?: Body) =>
  (await rig.wire(`POST /v2/${id}/refund/online/direct`, body)).body

/** A paid order of 44,000. */
async function paid(name: string, order_id = 'order-1'): Promise<string> {
  const opened = await rig.charge(order_id, BODIES[name] ?? {})
  await rig.act(idOf(opened), 'pay')
  return idOf(opened)
}

async function settledCard(order_id = 'order-1', card: Body = {}): Promise<string> {
  const charged = await rig.card(order_id, card)
  await rig.act(order_id, 'settle')
  return idOf(charged)
}

describe('who can be refunded', () => {
  test.each(['bca', 'bni', 'bri', 'cimb', 'permata', 'echannel', 'indomaret', 'alfamart'])(
    '412 for %s, always',
    async (name) => {
      expect(await refund(await paid(name))).toMatchObject({ status_code: '412' })
    },
  )

  test.each(['gopay', 'qris', 'dana', 'akulaku', 'kredivo'])('%s, also in part', async (name) => {
    const id = await paid(name)
    expect(await refund(id, { amount: 4000 })).toMatchObject({
      status_code: '200',
      transaction_status: 'partial_refund',
      refund_amount: '4000.00',
    })
    expect(await refund(id)).toMatchObject({
      transaction_status: 'refund',
      refund_amount: '40000.00',
    })
  })

  test.each(['shopeepay', 'ovo'])('%s, but only in full', async (name) => {
    const id = await paid(name)
    expect(await refund(id, { amount: 4000 })).toMatchObject({ status_code: '414' })
    expect(await refund(id)).toMatchObject({ status_code: '200', transaction_status: 'refund' })
  })

  test('412 before settlement and after the last rupiah', async () => {
    await rig.card('order-1')
    expect(await refund('order-1')).toMatchObject({ status_code: '412' })
    await rig.act('order-1', 'settle')
    expect(await refund('order-1')).toMatchObject({ status_code: '200' })
    expect(await refund('order-1')).toMatchObject({ status_code: '412' })
  })

  test.each([
    ['gopay', 45],
    ['ovo', 7],
    ['kredivo', 14],
    ['shopeepay', 365],
  ])('%s within %i days', async (name, days) => {
    const id = await paid(name)
    await rig.advance({ days, seconds: 1 })
    expect(await refund(id)).toMatchObject({ status_code: '412' })
  })

  test('QRIS paid by another bank only within 7 days', async () => {
    const opened = await rig.charge('order-1', BODIES['qris'] ?? {})
    await rig.act('order-1', 'pay', { transaction_type: 'off-us', issuer: 'dana' })
    await rig.advance({ days: 8 })
    expect(await refund(idOf(opened))).toMatchObject({ status_code: '412' })
  })
})

describe('how much', () => {
  test('414 for more than is left, 400 for decimals', async () => {
    await settledCard()
    expect(await refund('order-1', { amount: 44_001 })).toMatchObject({ status_code: '414' })
    expect(await refund('order-1', { amount: 10.5 })).toMatchObject({ status_code: '400' })
    await refund('order-1', { amount: 40_000 })
    expect(await refund('order-1', { amount: 4001 })).toMatchObject({ status_code: '414' })
    expect(await refund('order-1', { amount: 4000 })).toMatchObject({
      transaction_status: 'refund',
    })
  })

  test('414 while the balance is too low; the same key works once it is not', async () => {
    await settledCard()
    await rig.sim('PATCH /_sim/settings', { balance: 100 })
    const body = { refund_key: 'key-1', amount: 5000 }
    expect(await refund('order-1', body)).toMatchObject({ status_code: '414' })
    await rig.sim('PATCH /_sim/settings', { balance: 1_000_000 })
    await rig.advance({ days: 6 })
    expect(await refund('order-1', body)).toMatchObject({ status_code: '200' })
    expect(await rig.sim('GET /_sim/settings')).toMatchObject({ balance: 995_000 })
  })
})

describe('a refund key', () => {
  test('406 once it has succeeded, also when everything is refunded', async () => {
    await settledCard()
    await refund('order-1', { refund_key: 'key-1', amount: 5000 })
    const again = await refund('order-1', { refund_key: 'key-1', amount: 5000 })
    expect(again).toMatchObject({ status_code: '406', status_message: 'Duplicate refund ID' })
    await refund('order-1', { refund_key: 'key-2' })
    expect(await refund('order-1', { refund_key: 'key-2' })).toMatchObject({ status_code: '406' })
    expect(await rig.money('order-1')).toEqual([
      ['capture', 44_000],
      ['settle', 44_000],
      ['refund', 5000],
      ['refund', 39_000],
    ])
  })

  test('412 more than seven days after its first attempt', async () => {
    await settledCard()
    await rig.sim('PATCH /_sim/settings', { balance: 0 })
    await refund('order-1', { refund_key: 'key-1' })
    await rig.sim('PATCH /_sim/settings', { balance: null })
    await rig.advance({ days: 7, seconds: 1 })
    expect(await refund('order-1', { refund_key: 'key-1' })).toMatchObject({ status_code: '412' })
    expect(await refund('order-1', { refund_key: 'key-2' })).toMatchObject({ status_code: '200' })
  })

  test('is made up when missing, so every call is a new refund', async () => {
    await settledCard()
    const first = await refund('order-1', { amount: 1000 })
    const second = await refund('order-1', { amount: 1000 })
    expect(first['refund_key']).not.toBe(second['refund_key'])
    expect(await rig.status('order-1')).toMatchObject({ refund_amount: '2000.00' })
  })
})

describe('a direct refund', () => {
  test('is done at once, and its answer is cumulative', async () => {
    await settledCard()
    await directRefund('order-1', { amount: 1000 })
    expect(await directRefund('order-1', { amount: 2000 })).toMatchObject({
      status_code: '200',
      refund_amount: '3000.00',
      transaction_status: 'partial_refund',
    })
  })

  test('202 when the bank denies it: nothing moves and nothing is sent', async () => {
    await settledCard()
    await rig.act('order-1', 'refuse_next', { operation: 'direct_refund' })
    await rig.quiet()
    const before = rig.hook.received.length
    expect(await directRefund('order-1', { refund_key: 'key-1' })).toMatchObject({
      status_code: '202',
      transaction_status: 'settlement',
      refund_amount: '0.00',
    })
    await rig.quiet()
    expect(rig.hook.received).toHaveLength(before)
    expect(await directRefund('order-1', { refund_key: 'key-1' })).toMatchObject({
      status_code: '200',
    })
  })

  test('412 for a card of a bank that has none', async () => {
    await settledCard('order-1', { bank: 'mandiri' })
    expect(await directRefund('order-1')).toMatchObject({ status_code: '412' })
    expect(await refund('order-1')).toMatchObject({ status_code: '200' })
  })

  test.each([
    ['23:54:59', '200'],
    ['23:55:00', '202'],
    ['05:59:59', '202'],
    ['06:00:00', '200'],
  ])('of ShopeePay at %s in Jakarta: %s', async (time, status_code) => {
    const id = await paid('shopeepay')
    await rig.sim('POST /_sim/clock/set', { now: `2026-01-07 ${time}` })
    expect(await directRefund(id)).toMatchObject({ status_code })
  })
})

describe('refund notifications', () => {
  test('come twice: first without, then with bank_confirmed_at', async () => {
    await settledCard()
    await rig.quiet()
    rig.hook.received = []
    await refund('order-1', { refund_key: 'key-1', amount: 5000, reason: 'broken' })
    await rig.advance({ days: 2 })
    expect(rig.hook.statuses()).toEqual(['partial_refund', 'partial_refund'])
    const entries = rig.hook.received.map(({ body }) => listOf(body, 'refunds')[0] ?? {})
    expect(entries[0]).toMatchObject({ refund_key: 'key-1', refund_amount: '5000.00' })
    expect(entries[0]).not.toHaveProperty('bank_confirmed_at')
    expect(entries[1]).toHaveProperty('bank_confirmed_at')
  })

  test('report refunds made on the dashboard, whose keys the merchant did not choose', async () => {
    await settledCard()
    await rig.act('order-1', 'refund', { amount: 7000 })
    const [entry = {}] = listOf(await rig.status('order-1'), 'refunds')
    expect(textOf(entry, 'refund_key')).toMatch(/^dashboard-/)
    expect(entry).toMatchObject({ refund_amount: '7000.00' })
  })
})

describe('other ways money goes back', () => {
  test.each(['permata', 'echannel', 'indomaret'])('%s can be reversed: deny', async (name) => {
    await paid(name)
    await rig.advance({ minutes: 3 })
    await rig.act('order-1', 'reverse')
    await rig.quiet()
    expect(rig.hook.statuses()).toEqual(['pending', 'settlement', 'deny'])
    expect(rig.hook.received.at(-1)?.body).toMatchObject({ status_code: '202' })
    expect((await rig.money('order-1')).at(-1)).toEqual(['reverse', 44_000])
  })

  test('a reversal takes the merchant’s part from the balance and gives the fee back too', async () => {
    await rig.sim('PATCH /_sim/settings', { customer_fee: 2500, balance: 0 })
    await paid('permata')
    expect(await rig.sim('GET /_sim/settings')).toMatchObject({ balance: 44_000 })
    await rig.act('order-1', 'reverse')
    expect(await rig.sim('GET /_sim/settings')).toMatchObject({ balance: 0 })
    expect(await rig.money('order-1')).toEqual([
      ['capture', 46_500],
      ['settle', 44_000],
      ['reverse', 46_500],
    ])
    expect(await rig.sim('GET /_sim/ledger/summary')).toMatchObject({
      orders: { 'order-1': { captured: 46_500, reversed: 46_500, fees: 2500 } },
    })
  })

  test('409 reversing what is never reversed', async () => {
    await paid('bca')
    const answer = await rig.refusedBySim('POST /_sim/transactions/order-1/reverse')
    expect(answer.http_status).toBe(409)
  })

  test('a chargeback in part, then in full', async () => {
    await settledCard()
    await rig.sim('PATCH /_sim/settings', { balance: 50_000 })
    await rig.act('order-1', 'chargeback', { amount: 4000 })
    expect(await rig.sim('GET /_sim/settings')).toMatchObject({ balance: 46_000 })
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'partial_chargeback' })
    await rig.act('order-1', 'chargeback')
    expect(await rig.status('order-1')).toMatchObject({ transaction_status: 'chargeback' })
    expect((await rig.money('order-1')).slice(2)).toEqual([
      ['chargeback', 4000],
      ['chargeback', 40_000],
    ])
  })
})
