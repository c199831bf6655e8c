// The flow for every host: a customer charges twice by mistake, pays once, and the shop's subscriber
// is called.
import { expect } from 'vitest'
import { eventually } from '../../packages/service/test/store/test_database.ts'
import type { Example } from './running_example.ts'

interface Paid {
  id: string
  order_id: string
  is_paid: boolean
}

async function call(example: Example, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${example.key}`)
  return await fetch(`${example.url}${path}`, { ...init, headers })
}

/** Charges, repeats, pays; resolves once the service knows that it is paid. */
export async function buy(example: Example): Promise<Paid> {
  const charge = async (): Promise<Response> =>
    await call(example, '/charge/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'order-1' },
      body: JSON.stringify({ payment_type: 'bank_transfer', bank: 'bca', gross_amount: 44_000 }),
    })
  const first = await charge()
  expect(first.status).toBe(201)
  const payment = (await first.json()) as Paid
  const second = await charge()
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await second.json()).toEqual(payment)
  await example.act(payment.order_id, 'pay')
  const known = await eventually(
    async () => (await (await call(example, `/payments/${payment.id}/`)).json()) as Paid,
    ({ is_paid }) => is_paid,
  )
  expect(known.is_paid).toBe(true)
  return known
}

/** The subscriber of the example was called once. */
export async function expectGoodsSent(example: Example, order_id: string): Promise<void> {
  const line = `send the goods for ${order_id}`
  await eventually(
    async () => await Promise.resolve(example.printed),
    (text) => text.includes(line),
  )
  expect(example.printed.split(line)).toHaveLength(2)
}
