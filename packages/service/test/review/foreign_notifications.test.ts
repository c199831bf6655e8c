// Notifications of orders that another system made with the same merchant account, and their cost:
// reads at the gateway, alarms for staff, and delay of the notifications behind them.
import { afterEach, expect, test } from 'vitest'
import { FOREIGN_ORDERS_SUBJECT } from '../../src/domain/alarm.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { matchUnmatched } from '../../src/services/notifications/match_unmatched.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { adoptOrder } from '../../src/services/staff/adopt_order.ts'
import { dewi } from '../services/hand_bench.ts'
import { useSweeps } from '../services/sweep_bench.ts'

const bench = useSweeps()
const { service } = bench

afterEach(async () => {
  await bench.heal()
  await service.database.sql(
    `update gapura.gateway_alarm set closed_at = gapura.now(), closed_by = 'test'
     where closed_at is null`,
  )
})

/** One run, and how many reads it sent to the gateway. */
async function match() {
  let reads = 0
  const ended = await matchUnmatched(service.ctx, { take: async () => void reads++ })
  return { ended, reads }
}

const REPORTS = [
  ['201', 'pending'],
  ['200', 'settlement'],
] as const

async function report(order_id: string, reports: readonly (readonly [string, string])[] = REPORTS) {
  for (const [status_code, transaction_status] of reports) {
    const fields = { order_id, status_code, gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    const body = { ...fields, transaction_status, payment_type: 'qris', signature_key }
    await receiveNotification(service.ctx, body)
  }
}

/** An order at the gateway that no payment of ours made. */
async function madeElsewhere(order_id: string): Promise<void> {
  const { url, server_key } = service.simulator
  const reply = await fetch(`${url}/v2/charge`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${server_key}:`)}`,
    },
    body: JSON.stringify({
      payment_type: 'qris',
      transaction_details: { order_id, gross_amount: 150_000 },
    }),
  })
  expect(((await reply.json()) as { status_code: string }).status_code).toBe('201')
}

const openAlarms = async () =>
  await service.database.sql(
    `select subject_id, detail from gapura.gateway_alarm
     where kind = 'unmatched_notification' and closed_at is null order by opened_at, id`,
  )

const reasonsOf = async (pattern: string) =>
  await service.database.sql(
    `select reason, count(*)::int, count(resolved_at)::int as resolved
     from gapura.gateway_notification where order_id like $1 group by reason`,
    [pattern],
  )

test('orders of another system: one read for each order and one alarm for all of them', async () => {
  await bench.mute()
  for (let n = 0; n < 40; n++) {
    await madeElsewhere(`woo-${n}`)
    await report(`woo-${n}`)
  }
  await bench.pass(11)
  const before = await bench.calls('get_status')
  expect(await match()).toEqual({ ended: 80, reads: 40 })
  expect((await bench.calls('get_status')) - before).toBe(40)
  expect(await reasonsOf('woo-%')).toEqual([
    { reason: 'order_of_another', count: 80, resolved: 80 },
  ])
  expect(await openAlarms()).toEqual([
    {
      subject_id: FOREIGN_ORDERS_SUBJECT,
      detail: expect.stringMatching(/order woo-0: .*list notifications with the effect unmatched/),
    },
  ])
})

test('a later notification of a foreign order ends without a read and without an alarm', async () => {
  await bench.mute()
  await madeElsewhere('pos-1')
  await report('pos-1', [['201', 'pending']])
  await bench.pass(11)
  expect(await match()).toEqual({ ended: 1, reads: 1 })
  const [alarm] = await openAlarms()
  await service.database.sql(
    `update gapura.gateway_alarm set closed_at = gapura.now(), closed_by = 'dewi'
     where subject_id = $1`,
    [alarm?.['subject_id']],
  )
  await report('pos-1', [['200', 'settlement']])
  await bench.pass(11)
  expect(await match()).toEqual({ ended: 1, reads: 0 })
  expect(await openAlarms()).toEqual([])
})

test('orders unknown to the gateway: one alarm for each order, however many notifications', async () => {
  await bench.mute()
  await report('ghost-1')
  await report('ghost-2')
  await bench.pass(11)
  expect(await match()).toEqual({ ended: 4, reads: 2 })
  expect(await openAlarms()).toHaveLength(2)
  await report('ghost-1', [['200', 'capture']])
  await bench.pass(11)
  expect(await match()).toEqual({ ended: 1, reads: 1 })
  expect(await openAlarms()).toHaveLength(2)
})

test('an adopted foreign order has its notifications applied, without a read', async () => {
  await bench.mute()
  await madeElsewhere('pos-2')
  await report('pos-2', [['201', 'pending']])
  await bench.pass(11)
  await match()
  await report('pos-2', [['200', 'settlement']])
  const input = { order_id: 'pos-2', owner_id: 'owner-1', reason: 'sold by phone' }
  const { id } = await adoptOrder(service.ctx, dewi, input)
  await bench.pass(11)
  expect(await match()).toEqual({ ended: 1, reads: 0 })
  expect(await bench.statusOf(id)).toBe('settlement')
})

test('150 notifications that cannot end do not hide one behind them that can', async () => {
  await bench.mute()
  for (let n = 0; n < 150; n++) await report(`waits-${n}`, [['200', 'settlement']])
  await report('behind', [['200', 'settlement']])
  const payment = await bench.charged('qris', { order_id: 'behind' })
  expect(await match()).toEqual({ ended: 1, reads: 0 })
  expect(await bench.statusOf(payment.id)).toBe('settlement')
})
