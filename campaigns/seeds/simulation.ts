// One run: the seed chooses what happens next among everything that could, and one thing happens at
// a time. Between two steps every logical process waits for the scheduler.
import { createHash } from 'node:crypto'
import { Faults, type FaultName, type FaultOrder } from './faults.ts'
import { GatewayTraffic, type TrafficOrder } from './gateway_traffic.ts'
import { labelOf } from './label.ts'
import { Pace, type Action } from './pace.ts'
import { Pauses } from './pauses.ts'
import { Receivers } from './receivers.ts'
import { seeded, type Random } from '../bench/random.ts'
import {
  brokenConnection,
  Conductor,
  SimulatedPool,
  type Backends,
  type Session,
} from './sessions.ts'
import { realImmediate, VirtualClock, type Owner } from './virtual.ts'

/** Turns of the event loop that end everything that needs no scheduler. */
const TURNS = 10
const TICK_SHARE = 0.04
const JUMPS_MS = [1_500, 6_000, 17_000, 35_000, 65_000, 400_000, 1_900_000]

export interface SimulationOrder extends TrafficOrder, FaultOrder {
  backends: Backends
  /** Moves the clocks of database and simulator. */
  moveClocks: (now: number) => Promise<void>
  /** Starts the process again. */
  restart: (owner: Owner) => Promise<void>
  /** Called when a process has committed a transaction that wrote something. */
  committed: (owner: Owner) => Promise<void>
  /** The number of the last step with a fault. */
  faults_until: number
}

export class Simulation {
  readonly random: Random
  readonly clock = new VirtualClock()
  readonly conductor: Conductor
  readonly trace: string[] = []
  readonly faults: Faults
  readonly callers: Owner
  steps = 0
  /** Those of stories and rushes, without what comes before and after. */
  steps_with_faults = 0
  healed = false
  readonly #order: SimulationOrder
  readonly #pace: Pace
  #turns: { label: string; run: () => Promise<void> }[] = []
  readonly traffic: GatewayTraffic
  readonly receivers: Receivers
  readonly pauses: Pauses
  readonly #deaths = new Map<Owner, (() => void)[]>()
  readonly #starts = new Map<string, number>()
  readonly #expired: Session[] = []
  readonly #began = this.clock.now
  #rushing = false

  constructor(order: SimulationOrder) {
    this.#order = order
    this.random = seeded(order.seed * 7_919 + 17)
    this.faults = new Faults(order, this.random)
    this.#pace = new Pace(order.seed)
    this.callers = this.owner('callers')
    this.traffic = new GatewayTraffic(this, order)
    this.receivers = new Receivers(this)
    this.pauses = new Pauses(this)
    this.conductor = new Conductor(order.backends, (session) => {
      const { lock_timeout_ms } = session
      if (lock_timeout_ms === 0) return
      // A timer of the server, which goes on while the process is paused.
      this.clock.set(this.callers, lock_timeout_ms, () => {
        if (session.state === 'blocked') this.#expired.push(session)
      })
    })
  }

