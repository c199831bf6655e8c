// One seed from an empty database to the verdict.
import { createHash } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { createSimulator } from '../../packages/simulator/src/index.ts'
import { compose, type PartsOptions } from '../../packages/service/src/main/compose.ts'
import { createGapura } from '../../packages/service/src/main/create_gapura.ts'
import { SECOND_PERSON_ABOVE, type Deployment } from '../bench/deployment.ts'
import { CheckoutLog, IntentLog } from '../bench/intents.ts'
import type { Scene } from '../bench/scene.ts'
import { freePort } from '../bench/supervised.ts'
import { Callers, type Api } from './callers.ts'
import { GATEWAY, type SeedCluster } from './cluster.ts'
import { seeded } from '../bench/random.ts'
import { startWork } from './worker.ts'
import { converge, repeatLater, RUSH_MINUTES, STEPS_MINUTES } from './ending.ts'
import { judgeSeed } from './judge_seed.ts'
import { scenarioOf, type SeedOrder } from './scenarios.ts'
import type { FaultName } from './faults.ts'
import { Observer } from './observer.ts'
import { together, type Course } from './rush_actors.ts'
import { activate, callSimulator, NOTIFIED, SimulatedWitness } from './gateway.ts'
import { WEBHOOK_KEY } from './receivers.ts'
import { Simulation } from './simulation.ts'
import { current, realImmediate, START_MS, track, type Owner } from './virtual.ts'

export interface SeedResult {
  broken: string[]
  trace: readonly string[]
  digest: string
  steps: number
  steps_with_faults: number
  lock_waits: number
  checks: number
  faults: ReadonlyMap<FaultName, number>
  intents: ReadonlyMap<string, number>
}

const CONNECTIONS_MAX = 3
/** A rush has few faults and ends by itself. */
const FAULTY_STEPS_MAX = { long: 4_000, rush: 20_000 }
const HEALED_STEPS_MAX = 40_000
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A replay is not watched: looks from outside may not change what happens. */
export async function runSeed(
  cluster: SeedCluster,
  order: SeedOrder,
  is_watched = true,
): Promise<SeedResult> {
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
  const observer = new Observer(database_url, order.seed)
  const places = { database_url, clock, simulator_url, observer, is_watched }
  const run = new Run(cluster, order, places)
  try {
    return await run.play()
  } finally {
    await run.end()
    await observer.close()
    await clock.end()
    await simulator.close()
    await cluster.drop(name)
  }
}

