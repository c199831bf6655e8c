// Service, worker, simulator and PostgreSQL together: a charge is paid, and the merchant's subscriber
// receives one event, for every payment type.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator } from '@gapura/simulator'
import { createGapura, GatewayClient, PAYMENT_TYPES, SCOPES, type SignalEnvelope } from 'gapura'
import { expect, test, onTestFinished } from 'vitest'
import { charges } from '../packages/service/test/services/charge_inputs.ts'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../packages/service/test/store/test_database.ts'

test('a charge of every payment type settles by webhook and publishes payment_settled once', async () => {
  const schema = freshSchemaName()
  const simulator = await createSimulator({ port: 0, seed: 11 })
  const { server_key, client_key, url: base_url } = simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema,
    gateway: { server_key, base_url },
  })
  await gapura.migrate()
  const received: SignalEnvelope<'payment_settled'>[] = []
  gapura.subscribe({
    name: 'fulfilment',
    signals: ['payment_settled'],
    handler: (event) => void received.push(event),
  })
  const worker = await gapura.startWorker()
  const server = createServer((request, response) => gapura.nodeHandler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = new GatewayClient({ server_key, client_key, base_url, card_data: true })
  onTestFinished(async () => {
    await worker.stop()
    server.closeAllConnections()
    server.close()
    await browser.close()
    await gapura.close()
    await simulator.close()
    await dropService(schema)
  })
  await fetch(`${simulator.url}/_sim/settings`, {
    method: 'PATCH',
    body: JSON.stringify({ notification_url: `${here}/notification/` }),
  })
  const { key } = await gapura.createApiKey({
    name: 'shop',
    owner_id: 'shop',
    staff: false,
    scopes: [...SCOPES],
  })
  const { chargeOf } = charges(() => browser)
  const paid: string[] = []
  for (const payment_type of PAYMENT_TYPES) {
    const input = await chargeOf(
      payment_type,
      payment_type === 'credit_card' ? { authentication: true } : {},
    )
    const reply = await fetch(`${here}/charge/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    expect([payment_type, reply.status]).toEqual([payment_type, 201])
    const payment = (await reply.json()) as { id: string; transaction_id: string }
    await fetch(`${simulator.url}/_sim/transactions/${payment.transaction_id}/pay`, {
      method: 'POST',
    })
    paid.push(payment.id)
  }
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(PAYMENT_TYPES.length)
  expect(received.map(({ object }) => object.id).sort()).toEqual([...paid].sort())
  expect(new Set(received.map(({ object }) => object.payment_type))).toEqual(new Set(PAYMENT_TYPES))
  expect(received.every(({ object }) => object.captured_amount === '150000.00')).toBe(true)
}, 60_000)
