// Calls every route of invoices with secrets.
import { CVV, type CanaryBench } from './canary_bench.ts'
import { MOODS } from './hostile_gateway.ts'
import { withCvvIn, withSecretBeside, withSecretIn } from './misplaced.ts'

export type Walk = (bench: CanaryBench) => Promise<void>

const inputOf = (more: object = {}) => ({
  customer_name: 'Ani',
  customer_email: 'ani@example.com',
  due_date: '2099-12-31',
  items: [{ item_id: 'i-1', description: 'Tea', price: 75_000, quantity: 2 }],
  notes: 'n',
  metadata: { note: 'n' },
  ...more,
})

const made = async (bench: CanaryBench, more: object = {}) =>
  (await bench.ask('POST', '/invoices/', { body: inputOf(more) })).body

const create: Walk = async (bench) => {
  const accounts = { payment_type: 'virtual_account', virtual_accounts: [{ bank: 'bca_va' }] }
  for (const more of [{}, accounts]) {
    for (const mood of MOODS) {
      const key = bench.fresh('invoice')
      const body = inputOf(more)
      const ask = async () => await bench.ask('POST', '/invoices/', { body, key })
      await bench.gateway.as(mood, ask)
      await bench.gateway.as(mood, ask)
      await ask()
    }
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
    const { status, text } = await bench.ask('POST', '/invoices/', { body })
    if (status !== 400) throw new Error(`taken: ${JSON.stringify(body)} ${text}`)
    await bench.call('createInvoice', () =>
      bench.parts.gapura.api.createInvoice(bench.owner, body as never),
    )
  }
}

const list: Walk = async (bench) => {
  await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    const text = encodeURIComponent(secret)
    for (const name of ['customer_email', 'due_before', 'cursor', 'status', 'page_size', text])
      await bench.ask('GET', `/invoices/?page_size=1&${name}=${text}`)
    await bench.call('listInvoices', () =>
      bench.parts.gapura.api.listInvoices(bench.owner, {
        status: secret,
        [secret]: secret,
      } as never),
    )
  }
}

const read: Walk = async (bench) => {
  const { id } = await made(bench)
  await bench.ask('GET', `/invoices/${id}/`)
  for (const secret of Object.values(await bench.secrets()))
    await bench.ask('GET', `/invoices/${encodeURIComponent(secret)}/`)
}

const refresh: Walk = async (bench) => {
  const { id } = await made(bench)
  for (const mood of MOODS) {
    await bench.gateway.as(mood, async () => {
      await bench.call('getInvoiceStatus', () =>
        bench.parts.gapura.api.getInvoiceStatus(bench.owner, id),
      )
    })
  }
}

const annul: Walk = async (bench) => {
  for (const mood of MOODS) {
    const { id } = await made(bench)
    const sent = { key: bench.fresh('void'), body: { reason: 'late' } }
    const act = async () => await bench.ask('POST', `/invoices/${id}/void/`, sent)
    await bench.gateway.as(mood, act)
    await bench.gateway.as(mood, act)
    await act()
  }
  const { id } = await made(bench)
  for (const secret of Object.values(await bench.secrets())) {
    for (const body of [{ reason: `it was ${secret}` }, { [secret]: secret }])
      await bench.ask('POST', `/invoices/${id}/void/`, { body, key: secret })
  }
}

export const INVOICE_WALKS: Record<string, readonly Walk[]> = {
  'GET /invoices/': [list],
  'POST /invoices/': [create, misplaced],
  'GET /invoices/{pk}/': [read],
  'POST /invoices/{pk}/void/': [annul],
  'GET /invoices/{pk}/status/': [refresh],
}
