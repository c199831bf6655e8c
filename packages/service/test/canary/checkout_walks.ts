// Calls every route of checkouts with secrets.
import { CVV, type CanaryBench } from './canary_bench.ts'
import { MOODS } from './hostile_gateway.ts'
import type { Walk } from './invoice_walks.ts'
import { withCvvIn, withSecretBeside, withSecretIn } from './misplaced.ts'

const inputOf = (more: object = {}) => ({
  amount: 150_000,
  description: 'Tea',
  item_details: [{ id: 'i-1', name: 'Tea', price: 75_000, quantity: 2 }],
  customer_details: { first_name: 'Ani', email: 'ani@example.com' },
  return_url: 'https://shop.example/thanks',
  metadata: { note: 'n' },
  ...more,
})

const made = async (bench: CanaryBench) =>
  (await bench.ask('POST', '/checkouts/', { body: inputOf() })).body

const create: Walk = async (bench) => {
  for (const mood of MOODS) {
    const key = bench.fresh('checkout')
    const body = inputOf()
    const ask = async () => await bench.ask('POST', '/checkouts/', { body, key })
    await bench.gateway.as(mood, ask)
    await bench.gateway.as(mood, ask)
    await ask()
  }
}

/** Every secret in every field: refused, so that nothing of it is stored. */
const misplaced: Walk = async (bench) => {
  const good = inputOf()
  const bodies: unknown[] = [...withCvvIn(good, CVV)]
  for (const secret of Object.values(await bench.secrets())) {
    bodies.push(...withSecretIn(good, secret), ...withSecretBeside(good, secret))
  }
  for (const body of bodies) {
    const { status, text } = await bench.ask('POST', '/checkouts/', { body })
    if (status !== 400) throw new Error(`taken: ${JSON.stringify(body)} ${text}`)
    await bench.call('createCheckout', () =>
      bench.parts.gapura.api.createCheckout(bench.owner, body as never),
    )
  }
}

const list: Walk = async (bench) => {
  await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    for (const name of ['order_id', 'created_from', 'cursor', 'status', 'page_size', text])
      await bench.ask('GET', `/checkouts/?page_size=1&${name}=${text}`)
    await bench.call('listCheckouts', () =>
      bench.parts.gapura.api.listCheckouts(bench.owner, {
        status: secret,
        [secret]: secret,
      } as never),
    )
  }
}

const read: Walk = async (bench) => {
  const { id } = await made(bench)
  await bench.ask('GET', `/checkouts/${id}/`)
  for (const secret of Object.values(await bench.secrets()))
    await bench.ask('GET', `/checkouts/${encodeURIComponent(secret)}/`)
}

const cancel: Walk = async (bench) => {
  for (const mood of MOODS) {
    const { id } = await made(bench)
    const sent = { key: bench.fresh('cancel') }
    const act = async () => await bench.ask('POST', `/checkouts/${id}/cancel/`, sent)
    await bench.gateway.as(mood, act)
    await bench.gateway.as(mood, act)
    await act()
  }
  const { id } = await made(bench)
  for (const secret of Object.values(await bench.secrets()))
    await bench.ask('POST', `/checkouts/${id}/cancel/`, { body: { [secret]: secret }, key: secret })
}

export const CHECKOUT_WALKS: Record<string, readonly Walk[]> = {
  'GET /checkouts/': [list],
  'POST /checkouts/': [create, misplaced],
  'GET /checkouts/{pk}/': [read],
  'POST /checkouts/{pk}/cancel/': [cancel],
}
