// Rotates the gateway's server key and the callers' API keys under load, again and again, by the
// runbook. No caller is refused whose key was valid when it was used.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '../packages/service/src/domain/caller.ts'
import { Secret } from '../packages/service/src/gateway/secret.ts'
import { createApiKey, endApiKey } from '../packages/service/src/services/access/callers.ts'
import { startServer, type RunningServer } from '../packages/service/src/main/server.ts'
import { withReadTransaction } from '../packages/service/src/store/connection/transaction.ts'
import { readArguments } from './bench/arguments.ts'
import { deploy, OWNER } from './bench/deployment.ts'
import { settlement } from './bench/forgeries.ts'
import { openKeyGateway } from './bench/key_gateway.ts'
import { seeded } from './bench/random.ts'
import { progress, report } from './bench/report.ts'
import type { KnownPayment } from './hostile/input.ts'

const CONCURRENCY = 8
const SERVERS = 2
/** Requests served with each pair of keys before the next change. */
const SERVED_BETWEEN = 20
/** How long the old servers still answer, so that no connection ends under a request. */
const DRAIN_MS = 50
const TRIES_MAX = 5

const given = readArguments({ n: 100, quick_n: 4 })
const random = seeded(given.seed)
const freshKey = (): string => `SB-Mid-server-${randomBytes(9).toString('base64url')}x`
const first_key = freshKey()
const deployment = await deploy({
  seed: given.seed,
  apis: 0,
  workers: 0,
  direct: true,
  server_key: first_key,
})
const { database_url, schema, simulator_url, parts } = deployment
const key_gateway = await openKeyGateway(simulator_url, first_key)
key_gateway.keys = [first_key]
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Keys {
  current: string
  previous?: string
}

const serve = async ({ current, previous }: Keys): Promise<RunningServer> =>
  await startServer(
    {
      host: '127.0.0.1',
      port: 0,
      admin: null,
      drain_ms: DRAIN_MS,
      gapura: {
        databaseUrl: database_url,
        schema,
        database: { connections_max: 8 },
        gateway: {
          server_key: new Secret(current),
          base_url: key_gateway.url,
          ...(previous !== undefined && { previous_server_key: new Secret(previous) }),
        },
      },
    },
    silent,
  )

/** The key the gateway signs with: the new one, and for its retries the one before. */
let signing: readonly string[] = [first_key]

let servers = await Promise.all(
  Array.from({ length: SERVERS }, async () => await serve({ current: first_key })),
)
/** Starts new servers first, then ends the old ones one by one: one is always up. */
async function roll(keys: Keys): Promise<void> {
  for (const old of servers) {
    const fresh = await serve(keys)
    servers = [...servers.filter((one) => one !== old), fresh]
    await old.stop()
  }
}

const apiKey = async (): Promise<{ id: string; key: string }> =>
  await createApiKey(parts.ctx, { name: 'rotating', owner_id: OWNER, staff: false, scopes: SCOPES })

const counts = { charges: 0, notifications: 0, repeated: 0 }
const refused: string[] = []
let caller = await apiKey()
/** Requests in flight, by the API key or the server key they were made with. */
const using = new Map<string, number>()
const changeUse = (key: string, by: number): void => {
  using.set(key, (using.get(key) ?? 0) + by)
}

interface Asked {
  path: string
  body: object
  wanted: number
  headers?: Record<string, string>
}

/** Until there is an answer: a connection that closed between two requests is no refusal. */
async function ask({ path, body, wanted, headers = {} }: Asked) {
  const key = randomUUID()
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const { url } = random.pick(servers)
    const sent = { 'content-type': 'application/json', 'idempotency-key': key, ...headers }
    const init = { method: 'POST', headers: sent, body: JSON.stringify(body) }
    const reply = await fetch(`${url}${path}`, init).catch(() => undefined)
    if (reply === undefined) {
      counts.repeated += 1
      continue
    }
    const text = await reply.text()
    if (reply.status === wanted) return JSON.parse(text) as Record<string, unknown>
    refused.push(`${path} ${reply.status} ${text.slice(0, 160)}`)
    return undefined
  }
  refused.push(`${path} was never answered`)
  return undefined
}

