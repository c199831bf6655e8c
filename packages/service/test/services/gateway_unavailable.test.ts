// The breaker is open: nothing is stored that cannot be sent, and what has ended is still answered.
import { expect, test } from 'vitest'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { charges } from './charge_inputs.ts'
import { bodyOf, requestOf, useService } from './service_bench.ts'

const service = useService()
const { chargeOf } = charges(() => service.ctx.gateway)
const closed = () => {
  const { gateway } = service.ctx
  const unavailable = Object.create(gateway, { available: { get: () => false } }) as typeof gateway
  return { ...service.ctx, gateway: unavailable }
}
const UNAVAILABLE = { code: 'gateway_unavailable', definite: true }

test('a new charge is refused before it is stored, and can be made under its key later', async () => {
  const order_id = service.fresh('closed')
  const input = await chargeOf('bank_transfer', { order_id })
  const request = requestOf('owner-1', `key-${order_id}`)
  await expect(createCharge(closed(), input, request)).rejects.toMatchObject({
    ...UNAVAILABLE,
    operation: 'charge',
  })
  const rows = await service.database.sql(
    'select id from gapura.gateway_payment where order_id = $1',
    [order_id],
  )
  expect(rows).toEqual([])
  const made = await createCharge(service.ctx, input, request)
  expect(bodyOf(made)).toMatchObject({ order_id, transaction_status: 'pending' })
})

test('a repeat of what has ended gets its reply, and only from one who may see it', async () => {
  const order_id = service.fresh('ended')
  const input = await chargeOf('bank_transfer', { order_id })
  const request = requestOf('owner-1', `key-${order_id}`)
  const { id } = bodyOf(await createCharge(service.ctx, input, request))
  expect(bodyOf(await createCharge(closed(), input, request))).toMatchObject({ id, order_id })
  const cancel = requestOf('owner-1', `cancel-${order_id}`)
  await cancelPayment(service.ctx, cancel, id)
  expect(bodyOf(await cancelPayment(closed(), cancel, id))).toMatchObject({
    id,
    transaction_status: 'cancel',
  })
  const stranger = requestOf('owner-2', `cancel-${order_id}`)
  expect(await cancelPayment(closed(), stranger, id)).toMatchObject({ code: 'not_found' })
  const without_key = requestOf('owner-1')
  await expect(cancelPayment(closed(), without_key, id)).rejects.toMatchObject(UNAVAILABLE)
})
