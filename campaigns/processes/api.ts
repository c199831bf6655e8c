// The ordinary server, with the address of the campaign's database and gateway.
import { startServer } from '../../packages/service/src/main/server.ts'
import { breakRule } from './broken_rules.ts'
import { obey, optionsOf, orderOf } from './process_order.ts'

const order = orderOf()
// Campaigns make the database and the gateway fail, so those errors are expected; a 500 is a
// finding.
const error = (fields: object): void => {
  const { status } = fields as { status?: number }
  if (status === 500) process.stderr.write(`api ${process.pid}: ${JSON.stringify(fields)}\n`)
}
const quiet = { info: () => undefined, warn: () => undefined, error }
obey()
if (order.broken !== undefined) breakRule(order.broken)
const host = '127.0.0.1'
const admin = order.admin_port === undefined ? null : { host, port: order.admin_port }
const place = { host, port: order.port, admin, drain_ms: 0 }
await startServer({ ...place, gapura: optionsOf(order) }, quiet)
process.stdout.write('ready\n')
