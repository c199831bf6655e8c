// `npm run bench webhooks-out`: deliveries to the endpoints of twenty owners a second beside bare undici, how late
// they are at a steady rate, what one endpoint that answers in 14 s costs the others, and what the
// endpoints cost the service's own requests. In interleaved rounds, with a real receiver.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGapura } from 'gapura'
import { readFlags } from '../flags.ts'
import { addOrders, reportsOf } from '../orders.ts'
import { processorOf } from '../proc.ts'
import { load, runJob, startChild, startProcess } from '../processes.ts'
import { medianOf } from '../report.ts'
import {
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
  events: [10_000, 500],
  seconds: [10, 2],
  webhooks: [3_000, 200],
})
const ENDPOINTS = 20
const RATE = 200
const BATCH = 10
const CONNECTIONS = 160
const WARM_UP_SECONDS = 2
// Staff say why they act on an owner's endpoint.
const REASON = { reason: 'Measuring' }

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0

interface Place {
  stage: Stage
  service_url: string
  service_pid: number
  worker_pid: number
  receiver_url: string
  staff: { authorization: string }
}

const post = async (url: string, headers: object, body: object = {}): Promise<{ id: string }> => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${url} was answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as { id: string }
}

const received = async ({ receiver_url }: Place, path: '/count' | '/lags' | '/reset') =>
  (await (await fetch(`${receiver_url}${path}`)).json()) as { count: number; lags: number[] }

/** Waits for so many deliveries; returns when they had come. */
async function until(place: Place, count: number): Promise<number> {
  const late = performance.now() + 120_000
  while ((await received(place, '/count')).count < count) {
    if (performance.now() > late)
      throw new Error(`only ${(await received(place, '/count')).count} of ${count}`)
    await sleep(20)
  }
  return performance.now()
}

const add = async ({ stage }: Place, prefix: string, count: number): Promise<void> =>
  await addOrders(stage.pool, stage.schema, { prefix, count, owners: ENDPOINTS })

/** A backlog of events to all endpoints, and then the same number of bare posts. */
async function throughput(place: Place, round: number) {
  await received(place, '/reset')
  // They appear together: until they are committed there is nothing to deliver.
  await add(place, `backlog-${round}`, flags.events)
  const cpu = await processorOf(place.worker_pid)
  const began = performance.now()
  const seconds = ((await until(place, flags.events)) - began) / 1_000
  const ms = ((await processorOf(place.worker_pid)) - cpu) * 1_000
  const count = flags.events
  const { rows } = await place.stage.pool.query<{ object: unknown }>(
    `select object from ${place.stage.schema}.gateway_event limit 1`,
  )
  const body = { type: 'payment_received', timestamp: new Date().toISOString(), data: rows[0] }
  const order = { url: `${place.receiver_url}/bare`, count, connections: CONNECTIONS }
  const bare = await runJob<{ per_second: number; cpu_ms: number }>(
    'webhooks_out/bare_child.ts',
    order,
    [JSON.stringify(body)],
  )
  return {
    per_second: count / seconds,
    cpu_ms: ms / count,
    bare_per_second: bare.per_second,
    bare_cpu_ms: bare.cpu_ms,
  }
}

/** Events at a steady rate; how late the deliveries were. */
async function lag(place: Place, prefix: string) {
  await received(place, '/reset')
  const batches = ((WARM_UP_SECONDS + flags.seconds) * RATE) / BATCH
  const began = performance.now()
  for (let n = 0; n < batches; n++) {
    await add(place, `${prefix}-${n}`, BATCH)
    await sleep(Math.max(0, began + (n + 1) * ((1_000 * BATCH) / RATE) - performance.now()))
  }
  await until(place, batches * BATCH)
  // In the order of their coming: the first ones waited for endpoints that had nothing to do.
  const lags = (await received(place, '/lags')).lags.slice(WARM_UP_SECONDS * RATE)
  return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) }
}

async function withSlowEndpoint<Result>(place: Place, work: () => Promise<Result>) {
  const base = `${place.service_url}/webhook_endpoints/`
  const order = { url: `${place.receiver_url}/slow`, all_owners: true }
  const { id } = await post(base, place.staff, order)
  await sleep(1_500)
  try {
    return await work()
  } finally {
    await post(`${base}${id}/delete/`, place.staff, REASON)
  }
}

