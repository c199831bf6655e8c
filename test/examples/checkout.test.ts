import type { PayerView } from '@gapura/sdk'
import { expect, test } from 'vitest'
import { eventually } from '../../packages/service/test/store/test_database.ts'
import { useExample } from './running_example.ts'

const example = useExample({ folder: 'checkout', command: ['node', 'server.ts'] })

const at = (path: string): string => new URL(path, example.url).href

/** Chooses a method as the form does, and returns the payment id of the redirect. */
async function choose(method: string, order: string): Promise<string> {
  const body = new URLSearchParams({ order, method })
  const reply = await fetch(at('/checkout'), { method: 'POST', body, redirect: 'manual' })
  expect(reply.status).toBe(303)
  return new URL(at(reply.headers.get('location') ?? '')).searchParams.get('payment') ?? ''
}

const stateOf = async (id: string): Promise<PayerView> =>
  (await (await fetch(at(`/payments/${id}/state`))).json()) as PayerView

test.each(['bca', 'bni', 'qris'])(
  '%s shows instructions and deadline, and becomes paid after the payment',
  async (method) => {
    const first = await fetch(at('/'), { redirect: 'manual' })
    const order = new URL(at(first.headers.get('location') ?? '')).searchParams.get('order') ?? ''
    const id = await choose(method, order)
    expect(await choose(method, order)).toBe(id)
    const waiting = await stateOf(id)
    expect(waiting).toMatchObject({ state: 'waiting', amount: '150000.00' })
    expect(waiting.qr_string === null).toBe(method !== 'qris')
    expect(waiting.va_number === null).toBe(method === 'qris')
    expect(Date.parse(waiting.expires_at ?? '')).toBeGreaterThan(Date.now())
    const picture = await fetch(at(`/payments/${id}/qr.svg`))
    expect(picture.status).toBe(method === 'qris' ? 200 : 404)
    await example.act(waiting.order_id, 'pay')
    const paid = await eventually(
      async () => await stateOf(id),
      ({ state }) => state === 'paid',
    )
    expect(paid.state).toBe('paid')
  },
)

test('the page and its files are served; an unknown payment is answered 404', async () => {
  for (const path of [
    '/order.html',
    '/order.js',
    '/checkout.html',
    '/checkout.js',
    '/gapura.js',
    '/checkout.css',
  ]) {
    expect((await fetch(at(path))).status).toBe(200)
  }
  const unknown = '019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10'
  expect((await fetch(at(`/payments/${unknown}/state`))).status).toBe(404)
})