interface Places {
  database_url: string
  clock: Client
  simulator_url: string
  observer: Observer
  is_watched: boolean
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
    const { shares, rush } = scenarioOf(order)
    this.#sim = new Simulation({
      seed,
      backends: {
        admin: cluster.admin,
        database_url: places.database_url,
        random: seeded(seed + 5),
        watched: places.is_watched,
      },
      callGateway: async (request) => await callSimulator(places.simulator_url, request),
      moveClocks: async (now) => await this.#moveClocks(now),
      committed: places.observer.committed,
      observe: places.is_watched ? places.observer.sent : async () => await Promise.resolve(),
      unreached: places.observer.unreached,
      notify: async (notice) => await this.#callers.notify(notice),
      // A process that did one piece of work is not started again.
      restart: async ({ name }) => {
        if (/^(?:api|worker)-/.test(name)) await this.#start(name)
      },
      shares,
      rush_faults_max: rush?.faults_max,
      faults_until,
    })
    this.#callers = new Callers(this.#sim, {
      apis: this.#apis,
      witness: this.#witness,
      observer: places.observer,
    })
  }

  async play(): Promise<SeedResult> {
    const sim = this.#sim
    activate(sim)
    for (let api = 1; api <= this.#order.apis; api++) await this.#start(`api-${api}`)
    for (let worker = 1; worker <= this.#order.workers; worker++)
      await this.#start(`worker-${worker}`)
    const stuck: string[] = []
    const stories = this.#playStories()
    const { rush, repeats_later } = scenarioOf(this.#order)
    await sim.runUntil(stories.isOver, FAULTY_STEPS_MAX[rush ? 'rush' : 'long'])
    sim.heal()
    if (!(await sim.runUntil(stories.isOver, HEALED_STEPS_MAX)))
      stuck.push('the stories do not end')
    if (repeats_later) {
      const repeats = track(sim.callers, async () => {
        const { ctx } = compose(this.#options(sim.callers))
        await repeatLater({ sim, ctx, intents: this.#intents, client: this.#callers })
      })
      if (!(await sim.runUntil(repeats.isOver, HEALED_STEPS_MAX)))
        stuck.push('the repeats do not end')
      for (const failure of repeats.failures) stuck.push(String(failure))
    }
    if (rush) await this.#start('worker-9')
    const sweeper = sim.owner('sweeper')
    const ended = track(sweeper, async () => {
      await converge(sim, compose(this.#options(sweeper)), rush ? RUSH_MINUTES : STEPS_MINUTES)
    })
    if (!(await sim.runUntil(ended.isOver, HEALED_STEPS_MAX))) stuck.push('the end is not reached')
    for (const failure of [...stories.failures, ...ended.failures]) stuck.push(String(failure))
    return await this.#judge(stuck)
  }

  /** Ends every process. A backend that is stopped would keep the database from being dropped. */
  async end(): Promise<void> {
    const { conductor } = this.#sim
    activate(undefined)
    for (const owner of new Set(conductor.pools.map((pool) => pool.owner))) owner.alive = false
    for (const session of conductor.sessions()) await conductor.cut(session)
  }

  async #judge(stuck: readonly string[]): Promise<SeedResult> {
    const sim = this.#sim
    await this.end()
    const { observer, is_watched } = this.#places
    const judged = {
      db: observer.db,
      witness: this.#witness,
      intents: this.#intents,
      checkouts: this.#checkouts,
      receivers: sim.receivers,
      expected: scenarioOf(this.#order).rush?.expected,
    }
    const broken = [...observer.broken, ...stuck, ...(is_watched ? await judgeSeed(judged) : [])]
    const digest = createHash('sha256').update(sim.trace.join('\n')).digest('hex').slice(0, 16)
    const { trace, steps, steps_with_faults, faults } = sim
    const [{ lock_waits }, { checks }, intents] = [sim.conductor, observer, this.#intents.byKind()]
    const counted = { steps, steps_with_faults, lock_waits, checks, intents, faults: faults.counts }
    return { broken, trace, digest, ...counted }
  }

  #options(owner: Owner, pool = this.#sim.pool(owner, CONNECTIONS_MAX)): PartsOptions {
    return {
      pool: pool as unknown as Pool,
      webhooks: { keys: [WEBHOOK_KEY], allow_private: true },
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
      const pages = { docs: 'off', dashboard: 'off' } as const
      const gapura = current.run(owner, () => createGapura({ ...options, ...pages }))
      void current.run(owner, async () => await gapura.fetchHandler(new Request('http://api/none')))
      // Its routes are loaded once it asks the database; only then the run goes on.
      while (sessions.length === 0) await new Promise((resolve) => realImmediate(resolve))
      const at = this.#apis.findIndex((api) => api.owner.name === name)
      this.#apis.splice(at === -1 ? this.#apis.length : at, 1, { owner, gapura })
    } else {
      const { rush } = scenarioOf(this.#order)
      const what = rush === undefined ? 'all' : 'relay'
      const sim = this.#sim
      const open = rush?.webhooks ? sim.receivers.open : undefined
      const delivered = (): void => {
        if (sim.happens('process pauses while it delivers an event'))
          sim.pauses.pauseAny(sim.random, [owner])
      }
      current.run(owner, () => startWork(compose(options), { what, open, delivered }))
    }
  }

  #playStories() {
    const sim = this.#sim
    const { callers, staff } = this.#cluster
    const { play, rush } = scenarioOf(this.#order)
    return track(sim.callers, async () => {
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
        subscriptions: this.#order.scenario === 'objects',
        checkouts: true,
        concurrent_repeats: true,
        isOver: () => sim.healed,
      }
      const course = this.#course()
      const stories = Array.from(
        { length: this.#order.stories },
        () => async () => await play(scene, course),
      )
      if (rush === undefined) {
        await together(stories)
        return
      }
      for (const story of stories) {
        await story()
        sim.calm()
        this.#callers.calm()
      }
    })
  }

  #course(): Course {
    const sim = this.#sim
    return {
      sim,
      apis: this.#apis,
      migrations: [],
      patience: (repeats) => (this.#callers.repeats_max = repeats),
      report: (what) => this.#places.observer.report(what),
      relay: async (name) => {
        const runs = sim.conductor.pools.some(({ owner }) => owner.name === name)
        if (!runs) await this.#start(name)
      },
      within: async (name, work) => {
        const owner = sim.owner(name)
        const done = current.run(owner, async () => await work(compose(this.#options(owner))))
        // If it dies, its work is left to the sweeps at the end.
        await Promise.race([done, sim.died(owner)])
      },
    }
  }

  async #moveClocks(now: number): Promise<void> {
    await this.#places.clock.query('select setval($1, $2)', ['seeds.clock', now])
    const seconds = Math.floor((now - this.#simulator_now) / 1_000)
    if (seconds === 0) return
    this.#simulator_now += seconds * 1_000
    await this.#witness.advanceClock(seconds)
  }
}
