// A report that was deferred before its charge was refused or given up is still looked up.
import { expect, test } from 'vitest'
import { writeInbox } from '../../src/services/notifications/inbox.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { requestOf } from '../services/service_bench.ts'
import { holdUp } from './paused_gateway.ts'
import { useReports } from './report_bench.ts'

const bench = useReports()
const { service, chargeOf, fault, denyKnowing, alarmsOf, paymentOf, sixHours, signed } = bench

test('an unknown status word, then a refusal of the charge: an alarm is opened', async () => {
  const order_id = service.fresh('refused')
  const input = await chargeOf('gopay', { order_id })
  const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
    await receiveNotification(service.ctx, signed(order_id, { transaction_status: 'frozen' }))
  })
  const body = { status_code: '429', status_message: 'too many' }
  await fault('charge', 'status', { options: { http_status: 429, body } })
  await expect(createCharge(ctx, input, requestOf())).rejects.toMatchObject({
    code: 'gateway_rate_limited',
  })
  await sixHours()
  const { id } = (await paymentOf(order_id)) ?? {}
  expect(await alarmsOf(id)).not.toEqual([])
})

test('a settlement to be confirmed, then the charge is given up: the money is recorded', async () => {
  const order_id = service.fresh('given-up')
  const input = await chargeOf('gopay', { order_id })
  await fault('charge', 'drop_after')
  await denyKnowing(1)
  await expect(createCharge(service.ctx, input, requestOf())).rejects.toMatchObject({
    code: 'outcome_unknown',
  })
  const { id } = (await paymentOf(order_id)) ?? {}
  await service.control(`transactions/${order_id}/pay`)
  const metadata = { gapura_payment_id: id }
  const settled = bench.itemOf(order_id, { transaction_status: 'settlement', metadata })
  const [result] = await writeInbox({ ...service.ctx, confirm_notifications: true }, [settled])
  expect(result).toMatchObject({ effect: 'deferred', reason: 'confirmed_first' })
  // The resolver's look is answered by a replica that is behind, and the charge is given up.
  await denyKnowing(1)
  await bench.resolve(1)
  expect(await paymentOf(order_id)).toMatchObject({ transaction_status: 'failure', refused: true })
  await sixHours()
  expect(await paymentOf(order_id)).toMatchObject({ transaction_status: 'settlement' })
})
