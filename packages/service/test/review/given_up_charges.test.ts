// A charge is given up only when it cannot have been made. If the gateway has it after all, any
// report that shows it revives its payment.
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { GatewayClient } from '../../src/gateway/client.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { resolveOperations } from '../../src/services/sweeps/resolve_operations.ts'
import { adoptOrder } from '../../src/services/staff/adopt_order.ts'
import { cancelPayment } from '../../src/services/payments/actions.ts'
import { getStatus } from '../../src/services/payments/read_payments.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { bodyOf, requestOf } from '../services/service_bench.ts'
import { answering500, useGivenUp } from './given_up_bench.ts'
import { holdUp } from './paused_gateway.ts'

const bench = useGivenUp()
const { service, chargeOf, fault, mute, clearFaults, later, rowOf, rowsOf, alarmsOf, caller } =
  bench
const { givenUp, sweep } = bench
const dewi = { owner_id: 'dewi', staff: true, scopes: SCOPES }

/** A signed settlement as the gateway would send it. */
async function settle(id: string, order_id: string): Promise<void> {
  await service.control(`transactions/${order_id}/pay`)
  const { gross_amount } = await service.ctx.gateway.getStatus(order_id)
  const fields = { order_id, status_code: '200', gross_amount: String(gross_amount) }
  await receiveNotification(service.ctx, {
    ...fields,
    transaction_status: 'settlement',
    payment_type: 'gopay',
    metadata: { gapura_payment_id: id },
    signature_key: signNotification(fields, service.simulator.server_key),
  })
}

describe('the gateway answers with an error of its own and does not know the order yet', () => {
  test('the outcome stays unknown, and a settlement that follows is applied', async () => {
    const order_id = service.fresh('early')
    const input = await chargeOf('gopay', { order_id })
    await bench.denyKnowing(1)
    await expect(
      createCharge(answering500(service.ctx), input, requestOf('owner-1', 'early')),
    ).rejects.toMatchObject({ code: 'outcome_unknown' })
    const row = await rowOf(order_id)
    await settle(String(row?.['id']), order_id)
    expect(await rowOf(order_id)).toMatchObject({ transaction_status: 'settlement' })
  })
})

