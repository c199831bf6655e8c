// `npm run bench processes`: webhooks and charges on one, two and four processes over one database,
// on one process as tables and owners grow, and with a standby that every commit waits for; with the
// processor time per request.
import { PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf, chargesOf, ordersOf } from '../charge_requests.ts'
import { checkCharges } from '../check_charges.ts'
import { checkRows } from '../check_rows.ts'
import { costOf, costTable, type Costed } from '../costs.ts'
import { readFlags } from '../flags.ts'
import { addManyOrders, addOrders, reportsOf, SERVER_KEY } from '../orders.ts'
import { load, send, startChild, startProcess, stopChildren, type Started } from '../processes.ts'
import { plotOf } from '../report.ts'
import {
  analyze,
  migrate,
  onStage,
  progress,
  provePromises,
  serviceOrder,
  settle,
  writeResults,
  type Stage,
} from '../stage.ts'

const flags = readFlags({
  rounds: [5, 1],
  reports: [6_000, 256],
  charges: [1_500, 64],
  /** Payments of the largest tables; a tenth and a thousandth of it are measured as well. */
  rows: [10_000_000, 2_000],
})
const WEBHOOK_CONNECTIONS = 256
const CHARGE_CONNECTIONS = 64
const PROCESSES = [1, 2, 4] as const
const ROWS_PER_OWNER = 100

/** Processes over one schema, and the keys that may charge there. */
interface Place extends Stage {
  /** The application name of its processes' connections. */
  run: string
  processes: Started[]
  headers: { authorization: string }
}

type Case = () => Promise<Costed>

let prefixes = 0
const nextPrefix = (): string => `run${prefixes++}`

const webhooks =
  ({ pool, schema, run, processes }: Place, count: number): Case =>
  async () => {
    const prefix = nextPrefix()
    const used = processes.slice(0, count)
    await addOrders(pool, schema, { prefix, count: flags.reports })
    const reports = reportsOf(prefix, flags.reports)
    await settle(pool)
    const { costed, answers } = await costOf(
      { pool, schema: run },
      used.map(({ pid }) => pid),
      async () =>
        await load(
          used.map(({ url }) => url),
          WEBHOOK_CONNECTIONS,
          reports,
        ),
    )
    await checkRows(pool, schema, { reports, answers })
    return costed
  }

const charges =
  ({ pool, schema, run, processes, headers }: Place, count: number): Case =>
  async () => {
    const orders = ordersOf(`${schema}-${nextPrefix()}`, flags.charges)
    const used = processes.slice(0, count)
    const urls = used.map(({ url }) => url)
    await settle(pool)
    const { costed, answers } = await costOf(
      { pool, schema: run },
      used.map(({ pid }) => pid),
      async () => await send({ urls, connections: CHARGE_CONNECTIONS, headers }, chargesOf(orders)),
    )
    await checkCharges(pool, schema, { orders, answers })
    return costed
  }

async function open(stage: Stage, schema: string, gateway_url: string, count: number) {
  const place = { ...stage, schema, run: stage.schema }
  const order = serviceOrder(place, gateway_url)
  const processes: Started[] = []
  for (let n = 0; n < count; n++) processes.push(await startProcess('service_child.ts', order))
  return { ...place, processes, headers: await callerOf(place, 'owner-1') }
}

const startGateway = async (): Promise<string> =>
  await startChild('simulator_child.ts', { server_key: SERVER_KEY })

/** More processes over the same tables. */
async function several(stage: Stage): Promise<[string, Case][]> {
  const place = await open(stage, stage.schema, await startGateway(), Math.max(...PROCESSES))
  const of = (n: number): string => (n === 1 ? '1 process' : `${n} processes`)
  return [
    ...PROCESSES.map((n): [string, Case] => [`webhooks, ${of(n)}`, webhooks(place, n)]),
    ...PROCESSES.map((n): [string, Case] => [`charges, ${of(n)}`, charges(place, n)]),
  ]
}

