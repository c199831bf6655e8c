// Processor time of the service and of the whole database server, as the kernel counts it, beside
// pgbench on bare tables with its client, in interleaved rounds.
import { readFile } from 'node:fs/promises'
import { childrenOf, type PostgresCluster } from '../../campaigns/bench/postgres_cluster.ts'
import { fillSearch } from '../../packages/service/src/services/sweeps/fill_search.ts'
import {
  openDatabase,
  type Database,
} from '../../packages/service/src/store/connection/database.ts'
import { createBareTables, pgbench } from '../bare.ts'
import { bareCharges, createBareCharges, widthsOf } from '../charges/bare_charge.ts'
import { reportsOf } from '../orders.ts'
import { processorOf, processorsOf } from '../proc.ts'
import { send } from '../processes.ts'
import { medianOf, shown } from '../report.ts'
import { progress, settle, type Stage } from '../stage.ts'
import { OPERATIONS, type Place } from './operations.ts'

/** Milliseconds of processor time per operation. */
interface Cost {
  client_ms: number
  database_ms: number
  per_second: number
}

export type Times = Record<string, Cost[]>

interface Timing {
  stage: Stage
  cluster: PostgresCluster
  place: Place
  /** The service's process. */
  pid: number
  sizes: { rounds: number; webhooks: number; charges: number }
}

const SEARCHED = 'an event made searchable, in the background'
const TICKS_PER_SECOND = 100
const WARM_UPS_MAX = 12
/** Warm-up ends when a round is less than this much cheaper than the one before. */
const FLAT = 0.03

/** Seconds used by the server: its running processes, and those that have ended. */
async function serverTime({ postmaster }: PostgresCluster): Promise<number> {
  const running = await processorsOf([postmaster, ...childrenOf(postmaster)])
  return running + (await endedChildrenOf(postmaster))
}

async function endedChildrenOf(pid: number | 'self'): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

async function costOf(
  { cluster }: Timing,
  clientTime: () => Promise<number>,
  work: () => Promise<number>,
): Promise<Cost> {
  const [client, database] = [await clientTime(), await serverTime(cluster)]
  const began = performance.now()
  const count = await work()
  const seconds = (performance.now() - began) / 1_000
  const each = 1_000 / count
  return {
    client_ms: ((await clientTime()) - client) * each,
    database_ms: ((await serverTime(cluster)) - database) * each,
    per_second: count / seconds,
  }
}

/** One operation of the service, at its load. */
async function ours(timing: Timing, name: string, round: string, count: number): Promise<Cost> {
  const { place, pid, stage } = timing
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`no operation ${name}`)
  const { requests, check } = await operation.prepare(place, round, count)
  await settle(stage.pool)
  const { connections } = operation
  const order = { urls: [place.service_url], connections, headers: place.headers }
  let result: Awaited<ReturnType<typeof send>> | undefined
  const cost = await costOf(
    timing,
    async () => await processorOf(pid),
    async () => {
      result = await send(order, requests)
      return requests.length
    },
  )
  await check(result?.answers ?? [])
  return { ...cost, per_second: requests.length / (result?.seconds ?? 1) }
}

/** A run of pgbench: it is a child of this process, which the kernel counts once it has ended. */
const bare = async (
  timing: Timing,
  count: number,
  run: () => Promise<{ per_second: number }>,
): Promise<Cost> => {
  await settle(timing.stage.pool)
  let per_second = 0
  const cost = await costOf(
    timing,
    async () => await endedChildrenOf('self'),
    async () => {
      ;({ per_second } = await run())
      return count
    },
  )
  return { ...cost, per_second }
}

/** What staff search by, filled beside the requests of callers; each event that was read. */
async function filled(timing: Timing, db: Database): Promise<Cost> {
  await settle(timing.stage.pool)
  const ownTime = async (): Promise<number> => {
    const { user, system } = process.cpuUsage()
    return await Promise.resolve((user + system) / 1_000_000)
  }
  return await costOf(timing, ownTime, async () => {
    let events = 0
    for (let read = 1; read > 0; events += read) read = await fillSearch({ db })
    if (events === 0) throw new Error('no event waited to be made searchable')
    return events
  })
}

type Case = (round: string) => Promise<Cost>

