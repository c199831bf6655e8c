// A deployment of our own to judge: a fresh schema, a simulator, and the service under a prefix of
// two segments on a bare HTTP server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator } from '@gapura/simulator'
import { createGapura, SCOPES, SIGNALS, type SignalEnvelope } from 'gapura'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'
import type { Deployment } from './deployment.ts'

const PREFIX = '/shop/pay'

export async function openDeployment(): Promise<Deployment & { close: () => Promise<void> }> {
  const schema = freshSchemaName()
  const simulator = await createSimulator({ port: 0, seed: 3 })
  const { server_key, client_key, url: base_url } = simulator
  const gateway = { server_key, client_key, base_url }
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema,
    prefix: PREFIX,
    gateway,
  })
  await gapura.migrate()
  const delivered: SignalEnvelope[] = []
  gapura.subscribe({
    name: 'conformance',
    signals: SIGNALS,
    handler: (event) => {
      delivered.push(event)
    },
  })
  const server = createServer((request, response) => gapura.nodeHandler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`
  await fetch(`${simulator.url}/_sim/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      notification_url: `${here}/notification/`,
      recurring_notification_url: `${here}/notification/`,
    }),
  })
  const worker = await gapura.startWorker()
  const caller = async (owner_id: string, staff: boolean) => {
    const { key } = await gapura.createApiKey({
      name: owner_id,
      owner_id,
      staff,
      scopes: [...SCOPES],
    })
    return { authorization: `Bearer ${key}` }
  }
  return {
    base_url: here,
    owner: await caller('ani', false),
    other: await caller('budi', false),
    staff: await caller('staff', true),
    simulator_url: simulator.url,
    inside: { gapura, gateway, delivered },
    close: async () => {
      await worker.stop()
      server.closeAllConnections()
      server.close()
      await gapura.close()
      await simulator.close()
      await dropService(schema)
    },
  }
}
