// Calls every route of subscriptions with secrets, the saved token first.
import { CVV, type CanaryBench } from './canary_bench.ts'
import { MOODS } from './hostile_gateway.ts'
import type { Walk } from './invoice_walks.ts'
import { withCvvIn, withSecretBeside, withSecretIn } from './misplaced.ts'

const orderOf = (more: object = {}) => ({
  name: 'Teh Bulanan',
  amount: 50_000,
  payment_type: 'credit_card',
  interval: 1,
  interval_unit: 'month',
  max_interval: 12,
  customer_details: { first_name: 'Ani', email: 'ani@example.com' },
  metadata: { note: 'n' },
  ...more,
})

const inputOf = async (bench: CanaryBench, more: object = {}) =>
  orderOf({ token: await bench.savedToken(), ...more })

const made = async (bench: CanaryBench) =>
  (await bench.ask('POST', '/subscriptions/', { body: await inputOf(bench) })).body

const create: Walk = async (bench) => {
  for (const mood of MOODS) {
    const body = await inputOf(bench)
    const key = bench.fresh('subscription')
    const ask = async () => await bench.ask('POST', '/subscriptions/', { body, key })
    await bench.gateway.as(mood, ask)
    await bench.gateway.as(mood, ask)
    await ask()
  }
}

/** Every secret in every field but the token's own: refused, so that nothing of it is stored. */
const misplaced: Walk = async (bench) => {
  const good = orderOf()
  const token = await bench.savedToken()
  const bodies: unknown[] = [...withCvvIn(good, CVV)]
  for (const secret of Object.values(await bench.secrets())) {
    bodies.push(...withSecretIn(good, secret), ...withSecretBeside(good, secret))
  }
  for (const wrong of bodies) {
    const body = { token, ...(wrong as object) }
    const { status, text } = await bench.ask('POST', '/subscriptions/', { body })
    if (status !== 400) throw new Error(`taken: ${JSON.stringify(body)} ${text}`)
    await bench.call('createSubscription', () =>
      bench.parts.gapura.api.createSubscription(bench.owner, body as never),
    )
  }
}

const list: Walk = async (bench) => {
  await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    for (const name of ['status', 'cursor', 'page_size', text])
      await bench.ask('GET', `/subscriptions/?page_size=1&${name}=${text}`)
  }
}

const read: Walk = async (bench) => {
  const { id } = await made(bench)
  await bench.ask('GET', `/subscriptions/${id}/`)
  for (const secret of Object.values(await bench.secrets()))
    await bench.ask('GET', `/subscriptions/${encodeURIComponent(secret)}/`)
}

const act: Walk = async (bench) => {
  for (const action of ['disable', 'cancel']) {
    for (const mood of MOODS) {
      const { id } = await made(bench)
      const key = bench.fresh(action)
      const ask = async () => await bench.ask('POST', `/subscriptions/${id}/${action}/`, { key })
      await bench.gateway.as(mood, ask)
      await bench.gateway.as(mood, ask)
      await ask()
    }
  }
  const { id } = await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    await bench.ask('POST', `/subscriptions/${id}/${encodeURIComponent(secret)}/`, { key: secret })
    await bench.ask('POST', `/subscriptions/${id}/disable/`, { body: { [secret]: secret } })
  }
}

/** The same actions as the in-process API names them. */
const actInProcess =
  (action: 'disableSubscription' | 'enableSubscription' | 'cancelSubscription'): Walk =>
  async (bench) => {
    const { api } = bench.parts.gapura
    for (const mood of MOODS) {
      const { id } = await made(bench)
      const act_on = async () => await api[action](bench.owner, id, { idempotencyKey: `k-${id}` })
      await bench.gateway.as(mood, async () => await bench.call(action, act_on))
      await bench.call(action, act_on)
    }
  }

const refresh: Walk = async (bench) => {
  const { id } = await made(bench)
  for (const mood of MOODS) {
    await bench.gateway.as(mood, async () => {
      await bench.call('getSubscriptionStatus', () =>
        bench.parts.gapura.api.getSubscriptionStatus(bench.owner, id),
      )
    })
  }
}

const update: Walk = async (bench) => {
  const { id } = await made(bench)
  for (const mood of MOODS) {
    await bench.gateway.as(mood, async () => {
      await bench.call('updateSubscription', () =>
        bench.parts.gapura.api.updateSubscription(bench.owner, id, { amount: 60_000 }),
      )
    })
  }
  for (const secret of Object.values(await bench.secrets())) {
    for (const body of [{ name: secret }, { [secret]: secret }])
      await bench.call('updateSubscription', () =>
        bench.parts.gapura.api.updateSubscription(bench.owner, id, body),
      )
  }
}

export const SUBSCRIPTION_WALKS: Record<string, readonly Walk[]> = {
  'GET /subscriptions/': [list],
  'POST /subscriptions/': [create, misplaced],
  'GET /subscriptions/{pk}/': [read],
  'POST /subscriptions/{pk}/{action_name}/': [act],
  'POST /subscriptions/{pk}/disable/': [actInProcess('disableSubscription')],
  'POST /subscriptions/{pk}/enable/': [actInProcess('enableSubscription')],
  'POST /subscriptions/{pk}/cancel/': [actInProcess('cancelSubscription')],
  'GET /subscriptions/{pk}/status/': [refresh],
  'POST /subscriptions/{pk}/update/': [update],
}