async function story(): Promise<void> {
  const { key } = caller
  changeUse(key, 1)
  const made = await ask({
    path: '/charge/',
    body: { payment_type: 'qris', gross_amount: 150_000 },
    wanted: 201,
    headers: { authorization: `Bearer ${key}` },
  })
  changeUse(key, -1)
  if (made === undefined) return
  counts.charges += 1
  // Sometimes by the previous key, while that is still valid: a retry of an earlier notification.
  const server_key = random.pick(signing)
  changeUse(server_key, 1)
  const body = settlement(made as unknown as KnownPayment, server_key)
  const taken = await ask({ path: '/notification/', body, wanted: 200 })
  changeUse(server_key, -1)
  if (taken !== undefined) counts.notifications += 1
}

const load = { over: false }
const senders = Array.from({ length: CONCURRENCY }, async () => {
  while (!load.over) await story()
})
const unused = async (key: string): Promise<void> => {
  while ((using.get(key) ?? 0) > 0) await sleep(5)
}
const served = async (): Promise<void> => {
  const wanted = counts.notifications + SERVED_BETWEEN
  while (counts.notifications < wanted && refused.length === 0) await sleep(10)
}

const end = performance.now() + given.seconds_max * 1_000
let rotations = 0
let current = first_key
for (; rotations < given.n && performance.now() < end && refused.length === 0; rotations++) {
  const next = freshKey()
  // The gateway accepts both, and signs with the old one until every server knows the new one.
  key_gateway.keys = [current, next]
  await roll({ current: next, previous: current })
  const retired = caller
  caller = await apiKey()
  signing = [next, next, current]
  await served()
  // Requests that began with a key end with it; only then is the key revoked.
  await unused(retired.key)
  await endApiKey(parts.ctx, retired.id)
  signing = [next]
  await unused(current)
  await roll({ current: next })
  key_gateway.keys = [next]
  current = next
  if (rotations % 10 === 0) progress(`${rotations + 1} rotations, ${counts.notifications} verified`)
}
load.over = true
await Promise.all(senders)
const verified = await withReadTransaction(
  parts.ctx.db,
  async (tx) =>
    await tx.query<{ verified_with: string; count: number }>(
      `select verified_with, count(*)::int as count
       from gapura.gateway_notification group by 1 order by 1`,
    ),
)
const by = new Map(verified.map(({ verified_with, count }) => [verified_with, count]))
const stored = [...by.values()].reduce((sum, count) => sum + count, 0)
report('rotate', given, {
  figures: [
    {
      what: 'rotations of server key and API key',
      measured: rotations,
      goal: `≥ ${given.n}`,
      missed: rotations < given.n,
    },
    { what: 'charges made', measured: counts.charges },
    { what: 'notifications verified', measured: counts.notifications },
    {
      what: 'verified with the current key, with the one before',
      measured: `${by.get('current') ?? 0}, ${by.get('previous') ?? 0}`,
      goal: 'some with either',
      missed: (by.get('previous') ?? 0) === 0,
    },
    {
      what: 'failed verifications',
      measured: refused.length,
      goal: '0',
      missed: refused.length > 0,
    },
    {
      what: 'calls the gateway refused by their key',
      measured: key_gateway.refused,
      goal: '0',
      missed: key_gateway.refused > 0,
    },
    { what: 'requests sent again after a closed connection', measured: counts.repeated },
  ],
  faults: [
    ...refused.slice(0, 5),
    ...(stored < counts.notifications ? [`${stored} stored of ${counts.notifications}`] : []),
  ],
})
await Promise.all(servers.map(async (one) => await one.stop().catch(() => undefined)))
await key_gateway.close()
await deployment.close()
