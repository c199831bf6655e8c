// A webhook suite by misfortune: whatever order, number or company reports come in, the payment ends
// where the gateway's own books say, with an unbroken history and each thing told once.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/check_status.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payment.ts'
import { readObjectEvents } from '../../src/store/events.ts'
import { listTransitions } from '../../src/store/transitions.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const { caller } = requestOf()

type Notice = Record<string, unknown> & { order_id: string }

/** Signs a report as the gateway would, over the strings it carries. */
function signed(notice: Notice): Notice {
  const { order_id } = notice
  const fields = {
    order_id,
    status_code: String(notice['status_code']),
    gross_amount: String(notice['gross_amount']),
  }
  return { ...notice, signature_key: signNotification(fields, service.simulator.server_key) }
}

const deliver = async (notice: Notice) => await receiveNotification(service.ctx, signed(notice))

async function* permutations<T>(items: readonly T[]): AsyncGenerator<T[]> {
  if (items.length <= 1) {
    yield [...items]
    return
  }
  for (const [index, first] of items.entries()) {
    for await (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest]
  }
}

/** The history of I-13: one row a version, each beginning where the last one ended. */
async function checkHistory(id: string): Promise<void> {
  const history = await service.database.do((tx) => listTransitions(tx, id))
  const [row] = await service.database.sql(
    'select version from gapura.gateway_payment where id = $1',
    [id],
  )
  expect(history.map(({ version }) => version)).toEqual(
    Array.from({ length: Number(row?.['version']) }, (_, index) => index + 1),
  )
  expect(history[0]).toMatchObject({ from_status: null, to_status: 'initiated' })
  for (const [index, step] of history.entries()) {
    if (index > 0) expect(step.from_status).toBe(history[index - 1]?.to_status)
  }
}

const told = async (id: string) =>
  (await service.database.do((tx) => readObjectEvents(tx, id, 1, 100))).map(({ type }) => type)

/** A card payment the gateway has authorized, captured, settled and paid back in two parts. */
async function livedThrough() {
  const order_id = service.fresh('life')
  await service.control('faults', { effect: 'muted', match: { order_id_prefix: order_id } })
  const input = await chargeOf('credit_card', { order_id, capture: false })
  const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  const { gateway } = service.ctx
  await gateway.capture({ transaction_id: String(transaction_id), gross_amount: 15_000_000n })
  await service.control(`transactions/${order_id}/settle`)
  const refund = async (refund_key: string, amount: bigint) =>
    await gateway.refund({ order_id, refund_key, amount })
  await refund(`${order_id}-a`, 5_000_000n)
  await refund(`${order_id}-b`, 10_000_000n)
  const refunds = (await gateway.getStatus(order_id)).refunds ?? []
  const common = {
    order_id,
    transaction_id,
    payment_type: 'credit_card',
    gross_amount: '150000.00',
  }
  const report = (transaction_status: string, more: object = {}) => ({
    ...common,
    transaction_status,
    status_code: '200',
    fraud_status: 'accept',
    ...more,
  })
  const reports: Notice[] = [
    report('pending', { status_code: '201' }),
    report('authorize'),
    report('capture'),
    report('settlement'),
    report('partial_refund', { refund_amount: '50000.00', refunds: refunds.slice(0, 1) }),
    report('refund', { refund_amount: '150000.00', refunds }),
  ]
  return { id, order_id, reports }
}

