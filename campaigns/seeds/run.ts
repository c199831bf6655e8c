// One seed from an empty database to the verdict.
import { createHash } from 'node:crypto'
import { request as httpRequest, Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createSimulator } from '../../packages/simulator/src/index.ts'
import { startRelay } from '../../packages/service/src/events/relay.ts'
import { subscribe } from '../../packages/service/src/events/subscribers.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import { Transport, type HttpReply, type HttpRequest } from '../../packages/service/src/gateway/transport.ts'
import { compose, type Parts, type PartsOptions } from '../../packages/service/src/main/compose.ts'
import { createGapura, type Gapura } from '../../packages/service/src/main/create_gapura.ts'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { checkPendingPayments } from '../../packages/service/src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../packages/service/src/services/sweeps/resolve_operations.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { startTimers } from '../../packages/service/src/tasks/timers.ts'
import { CheckoutLog } from '../bench/checkout_stories.ts'
import { isDefiniteStatus, type Answer, type Wish } from '../bench/client.ts'
import { SECOND_PERSON_ABOVE, type Deployment } from '../bench/deployment.ts'
import { recordEffect } from '../bench/effects.ts'
import { GatewayWitness } from '../bench/gateway_witness.ts'
import { sweep } from '../bench/heal.ts'
import { IntentLog } from '../bench/intents.ts'
import { judgeRun } from '../bench/judging.ts'
import { readOpenWork } from '../bench/our_records.ts'
import type { Scene } from '../bench/scene.ts'
import { freePort } from '../bench/supervised.ts'
import { GATEWAY, type SeedCluster } from './cluster.ts'
import { seeded } from '../bench/random.ts'
import { scenarioOf } from './scenarios.ts'
import { Simulation, type FaultName, type Notice } from './simulation.ts'
import { current, realImmediate, START_MS, type Owner } from './virtual.ts'

export interface SeedOrder {
  seed: number
  scenario: string
  apis: number
  workers: number
  stories: number
  /** The number of the last step with a fault. */
  faults_until: number
}

export interface SeedResult {
  broken: string[]
  trace: readonly string[]
  digest: string
  steps: number
  lock_waits: number
  faults: ReadonlyMap<FaultName, number>
}

const CONNECTIONS_MAX = 3
const FAULTY_STEPS_MAX = 4_000
const HEALED_STEPS_MAX = 40_000
const ATTEMPTS_MAX = 8
const REPEATED_SHARE = 0.15
const STEPS_MINUTES = [1.1, 1.1, 3, 8, 10]
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const agent = new Agent({ keepAlive: true })
const NOTIFIED = 'http://seeds.invalid/notification/'

let active: Simulation | undefined

/** Calls to the gateway and its notifications go through the simulation of the run. */
export function installGateway(): void {
  const { send } = Transport.prototype
  Transport.prototype.send = async function sendOrSimulate(this: Transport, request) {
    const owner = current.getStore()
    if (active === undefined || owner === undefined) return await send.call(this, request)
    return await active.call(request)
  }
  const real = globalThis.fetch
  globalThis.fetch = async (given, options) => {
    if (given !== NOTIFIED) return await real(given, options)
    const body = String(options?.body)
    const { order_id, transaction_status } = JSON.parse(body) as Record<string, string>
    active?.receive({ order_id: String(order_id), status: String(transaction_status), body, attempts: 0 })
    return new Response(null, { status: 200 })
  }
}

class SimulatedWitness extends GatewayWitness {
  readonly acknowledged: string[] = []

  override async control(path: string, body: object = {}): Promise<Response> {
    if (active === undefined) return await super.control(path, body)
    return await active.outside(path, async () => await super.control(path, body))
  }

  override async acknowledgedNotifications(): Promise<string[]> {
    return await Promise.resolve(this.acknowledged)
  }
}

interface Api {
  owner: Owner
  gapura: Gapura
}

export async function runSeed(cluster: SeedCluster, order: SeedOrder): Promise<SeedResult> {
  const name = `run_${process.pid}_${order.seed}`
  const database_url = await cluster.copy(name)
  const clock = new pg.Client({ connectionString: database_url })
  await clock.connect()
  const port = await freePort()
  const simulator_url = `http://127.0.0.1:${port}`
  const simulator = await createSimulator({
    ...GATEWAY,
    port,
    seed: order.seed,
    frozen_clock: true,
    start_time: START_MS,
    notification_url: NOTIFIED,
    // Links that are the same in every run.
    public_url: 'http://gateway.invalid',
  })
  try {
    return await new Run(cluster, order, { database_url, clock, simulator_url }).play()
  } finally {
    active = undefined
    await clock.end()
    await simulator.close()
    await cluster.drop(name)
  }
}

interface Places {
  database_url: string
  clock: pg.Client
  simulator_url: string
}

