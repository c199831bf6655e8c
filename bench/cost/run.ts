// `npm run bench cost`: what an operation costs. First in counts (statements, round trips, rows, index
// entries, WAL), then in processor time of the service and of the database beside bare references, in
// interleaved rounds. On a PostgreSQL of its own, so that nothing else is counted. `--quick` compares
// the counts with those recorded and fails if one has grown by more than 5 %.
import { readFile } from 'node:fs/promises'
import { PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'
import { callerOf } from '../charge_requests.ts'
import { readFlags } from '../flags.ts'
import { SERVER_KEY } from '../orders.ts'
import { startChild, startProcess, stopChildren } from '../processes.ts'
import { onStage, provePromises, serviceOrder, writeResults, type Stage } from '../stage.ts'
import { countAll, countTable, worseThan, type Counts } from './counting.ts'
import { measureTimes, timeTable, type Times } from './timing.ts'
import { countWire } from './wire_counter.ts'

const flags = readFlags({
  rounds: [9, 1],
  /** Operations counted in each case. */
  count: [256, 256],
  webhooks: [6_000, 256],
  charges: [2_000, 64],
})

async function count(stage: Stage, cluster: PostgresCluster): Promise<Record<string, Counts>> {
  const wire = await countWire(stage.url)
  try {
    const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
    const order = serviceOrder({ ...stage, url: wire.url }, gateway_url)
    const service_url = await startChild('service_child.ts', order)
    const headers = await callerOf(stage, 'shop')
    const place = { pool: stage.pool, schema: stage.schema, service_url, gateway_url, headers }
    return await countAll({ cluster, wire, place, count: flags.count })
  } finally {
    await stopChildren()
    await wire.close()
  }
}

async function time(stage: Stage, cluster: PostgresCluster): Promise<Times> {
  const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
  const { url: service_url, pid } = await startProcess(
    'service_child.ts',
    serviceOrder(stage, gateway_url),
  )
  const headers = await callerOf(stage, 'shop')
  const place = { pool: stage.pool, schema: stage.schema, service_url, gateway_url, headers }
  return await measureTimes({ stage, cluster, place, pid, sizes: flags })
}

async function recorded(): Promise<Record<string, Counts>> {
  const text = await readFile(new URL('../results/cost.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { counted: Record<string, Counts> }).counted
}

const cluster = await PostgresCluster.create()
try {
  await onStage(async (stage) => {
    // A vacuum in between would be counted as ours.
    await stage.pool.query('alter system set autovacuum = off')
    await stage.pool.query('select pg_reload_conf()')
    const counted = await count(stage, cluster)
    process.stdout.write(`${countTable(counted)}\n`)
    if (flags.quick) {
      const worse = worseThan(counted, await recorded())
      process.stdout.write(`\n${await provePromises(stage)}\n`)
      if (worse.length > 0) throw new Error(`dearer than recorded:\n${worse.join('\n')}`)
      return
    }
    const times = await time(stage, cluster)
    process.stdout.write(`\n${timeTable(times)}\n\n${await provePromises(stage)}\n`)
    await writeResults(stage, 'cost', { result: { flags, counted, times } })
  }, cluster.url)
} finally {
  await cluster.remove()
}