/** One process over larger tables: one schema per size, so that rounds can alternate. */
async function grown(stage: Stage, sizes: ReadonlyMap<number, string>): Promise<[string, Case][]> {
  const gateway_url = await startGateway()
  const places: [string, Place][] = []
  for (const [rows, schema] of sizes) {
    await migrate(stage.url, schema)
    const owners = Math.ceil(rows / ROWS_PER_OWNER)
    await addManyOrders(stage.pool, schema, { prefix: 'old', count: rows, owners })
    await analyze({ pool: stage.pool, schema })
    const name = `${rows.toLocaleString('en')} payments of ${owners.toLocaleString('en')} owners`
    progress(name)
    places.push([name, await open(stage, schema, gateway_url, 1)])
  }
  return [
    ...places.map(([name, place]): [string, Case] => [`webhooks, ${name}`, webhooks(place, 1)]),
    ...places.map(([name, place]): [string, Case] => [`charges, ${name}`, charges(place, 1)]),
  ]
}

const STANDBY = 'standby'

/** The same commits with and without waiting until a second server has flushed them to its disk. */
async function besideStandby(stage: Stage): Promise<[string, Case][]> {
  const place = await open(stage, stage.schema, await startGateway(), 1)
  const waiting =
    (names: string, run: Case): Case =>
    async () => {
      await stage.pool.query(`alter system set synchronous_standby_names = '${names}'`)
      await stage.pool.query('select pg_reload_conf()')
      const state = names === '' ? 'async' : 'sync'
      while ((await standbyState(stage)) !== state) await sleep(50)
      return await run()
    }
  return [
    ['webhooks, no wait for a standby', waiting('', webhooks(place, 1))],
    ['webhooks, synchronous standby', waiting(STANDBY, webhooks(place, 1))],
    ['charges, no wait for a standby', waiting('', charges(place, 1))],
    ['charges, synchronous standby', waiting(STANDBY, charges(place, 1))],
  ]
}

async function standbyState({ pool }: Stage): Promise<string | undefined> {
  const { rows } = await pool.query<{ sync_state: string }>(
    'select sync_state from pg_stat_replication where application_name = $1',
    [STANDBY],
  )
  return rows[0]?.sync_state
}

async function measure(cases: readonly [string, Case][]): Promise<Record<string, Costed[]>> {
  const rounds: Record<string, Costed[]> = Object.fromEntries(cases.map(([name]) => [name, []]))
  // Round 0 warms up code and caches and is not counted; its rows are checked all the same.
  for (let round = flags.quick ? 1 : 0; round <= flags.rounds; round++) {
    const turn = round % cases.length
    for (const [name, run] of [...cases.slice(turn), ...cases.slice(0, turn)]) {
      const one = await run()
      const cost = `${one.service_ms.toFixed(2)} + ${one.database_ms.toFixed(2)} ms`
      progress(`${round} ${name}: ${one.per_second.toFixed(0)}/s, ${cost} of processor`)
      if (round > 0) rounds[name]?.push(one)
    }
  }
  // The next part needs the connections that these held.
  await stopChildren()
  return rounds
}

let rounds: Record<string, Costed[]> = {}
let hold = ''

const primary = await PostgresCluster.create()
const standby = await primary.createStandby(STANDBY)
try {
  await onStage(async (stage) => {
    rounds = await measure(await besideStandby(stage))
    hold = await provePromises(stage)
  }, primary.url)
} finally {
  await standby.remove()
  await primary.remove()
}

await onStage(async (stage) => {
  const counts = [flags.rows / 1_000, flags.rows / 10, flags.rows].map(Math.ceil)
  const sizes = new Map(counts.map((rows) => [rows, stage.another(String(rows))]))
  rounds = {
    ...(await measure(await several(stage))),
    ...(await measure(await grown(stage, sizes))),
    ...rounds,
  }
  for (const schema of [stage.schema, ...sizes.values()]) {
    hold = await provePromises({ ...stage, schema })
  }
  if (!flags.quick) {
    await writeResults(stage, 'processes', { result: { flags, rounds }, plot: plotOf(rounds) })
  }
  process.stdout.write(`${costTable(rounds)}\n\n${hold}\n`)
})
