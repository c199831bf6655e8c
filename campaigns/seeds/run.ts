// One seed from an empty database to the verdict.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import { createSimulator } from '../../packages/simulator/src/index.ts'
import { startRelay } from '../../packages/service/src/events/relay.ts'
import { subscribe } from '../../packages/service/src/events/subscribers.ts'
import { SIGNALS } from '../../packages/service/src/domain/signals.ts'
import { compose, type Parts, type PartsOptions } from '../../packages/service/src/main/compose.ts'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { matchUnmatched } from '../../packages/service/src/services/notifications/match_unmatched.ts'
import { checkPendingPayments } from '../../packages/service/src/services/sweeps/check_payments.ts'
import { resolveOperations } from '../../packages/service/src/services/sweeps/resolve_operations.ts'
import { readBudget } from '../../packages/service/src/services/sweeps/sweep_pages.ts'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { startTimers } from '../../packages/service/src/tasks/timers.ts'
import { SECOND_PERSON_ABOVE, type Deployment } from '../bench/deployment.ts'
import { recordEffect } from '../bench/effects.ts'
import { sweep } from '../bench/heal.ts'
import { CheckoutLog, IntentLog } from '../bench/intents.ts'
import { judgeRun } from '../bench/judging.ts'
import { readOpenWork } from '../bench/our_records.ts'
import type { Scene } from '../bench/scene.ts'
import { freePort } from '../bench/supervised.ts'
import { Callers, type Api } from './callers.ts'
import { GATEWAY, type SeedCluster } from './cluster.ts'
import { seeded } from '../bench/random.ts'
import { scenarioOf } from './scenarios.ts'
import type { FaultName } from './faults.ts'
import { activate, callSimulator, NOTIFIED, SimulatedWitness } from './gateway.ts'
import { Simulation } from './simulation.ts'
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
const STEPS_MINUTES = [1.1, 1.1, 3, 8, 10]
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function runSeed(cluster: SeedCluster, order: SeedOrder): Promise<SeedResult> {
  const name = `run_${process.pid}_${order.seed}`
  const database_url = await cluster.copy(name)
  const clock = new Client({ connectionString: database_url })
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
    activate(undefined)
    await clock.end()
    await simulator.close()
    await cluster.drop(name)
  }
}

interface Places {
  database_url: string
  clock: Client
  simulator_url: string
}

class Run {
  readonly #cluster: SeedCluster
  readonly #order: SeedOrder
  readonly #places: Places
  readonly #sim: Simulation
  readonly #apis: Api[] = []
  readonly #callers: Callers
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
      callGateway: async (request) => await callSimulator(places.simulator_url, request),
      moveClocks: async (now) => await this.#moveClocks(now),
      notify: async (notice) => await this.#callers.notify(notice),
      restart: async (owner) => await this.#start(owner.name),
      shares,
      faults_until,
    })
    this.#callers = new Callers(this.#sim, this.#apis, this.#witness)
  }

  async play(): Promise<SeedResult> {
    const sim = this.#sim
    activate(sim)
    for (let api = 1; api <= this.#order.apis; api++) await this.#start(`api-${api}`)
    for (let worker = 1; worker <= this.#order.workers; worker++)
      await this.#start(`worker-${worker}`)
    const stuck: string[] = []
    const stories = this.#playStories()
    await sim.runUntil(stories.isOver, FAULTY_STEPS_MAX)
    sim.healed = true
    if (!(await sim.runUntil(stories.isOver, HEALED_STEPS_MAX)))
      stuck.push('the stories do not end')
    const ended = this.#converge()
    if (!(await sim.runUntil(ended.isOver, HEALED_STEPS_MAX))) stuck.push('the end is not reached')
    for (const failure of [...stories.failures, ...ended.failures]) stuck.push(String(failure))
    activate(undefined)
    for (const owner of new Set(sim.conductor.pools.map((pool) => pool.owner))) owner.alive = false
    for (const session of sim.conductor.sessions()) await sim.conductor.cut(session)
    const broken = [...stuck, ...(await this.#judge())]
    const digest = createHash('sha256').update(sim.trace.join('\n')).digest('hex').slice(0, 16)
    const { trace, steps, faults } = sim
    return { broken, trace, digest, steps, lock_waits: sim.conductor.lock_waits, faults }
  }

  #options(owner: Owner, pool = this.#sim.pool(owner, CONNECTIONS_MAX)): PartsOptions {
    return {
      pool: pool as unknown as Pool,
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
    const handler = async ({
      id,
      object,
      sequence,
    }: {
      id: string
      object: { id: string }
      sequence: number
    }) => await recordEffect(ctx.db.pool, 'gapura', { id, object, sequence })
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
        {
          name: 'checks',
          every_ms: 60_000,
          run: async () => await checkPendingPayments(ctx, { budget }),
        },
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
        client: this.#callers,
        random: sim.callers.random,
        subscriptions: false,
        checkouts: true,
        concurrent_repeats: true,
        isOver: () => sim.healed,
      }
      await Promise.all(Array.from({ length: this.#order.stories }, async () => await play(scene)))
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
        if (operations + events + sim.traffic.waiting_notices === 0) break
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

  async #moveClocks(now: number): Promise<void> {
    await this.#places.clock.query('select setval($1, $2)', ['seeds.clock', now])
    const seconds = Math.floor((now - this.#simulator_now) / 1_000)
    if (seconds === 0) return
    this.#simulator_now += seconds * 1_000
    await this.#witness.advanceClock(seconds)
  }

  async #judge(): Promise<string[]> {
    const { database_url } = this.#places
    const db = openDatabase(database_url)
    try {
      const parts = { ctx: { db } } as unknown as Parts
      const { faults } = await judgeRun(
        {
          parts,
          witness: this.#witness,
          intents: this.#intents,
          checkouts: this.#checkouts,
          database_url,
        },
        0,
      )
      return faults
    } finally {
      await db.close()
    }
  }
}