class Run {
  readonly #cluster: SeedCluster
  readonly #order: SeedOrder
  readonly #places: Places
  readonly #sim: Simulation
  readonly #apis: Api[] = []
  readonly #witness: SimulatedWitness
  readonly #intents = new IntentLog()
  readonly #checkouts = new CheckoutLog()
  #simulator_now = START_MS

  constructor(cluster: SeedCluster, order: SeedOrder, places: Places) {
    this.#cluster = cluster
    this.#order = order
    this.#places = places
    this.#witness = new SimulatedWitness(places.simulator_url)
    const { seed, faults_until } = order
    const { shares } = scenarioOf(order)
    this.#sim = new Simulation({
      seed,
      backends: {
        admin: cluster.admin,
        database_url: places.database_url,
        random: seeded(seed + 5),
      },
      callGateway: async (request) => await this.#callGateway(request),
      moveClocks: async (now) => await this.#moveClocks(now),
      notify: async (notice) => await this.#notify(notice),
      restart: async (owner) => await this.#start(owner.name),
      shares,
      faults_until,
    })
  }

  async play(): Promise<SeedResult> {
    const sim = this.#sim
    active = sim
    for (let api = 1; api <= this.#order.apis; api++) await this.#start(`api-${api}`)
    for (let worker = 1; worker <= this.#order.workers; worker++)
      await this.#start(`worker-${worker}`)
    const stuck: string[] = []
    const stories = this.#playStories()
    await sim.runUntil(stories.isOver, FAULTY_STEPS_MAX)
    sim.healed = true
    if (!(await sim.runUntil(stories.isOver, HEALED_STEPS_MAX))) stuck.push('the stories do not end')
    const ended = this.#converge()
    if (!(await sim.runUntil(ended.isOver, HEALED_STEPS_MAX))) stuck.push('the end is not reached')
    for (const failure of [...stories.failures, ...ended.failures]) stuck.push(String(failure))
    active = undefined
    for (const owner of new Set(sim.conductor.pools.map((pool) => pool.owner))) owner.alive = false
    for (const session of sim.conductor.sessions()) await sim.conductor.cut(session)
    const broken = [...stuck, ...(await this.#judge())]
    const digest = createHash('sha256').update(sim.trace.join('\n')).digest('hex').slice(0, 16)
    const { trace, steps, faults } = sim
    return { broken, trace, digest, steps, lock_waits: sim.conductor.lock_waits, faults }
  }

  #options(owner: Owner, pool = this.#sim.pool(owner, CONNECTIONS_MAX)): PartsOptions {
    return {
      pool: pool as unknown as pg.Pool,
      gateway: { ...GATEWAY, base_url: this.#places.simulator_url, card_data: true },
      refunds: { second_person_above: SECOND_PERSON_ABOVE },
      logger: quiet,
    }
  }

  async #start(name: string): Promise<void> {
    const owner = this.#sim.owner(name)
    const pool = this.#sim.pool(owner, CONNECTIONS_MAX)
    const { sessions } = pool
    const options = this.#options(owner, pool)
    if (name.startsWith('api')) {
      const gapura = current.run(owner, () => createGapura(options))
      void current.run(owner, async () => await gapura.fetchHandler(new Request('http://api/none')))
      // Its routes are loaded once it asks the database; only then the run goes on.
      while (sessions.length === 0) await new Promise((resolve) => realImmediate(resolve))
      const at = this.#apis.findIndex((api) => api.owner.name === name)
      this.#apis.splice(at === -1 ? this.#apis.length : at, 1, { owner, gapura })
    } else current.run(owner, () => this.#work(compose(options)))
  }

  /** What a worker does, without its job queue. */
  #work({ ctx }: Parts): void {
    const handler = async ({ id, object, sequence }: { id: string; object: { id: string }; sequence: number }) =>
      await recordEffect(ctx.db.pool, 'gapura', { id, object, sequence })
    const subscribers = [subscribe({ name: 'effects', signals: SIGNALS, handler })]
    const begin = async (): Promise<void> => {
      for (;;) {
        try {
          await startRelay(ctx.db, { subscribers, poll_ms_min: 400, poll_ms_max: 4_000 })
          return
        } catch {
          await sleep(1_000)
        }
      }
    }
    void begin()
    const budget = readBudget(1_000)
    startTimers(
      [
        { name: 'resolver', every_ms: 1_000, run: async () => await resolveOperations(ctx, 20) },
        { name: 'checks', every_ms: 60_000, run: async () => await checkPendingPayments(ctx, { budget }) },
        { name: 'inbox', every_ms: 60_000, run: async () => await matchUnmatched(ctx, budget) },
      ],
      () => undefined,
    )
  }

  #playStories() {
    const sim = this.#sim
    const { callers, staff } = this.#cluster
    const { play } = scenarioOf(this.#order)
    return this.#tracked(async () => {
      const parts = compose(this.#options(sim.callers))
      const wish = async (given: Wish): Promise<Answer | undefined> => await this.#wish(given)
      const deployment = {
        callers,
        staff,
        parts,
        witness: this.#witness,
        intents: this.#intents,
        checkouts: this.#checkouts,
      } as unknown as Deployment
      const scene: Scene = {
        deployment,
        client: { wish },
        random: sim.callers.random,
        subscriptions: false,
        checkouts: true,
        concurrent_repeats: true,
        isOver: () => sim.healed,
      }
      await Promise.all(
        Array.from({ length: this.#order.stories }, async () => await play(scene)),
      )
    })
  }

  /** Half an hour without faults; then nothing may be open. */
  #converge() {
    const sim = this.#sim
    const sweeper = sim.owner('sweeper')
    return this.#tracked(async () => {
      const parts = compose(this.#options(sweeper))
      for (const minutes of STEPS_MINUTES) {
        await sim.outside('time passes', async () => await sim.pass(minutes * 60_000))
        await sweep({ parts })
      }
      for (let look = 0; look < 100; look++) {
        const { operations, events } = await readOpenWork(parts.ctx.db)
        if (operations > 0) await resolveOperations(parts.ctx, 100)
        if (operations + events + sim.waiting_notices === 0) break
        await sleep(2_000)
      }
    }, sweeper)
  }

  #tracked(work: () => Promise<void>, owner: Owner = this.#sim.callers) {
    let over = false
    const failures: unknown[] = []
    void current
      .run(owner, work)
      .catch((error: unknown) => failures.push(error))
      .finally(() => (over = true))
    return { isOver: () => over, failures }
  }

  async #wish(wish: Wish): Promise<Answer | undefined> {
    const { random } = this.#sim.callers
    const repeated = wish.key !== undefined && random.chance(REPEATED_SHARE)
    const [answer, other] = await Promise.all(
      (repeated ? [wish, wish] : [wish]).map(async (one) => await this.#persist(one)),
    )
    return answer ?? other
  }

  async #persist(wish: Wish): Promise<Answer | undefined> {
    const sim = this.#sim
    for (let attempt = 0; ; attempt++) {
      await sim.turn(`${wish.method} ${wish.path} ${wish.key?.slice(0, 8) ?? ''}`)
      const api = sim.callers.random.pick(this.#apis)
      const answer = await this.#ask(api, wish)
      const lost = answer !== undefined && sim.happens('answer to a caller lost')
      sim.note(sim.callers, `  ← ${api.owner.name} ${lost || !answer ? 'lost' : answer.status} ${wish.path}`)
      wish.onAnswer?.(lost ? undefined : answer)
      if (!lost && answer !== undefined && isDefiniteStatus(answer.status)) return answer
      if (attempt >= ATTEMPTS_MAX) return undefined
      await sleep(300 * 2 ** attempt)
    }
  }

  async #ask({ owner, gapura }: Api, { method, path, body, key, api_key }: Wish) {
    const headers = {
      authorization: `Bearer ${api_key ?? ''}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const request = new Request(`http://api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answered = current.run(owner, async () => {
      const reply = await gapura.fetchHandler(request)
      return {
        status: reply.status,
        replayed: reply.headers.get('idempotency-replayed') === 'true',
        body: (await reply.json()) as Answer['body'],
      }
    })
    return await Promise.race([answered, this.#sim.died(owner).then(() => undefined)])
  }

  async #notify({ body }: Notice): Promise<number | undefined> {
    const api = this.#sim.random.pick(this.#apis)
    const sent = JSON.parse(body) as object
    const answer = await this.#ask(api, { method: 'POST', path: '/notification/', body: sent })
    const id = answer?.body['notification_id']
    if (answer?.status === 200 && typeof id === 'string') this.#witness.acknowledged.push(id)
    this.#sim.note(api.owner, `answers the notification ${answer?.status ?? 'not at all'}`)
    return answer?.status
  }

  async #moveClocks(now: number): Promise<void> {
    await this.#places.clock.query('select setval($1, $2)', ['seeds.clock', now])
    const seconds = Math.floor((now - this.#simulator_now) / 1_000)
    if (seconds === 0) return
    this.#simulator_now += seconds * 1_000
    await this.#witness.advanceClock(seconds)
  }

  async #callGateway({ method, path, headers, body }: HttpRequest): Promise<HttpReply> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>()
    const url = `${this.#places.simulator_url}${path}`
    const call = httpRequest(url, { method, headers, agent }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () =>
        resolve({
          http_status: reply.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          retry_after_s: null,
        }),
      )
    })
    call.on('error', reject)
    call.end(body ?? undefined)
    return await promise
  }

  async #judge(): Promise<string[]> {
    const { database_url } = this.#places
    const db = openDatabase(database_url)
    try {
      const parts = { ctx: { db } } as unknown as Parts
      const { faults } = await judgeRun(
        { parts, witness: this.#witness, intents: this.#intents, checkouts: this.#checkouts, database_url },
        0,
      )
      return faults
    } finally {
      await db.close()
    }
  }
}
