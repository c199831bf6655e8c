// Checkouts: the page, the payments made on it, and how it ends.
import { afterEach, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { receiveNotification } from '../../src/services/notifications/receive_notification.ts'
import { createCharge } from '../../src/services/payments/create_charge.ts'
import { createCheckout } from '../../src/services/checkouts/actions.ts'
import { approveRefund } from '../../src/services/staff/refund_requests.ts'
import { eventually } from '../store/test_database.ts'
import { AMOUNT, useCheckouts } from './checkout_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useCheckouts()
const { service, create, read, choose, pay, act } = bench

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

describe('creating', () => {
  test('opens one page and shows its address to the caller; no payment exists yet', async () => {
    const order_id = order()
    const checkout = await create({ order_id, description: 'Tea', metadata: { cart: 7 } })
    const [page] = await bench.pagesOf(order_id)
    expect(checkout).toMatchObject({
      order_id,
      status: 'open',
      amount: '150000.00',
      description: 'Tea',
      metadata: { cart: 7 },
      token: page?.token,
      redirect_url: page?.redirect_url,
      payment_id: null,
      payment_ids: [],
    })
    expect(await bench.eventsOf(checkout.id)).toEqual(['checkout_created'])
    expect(await bench.operationsOf(checkout.id)).toEqual([
      { kind: 'create_checkout', state: 'succeeded', sends: 1 },
    ])
  })

  test('sends what was ordered, only methods we know, and our mark', async () => {
    const order_id = order()
    const { id } = await create({
      order_id,
      item_details: [{ name: 'Lamp', price: 75_000, quantity: 2 }],
      customer_details: { first_name: 'Budi', email: 'budi@example.com' },
      payment_types: ['qris', 'bank_transfer'],
      page_expiry_minutes: 60,
      payment_expiry_minutes: 30,
      return_url: 'https://shop.example/thanks',
    })
    const reply = await fetch(`${service.simulator.url}/_sim/checkouts/${order_id}`)
    const { sent } = (await reply.json()) as { sent: Record<string, unknown> }
    expect(sent).toMatchObject({
      transaction_details: { order_id, gross_amount: AMOUNT },
      item_details: [{ name: 'Lamp', price: 75_000, quantity: 2 }],
      customer_details: { first_name: 'Budi', email: 'budi@example.com' },
      enabled_payments: ['other_qris', 'bca_va', 'bni_va', 'bri_va', 'cimb_va', 'permata_va'],
      page_expiry: { duration: 60, unit: 'minute' },
      expiry: { duration: 30, unit: 'minute' },
      callbacks: { finish: 'https://shop.example/thanks' },
      metadata: { gapura_checkout_id: id },
    })
  })

  test('the same content for the same order returns the same page, another key or none', async () => {
    const order_id = order()
    const input = { amount: AMOUNT, order_id, metadata: { a: 1, b: 2 } }
    const first = await create(input)
    const again = await createCheckout(
      service.ctx,
      { metadata: { b: 2, a: 1 }, order_id, amount: '150000.00' },
      requestOf('owner-1', service.fresh('key')),
    )
    expect(again).toMatchObject({ kind: 'reply', reply: { code: 200 }, replayed: true })
    expect(bodyOf(again)).toEqual(first)
    expect(await bench.pagesOf(order_id)).toHaveLength(1)
  })

  test('another content for a live order is refused and names the checkout of the owner', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    const other = create({ order_id, amount: AMOUNT + 1 })
    await expect(other).rejects.toMatchObject({
      code: 'duplicate_order',
      errors: [{ field: 'order_id', message: `checkout ${id} has it and is open` }],
    })
    const stranger = create({ order_id }, requestOf('owner-2'))
    await expect(stranger).rejects.toMatchObject({
      code: 'duplicate_order',
      errors: [{ field: 'order_id', message: 'it is in use' }],
    })
    expect(await bench.pagesOf(order_id)).toHaveLength(1)
  })

  test('an order that ended without money is not opened again', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await bench.cancel(id)
    await expect(create({ order_id })).rejects.toMatchObject({ code: 'order_ended' })
  })

  test('an order is either charged directly or paid on a page', async () => {
    const order_id = order()
    await create({ order_id })
    const charge = { payment_type: 'gopay', gross_amount: AMOUNT, order_id }
    await expect(createCharge(service.ctx, charge, requestOf())).rejects.toMatchObject({
      code: 'duplicate_order',
    })
    const charged = order()
    await createCharge(service.ctx, { ...charge, order_id: charged }, requestOf())
    await expect(create({ order_id: charged })).rejects.toMatchObject({ code: 'duplicate_order' })
    expect(await bench.pagesOf(charged)).toEqual([])
  })

  test('twenty at once for one order open one page', async () => {
    const order_id = order()
    const input = { amount: AMOUNT, order_id }
    const outcomes = await Promise.allSettled(
      Array.from(
        { length: 20 },
        async (_, index) =>
          await createCheckout(service.ctx, input, requestOf('owner-1', `${order_id}-${index}`)),
      ),
    )
    const codes = outcomes.map((one) =>
      one.status === 'rejected'
        ? String(one.reason)
        : one.value.kind === 'reply'
          ? one.value.reply.code
          : one.value.code,
    )
    expect(codes.filter((code) => code === 201)).toHaveLength(1)
    expect(codes.filter((code) => ![200, 201, 'operation_in_progress'].includes(code))).toEqual([])
    expect(await bench.pagesOf(order_id)).toHaveLength(1)
  })
})

