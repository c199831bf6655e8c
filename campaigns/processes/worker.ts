// The worker, with one subscriber whose effect is one row however often it is delivered. It also
// runs in the folder of an earlier release, so it imports only the service's public package.
import { createServer } from 'node:http'
import { Pool } from 'pg'
import { createGapura, SIGNALS } from '../../packages/service/src/index.ts'
import { recordEffect } from '../bench/effects.ts'
import { obey, optionsOf, orderOf } from './process_order.ts'

const order = orderOf()
obey()
const log = (_fields: object, message: string): void => {
  process.stderr.write(`worker ${process.pid}: ${message} ${JSON.stringify(_fields)}\n`)
}
const gapura = createGapura({
  ...optionsOf(order),
  logger: { info: () => undefined, warn: () => undefined, error: log },
})
const effects = new Pool({
  connectionString: order.database_url,
  max: 4,
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
})
// A connection that breaks while idle must not end the process; the pool replaces it.
effects.on('error', () => undefined)
gapura.subscribe({
  name: 'effects',
  signals: SIGNALS,
  handler: async ({ id, object, sequence }) => {
    await recordEffect(effects, order.schema, { id, object, sequence })
  },
})
const worker = await gapura.startWorker({ reads_per_second: 200 })
if (order.admin_port !== undefined)
  createServer(gapura.adminHandler).listen(order.admin_port, '127.0.0.1')
process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(async () => await Promise.all([gapura.close(), effects.end()]))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
})
process.stdout.write('ready\n')
