// A deployment of our own to judge: a fresh schema, a simulator, and the service under a prefix of
// two segments on a bare HTTP server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator } from '@gapura/simulator'
import { createGapura, SCOPES, SIGNALS, type SignalEnvelope } from 'gapura'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { moveClock } from '../../packages/service/src/store/connection/settings.ts'
import { withTransaction } from '../../packages/service/src/store/connection/transaction.ts'
import {
  DATABASE_URL,
  dropService,
  freshSchemaName,
} from '../../packages/service/test/store/test_database.ts'
import { simulate, type Deployment } from './deployment.ts'

const PREFIX = '/shop/pay'

interface OwnDeployment extends Deployment, AsyncDisposable {
  /** Moves the clocks of the service and of the gateway. */
  pass: (ms: number) => Promise<void>
}

/** `alone`: without a worker, and without notifications from the gateway. */
export async function openDeployment({ alone = false } = {}): Promise<OwnDeployment> {
  const schema = freshSchemaName()
  const simulator = await createSimulator({ port: 0, seed: 3 })
  const { server_key, client_key, url: base_url } = simulator
  const gateway = { server_key, client_key, base_url }
  const gapura = createGapura({ databaseUrl: DATABASE_URL, schema, prefix: PREFIX, gateway })
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
  const caller = async (owner_id: string, staff: boolean) => {
    const order = { name: owner_id, owner_id, staff, scopes: [...SCOPES] }
    return { authorization: `Bearer ${(await gapura.createApiKey(order)).key}` }
  }
  const deployment: Deployment = {
    base_url: here,
    owner: await caller('ani', false),
    other: await caller('budi', false),
    staff: await caller('staff', true),
    simulator_url: simulator.url,
    inside: { gapura, gateway, delivered },
  }
  const notification_url = alone ? '' : `${here}/notification/`
  await simulate(deployment, 'settings', {
    notification_url,
    recurring_notification_url: notification_url,
  })
  const worker = alone ? undefined : await gapura.startWorker()
  const db = openDatabase(DATABASE_URL, { schema })
  return {
    ...deployment,
    pass: async (milliseconds) => {
      await withTransaction(db, async (tx) => await moveClock(tx, milliseconds))
      await simulate(deployment, 'clock/advance', { milliseconds })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await worker?.stop()
      await gapura.close()
      await db.close()
      await simulator.close()
      await dropService(schema)
    },
  }
}
