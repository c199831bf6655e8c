// Calls every route of webhooks with secrets. Those of the endpoints themselves are watched, too.
import type { CanaryBench } from './canary_bench.ts'
import type { Walk } from './invoice_walks.ts'
import { withSecretBeside, withSecretIn } from './misplaced.ts'

const inputOf = (bench: CanaryBench) => ({
  url: `https://shop.example/${bench.fresh('hook')}`,
  types: ['payment_settled'],
  description: 'shop',
})

const made = async (bench: CanaryBench): Promise<string> =>
  (await bench.ask('POST', '/webhook_endpoints/', { body: inputOf(bench) })).body.id

const create: Walk = async (bench) => {
  await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    const good = inputOf(bench)
    for (const body of [
      ...withSecretIn(good, secret),
      ...withSecretBeside(good, secret),
      { ...good, url: `https://shop.example/?key=${encodeURIComponent(secret)}` },
    ])
      await bench.ask('POST', '/webhook_endpoints/', { body, key: secret })
  }
}

const act =
  (action: string, body?: object): Walk =>
  async (bench) => {
    const path = `/webhook_endpoints/${await made(bench)}/${action}/`
    await bench.ask('POST', path, body && { body })
    for (const secret of Object.values(await bench.secrets())) {
      const text = encodeURIComponent(secret)
      await bench.ask('POST', `/webhook_endpoints/${text}/${action}/`, { key: secret })
      await bench.ask('POST', path, { body: { ...body, [secret]: secret } })
      for (const name of Object.keys(body ?? {}))
        await bench.ask('POST', path, { body: { ...body, [name]: secret } })
    }
  }

const reads =
  (path: (id: string) => string): Walk =>
  async (bench) => {
    const of = path(await made(bench))
    await bench.ask('GET', of)
    for (const secret of Object.values(await bench.secrets())) {
      const text = encodeURIComponent(secret)
      await bench.ask('GET', path(text))
      await bench.ask('GET', `${of}${of.includes('?') ? '&' : '?'}${text}=${text}&outcome=${text}`)
    }
  }

export const WEBHOOK_WALKS: Record<string, readonly Walk[]> = {
  'GET /webhook_endpoints/': [reads(() => '/webhook_endpoints/')],
  'POST /webhook_endpoints/': [create],
  'GET /webhook_endpoints/{pk}/': [reads((id) => `/webhook_endpoints/${id}/`)],
  'POST /webhook_endpoints/{pk}/update/': [act('update', { description: 'new' })],
  'POST /webhook_endpoints/{pk}/pause/': [act('pause')],
  'POST /webhook_endpoints/{pk}/enable/': [act('enable', { from: '2026-01-01T00:00:00Z' })],
  'POST /webhook_endpoints/{pk}/rotate/': [act('rotate')],
  'POST /webhook_endpoints/{pk}/delete/': [act('delete')],
  'POST /webhook_endpoints/{pk}/test/': [act('test')],
  'POST /webhook_endpoints/{pk}/resend/': [act('resend', { from: '2026-01-01T00:00:00Z' })],
  'GET /webhook_deliveries/': [reads((id) => `/webhook_deliveries/?endpoint_id=${id}`)],
  'GET /webhook_deliveries/{pk}/': [reads((id) => `/webhook_deliveries/${id}/`)],
}
