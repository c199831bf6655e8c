// How a checkout ends: by its time, by a payment, by its owner, and with every notification lost.
import { afterEach, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { cancelCheckout } from '../../src/services/checkouts/actions.ts'
import { withInbox } from '../../src/services/notifications/open_inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { lockCheckout } from '../../src/store/checkouts/rows.ts'
import { eventually } from '../store/test_database.ts'
import { useCheckouts } from './checkout_bench.ts'
import { requestOf } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

const bench = useCheckouts()
const { service, create, read, choose, pay } = bench

afterEach(bench.heal)

const order = () => service.fresh('page')
const until = async (id: string, status: string) =>
  await eventually(
    async () => await read(id),
    (checkout) => checkout.status === status,
  )
const paymentsAre = async (id: string, ...statuses: string[]) =>
  await eventually(
    async () => (await bench.paymentsOf(id)).map(({ transaction_status }) => transaction_status),
    (found) => found.join() === statuses.join(),
  )

describe('the end of a page', () => {
  test('a 404 of the status call never ends it: open until its time is over', async () => {
    const order_id = order()
    const { id } = await create({ order_id, page_expiry_minutes: 60 })
    for (const minutes of [2, 5, 20, 30]) {
      await bench.pass(minutes)
      await bench.sweep()
    }
    expect((await read(id)).status).toBe('open')
    await bench.pass(6)
    await bench.sweep()
    expect(await read(id)).toMatchObject({ status: 'expired', token: null, redirect_url: null })
    expect(await bench.eventsOf(id)).toEqual(['checkout_created', 'checkout_expired'])
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('it waits for a payment chosen in time, and is completed by it without an alarm', async () => {
    const order_id = order()
    const { id } = await create({ order_id, page_expiry_minutes: 5 })
    await choose(order_id, 'bca_va')
    await paymentsAre(id, 'pending')
    await bench.pass(30)
    await bench.sweep()
    expect(await read(id)).toMatchObject({ status: 'open', token: null })
    await pay(order_id)
    await until(id, 'completed')
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('a payment that is reported while a sweep ends the page is recorded after it', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await service.database.do(async (tx) => {
      await lockCheckout(tx, id)
      const [sweep] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      await choose(order_id, 'bca_va')
      const waiting = await eventually(
        async () =>
          await service.database.sql(
            'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
            [sweep?.pid],
          ),
        (found) => found.length > 0,
      )
      expect(waiting).toHaveLength(1)
    })
    await paymentsAre(id, 'pending')
    expect(await bench.paymentsOf(id)).toMatchObject([{ transaction_status: 'pending' }])
  })

  test('it waits for a query about a payment that a report calls paid', async () => {
    const order_id = order()
    const { id } = await create({ order_id, page_expiry_minutes: 5 })
    await bench.fault('notification', 'muted', { times: 9 })
    const { transaction_id } = await choose(order_id, 'bca_va')
    await pay(order_id)
    const paid = { order_id, status_code: '200', gross_amount: '150000.00' }
    const ctx = withInbox({ ...service.ctx, confirm_notifications: true })
    await receiveNotification(ctx, {
      ...paid,
      transaction_id: String(transaction_id),
      transaction_status: 'settlement',
      payment_type: 'bank_transfer',
      signature_key: signNotification(paid, service.simulator.server_key),
    })
    expect(await bench.paymentsOf(id)).toMatchObject([{ transaction_status: 'initiated' }])
    await bench.pass(10)
    // Of an order the gateway shows the newest payment, and knows no other.
    await bench.fault('get_status', 'status', {
      times: 9,
      options: { http_status: 200, body: { status_code: '404', status_message: 'not there' } },
    })
    await bench.sweep()
    expect((await read(id)).status).toBe('open')
    await bench.heal()
    await checkPendingPayments(service.ctx, { budget: BUDGET })
    expect((await read(id)).status).toBe('completed')
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('with the payment chosen on it ended, it expires', async () => {
    const order_id = order()
    const { id } = await create({ order_id, page_expiry_minutes: 5 })
    const chosen = await choose(order_id, 'gopay')
    await paymentsAre(id, 'pending')
    await bench.pass(10)
    await bench.sweep()
    await service.control(`transactions/${String(chosen['transaction_id'])}/expire`)
    await paymentsAre(id, 'expire')
    await bench.pass(1)
    await bench.sweep()
    expect((await read(id)).status).toBe('expired')
  })

  test('money after the end is late money: completed, with alarms', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await choose(order_id, 'bca_va')
    await paymentsAre(id, 'pending')
    const [payment] = await bench.paymentsOf(id)
    const cancelled = await bench.cancel(id)
    expect(cancelled).toMatchObject({ status: 'cancelled', page_closed: false, token: null })
    await paymentsAre(id, 'cancel')
    // The page was not closed at the gateway: the payer chooses again and pays.
    await pay(order_id, { method: 'other_qris' })
    await until(id, 'completed')
    expect(await bench.alarmsOf(id)).toEqual(['late_money'])
    expect(await bench.eventsOf(id)).toEqual([
      'checkout_created',
      'checkout_cancelled',
      'checkout_completed',
    ])
    expect(payment).toMatchObject({ transaction_status: 'pending' })
  })

  test('an account that may cancel closes the page; a completed one cannot be cancelled', async () => {
    await bench.settings({ checkout_cancel: true })
    const order_id = order()
    const { id } = await create({ order_id })
    const request = requestOf('owner-1', service.fresh('key'))
    expect(await bench.cancel(id, request)).toMatchObject({
      status: 'cancelled',
      page_closed: true,
    })
    const again = await cancelCheckout(service.ctx, request, id)
    expect(again).toMatchObject({ kind: 'reply', replayed: true })
    expect((await bench.pagesOf(order_id))[0]?.status).toBe('canceled')
    const paid_order = order()
    const paid = await create({ order_id: paid_order })
    await pay(paid_order, { method: 'gopay' })
    await until(paid.id, 'completed')
    await expect(bench.cancel(paid.id)).rejects.toMatchObject({ code: 'checkout_not_open' })
  })
})

describe('with every notification lost', () => {
  test('the sweep finds the payment and completes the page', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await bench.settings({ notification_url: 'http://127.0.0.1:9/' })
    await pay(order_id, { method: 'bca_va' })
    await bench.pass(2)
    await bench.sweepAll()
    expect((await read(id)).status).toBe('completed')
    expect(await bench.paymentsOf(id)).toMatchObject([{ transaction_status: 'settlement' }])
  })
})