describe('a charge that was given up and exists', () => {
  test('a signed settlement with our mark: the gateway is asked, and the payment is revived and paid', async () => {
    const { id, order_id } = await givenUp()
    await settle(id, order_id)
    await sweep()
    const [row] = await rowsOf(order_id)
    expect(row).toMatchObject({ transaction_status: 'settlement', refused: false })
    expect(await alarmsOf(id)).toEqual(expect.arrayContaining(['outcome_unknown', 'late_money']))
  })

  test('check_status of the caller revives it', async () => {
    const { id, order_id } = await givenUp()
    await getStatus(service.ctx, caller, id)
    expect((await rowsOf(order_id))[0]).toMatchObject({
      transaction_status: 'pending',
      refused: false,
    })
  })

  test('adopted by staff: the same payment is revived, no second one is written', async () => {
    const { id, order_id } = await givenUp()
    await service.control(`transactions/${order_id}/pay`)
    const adoption = { order_id, owner_id: 'owner-1', reason: 'the money arrived' }
    const adopted = await adoptOrder(service.ctx, dewi, adoption)
    expect(adopted).toMatchObject({ id, transaction_status: 'settlement' })
    expect(await rowsOf(order_id)).toHaveLength(1)
  })

  test('adopted for another owner: refused', async () => {
    const { order_id } = await givenUp()
    const adoption = { order_id, owner_id: 'owner-2', reason: 'the money arrived' }
    await expect(adoptOrder(service.ctx, dewi, adoption)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('its caller repeats the request: answered with that payment, nothing is charged again', async () => {
    const { id, order_id, input, request } = await givenUp()
    expect(bodyOf(await createCharge(service.ctx, input, request)).id).toBe(id)
    expect(bodyOf(await createCharge(service.ctx, input, request)).id).toBe(id)
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('its caller repeats while the gateway is unreachable: the outcome stays unknown', async () => {
    const { order_id, input, request } = await givenUp()
    await fault('get_status', 'drop_before', { times: null })
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    expect(await rowsOf(order_id)).toHaveLength(1)
  })

  test('a report whose mark names a payment of another order revives nothing', async () => {
    const { id, order_id } = await givenUp()
    const other = service.fresh('other')
    const fields = { order_id: other, status_code: '200', gross_amount: '150000.00' }
    await receiveNotification(service.ctx, {
      ...fields,
      transaction_status: 'settlement',
      payment_type: 'gopay',
      metadata: { gapura_payment_id: id },
      signature_key: signNotification(fields, service.simulator.server_key),
    })
    await sweep()
    expect((await rowsOf(order_id))[0]).toMatchObject({ refused: true })
  })
})

describe('two payments of one order id', () => {
  test('the first charge arrives late: it stays refused, and both alarms are opened', async () => {
    const order_id = service.fresh('rival')
    const input = await chargeOf('bank_transfer', { order_id })
    const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
      await later(70_000)
      await resolveOperations(service.ctx, 10)
      await createCharge(service.ctx, input, requestOf('owner-1', 'rival-second'))
      // The order id is free again at the gateway.
      await service.ctx.gateway.cancel(order_id)
    })
    await expect(
      createCharge(ctx, input, requestOf('owner-1', 'rival-first')),
    ).rejects.toMatchObject({ code: 'outcome_unknown' })
    const [first, second] = await rowsOf(order_id)
    expect(first).toMatchObject({ transaction_status: 'pending', refused: true })
    expect(second).toMatchObject({ refused: false })
    expect(await alarmsOf(first?.['id'])).toEqual(
      expect.arrayContaining(['outcome_unknown', 'duplicate_at_gateway']),
    )
  })
})

describe('the replay that fetches the payer’s instructions', () => {
  /** A charge that the gateway made, whose reply and first looks were lost. */
  async function lostReply(order_id: string) {
    const input = await chargeOf('gopay', { order_id })
    const request = requestOf('owner-1', `key-of-${order_id}`)
    await fault('charge', 'drop_after')
    await fault('get_status', 'drop_before', { times: 3 })
    await expect(createCharge(service.ctx, input, request)).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await clearFaults()
    await mute()
    return { input, request }
  }

  test('a process paused before it does not send it: the operation has ended meanwhile', async () => {
    const order_id = service.fresh('qr')
    const { input, request } = await lostReply(order_id)
    await later(100_000)
    await service.control('clock/advance', { seconds: 100 })
    const ctx = holdUp(service.ctx, 'getStatus', 'after_answer', async () => {
      await later(240_000)
      await service.control('clock/advance', { seconds: 240 })
      await resolveOperations(service.ctx, 10)
      await cancelPayment(service.ctx, requestOf(), String((await rowOf(order_id))?.['id']))
    })
    const body = bodyOf(await createCharge(ctx, input, request))
    expect(body['transaction_status']).toBe('cancel')
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })

  test('is not sent once the gateway may have deleted the idempotency key', async () => {
    const order_id = service.fresh('old')
    const { input, request } = await lostReply(order_id)
    await later(250_000)
    let sent = 0
    const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
      sent += 1
    })
    const { id } = bodyOf(await createCharge(ctx, input, request))
    expect(sent).toBe(0)
    expect(await alarmsOf(id)).toEqual(['payer_instructions_lost'])
  })

  test('is on disk before it is sent', async () => {
    const order_id = service.fresh('ahead')
    const { input, request } = await lostReply(order_id)
    await later(20_000)
    let sends: unknown
    const ctx = holdUp(service.ctx, 'charge', 'before_send', async () => {
      const [row] = await service.database.sql(
        `select sends from gapura.gateway_operation
         where subject_id = (select id from gapura.gateway_payment where order_id = $1)`,
        [order_id],
      )
      sends = row?.['sends']
    })
    const body = bodyOf(await createCharge(ctx, input, request))
    expect(sends).toBe(2)
    expect(body['actions']).not.toEqual([])
    expect((await service.ledger(order_id))?.charges).toBe(1)
  })
})

describe('a first send that never connected', () => {
  async function unreachable(): Promise<GatewayClient> {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const { server_key } = service.simulator
    return new GatewayClient({ server_key, base_url: `http://127.0.0.1:${port}` })
  }

  test.each(['dana', 'bank_transfer'])(
    '%s: the charge is refused and the order id free again',
    async (type) => {
      const order_id = service.fresh('unreachable')
      const input = await chargeOf(type, { order_id })
      const request = requestOf('owner-1', `key-of-${order_id}`)
      const gateway = await unreachable()
      await expect(createCharge({ ...service.ctx, gateway }, input, request)).rejects.toMatchObject(
        {
          code: 'gateway_unavailable',
        },
      )
      expect((await rowsOf(order_id))[0]).toMatchObject({ refused: true })
      const made = bodyOf(await createCharge(service.ctx, input, request))
      expect(made).toMatchObject({ order_id, transaction_status: 'pending' })
      await gateway.close()
    },
  )
})