async function casesOf(timing: Timing): Promise<Record<string, Case>> {
  const { stage, sizes } = timing
  const { pool, url } = stage
  const schema = stage.another('bare')
  const charge_schema = stage.another('bare_charge')
  await createBareTables(pool, schema)
  await createBareCharges(pool, charge_schema)
  await ours(timing, 'charge alone', 'width', 1)
  const widths = await widthsOf(pool, stage.schema, 'width-0')
  const body = reportsOf('bare', 1)[0]?.body ?? ''
  const { webhooks, charges } = sizes
  const db = openDatabase(pool, { schema: stage.schema })
  return {
    'webhook under load': async (round) =>
      await ours(timing, 'webhook under load', round, webhooks),
    'pgbench (a), 3 statements': async () =>
      await bare(timing, webhooks, async () => {
        return await pgbench({
          url,
          schema,
          statements: 'three',
          clients: 16,
          transactions: webhooks,
          body,
        })
      }),
    'charge under load': async (round) => await ours(timing, 'charge under load', round, charges),
    'pgbench, the rows of a charge': async () =>
      await bare(timing, charges, async () => {
        return await bareCharges(pool, { url, schema: charge_schema, clients: 16, charges, widths })
      }),
    [SEARCHED]: async () => await filled(timing, db),
  }
}

/** The service is warm when its cost no longer falls. */
async function warmUp(cases: Record<string, Case>): Promise<void> {
  for (const name of ['webhook under load', 'charge under load']) {
    let before = Number.POSITIVE_INFINITY
    for (let n = 0; n < WARM_UPS_MAX; n++) {
      const { client_ms = 0 } = (await cases[name]?.(`warm${n}-${name.split(' ')[0]}`)) ?? {}
      progress(`warm-up ${n} ${name}: ${client_ms.toFixed(3)} ms`)
      if (client_ms > before * (1 - FLAT)) break
      before = client_ms
    }
  }
}

export async function measureTimes(timing: Timing): Promise<Times> {
  const cases = await casesOf(timing)
  await warmUp(cases)
  const names = Object.keys(cases)
  const times: Times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 1; round <= timing.sizes.rounds; round++) {
    const turn = round % names.length
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const cost = await cases[name]?.(`r${round}-${name.split(' ')[0]}`)
      if (cost === undefined) continue
      const { client_ms, database_ms } = cost
      progress(`${round} ${name}: ${client_ms.toFixed(3)} + ${database_ms.toFixed(3)} ms`)
      times[name]?.push(cost)
    }
  }
  return times
}

const total = ({ client_ms, database_ms }: Cost): number => client_ms + database_ms

export function timeTable(times: Times): string {
  const lines = Object.entries(times).map(([name, costs]) => {
    const of = (pick: (cost: Cost) => number): string => shown(medianOf(costs.map(pick)))
    const all = costs.map(total).toSorted((a, b) => a - b)
    const spread = `${shown(all[0] ?? 0)} to ${shown(all.at(-1) ?? 0)}`
    const cells = [of((one) => one.client_ms), of((one) => one.database_ms), of(total), spread]
    return `| ${name} | ${[...cells, of((one) => one.per_second)].join(' | ')} |`
  })
  return [
    '| case | service or client, ms of processor | database | together | spread | per second |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    ratio(times, 'webhook under load', 'pgbench (a), 3 statements'),
    ratio(times, 'charge under load', 'pgbench, the rows of a charge'),
    ratio(times, SEARCHED, 'webhook under load', 'processor time'),
    ratio(times, SEARCHED, 'charge under load', 'processor time'),
  ].join('\n')
}

/** Medians of the ratios within each round. */
function ratio(times: Times, name: string, reference: string, only?: 'processor time'): string {
  const pairs = (times[name] ?? []).map((cost, at) => ({ cost, bare: times[reference]?.[at] }))
  const by = (pick: (cost: Cost) => number): string =>
    shown(
      medianOf(
        pairs.map(({ cost, bare: other }) => pick(cost) / (other ? pick(other) : Number.NaN)),
      ),
    )
  const processor = `${name} ÷ ${reference}: processor time ${by(total)}`
  return only ? processor : `${processor}, a second ${by((one) => one.per_second)}`
}
