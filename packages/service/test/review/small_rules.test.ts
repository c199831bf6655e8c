// Rules that no test covered until planted bugs showed it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { resolveOperation } from '../../src/services/staff/operations.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { refundPayment } from '../../src/services/payments/refund_payment.ts'
import { checkPendingPayments } from '../../src/services/sweeps/check_payments.ts'
import { useFaults } from '../services/fault_bench.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'

const bench = useFaults({ breaker_rest_ms: 1, timeout_ms_max: 5_000 })
const { service, chargeOf, fault, mute, clearFaults, later, charged, settledWallet } = bench
const BUDGET = { take: async () => undefined }
const dewi = { owner_id: 'dewi', staff: true, scopes: SCOPES }
beforeEach(mute)
afterEach(clearFaults)

const column = async (id: string, expression: string) =>
  (
    await service.database.sql(
      `select ${expression} as value from gapura.gateway_payment where id = $1`,
      [id],
    )
  )[0]?.['value']

async function report(order_id: string, body: object): Promise<void> {
  const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
  await receiveNotification(service.ctx, {
    ...fields,
    payment_type: 'gopay',
    ...body,
    signature_key: signNotification(fields, service.simulator.server_key),
  })
}

test('staff resolve an operation whose process waits for the gateway: refused as in progress', async () => {
  const order_id = service.fresh('running')
  const input = await chargeOf('bank_transfer', { order_id })
  let refusal: unknown
  const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
    const [row] = await service.database.sql(
      `select operation.id from gapura.gateway_operation as operation
       join gapura.gateway_payment as payment on payment.id = operation.subject_id
       where payment.order_id = $1`,
      [order_id],
    )
    const order = { outcome: 'look', reason: 'the customer waits' }
    refusal = await resolveOperation(service.ctx, dewi, String(row?.['id']), order).catch(
      (error: unknown) => error,
    )
  })
  await createCharge(ctx, input, requestOf())
  expect(refusal).toMatchObject({ code: 'operation_in_progress' })
})

test('the gateway refuses an action because of the payment’s state: the state is looked up at once', async () => {
  const { id } = await charged('bank_transfer')
  const body = { status_code: '412', status_message: 'cannot modify' }
  await fault('cancel', 'status', { options: { http_status: 200, body } })
  await expect(cancelPayment(service.ctx, requestOf(), id)).rejects.toMatchObject({
    code: 'gateway_state_conflict',
  })
  expect(await column(id, 'next_check_at <= gapura.now()')).toBe(true)
})

test('a payment that moves after an outage starts its checks again without the long waits', async () => {
  const { id, order_id } = await charged('gopay')
  await fault('get_status', 'drop_before', { times: null })
  for (let round = 0; round < 3; round++) {
    await later(3_600_000)
    await checkPendingPayments(service.ctx, { budget: BUDGET })
  }
  expect(await column(id, 'check_attempts')).toBeGreaterThan(0)
  await report(order_id, { transaction_status: 'settlement' })
  expect(await column(id, 'check_attempts')).toBe(0)
})

test('a webhook that only confirms a known refund sets when the bank confirmed it', async () => {
  const { id, order_id, transaction_id } = await settledWallet()
  const { refund } = bodyOf(
    await refundPayment(service.ctx, requestOf(), id, { amount: 20_000 }),
  ) as unknown as { refund: { refund_key: string } }
  await report(order_id, {
    transaction_id,
    transaction_status: 'partial_refund',
    refund_amount: '20000.00',
    refunds: [
      {
        refund_key: refund.refund_key,
        refund_amount: '20000.00',
        bank_confirmed_at: '2026-11-16 10:00:00',
      },
    ],
  })
  const [row] = await service.database.sql(
    'select confirmed_at from gapura.gateway_refund where payment_id = $1',
    [id],
  )
  expect(row?.['confirmed_at']).toEqual(new Date('2026-11-16T03:00:00Z'))
})
