// The worker, with one subscriber whose effect is a row: told twice, it is still one row.
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import { openDatabase } from '../../packages/service/src/store/database.ts'
import { withTransaction } from '../../packages/service/src/store/transaction.ts'
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
const books = openDatabase(order.database_url, { schema: order.schema, connections_max: 4 })
gapura.subscribe({
  name: 'effects',
  signals: SIGNALS,
  handler: async ({ id, object, sequence }) => {
    await withTransaction(books, async (tx) => await recordEffect(tx, { id, object, sequence }))
  },
})
const worker = await gapura.startWorker({ reads_per_second: 200 })
process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(async () => await Promise.all([gapura.close(), books.close()]))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
})
process.stdout.write('ready\n')
