// Webhooks in every order, number and combination: the payment ends with the status of the
// gateway's ledger, an unbroken history, and each signal published once.
import { describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { moveClock } from '../../src/store/connection/settings.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

// Long time-outs: many payments at once on a busy machine, and nothing here is about time-outs.
const service = useService({ timeout_ms_max: 10_000 })
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

/** From then on an answer cannot be older than the last transition of a payment. */
const passMinute = async () => await service.database.do((tx) => moveClock(tx, 61_000))
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

/** The history of I-13: one row per version, each beginning where the last one ended. */
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

const publishedOf = async (id: string) =>
  (await service.database.do((tx) => readObjectEvents(tx, id, 1, 100))).map(({ type }) => type)

const CARD_LIFE = ['pending', 'authorize', 'capture', 'settlement', 'partial_refund', 'refund']
const LATE_LIFE = ['pending', 'expire', 'settlement', 'pending', 'settlement']

type Life = 'captured_and_refunded' | 'paid_late'

/** A payment with a history at the gateway that was not reported yet. */
async function livedThrough(life: Life, statuses: readonly string[]) {
  const order_id = service.fresh('life')
  await service.control('faults', { effect: 'muted', match: { order_id_prefix: order_id } })
  const card = life === 'captured_and_refunded'
  const payment_type = card ? 'credit_card' : 'bank_transfer'
  const input = await chargeOf(payment_type, { order_id, ...(card && { capture: false }) })
  const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  if (card) await captureAndRefund(order_id, String(transaction_id))
  else await service.control(`transactions/${order_id}/pay`)
  const refunds = (await service.ctx.gateway.getStatus(order_id)).refunds ?? []
  const MORE: Record<string, object> = {
    pending: { status_code: '201' },
    expire: { status_code: '202' },
    partial_refund: { refund_amount: '50000.00', refunds: refunds.slice(0, 1) },
    refund: { refund_amount: '150000.00', refunds },
  }
  const reports = statuses.map((transaction_status): Notice => ({
    order_id,
    transaction_id,
    payment_type,
    gross_amount: '150000.00',
    transaction_status,
    status_code: '200',
    fraud_status: 'accept',
    ...MORE[transaction_status],
  }))
  return { id, order_id, reports }
}

/** Captured, settled, and refunded in two parts. */
async function captureAndRefund(order_id: string, transaction_id: string): Promise<void> {
  const { gateway } = service.ctx
  await gateway.capture({ transaction_id, gross_amount: 150_000 })
  await service.control(`transactions/${order_id}/settle`)
  const refund = async (refund_key: string, amount: number) =>
    await gateway.refund({ order_id, refund_key, amount })
  await refund(`${order_id}-a`, 50_000)
  await refund(`${order_id}-b`, 100_000)
}

describe('every order of the reports of one payment', () => {
  /** Eight at a time: the database has twenty connections. */
  async function liveAll(life: Life, statuses: readonly string[]) {
    let orders = 0
    const lives: Promise<void>[] = []
    for await (const order of permutations(statuses)) {
      orders += 1
      lives.push(live(life, order))
      if (lives.length % 8 === 0) await Promise.all(lives.splice(0))
    }
    await Promise.all(lives)
    return orders
  }

  test("all 720 orders of pending, authorize, capture, settlement, partial_refund, refund end in the ledger's state after one look, with one payment_settled", async () => {
    expect(await liveAll('captured_and_refunded', CARD_LIFE)).toBe(720)
  }, 240_000)

  test("all 120 orders of a second set, with expire before settlement, after it and between, end in the ledger's state after one look, with one payment_settled", async () => {
    expect(await liveAll('paid_late', LATE_LIFE)).toBe(120)
  }, 120_000)

  async function live(life: Life, order: readonly string[]) {
    const { id, order_id, reports } = await livedThrough(life, order)
    for (const notice of reports) await deliver(notice)
    await passMinute()
    await getStatus(service.ctx, caller, id)
    const refunded = life === 'captured_and_refunded' ? 150_000 : 0
    expect(await service.ledger(order_id)).toMatchObject({ captured: 150_000, refunded })
    expect(await readPayment(service.ctx, caller, id)).toMatchObject({
      transaction_status: refunded > 0 ? 'refund' : 'settlement',
      captured_amount: '150000.00',
      refund_amount: `${refunded}.00`,
    })
    const events = await publishedOf(id)
    expect(events.filter((type) => type === 'payment_settled')).toHaveLength(1)
    expect(events.filter((type) => type === 'payment_received')).toHaveLength(1)
    expect(events.at(-1)).toBe(refunded > 0 ? 'payment_refunded' : 'payment_settled')
    await checkHistory(id)
  }
})

describe('late and early', () => {
  test("a webhook before the charge's own reply is applied to the stored payment", async () => {
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
    expect(await publishedOf(body.id)).toEqual(['payment_received'])
    await checkHistory(body.id)
  })

  test('late money after expire: not accepted by report, accepted from the gateway, with an alarm', async () => {
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
    // An answer may be older than the end for a minute.
    await getStatus(service.ctx, caller, id)
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('expire')
    await passMinute()
    await getStatus(service.ctx, caller, id)
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('settlement')
    const alarms = await service.database.sql(
      'select kind from gapura.gateway_alarm where subject_id = $1',
      [id],
    )
    expect(alarms).toEqual([{ kind: 'late_money' }])
    expect(await publishedOf(id)).toEqual([
      'payment_received',
      'payment_expired',
      'payment_settled',
    ])
    await checkHistory(id)
  })

  test('a settlement taken back is a reversal, once the gateway confirms it', async () => {
    const order_id = service.fresh('reversed')
    await service.control('faults', { effect: 'muted', match: { order_id_prefix: order_id } })
    const input = await chargeOf('bank_transfer', { order_id, bank: 'permata' })
    const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    await service.control(`transactions/${order_id}/pay`)
    await getStatus(service.ctx, caller, id)
    await service.control(`transactions/${order_id}/reverse`)
    await passMinute()
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

  test('a status swapped under a genuine signature gives no lasting value', async () => {
    const order_id = service.fresh('swapped')
    const input = await chargeOf('credit_card', { order_id, capture: false })
    const { id, transaction_id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
    const stolen = { order_id, transaction_id, gross_amount: '150000.00', status_code: '200' }
    const ctx = withInbox({ ...service.ctx, confirm_notifications: true })
    await receiveNotification(ctx, signed({ ...stolen, transaction_status: 'settlement' }))
    expect((await readPayment(service.ctx, caller, id))?.transaction_status).toBe('authorize')
  })
})