  /** Before and after a rush the order does not matter: fewer steps. */
  get #isQuiet(): boolean {
    return this.#order.rush_faults_max !== undefined && (this.healed || !this.#rushing)
  }

  /** A process that starts again makes other ids than before. */
  owner(name: string): Owner {
    const starts = (this.#starts.get(name) ?? 0) + 1
    this.#starts.set(name, starts)
    const salt = createHash('sha256').update(`${name} ${starts}`).digest().readUInt32LE(0)
    const random = seeded((this.#order.seed * 31 + salt) >>> 0)
    return { name, alive: true, paused_until: 0, random, clock: this.clock }
  }

  pool(owner: Owner, max: number): SimulatedPool {
    const pool = new SimulatedPool(owner, max)
    this.conductor.pools.push(pool)
    return pool
  }

  /** Waits until the seed chooses this. */
  async turn(label: string): Promise<void> {
    await this.outside(label, async () => await Promise.resolve())
  }

  /** The same for work outside of the simulated processes, which is done within the step. */
  async outside<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
    return await new Promise((resolve) => {
      const run = async (): Promise<void> => resolve(await work())
      this.#turns.push({ label, run })
    })
  }

  /** Resolves if the process dies. */
  async died(owner: Owner): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#deaths.set(owner, [...(this.#deaths.get(owner) ?? []), resolve])
    })
  }

  note(owner: Pick<Owner, 'name'>, what: string): void {
    const at = ((this.clock.now - this.#began) / 1_000).toFixed(3)
    this.trace.push(
      `${String(this.steps).padStart(5)} ${at.padStart(9)} ${owner.name.padEnd(10)} ${what}`,
    )
  }

  happens(fault: FaultName, has_effect = true): boolean {
    if (this.healed || this.steps > this.#order.faults_until) return false
    return this.faults.happens(fault, has_effect)
  }

  /** Steps until the condition holds; false if the steps are used up. */
  async runUntil(isOver: () => boolean, steps_max: number): Promise<boolean> {
    for (let step = 0; step < steps_max; step++) {
      await this.#settle()
      if (isOver()) return true
      this.steps += 1
      if (!this.healed && !this.#isQuiet) this.steps_with_faults += 1
      if (this.happens('clock jumps')) await this.pass(this.random.pick(JUMPS_MS))
      if (this.happens('process pauses')) this.pauses.pauseAny(this.random)
      const actions = this.#actions()
      // In a quiet phase a tick would only let calls time out.
      const ticks = !this.#isQuiet && this.random.chance(TICK_SHARE)
      if (actions.length === 0 || ticks) await this.#tick()
      else await this.#pace.pick(actions).run()
    }
    return false
  }

  /** Moves all clocks. */
  async pass(ms: number): Promise<void> {
    this.clock.now += ms
    this.note({ name: 'clock' }, `${ms} ms pass`)
    await this.#order.moveClocks(this.clock.now)
  }

  /** The setting of a rush is ready: now order and faults matter. */
  rush(): void {
    if (this.#order.rush_faults_max === undefined) return
    this.note({ name: 'rush' }, 'begins')
    this.faults.rush()
    this.#rushing = true
    if (this.traffic.held !== 'to the end') this.traffic.held = 'no'
    this.#pace.rush()
  }

  /** A rush is over: what it has left open goes on without faults. */
  calm(): void {
    this.#rushing = false
    this.faults.calm()
    this.#even()
  }

  /** Ends all faults and pauses. */
  heal(): void {
    this.healed = true
    this.#even()
  }

  #even(): void {
    this.traffic.held = 'no'
    this.#pace.even()
    for (const { owner } of this.conductor.pools) owner.paused_until = 0
  }

  /** To the next timer or the end of a pause, whichever is first. */
  async #tick(): Promise<void> {
    const { now } = this.clock
    const pauses = this.conductor.pools.map(({ owner }) => owner.paused_until)
    const next = [this.clock.nextAt() ?? 0, ...pauses].filter((at) => at > now)
    if (next.length > 0) await this.pass(Math.min(...next) - now)
  }

  /** Nothing in this Node process can go on without the scheduler. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => realImmediate(resolve))
    for (const session of this.conductor.sessions().filter(({ broken }) => broken))
      await this.conductor.cut(session)
    await this.pauses.endIdle()
    for (const session of this.#expired.splice(0)) {
      if (session.broken || session.state !== 'blocked') continue
      this.note(session, 'gives up its wait for a lock')
      await this.conductor.timeOut(session)
    }
  }

  #actions(): Action[] {
    return [
      ...this.conductor.sessions().flatMap((session) => this.#sessionAction(session)),
      ...this.traffic.actions(),
      ...this.receivers.actions(),
      ...this.#turns.map((turn) => ({
        of: turn.label,
        run: async () => {
          this.#turns = this.#turns.filter((one) => one !== turn)
          this.note(this.callers, turn.label)
          await turn.run()
        },
      })),
      ...this.clock.due().map((timer) => ({
        of: `timer ${timer.owner.name}`,
        run: () => {
          this.note(timer.owner, 'a timer fires')
          this.clock.fire(timer)
        },
      })),
    ]
  }

  #sessionAction(session: Session): Action[] {
    const { state, name: of, pool } = session
    if (pool.owner.paused_until > this.clock.now) return []
    if (state === 'ready') return [{ of, run: async () => await this.#send(session) }]
    if (state === 'answered') return [{ of, run: () => this.#deliver(session) }]
    if (state === 'connecting') return [{ of, run: async () => await this.#connect(session) }]
    return []
  }

  async #connect(session: Session): Promise<void> {
    await this.conductor.connect(session)
    session.state = 'idle'
    this.note(session, 'connects')
    session.connected?.()
  }

  async #send(session: Session): Promise<void> {
    const { owner } = session.pool
    const [statement] = session.statements
    if (statement === undefined) return
    const commits = statement.text === 'commit'
    const wrote = commits && (await this.conductor.hasWritten(session))
    const label = labelOf(statement)
    if (!commits && this.happens('process dies before a statement'))
      return await this.kill(owner, `before ${label}`)
    if (commits && this.happens('process dies before a commit', wrote))
      return await this.kill(owner, 'before commit')
    const lost = commits && this.happens('connection lost before a commit', wrote)
    if (lost) {
      this.note(session, 'the connection breaks before commit')
    } else {
      await this.conductor.send(session)
      this.note(session, `${label}${session.state === 'blocked' ? '  waits' : ''}`)
      if (wrote && session.state === 'answered') await this.#order.committed(owner)
    }
    if (this.#isQuiet) {
      if (session.state === 'answered') this.#deliver(session)
      return
    }
    const committed = commits && session.state === 'answered'
    if (committed && this.happens('process pauses after a commit', wrote))
      this.pauses.pauseAny(this.random, [owner])
    if (committed && this.happens('process dies after a commit', wrote)) {
      await this.kill(owner, 'after commit')
    } else if (lost || (committed && this.happens('reply to a commit lost', wrote))) {
      if (!lost) this.note(session, 'the reply to commit is lost')
      await this.conductor.cut(session)
      statement.reject(brokenConnection())
    }
  }

  #deliver(session: Session): void {
    const outcome = this.conductor.deliver(session)
    if (outcome === undefined) return
    const error = 'error' in outcome ? (outcome.error as Error & { code?: string }) : undefined
    const rows = 'result' in outcome ? (outcome.result.rowCount ?? 0) : 0
    this.note(session, `  ← ${error ? `${error.code} ${error.message}` : `${rows} rows`}`)
  }

  async kill(owner: Owner, when: string): Promise<void> {
    this.note(owner, `dies ${when}`)
    owner.alive = false
    const pools = this.conductor.pools.filter((pool) => pool.owner === owner)
    for (const pool of pools)
      for (const session of pool.sessions.slice()) await this.conductor.cut(session)
    for (const pool of pools) this.conductor.pools.splice(this.conductor.pools.indexOf(pool), 1)
    for (const notifyDeath of this.#deaths.get(owner) ?? []) notifyDeath()
    await this.#order.restart(owner)
  }
}
