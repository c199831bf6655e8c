import { describe, expect, test } from 'vitest'
import { BODIES, listOf, Rig } from './rig.ts'
import { Subscriber } from './subscriber.ts'

const rig = new Rig().install()
const merchant = new Subscriber(rig)
const qris = { ...BODIES['qris'], metadata: { intent_id: 'i-1' } }

describe('GET /_sim/ledger/effects', () => {
  test('lists each charge with its metadata, its refunds with their reasons, and its history', async () => {
    await rig.charge('order-1', qris)
    await rig.sim('POST /_sim/transactions/order-1/pay')
    await rig.wire('POST /v2/order-1/refund', { refund_key: 'k-1', amount: 10, reason: 'i-2' })
    await rig.sim('POST /_sim/transactions/order-1/refund', { amount: 20 })
    const [one] = listOf(await rig.sim('GET /_sim/ledger/effects'), 'transactions')
    expect(one).toMatchObject({
      order_id: 'order-1',
      origin: 'charge',
      custom: { metadata: { intent_id: 'i-1' } },
      refunds: [
        { refund_key: 'k-1', amount: 10, reason: 'i-2' },
        { amount: 20, reason: 'refunded on the dashboard' },
      ],
      history: [
        { status: 'pending' },
        { status: 'settlement', cause: 'paid' },
        { status: 'partial_refund', cause: 'refund' },
        { status: 'partial_refund', cause: 'refund' },
      ],
    })
    const money = await rig.sim('GET /_sim/ledger?kind=money&operation=refund')
    expect(listOf(money, 'entries')).toMatchObject([{ reason: 'i-2' }, { amount: 20 }])
  })

  test('names the dashboard as the cause of a cancel made there', async () => {
    await rig.charge('order-1', qris)
    await rig.sim('POST /_sim/transactions/order-1/cancel')
    const [one] = listOf(await rig.sim('GET /_sim/ledger/effects'), 'transactions')
    expect(one).toMatchObject({
      history: [{}, { status: 'cancel', cause: 'cancelled on the dashboard' }],
    })
    const again = await rig.refusedBySim('POST /_sim/transactions/order-1/cancel')
    expect(again.http_status).toBe(409)
  })
})

test('GET /_sim/subscriptions lists each change once, however often it was asked for', async () => {
  const id = await merchant.subscribed()
  await merchant.change(id, 'disable')
  await merchant.change(id, 'disable')
  await merchant.change(id, 'enable')
  await merchant.change(id, 'cancel')
  await merchant.change(id, 'cancel')
  const [one] = listOf(await rig.sim('GET /_sim/subscriptions'), 'subscriptions')
  expect(one).toMatchObject({
    id,
    cancelled: true,
    changes: [{ change: 'disable' }, { change: 'enable' }, { change: 'cancel' }],
  })
})

test('a delay after the work sends an answer that newer facts have overtaken', async () => {
  await rig.charge('order-1', qris)
  await rig.fault({ effect: 'delay', times: 1, options: { ms: 300, after: true } })
  const early = rig.wire('GET /v2/order-1/status')
  for (let look = 0; look < 100; look++) {
    if (JSON.stringify(await rig.sim('GET /_sim/faults')).includes('"struck":1')) break
  }
  await rig.sim('POST /_sim/transactions/order-1/pay')
  expect((await early).body).toMatchObject({ transaction_status: 'pending' })
  expect((await rig.wire('GET /v2/order-1/status')).body).toMatchObject({
    transaction_status: 'settlement',
  })
})
