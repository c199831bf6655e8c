// Workers, the service and receivers of webhooks are killed, and receivers are slow, refuse, redirect
// and answer garbage, while events are written. Every endpoint must have received every event of its
// owner, in order for each object; repeats have the same id.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { readArguments } from './bench/arguments.ts'
import { deploy } from './bench/deployment.ts'
import { chargeSome, eventsOf, startWriters } from './bench/event_writers.ts'
import { seeded } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import { freePort, Supervised } from './bench/supervised.ts'

const OBJECTS = 24
const WRITERS = 4
const PAUSE_MS = 250
const CATCH_UP_MS = 120_000
const MODES = ['slow', 'long', 'refuse', 'busy', 'redirect', 'reset', 'garbage'] as const
/** After so many faults all endpoints are enabled again: rests and long plans end, and work goes on. */
const RELIEF = 25

const given = readArguments({ n: 2_000, quick_n: 40 })
const random = seeded(given.seed)
const webhook_key = randomBytes(32).toString('base64')
const deployment = await deploy({
  seed: given.seed,
  apis: 1,
  workers: 2,
  direct: true,
  webhook_key,
})
const { parts, database_url, schema, callers, staff, apis, workers } = deployment
const { db } = parts.ctx
const url = apis[0]?.url ?? ''
const run = async <Row extends Record<string, unknown>>(text: string, values: string[] = []) =>
  await withTransaction(db, async (tx) => await tx.query<Row>(text, values, { prepare: false }))
await run(
  `create table gapura.webhook_path (path text primary key, secret text, mode text not null)`,
)
await run(`create table gapura.webhook_effect (
  path text, event_id uuid, object_id uuid, sequence integer,
  place bigint generated always as identity, times integer not null default 1,
  primary key (path, event_id))`)

const port = await freePort()
const receiver = new Supervised({
  name: 'receiver',
  script: 'processes/webhook_receiver.ts',
  argument: { port, database_url, schema },
})
await receiver.untilReady()

/** Waits for a service that was killed a moment ago. */
async function ask(key: string, path: string, body: object = {}): Promise<Record<string, unknown>> {
  for (let tries = 0; ; tries++) {
    const reply = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    if (reply?.ok) return (await reply.json()) as Record<string, unknown>
    if (tries === 600) throw new Error(`${path} was answered ${reply?.status ?? 'never'}`)
    await sleep(100)
  }
}

interface Endpoint {
  id: string
  path: string
  key: string
  owner: string | null
}
const endpoints: Endpoint[] = []
const wanted = [...callers.slice(0, 3), ...callers.slice(0, 1), { ...staff, owner_id: null }]
for (const [index, { api_key: key, owner_id: owner }] of wanted.entries()) {
  const path = `/hook-${index}`
  const order = { url: `http://127.0.0.1:${port}${path}`, all_owners: owner === null }
  const { id, secret } = await ask(key, '/webhook_endpoints/', order)
  await run('insert into gapura.webhook_path values ($1, $2, $3)', [path, String(secret), 'ok'])
  endpoints.push({ id: String(id), path, key, owner })
}
const relieve = async (): Promise<void> => {
  for (const { id, key } of endpoints) await ask(key, `/webhook_endpoints/${id}/enable/`)
}

