// Consumers of the event feed are killed at random while many writers write. Each consumer keeps its
// cursor with its effects, so every event must have been handled exactly once, in order.
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../packages/service/src/main/server.ts'
import { withTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { readArguments } from './bench/arguments.ts'
import { deploy, OWNER, SERVER_KEY } from './bench/deployment.ts'
import { chargeSome, eventsOf, startWriters } from './bench/event_writers.ts'
import { seeded } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { Supervised } from './bench/supervised.ts'

const OBJECTS = 24
const WRITERS = 8
const PAUSE_MS = 120
const CATCH_UP_MS = 60_000

const given = readArguments({ n: 200, quick_n: 12 })
const random = seeded(given.seed)
const deployment = await deploy({ seed: given.seed, apis: 0, workers: 0, direct: true })
const { parts, database_url, schema, callers, staff, simulator_url } = deployment
const { db } = parts.ctx
await withTransaction(db, async (tx) => {
  const run = async (text: string) => await tx.query(text, [], { prepare: false })
  await run(`create table gapura.feed_effect (
    consumer text, event_id uuid, object_id uuid, sequence integer,
    place bigint generated always as identity, times integer not null default 1,
    primary key (consumer, event_id))`)
  await run('create table gapura.feed_position (consumer text primary key, cursor text not null)')
})
const silent = { info: () => undefined, warn: () => undefined, error: console.error }
const server = await startServer(
  {
    host: '127.0.0.1',
    port: 0,
    admin: null,
    drain_ms: 0,
    gapura: {
      databaseUrl: database_url,
      schema,
      gateway: { server_key: SERVER_KEY, base_url: simulator_url },
    },
  },
  silent,
)
const { url } = server

/** Staff by pages and by the stream see all; an owner sees its own. */
const CONSUMERS = [
  { name: 'all-pages', key: staff.api_key, how: 'pages', owner: null },
  { name: 'all-stream', key: staff.api_key, how: 'stream', owner: null },
  { name: 'own-pages', key: callers[0]?.api_key ?? '', how: 'pages', owner: OWNER },
] as const
const start = (one: { name: string; key: string; how: string }): Supervised =>
  new Supervised({
    name: one.name,
    script: 'processes/feed_consumer.ts',
    argument: { ...one, url, database_url, schema },
  })

const ids = await chargeSome(url, callers, OBJECTS)
const writing = startWriters(parts, ids, random, { writers: WRITERS, pause_ms: PAUSE_MS })
const consumers = CONSUMERS.map((one) => ({ ...one, process: start(one) }))
const end = performance.now() + given.seconds_max * 1_000
let kills = 0
while (kills < given.n && performance.now() < end) {
  const victim = random.pick(consumers)
  await victim.process.untilReady()
  await sleep(random.between(0, 250))
  victim.process.kill()
  kills += 1
  if (kills % 20 === 0) progress(`${kills} kills, ${writing.counts.committed} events`)
}
await writing.stop()
const events = await eventsOf(parts)

interface Effect {
  event_id: string
  object_id: string
  sequence: number
  times: number
}

const effectsOf = async (name: string): Promise<Effect[]> =>
  await withTransaction(
    db,
    async (tx) =>
      await tx.query<Effect>(
        'select event_id, object_id, sequence, times from gapura.feed_effect where consumer = $1 order by place',
        [name],
        { prepare: false },
      ),
  )

/** Waits until so many were handled, or until no more come. */
async function caughtUp(name: string, wanted: number): Promise<Effect[]> {
  let late = performance.now() + CATCH_UP_MS
  let effects = await effectsOf(name)
  while (effects.length < wanted && performance.now() < late) {
    await sleep(500)
    const before = effects.length
    effects = await effectsOf(name)
    if (effects.length > before) late = performance.now() + CATCH_UP_MS
  }
  return effects
}

/** Objects whose sequence does not count 1, 2, 3 … in the order of handling. */
function gapsIn(effects: readonly Effect[]): string[] {
  const last = new Map<string, number>()
  const gaps: string[] = []
  for (const { object_id, sequence } of effects) {
    if (sequence !== (last.get(object_id) ?? 0) + 1) gaps.push(`${object_id} at ${sequence}`)
    last.set(object_id, sequence)
  }
  return gaps
}

const faults: string[] = []
const handled: number[] = []
for (const { name, owner, process: one } of consumers) {
  const wanted = events.filter(({ owner_id }) => owner === null || owner_id === owner)
  const effects = await caughtUp(name, wanted.length)
  await one.stop()
  const known = new Set(effects.map(({ event_id }) => event_id))
  const lost = wanted.filter(({ id }) => !known.has(id)).length
  const foreign = effects.length - (wanted.length - lost)
  const doubled = effects.filter(({ times }) => times > 1).length
  const gaps = gapsIn(effects)
  handled.push(effects.length)
  if (lost > 0) faults.push(`${name}: ${lost} of ${wanted.length} events were never read`)
  if (foreign > 0) faults.push(`${name}: ${foreign} events that are not its own`)
  if (doubled > 0) faults.push(`${name}: ${doubled} events were read twice`)
  if (gaps.length > 0) faults.push(`${name}: out of order: ${gaps.slice(0, 3).join('; ')}`)
}

// A row that is removed on purpose: a new consumer must see the gap.
const removed = events.find(({ sequence }) => sequence === 3)
await withTransaction(db, async (tx) => {
  const where = 'delete from gapura.gateway_event where id = $1'
  await tx.query(where, [removed?.id ?? ''], { prepare: false })
})
const fresh = start({ name: 'fresh', key: staff.api_key, how: 'pages' })
const seen = await caughtUp('fresh', events.length - 1)
await fresh.stop()
const found = gapsIn(seen)
const starts = consumers.reduce((sum, one) => sum + one.process.starts, 0)
report('feed', given, {
  figures: [
    { what: 'kills', measured: kills, goal: `≥ ${given.n}`, missed: kills < given.n },
    { what: 'starts of the three consumers', measured: starts },
    {
      what: 'events committed, rolled back',
      measured: `${writing.counts.committed}, ${writing.counts.rolled_back}`,
    },
    { what: 'events handled by each consumer', measured: handled.join(', ') },
    {
      what: 'gaps a new consumer found after one row was removed',
      measured: `${found.length} (${found[0] ?? 'none'})`,
      goal: 'the one that was made',
      missed: found.length !== 1 || !found[0]?.startsWith(removed?.object_id ?? '-'),
    },
  ],
  faults,
})
await server.stop()
await deployment.close()
