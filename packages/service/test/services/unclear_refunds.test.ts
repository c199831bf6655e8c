// Each of these mistakes would have cost money: a refund not recorded, published twice or never, or
// recorded on a forged report. Each test names the mistake it guards against.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { cancelPayment, capturePayment } from '../../src/services/payments/actions.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { readPayment } from '../../src/services/payments/read_payments.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { readObjectEvents } from '../../src/store/events/outbox.ts'
import { listTransitions } from '../../src/store/events/history.ts'
import { useFaults } from './fault_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

const {
  service,
  chargeOf,
  caller,
  fault,
  mute,
  clearFaults,
  later,
  resolve,
  rowOf,
  alarmsOf,
  charged,
  settledWallet,
} = useFaults()

beforeEach(mute)
afterEach(async () => {
  await clearFaults()
})

describe('refunds', () => {
  test('each part is published, whether the answer gives the sum or the part', async () => {
    const { id } = await settledWallet()
    for (const amount of [50_000, 20_000, 10_000]) {
      await refundPayment(service.ctx, requestOf(), id, { amount })
    }
    const events = await service.database.sql(
      "select type from gapura.gateway_event where object_id = $1 and type = 'payment_refunded'",
      [id],
    )
    expect(events).toHaveLength(3)
    expect(await readPayment(service.ctx, caller, id)).toMatchObject({ refund_amount: '80000.00' })
  })

  test('made in another order than they were asked for are each named by their own event', async () => {
    const { id } = await settledWallet()
    await fault('refund', 'timeout_before')
    await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 }).catch(() => undefined)
    await clearFaults()
    await refundPayment(service.ctx, requestOf(), id, { amount: 20_000 })
    await later(120_000)
    await resolve(2)
    const named = await service.database.sql(
      `select amount::text
       from gapura.gateway_event
       join gapura.gateway_refund as refund on refund.id = refund_id
       where object_id = $1
       order by object_version`,
      [id],
    )
    expect(named.map(({ amount }) => amount)).toEqual(['20000.00', '50000.00'])
  })

  test("of a payment raised by the payer's fee is recorded", async () => {
    const settings = async (customer_fee: number) =>
      await fetch(`${service.simulator.url}/_sim/settings`, {
        method: 'PATCH',
        body: JSON.stringify({ customer_fee }),
      })
    await settings(2_000)
    const { id, order_id } = await settledWallet()
    await refundPayment(service.ctx, requestOf(), id, { amount: 150_000 })
    await settings(0)
    expect(await rowOf(order_id)).toMatchObject({ refunded: '150000.00', reserved: '0.00' })
  })

  test('listed in a stale report are looked up, not recorded', async () => {
    const { id, order_id, transaction_id } = await settledWallet()
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    const refunds = [{ refund_key: 'invented', refund_amount: '150000.00' }]
    const body = {
      ...fields,
      signature_key,
      transaction_id,
      transaction_status: 'settlement',
      refunds,
    }
    await receiveNotification(service.ctx, body)
    expect(await rowOf(order_id)).toMatchObject({ refunded: '0.00' })
    await getStatus(service.ctx, caller, id)
    expect(await rowOf(order_id)).toMatchObject({
      refunded: '0.00',
      transaction_status: 'settlement',
    })
  })

  test("made on the gateway's dashboard beside an open one of ours: both are recorded", async () => {
    const { id, order_id } = await settledWallet()
    const request = requestOf('owner-1', service.fresh('refund'))
    // Ours was carried out, but the service does not know it yet.
    await fault('refund', 'timeout_after')
    await fault('get_status', 'drop_before', { times: 3 })
    await refundPayment(service.ctx, request, id, { amount: 50_000 }).catch(() => undefined)
    expect(await rowOf(order_id)).toMatchObject({ reserved: '50000.00', refunded: '0.00' })
    await service.control(`transactions/${order_id}/refund`, { amount: 100_000 })
    await getStatus(service.ctx, caller, id).catch(() => undefined)
    await resolve(3)
    await getStatus(service.ctx, caller, id)
    expect(await rowOf(order_id)).toMatchObject({
      transaction_status: 'refund',
      reserved: '0.00',
      refunded: '150000.00',
    })
    expect((await service.ledger(order_id))?.refunded).toBe(150_000)
    const sources = (await readPayment(service.ctx, caller, id))?.refunds.map(
      ({ source }) => source,
    )
    expect(sources?.sort()).toEqual(['gateway', 'service'])
  })

  test('sent again keep their reservation until the gateway answers about the refund itself', async () => {
    const { id, order_id } = await settledWallet()
    await fault('refund', 'timeout_before')
    await fault('refund', 'rate_limited')
    const request = requestOf('owner-1', service.fresh('refund'))
    await refundPayment(service.ctx, request, id, { amount: 50_000 }).catch(() => undefined)
    await resolve(1)
    expect(await rowOf(order_id)).toMatchObject({ reserved: '50000.00', refunded: '0.00' })
    await resolve(4)
    expect(await rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '50000.00' })
    expect((await service.ledger(order_id))?.refunded).toBe(50_000)
  })

  test.each([
    ['refund', false],
    ['direct_refund', true],
  ])(
    '%s answered without a list of refunds: recorded and reservation released',
    async (kind, direct) => {
      const { id, order_id, transaction_id } = await settledWallet()
      const body = {
        status_code: '200',
        status_message: 'Success, refund request is approved',
        order_id,
        transaction_id,
        gross_amount: '150000.00',
        transaction_status: 'partial_refund',
      }
      await fault(kind, 'status', { options: { after: true, http_status: 200, body } })
      const outcome = await refundPayment(service.ctx, requestOf(), id, { amount: 50_000, direct })
      expect(bodyOf(outcome)).toMatchObject({ refund: { amount: '50000.00', status: 'succeeded' } })
      expect(await rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '50000.00' })
      expect((await service.ledger(order_id))?.refunded).toBe(50_000)
    },
  )

  test.each([
    ['partial_refund', 50_000],
    ['refund', 150_000],
  ])(
    'captured and %s in one answer: recorded, one step, one refund event',
    async (status, amount) => {
      const { id, order_id } = await charged('gopay')
      await service.control(`transactions/${order_id}/pay`)
      await service.control(`transactions/${order_id}/refund`, { amount })
      await getStatus(service.ctx, caller, id)
      expect(await rowOf(order_id)).toMatchObject({
        transaction_status: status,
        refunded: `${amount}.00`,
      })
      const steps = await service.database.do((tx) => listTransitions(tx, id))
      expect(steps.map(({ to_status }) => to_status)).toEqual(['initiated', 'pending', status])
      const events = await service.database.do((tx) => readObjectEvents(tx, id, 1, 10))
      expect(events).toMatchObject([
        { sequence: 1, type: 'payment_received' },
        {
          sequence: 2,
          type: 'payment_refunded',
          object: { captured_amount: '150000.00', refund_amount: `${amount}.00` },
        },
      ])
    },
  )
})