const ids = await chargeSome(url, callers, OBJECTS)
const writing = startWriters(parts, ids, random, { writers: WRITERS, pause_ms: PAUSE_MS })
const counts: Record<string, number> = {}
const kill = async (name: string, one: Supervised | undefined): Promise<void> => {
  await one?.untilReady()
  one?.kill()
  counts[name] = (counts[name] ?? 0) + 1
}
const FAULTS = {
  worker: async () => await kill('worker killed', random.pick(workers)),
  service: async () => await kill('service killed', apis[0]?.process),
  receiver: async () => await kill('receiver killed', receiver),
  mode: async () => {
    const mode = random.pick(MODES)
    const { path } = random.pick(endpoints)
    await run('update gapura.webhook_path set mode = $2 where path = $1', [path, mode])
    counts[mode] = (counts[mode] ?? 0) + 1
    await sleep(random.between(50, 400))
    await run(`update gapura.webhook_path set mode = 'ok' where path = $1`, [path])
  },
}
/** A killed worker's endpoints wait for its lease to end, so it is killed less often. */
const KINDS: readonly (keyof typeof FAULTS)[] = [
  'worker',
  'service',
  'receiver',
  ...Array.from({ length: 9 }, () => 'mode' as const),
]
const end = performance.now() + given.seconds_max * 1_000
let faults_made = 0
while (faults_made < given.n && performance.now() < end) {
  await sleep(random.between(50, 300))
  const kind = random.pick(KINDS)
  await FAULTS[kind]()
  faults_made += 1
  if (faults_made % RELIEF === 0) await relieve()
  if (faults_made % 100 === 0) progress(`${faults_made} faults, ${writing.counts.committed} events`)
}
await writing.stop()
await relieve()
const events = await eventsOf(parts)

interface Effect extends Record<string, unknown> {
  event_id: string
  object_id: string
  sequence: number
  times: number
}
const effectsOf = async (path: string): Promise<Effect[]> =>
  await run<Effect>(
    'select event_id, object_id, sequence, times from gapura.webhook_effect where path = $1 order by place',
    [path],
  )

/** Waits until every event has come, or until nothing more comes for long. */
async function caughtUp(path: string, count: number): Promise<Effect[]> {
  let late = performance.now() + CATCH_UP_MS
  let effects = await effectsOf(path)
  for (let looks = 1; effects.length < count && performance.now() < late; looks++) {
    await sleep(500)
    // Attempts that were slow when the faults ended have failed since: the endpoint rests, by design.
    if (looks % 40 === 0) await relieve()
    const before = effects.length
    effects = await effectsOf(path)
    if (effects.length > before) late = performance.now() + CATCH_UP_MS
  }
  return effects
}

const faults: string[] = []
let repeats = 0
for (const { path, owner } of endpoints) {
  const isMine = ({ owner_id }: { owner_id: string | null }) => owner === null || owner_id === owner
  const mine = events.filter(isMine)
  const effects = await caughtUp(path, mine.length)
  const known = new Set(effects.map(({ event_id }) => event_id))
  const lost = mine.filter(({ id }) => !known.has(id)).length
  // Read again: after a long run the first charges expire, and that is an event, too.
  const allowed = new Set((await eventsOf(parts)).filter(isMine).map(({ id }) => id))
  const foreign = effects.filter(({ event_id }) => !allowed.has(event_id)).length
  const last = new Map<string, number>()
  let disordered = 0
  for (const { object_id, sequence, times } of effects) {
    if (sequence !== (last.get(object_id) ?? 0) + 1) disordered += 1
    last.set(object_id, sequence)
    repeats += times - 1
  }
  if (lost > 0) faults.push(`${path}: ${lost} of ${mine.length} events were never received`)
  if (foreign > 0) faults.push(`${path}: ${foreign} events of other owners`)
  if (disordered > 0) faults.push(`${path}: ${disordered} events out of order for their object`)
}
const [logged] = await run<{ count: string; failed: string }>(
  `select count(*) as count, count(*) filter (where outcome = 'failed') as failed
   from gapura.webhook_delivery`,
)
report('webhooks', given, {
  figures: [
    {
      what: 'kills and faults',
      measured: faults_made,
      goal: `≥ ${given.n}`,
      missed: faults_made < given.n,
    },
    {
      what: 'of each kind',
      measured: Object.entries(counts)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', '),
    },
    { what: 'events committed', measured: events.length },
    { what: 'endpoints', measured: endpoints.length },
    {
      what: 'attempts in the log, of them failed',
      measured: `${logged?.count}, ${logged?.failed}`,
    },
    { what: 'repeats under the same id', measured: repeats },
  ],
  faults,
})
await receiver.stop()
await deployment.close()
