// Lost and late answers while a page is created. The gateway may answer a repeat with the same page,
// another page, or that the order id is used: each ends in a definite state, and at most one page is
// known to anyone.
import { afterEach, describe, expect, test } from 'vitest'
import { createCheckout } from '../../src/services/checkouts/actions.ts'
import { AMOUNT, useCheckouts } from './checkout_bench.ts'
import { bodyOf, requestOf } from './service_bench.ts'

const bench = useCheckouts()
const { service } = bench

afterEach(bench.heal)

const given = () => {
  const order_id = service.fresh('lost')
  const request = requestOf('owner-1', service.fresh('key'))
  const ask = async () => await createCheckout(service.ctx, { amount: AMOUNT, order_id }, request)
  return { order_id, ask }
}

/** The pages of the order that anyone can have: what the database shows. */
const known = async (order_id: string) =>
  (await bench.byOrder(order_id)).flatMap(({ token }) => (token === null ? [] : [token]))

describe('the first answer is lost', () => {
  test.each(['new', 'same'])('a repeat answered with the %s page opens one', async (repeat) => {
    await bench.settings({ checkout_repeat: repeat })
    await bench.fault('create_checkout', 'drop_after')
    const { order_id, ask } = given()
    const checkout = bodyOf(await ask())
    expect(checkout['status']).toBe('open')
    expect(await known(order_id)).toEqual([checkout['token']])
    const pages = await bench.pagesOf(order_id)
    expect(pages.at(-1)?.token).toBe(checkout['token'])
    expect(pages).toHaveLength(repeat === 'new' ? 2 : 1)
    expect(await bench.eventsOf(checkout.id)).toEqual(['checkout_created'])
    expect(bodyOf(await ask())).toEqual(checkout)
  })

  test('a repeat answered with a used order id is a failure, at once and under its key', async () => {
    await bench.settings({ checkout_repeat: 'refused' })
    await bench.fault('create_checkout', 'drop_after')
    const { order_id, ask } = given()
    await expect(ask()).rejects.toMatchObject({ code: 'gateway_duplicate' })
    const [row] = await bench.byOrder(order_id)
    expect(row).toMatchObject({ status: 'failure', token: null })
    // It is our own page that no one has: nothing for staff to do.
    expect(await bench.alarmsOf(String(row?.['id']))).toEqual([])
    expect(await ask()).toMatchObject({ kind: 'reply', reply: { code: 400 }, replayed: true })
    expect(await known(order_id)).toEqual([])
  })
})

describe('both answers are lost', () => {
  test.each(['new', 'same', 'refused'])('repeat: %s; the resolver ends it', async (repeat) => {
    await bench.settings({ checkout_repeat: repeat })
    await bench.fault('create_checkout', 'drop_after', { times: 2 })
    const { order_id, ask } = given()
    await expect(ask()).rejects.toMatchObject({
      code: 'outcome_unknown',
    })
    await bench.resolve(2)
    const [row, second] = await bench.byOrder(order_id)
    expect(second).toBeUndefined()
    expect(row?.['status']).toBe(repeat === 'refused' ? 'failure' : 'open')
    expect(await known(order_id)).toHaveLength(repeat === 'refused' ? 0 : 1)
  })

  test('the same key meanwhile gets the page; no second checkout exists', async () => {
    await bench.fault('create_checkout', 'drop_after', { times: 2 })
    const { order_id, ask } = given()
    await expect(ask()).rejects.toMatchObject({ code: 'outcome_unknown' })
    const checkout = bodyOf(await ask())
    expect(await bench.byOrder(order_id)).toMatchObject([{ id: checkout.id, status: 'open' }])
  })

  test('after four minutes without an answer it fails without staff, and the key may try again', async () => {
    await bench.fault('create_checkout', 'drop_after', { times: 100 })
    const { order_id, ask } = given()
    await expect(ask()).rejects.toMatchObject({ code: 'outcome_unknown' })
    await bench.resolve(20)
    const [row] = await bench.byOrder(order_id)
    expect(row).toMatchObject({ status: 'failure', token: null })
    expect(await bench.alarmsOf(String(row?.['id']))).toEqual([])
    await bench.heal()
    const checkout = bodyOf(await ask())
    expect(checkout['status']).toBe('open')
    expect(checkout.id).not.toBe(row?.['id'])
    expect(await known(order_id)).toEqual([checkout['token']])
  })
})

test('an order id that another system used is a failure with an alarm, and no repeat', async () => {
  const { order_id, ask } = given()
  const transaction_details = { order_id, gross_amount: AMOUNT }
  await service.ctx.gateway.charge({ payment_type: 'gopay', transaction_details })
  await expect(ask()).rejects.toMatchObject({ code: 'gateway_duplicate' })
  const [row] = await bench.byOrder(order_id)
  expect(row?.['status']).toBe('failure')
  expect(await bench.alarmsOf(String(row?.['id']))).toEqual(['duplicate_at_gateway'])
  expect(await bench.operationsOf(String(row?.['id']))).toMatchObject([{ sends: 1 }])
})

test('a report for a page that is not answered yet is believed only with our mark', async () => {
  await bench.settings({ checkout_repeat: 'refused' })
  await bench.fault('create_checkout', 'drop_after', { times: 2 })
  const { order_id, ask } = given()
  await expect(ask()).rejects.toMatchObject({ code: 'outcome_unknown' })
  // The payer cannot have the address; the simulator acts as if one had.
  await bench.choose(order_id, 'bca_va')
  await bench.sweepAll()
  const [row] = await bench.byOrder(order_id)
  const payments = await bench.paymentsOf(String(row?.['id']))
  expect(payments).toHaveLength(1)
  await bench.pay(order_id)
  await bench.resolve(3)
  await bench.pass(2)
  await bench.sweepAll()
  // Money for a page that was given up is late money, and never lost.
  const [ended] = await bench.byOrder(order_id)
  expect(ended?.['status']).toBe('completed')
})