test('a capture that never arrived is not sent again by the resolver: it ends as refused', async () => {
  const { id, order_id } = await charged('credit_card', { capture: false })
  await fault('capture', 'timeout_before')
  await expect(
    capturePayment(service.ctx, requestOf(), id, { amount: 100_000 }),
  ).rejects.toMatchObject({ code: 'outcome_unknown' })
  await resolve(3)
  const operations = await service.database.sql(
    `select state, sends from gapura.gateway_operation
     where subject_id = $1 and kind = 'capture'`,
    [id],
  )
  expect(operations).toEqual([{ state: 'refused', sends: 1 }])
  expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'authorize' })
  expect((await service.ledger(order_id))?.captured).toBe(0)
})

test('cancelling a partly captured card raises no alarm', async () => {
  await clearFaults()
  const { id } = await charged('credit_card', { capture: false })
  await capturePayment(service.ctx, requestOf(), id, { amount: 100_000 })
  await cancelPayment(service.ctx, requestOf(), id)
  await expect
    .poll(async () => {
      const rows = await service.database.sql(
        "select effect from gapura.gateway_notification where payment_id = $1 and transaction_status = 'cancel'",
        [id],
      )
      return rows.length
    })
    .toBeGreaterThan(0)
  expect(await alarmsOf(id)).toEqual([])
})

test('a 3-D Secure page that was lost with the answer opens an alarm', async () => {
  const order_id = service.fresh('3ds')
  // The answer is lost, and so is the one to the same key again.
  await fault('charge', 'drop_after', { times: 2 })
  const input = await chargeOf('credit_card', { order_id, authentication: true })
  const { id } = bodyOf(await createCharge(service.ctx, input, requestOf()))
  expect(await alarmsOf(id)).toEqual(['payer_instructions_lost'])
})

// Both move the clock by days, so they come last.
test('an action whose payment the gateway has not shown for a day opens an alarm and stays open', async () => {
  const { id, order_id } = await charged('bank_transfer')
  await fault('cancel', 'timeout_before')
  await cancelPayment(service.ctx, requestOf(), id).catch(() => undefined)
  await later(24 * 3_600_000 - 120_000)
  await fault('get_status', 'drop_before', { times: 10 })
  await resolve(1)
  expect(await alarmsOf(id)).toEqual([])
  await resolve(1)
  expect(await alarmsOf(id)).toEqual(['outcome_unknown'])
  expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'pending' })
})

test('a refund that is unclear for more than six days is not sent again: it keeps its reservation and opens an alarm', async () => {
  // The notifications that earlier tests left deferred are looked into, as a worker would have done.
  await later(5 * 60_000)
  await checkPendingPayments(service.ctx, { budget: BUDGET })
  const { id, order_id } = await settledWallet()
  await fault('refund', 'timeout_before')
  await refundPayment(service.ctx, requestOf(), id, { amount: 50_000 }).catch(() => undefined)
  await later(6 * 86_400_000)
  await resolve(2)
  expect(await rowOf(order_id)).toMatchObject({ reserved: '50000.00', refunded: '0.00' })
  expect((await service.ledger(order_id))?.refunded).toBe(0)
  expect(await alarmsOf(id)).toEqual(['refund_overdue'])
})