describe('a payment', () => {
  test('appears when the payer has chosen, belongs to the owner, and completes the page', async () => {
    const order_id = order()
    const { id } = await create({ order_id, customer_details: { email: 'budi@example.com' } })
    await choose(order_id, 'bca_va')
    await paymentsAre(id, 'pending')
    const [payment] = await bench.paymentsOf(id)
    expect(payment).toMatchObject({
      owner_id: 'owner-1',
      order_id,
      refused: false,
      payment_type: 'bank_transfer',
      gross_amount: '150000.00',
    })
    expect((await read(id)).status).toBe('open')
    await pay(order_id)
    const done = await until(id, 'completed')
    expect(done).toMatchObject({
      payment_id: payment?.['id'],
      payment_ids: [payment?.['id']],
      token: null,
      redirect_url: null,
    })
    expect(await bench.eventsOf(id)).toEqual(['checkout_created', 'checkout_completed'])
    expect(await bench.eventsOf(String(payment?.['id']))).toEqual([
      'payment_received',
      'payment_settled',
    ])
    expect(await bench.alarmsOf(id)).toEqual([])
  })

  test('a denied card and then a virtual account are two payments; the second completes', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await choose(order_id, 'credit_card', { card_number: '4911111111111113' })
    await act(order_id, 'pay').catch(() => undefined)
    await paymentsAre(id, 'deny')
    expect((await read(id)).status).toBe('open')
    await pay(order_id, { method: 'bni_va' })
    const done = await until(id, 'completed')
    const payments = await bench.paymentsOf(id)
    expect(payments).toMatchObject([
      { transaction_status: 'deny', refused: false },
      { transaction_status: 'settlement', refused: true, order_id },
    ])
    expect(done).toMatchObject({
      payment_id: payments[1]?.['id'],
      payment_ids: payments.map(({ id: one }) => one),
    })
    expect(await bench.alarmsOf(String(payments[1]?.['id']))).toEqual([])
  })

  test('the second paid one of an order opens its own alarm and proposes its refund', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    const first = await choose(order_id, 'gopay')
    const second = await choose(order_id, 'other_qris')
    await paymentsAre(id, 'pending', 'pending')
    await pay(order_id, { transaction_id: second['transaction_id'] })
    await until(id, 'completed')
    await pay(order_id, { transaction_id: first['transaction_id'] })
    await paymentsAre(id, 'settlement', 'settlement')
    const payments = await bench.paymentsOf(id)
    const of = (one: Record<string, unknown>) =>
      String(
        payments.find(({ transaction_id }) => transaction_id === one['transaction_id'])?.['id'],
      )
    expect((await read(id)).payment_id).toBe(of(second))
    expect(await bench.alarmsOf(of(first))).toEqual(['paid_twice'])
    expect(await bench.alarmsOf(of(second))).toEqual([])
    expect(await bench.eventsOf(id)).toEqual(['checkout_created', 'checkout_completed'])
    const [proposed] = await service.database.sql(
      `select id, amount::text as amount, state, requested_by from gapura.refund_request
       where payment_id = $1`,
      [of(first)],
    )
    expect(proposed).toMatchObject({ amount: '150000.00', state: 'held', requested_by: 'gapura' })
    const staff = {
      owner_id: 'sari',
      staff: true,
      scopes: ['staff:read', 'staff:act', 'payments:refund'] as const,
    }
    await approveRefund(service.ctx, staff, String(proposed?.['id']), { reason: 'paid twice' })
    expect((await service.ledger(order_id))?.refunded).toBe(AMOUNT)
    await paymentsAre(id, 'refund', 'settlement')
  })

  test('a second paid one without a refund at the gateway says so and proposes none', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    const first = await choose(order_id, 'bca_va')
    await pay(order_id, { method: 'bni_va' })
    await until(id, 'completed')
    await pay(order_id, { transaction_id: first['transaction_id'] })
    await paymentsAre(id, 'settlement', 'settlement')
    const [alarm] = await service.database.sql(
      `select detail from gapura.gateway_alarm where kind = 'paid_twice' and detail like $1`,
      [`order ${order_id} %`],
    )
    expect(alarm?.['detail']).toContain('pay 150000.00 back to the payer')
    const requests = await service.database.sql(
      `select 1 from gapura.refund_request as request
       join gapura.gateway_payment as payment on payment.id = request.payment_id
       where payment.checkout_id = $1`,
      [id],
    )
    expect(requests).toEqual([])
  })

  test('a further one that the gateway does not know is asked about by its transaction id', async () => {
    const order_id = order()
    const { id } = await create({ order_id })
    await pay(order_id, { method: 'gopay' })
    await until(id, 'completed')
    const [genuine] = await service.database.sql(
      `select raw_payload from gapura.gateway_notification
       where order_id = $1 and transaction_status = 'settlement'`,
      [order_id],
    )
    // Signed for the order and the amount, as a copy with another transaction id would be.
    const signature_key = signNotification(
      { order_id, status_code: '200', gross_amount: '150000.00' },
      service.simulator.server_key,
    )
    const copy = { ...(genuine?.['raw_payload'] as object), transaction_id: 'forged-1' }
    await receiveNotification(service.ctx, { ...copy, signature_key })
    const forged = (await bench.paymentsOf(id)).find(({ refused }) => refused === true)
    expect(await bench.alarmsOf(String(forged?.['id']))).toEqual(['paid_twice'])
    for (const minutes of [1, 3, 5, 10]) {
      await bench.pass(minutes)
      await bench.sweepAll()
    }
    expect(await bench.alarmsOf(String(forged?.['id']))).toEqual(['outcome_unknown', 'paid_twice'])
    expect((await read(id)).payment_id).not.toBe(forged?.['id'])
  })
})