describe('every order of six reports', () => {
  test("all 720 end in the gateway's state after one look, with one payment_settled", async () => {
    let orders = 0
    const template = ['pending', 'authorize', 'capture', 'settlement', 'partial_refund', 'refund']
    const lives: Promise<void>[] = []
    for await (const order of permutations(template)) {
      orders += 1
      lives.push(live(order))
      // Eight lives at a time: the database has twenty connections.
      if (lives.length % 8 === 0) await Promise.all(lives.splice(0))
    }
    await Promise.all(lives)
    expect(orders).toBe(720)
  }, 240_000)

  async function live(order: readonly string[]): Promise<void> {
    const { id, order_id, reports } = await livedThrough()
    for (const status of order) {
      const notice = reports.find(({ transaction_status }) => transaction_status === status)
      if (notice !== undefined) await deliver(notice)
    }
    await getStatus(service.ctx, caller, id)
    const payment = await readPayment(service.ctx, caller, id)
    expect(payment).toMatchObject({
      transaction_status: 'refund',
      captured_amount: '150000.00',
      refund_amount: '150000.00',
    })
    expect(await service.ledger(order_id)).toMatchObject({ captured: 150_000, refunded: 150_000 })
    const events = await told(id)
    expect(events.filter((type) => type === 'payment_settled')).toHaveLength(1)
    expect(events.filter((type) => type === 'payment_received')).toHaveLength(1)
    expect(events.at(-1)).toBe('payment_refunded')
    await checkHistory(id)
  }
})

describe('late and early', () => {
  test("a webhook before the charge's own reply is applied to the written-down payment", async () => {
    const order_id = service.fresh('early')
    await service.control('faults', {
      effect: 'early',
      match: { order_id_prefix: order_id },
      times: 1,
    })
    const input = await chargeOf('gopay', { order_id })
    const body = bodyOf(await createCharge(service.ctx, input, requestOf()))
    expect(body).toMatchObject({ transaction_status: 'pending' })
    expect(body['deeplink_url']).toBeTypeOf('string')
    expect(await told(body.id)).toEqual(['payment_received'])
    await checkHistory(body.id)
  })

  test('money after expiry: not believed by report, believed of the gateway, and a person is told', async () => {
    const order_id = service.fresh('late')
    await service.control('faults', { effect: 'muted', match: { order_id_prefix: order_id } })
    const input = await chargeOf('bank_transfer', { order_id })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const report = { order_id, transaction_id, gross_amount: '150000.00', status_code: '202' }
    await deliver({ ...report, transaction_status: 'expire' })
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('expire')
    await service.control(`transactions/${order_id}/pay`)
    await deliver({ ...report, transaction_status: 'settlement', status_code: '200' })
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('expire')
    await getStatus(service.ctx, caller, id)
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('settlement')
    const alarms = await service.database.sql(
      'select kind from gapura.gateway_alarm where subject_id = $1',
      [id],
    )
    expect(alarms).toEqual([{ kind: 'late_money' }])
    expect(await told(id)).toEqual(['payment_received', 'payment_expired', 'payment_settled'])
    await checkHistory(id)
  })

  test("a settlement taken back is a reversal, on the gateway's word", async () => {
    const order_id = service.fresh('reversed')
    await service.control('faults', { effect: 'muted', match: { order_id_prefix: order_id } })
    const input = await chargeOf('bank_transfer', { order_id, bank: 'permata' })
    const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    await service.control(`transactions/${order_id}/pay`)
    await getStatus(service.ctx, caller, id)
    await service.control(`transactions/${order_id}/reverse`)
    await getStatus(service.ctx, caller, id)
    expect(await readPayment(service.ctx, caller, id)).toMatchObject({
      transaction_status: 'deny',
      captured_amount: '150000.00',
      is_paid: false,
    })
    const alarms = await service.database.sql(
      'select kind from gapura.gateway_alarm where subject_id = $1',
      [id],
    )
    expect(alarms).toEqual([{ kind: 'reversal' }])
  })

  test('a status swapped under a genuine signature moves nothing that gives value for long', async () => {
    const order_id = service.fresh('swapped')
    const input = await chargeOf('credit_card', { order_id, capture: false })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const stolen = { order_id, transaction_id, gross_amount: '150000.00', status_code: '200' }
    const ctx = { ...service.ctx, confirm_notifications: true }
    await receiveNotification(ctx, signed({ ...stolen, transaction_status: 'settlement' }))
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('authorize')
  })
})