/**
 * Processor time of the service for one notification. While the worker is halted that is what the
 * endpoints cost the request; while it delivers, it competes for the same cores as well.
 */
async function ownCost(place: Place, prefix: string, worker: 'delivers' | 'halted') {
  const { stage, service_pid, service_url, worker_pid } = place
  await add(place, prefix, flags.webhooks)
  await sleep(3_000)
  await settle(stage.pool)
  if (worker === 'halted') process.kill(worker_pid, 'SIGSTOP')
  const cpu = await processorOf(service_pid)
  await load(service_url, 64, reportsOf(prefix, flags.webhooks))
  const ms = ((await processorOf(service_pid)) - cpu) * 1_000
  process.kill(worker_pid, 'SIGCONT')
  await sleep(3_000)
  return ms / flags.webhooks
}

async function measure(place: Place, ids: readonly string[]) {
  const all = async (action: string): Promise<void> => {
    for (const id of ids) {
      await post(`${place.service_url}/webhook_endpoints/${id}/${action}/`, place.staff)
    }
    await sleep(1_500)
  }
  const rounds = []
  for (let round = 0; round < flags.rounds; round++) {
    const speed = await throughput(place, round)
    const alone = await lag(place, `alone-${round}`)
    const beside = await withSlowEndpoint(place, async () => await lag(place, `slow-${round}`))
    const delivering = await ownCost(place, `delivering-${round}`, 'delivers')
    const before = await ownCost(place, `before-${round}`, 'halted')
    await all('pause')
    const cost_without = await ownCost(place, `without-${round}`, 'halted')
    await all('enable')
    // Around it, so that what the machine does meanwhile is in both.
    const cost_with = (before + (await ownCost(place, `after-${round}`, 'halted'))) / 2
    rounds.push({ ...speed, alone, beside, delivering, cost_with, cost_without })
    progress(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`)
  }
  return rounds
}

await onStage(async (stage) => {
  const keys = [randomBytes(32).toString('base64')]
  const webhooks = { keys, allow_private: true }
  const order = { ...serviceOrder(stage), webhooks }
  const receiver_url = await startChild('webhooks_out/receiver_child.ts', {})
  const { url: service_url, pid: service_pid } = await startProcess('service_child.ts', order)
  const worker = { reads_per_second: 1 }
  const { pid: worker_pid } = await startProcess('service_child.ts', { ...order, worker })
  const gapura = createGapura(serviceOrder(stage))
  const keyOf = async (owner_id: string, is_staff: boolean) => {
    const { key } = await gapura.createApiKey({ owner_id, staff: is_staff, name: 'bench' })
    return { authorization: `Bearer ${key}` }
  }
  const staff = await keyOf('desk', true)
  const place = { stage, service_url, service_pid, worker_pid, receiver_url, staff }
  const ids: string[] = []
  for (let n = 0; n < ENDPOINTS; n++) {
    // Each on an address of its own, as merchants have them.
    const url = `${receiver_url.replace('127.0.0.1', `127.0.0.${n + 2}`)}/${n}`
    const owner = await keyOf(`owner-${n}`, false)
    ids.push((await post(`${service_url}/webhook_endpoints/`, owner, { url })).id)
  }
  await gapura.close()
  await sleep(1_500)
  const rounds = await measure(place, ids)
  const median = (of: (round: (typeof rounds)[number]) => number) => medianOf(rounds.map(of))
  const result = {
    deliveries_per_second: median(({ per_second }) => per_second),
    of_bare_undici: median(({ per_second, bare_per_second }) => per_second / bare_per_second),
    processor_ms_of_a_delivery: median(({ cpu_ms }) => cpu_ms),
    processor_ms_of_a_bare_post: median(({ bare_cpu_ms }) => bare_cpu_ms),
    lag_ms_at_200_events: {
      p50: median((one) => one.alone.p50),
      p99: median((one) => one.alone.p99),
    },
    p99_ms_more_beside_a_slow_one: median((one) => one.beside.p99 - one.alone.p99),
    own_requests_with_endpoints: median((one) => one.cost_without / one.cost_with),
    own_requests_while_delivering: median((one) => one.cost_without / one.delivering),
  }
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n${await provePromises(stage)}\n`)
  if (!flags.quick)
    await writeResults(stage, 'webhooks_out', { result: { flags, ...result, rounds } })
})
