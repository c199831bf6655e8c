// Alarms about refunds whose outcome is unknown: each is closed with the last refund that it is about.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { listOpenOperations } from '../../src/store/operations/rows.ts'
import { useFaults } from './fault_bench.ts'
import { dewi } from './hand_bench.ts'
import { requestOf } from './service_bench.ts'
import { BUDGET } from './sweep_bench.ts'

const { service, fault, mute, clearFaults, later, resolve, rowOf, alarmsOf, settledWallet } =
  useFaults()

beforeEach(mute)
afterEach(clearFaults)

/** A replica of the gateway that never hears of a refund. */
const unheardOf = (order_id: string) => ({
  times: null,
  options: {
    http_status: 200,
    body: {
      order_id,
      status_code: '200',
      transaction_status: 'settlement',
      gross_amount: '150000.00',
    },
  },
})

test('the alarm about two refunds of two kinds closes when both have ended', async () => {
  await later(5 * 60_000)
  await checkPendingPayments(service.ctx, { budget: BUDGET })
  const { id, order_id } = await settledWallet()
  await fault('get_status', 'status', unheardOf(order_id))
  const limited = { http_status: 429, body: { status_code: '429', status_message: 'slow down' } }
  const unclear = async (operation: string, direct: boolean) => {
    await fault(operation, 'timeout_after')
    await fault(operation, 'status', { times: null, options: limited })
    await refundPayment(service.ctx, requestOf(), id, { amount: 20_000, direct }).catch(() => null)
    await later(24 * 3_600_000)
    await resolve(2)
  }
  const alarms = async () =>
    await service.database.sql(
      `select detail, closed_at is null as is_open
       from gapura.gateway_alarm where subject_id = $1`,
      [id],
    )
  await unclear('refund', false)
  await unclear('direct_refund', true)
  const said = 'the gateway has not shown whether it was carried out'
  expect(await alarms()).toEqual([
    { detail: `refund: ${said}; direct_refund: ${said}`, is_open: true },
  ])
  await clearFaults()
  await later(3_600_000)
  await resolve(2)
  expect(await rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '40000.00' })
  expect(await alarms()).toMatchObject([{ is_open: false }])
})

test('the alarm about an overdue refund closes when the refund is found, although another was begun since', async () => {
  await later(5 * 60_000)
  await checkPendingPayments(service.ctx, { budget: BUDGET })
  const { id, order_id } = await settledWallet()
  await fault('get_status', 'status', unheardOf(order_id))
  const refund = async (amount: number, effect: string) => {
    await fault('refund', effect)
    await refundPayment(service.ctx, requestOf(), id, { amount }).catch(() => undefined)
  }
  await refund(50_000, 'timeout_after')
  await later(6 * 86_400_000)
  await resolve(2)
  expect(await alarmsOf(id)).toEqual(['refund_overdue'])
  await refund(20_000, 'timeout_before')
  await clearFaults()
  const [first] = await service.database.do((tx) => listOpenOperations(tx, id))
  const found = { outcome: 'done', reason: 'seen there' }
  await resolveOperation(service.ctx, dewi, first?.id ?? '', found)
  const open = await service.database.sql(
    'select kind from gapura.gateway_alarm where subject_id = $1 and closed_at is null',
    [id],
  )
  expect(open).toEqual([])
  const others = await service.database.do((tx) => listOpenOperations(tx, id))
  expect(others).toMatchObject([{ request: { amount: '20000.00' } }])
  await resolve(2)
  expect(await rowOf(order_id)).toMatchObject({ reserved: '0.00', refunded: '70000.00' })
})
