// `npm run bench ledger`: what the ledger costs. The service and a copy of it without the ledger, each
// on tables of its own, take turns at the same load; the figure is the ratio of the same round.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { callerOf } from '../charge_requests.ts'
import { OPERATIONS, type Place } from '../cost/operations.ts'
import { readFlags } from '../flags.ts'
import { SERVER_KEY } from '../orders.ts'
import { send, startChild } from '../processes.ts'
import { goalOf, goalTable, type Goal } from '../report.ts'
import {
  migrate,
  onStage,
  progress,
  provePromises,
  serviceOrder,
  settle,
  writeResults,
  type Stage,
} from '../stage.ts'
import { copyWithoutLedger } from './without.ts'

const flags = readFlags({
  rounds: [9, 1],
  webhooks: [6_000, 256],
  charges: [2_000, 64],
})
const WARM_UPS = flags.quick ? 0 : 3
const LEAST = 0.75

const CASES = [
  { name: 'webhook under load', count: flags.webhooks },
  { name: 'charge under load', count: flags.charges },
] as const

type CaseName = (typeof CASES)[number]['name']
type Side = 'with' | 'without'

/** Operations a second, every answer checked. */
async function rateOf(place: Place, name: CaseName, round: string, count: number) {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation === undefined) throw new Error(`no operation ${name}`)
  const { requests, check } = await operation.prepare(place, round, count)
  await settle(place.pool)
  const { connections } = operation
  const order = { urls: [place.service_url], connections, headers: place.headers }
  const { answers, seconds } = await send(order, requests)
  await check(answers)
  return requests.length / seconds
}

async function placesOf(stage: Stage, copy: string): Promise<Record<Side, Place>> {
  const gateway_url = await startChild('simulator_child.ts', { server_key: SERVER_KEY })
  const place = async (side: Side): Promise<Place> => {
    const schema = side === 'with' ? stage.schema : stage.another('without')
    if (side === 'without') await migrate(stage.url, schema)
    const here = { ...stage, schema }
    const file = side === 'with' ? 'service_child.ts' : path.join(copy, 'bench/service_child.ts')
    const service_url = await startChild(file, serviceOrder(here, gateway_url))
    const headers = await callerOf(here, 'shop')
    return { pool: stage.pool, schema, service_url, gateway_url, headers }
  }
  return { with: await place('with'), without: await place('without') }
}

async function measure(places: Record<Side, Place>) {
  const rates = Object.fromEntries(
    CASES.map(({ name }) => [name, { with: [], without: [] }]),
  ) as unknown as Record<CaseName, Record<Side, number[]>>
  for (let round = 1 - WARM_UPS; round <= flags.rounds; round++) {
    for (const { name, count } of CASES) {
      const turns: readonly Side[] = round % 2 === 0 ? ['with', 'without'] : ['without', 'with']
      for (const side of turns) {
        const prefix = `${name.slice(0, 2)}-${side}-${round + WARM_UPS}`
        const rate = await rateOf(places[side], name, prefix, count)
        progress(`${round} ${name}, ${side}: ${rate.toFixed(0)}/s`)
        if (round > 0) rates[name][side].push(rate)
      }
    }
  }
  return rates
}

const copy = copyWithoutLedger()
try {
  await onStage(async (stage) => {
    const rates = await measure(await placesOf(stage, copy))
    const goals: Goal[] = CASES.map(({ name }) =>
      goalOf({
        name: `${name}: with the ledger ÷ without`,
        rounds: rates[name].with.map((rate, at) => rate / (rates[name].without[at] ?? 0)),
        least: LEAST,
      }),
    )
    process.stdout.write(`${goalTable(goals)}\n\n${await provePromises(stage)}\n`)
    if (!flags.quick) await writeResults(stage, 'ledger', { result: { flags, rates, goals } })
  })
} finally {
  rmSync(copy, { recursive: true, force: true })
}
