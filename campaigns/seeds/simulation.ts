// One run: the seed chooses what happens next among everything that could, and one thing happens at
// a time. Between two steps every logical process waits for the scheduler.
import { createHash } from 'node:crypto'
import { NoReply, type HttpReply, type HttpRequest } from '../../packages/service/src/gateway/transport.ts'
import { seeded, type Random } from '../bench/random.ts'
import { brokenConnection, Conductor, SimulatedPool, type Backends, type Session } from './sessions.ts'
import { current, realImmediate, VirtualClock, type Owner } from './virtual.ts'

/** How often each fault is chosen where it could happen. */
export const FAULT_SHARES = {
  'process dies before a statement': 0.002,
  'process dies before a commit': 0.015,
  'process dies after a commit': 0.02,
  'connection lost before a commit': 0.01,
  'reply to a commit lost': 0.02,
  'gateway call lost before the work': 0.06,
  'gateway reply lost after the work': 0.1,
  'gateway answers 500 without the work': 0.03,
  'notification lost': 0.12,
  'notification doubled': 0.25,
  'answer to a caller lost': 0.1,
  'clock jumps': 0.006,
}

export type FaultName = keyof typeof FAULT_SHARES
export type FaultShares = Partial<Record<FaultName, number>>

/** So many turns of the event loop end everything that needs no scheduler. */
const TURNS = 10
const TICK_SHARE = 0.04
const JUMPS_MS = [1_500, 6_000, 17_000, 35_000, 65_000, 400_000, 1_900_000]
const LABEL_MAX = 72

interface Action {
  /** The process it belongs to. */
  owner: Owner
  run: () => Promise<void> | void
}

interface GatewayCall {
  owner: Owner
  request: HttpRequest
  reply?: HttpReply
  resolve: (reply: HttpReply) => void
  reject: (error: NoReply) => void
}

export interface Notice {
  order_id: string
  status: string
  body: string
  attempts: number
}

export interface SimulationOrder {
  seed: number
  backends: Backends
  /** Sends a request to the simulator at once. */
  callGateway: (request: HttpRequest) => Promise<HttpReply>
  /** Moves the clocks of database and simulator. */
  moveClocks: (now: number) => Promise<void>
  /** Gives a notification to a process; resolves with the status of its answer. */
  notify: (notice: Notice) => Promise<number | undefined>
  /** Starts the process again. */
  restart: (owner: Owner) => Promise<void>
  /** Instead of the ordinary ones. */
  shares: FaultShares
  /** The number of the last step with a fault. */
  faults_until: number
}

export class Simulation {
  readonly random: Random
  readonly clock = new VirtualClock()
  readonly conductor: Conductor
  readonly trace: string[] = []
  readonly faults = new Map<FaultName, number>()
  readonly callers: Owner
  steps = 0
  healed = false
  readonly #order: SimulationOrder
  #turns: { label: string; run: () => Promise<void> }[] = []
  #calls: GatewayCall[] = []
  #notices: Notice[] = []
  readonly #deaths = new Map<Owner, (() => void)[]>()

  constructor(order: SimulationOrder) {
    this.#order = order
    this.random = seeded(order.seed * 7_919 + 17)
    this.callers = this.owner('callers')
    this.conductor = new Conductor(order.backends, (session) => {
      const { lock_timeout_ms, pool } = session
      if (lock_timeout_ms === 0) return
      this.clock.set(pool.owner, lock_timeout_ms, () => {
        if (session.state === 'blocked') this.#expired.push(session)
      })
    })
  }

  readonly #expired: Session[] = []

  owner(name: string): Owner {
    const salt = createHash('sha256').update(name).digest().readUInt32LE(0)
    const random = seeded((this.#order.seed * 31 + salt) >>> 0)
    return { name, alive: true, random, clock: this.clock }
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

  /** A gateway call of the process whose code runs now. */
  async call(request: HttpRequest): Promise<HttpReply> {
    const owner = current.getStore() ?? this.callers
    return await new Promise((resolve, reject) => {
      const call: GatewayCall = { owner, request, resolve, reject }
      this.#calls.push(call)
      this.clock.set(owner, request.timeout_ms, () => {
        if (this.#end(call)) reject(new NoReply(true, 'UND_ERR_HEADERS_TIMEOUT'))
      })
    })
  }

  receive(notice: Notice): void {
    this.#notices.push(notice)
  }

  /** Resolves if the process dies. */
  async died(owner: Owner): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#deaths.set(owner, [...(this.#deaths.get(owner) ?? []), resolve])
    })
  }

  note(owner: Pick<Owner, 'name'>, what: string): void {
    const at = ((this.clock.now - this.#began) / 1_000).toFixed(3)
    this.trace.push(`${String(this.steps).padStart(5)} ${at.padStart(9)} ${owner.name.padEnd(10)} ${what}`)
  }

  readonly #began = this.clock.now

  happens(fault: FaultName): boolean {
    if (this.healed || this.steps > this.#order.faults_until) return false
    if (!this.random.chance(this.#order.shares[fault] ?? FAULT_SHARES[fault])) return false
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    return true
  }

  /** Steps until the condition holds; false if the steps are used up. */
  async runUntil(isOver: () => boolean, steps_max: number): Promise<boolean> {
    for (let step = 0; step < steps_max; step++) {
      await this.#settle()
      if (isOver()) return true
      this.steps += 1
      if (this.happens('clock jumps')) await this.pass(this.random.pick(JUMPS_MS))
      const actions = this.#actions()
      if (actions.length === 0 || this.random.chance(TICK_SHARE)) await this.#tick()
      else await this.random.pick(actions).run()
    }
    return false
  }

  /** Moves all clocks. */
  async pass(ms: number): Promise<void> {
    this.clock.now += ms
    this.note({ name: 'clock' }, `${ms} ms pass`)
    await this.#order.moveClocks(this.clock.now)
  }

  async #tick(): Promise<void> {
    const next = this.clock.nextAt()
    if (next !== undefined && next > this.clock.now) await this.pass(next - this.clock.now)
  }

  /** Nothing in this Node process can go on without the scheduler. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => realImmediate(resolve))
    for (const session of this.conductor.sessions().filter(({ broken }) => broken))
      await this.conductor.cut(session)
    for (const session of this.#expired.splice(0)) {
      if (session.state !== 'blocked') continue
      this.note(session, 'gives up its wait for a lock')
      await this.conductor.timeOut(session)
    }
  }

  #actions(): Action[] {
    return [
      ...this.conductor.sessions().flatMap((session) => this.#sessionAction(session)),
      ...this.#calls.map((call) => ({ owner: call.owner, run: () => this.#stepCall(call) })),
      ...this.#turns.map((turn) => ({
        owner: this.callers,
        run: async () => {
          this.#turns = this.#turns.filter((one) => one !== turn)
          this.note(this.callers, turn.label)
          await turn.run()
        },
      })),
      ...this.#notices.map((notice) => ({
        owner: this.callers,
        run: () => this.#stepNotice(notice),
      })),
      ...this.clock.due().map((timer) => ({
        owner: timer.owner,
        run: () => {
          this.note(timer.owner, 'a timer fires')
          this.clock.fire(timer)
        },
      })),
    ]
  }

  #sessionAction(session: Session): Action[] {
    const { owner } = session.pool
    const { state } = session
    if (state === 'ready') return [{ owner, run: () => this.#send(session) }]
    if (state === 'answered') return [{ owner, run: () => this.#deliver(session) }]
    if (state === 'connecting')
      return [
        {
          owner,
          run: async () => {
            await this.conductor.connect(session)
            session.state = 'idle'
            this.note(session, 'connects')
            session.connected?.()
          },
        },
      ]
    return []
  }

  async #send(session: Session): Promise<void> {
    const { owner } = session.pool
    const [statement] = session.statements
    if (statement === undefined) return
    const commits = statement.text === 'commit'
    const label = labelOf(statement)
    if (!commits && this.happens('process dies before a statement')) {
      await this.kill(owner, `before ${label}`)
      return
    }
    if (commits && this.happens('process dies before a commit')) {
      await this.kill(owner, 'before commit')
      return
    }
    const lost = commits && this.happens('connection lost before a commit')
    if (lost) {
      this.note(session, 'the connection breaks before commit')
    } else {
      await this.conductor.send(session)
      this.note(session, `${label}${session.state === 'blocked' ? '  waits' : ''}`)
    }
    if (commits && session.state === 'answered' && this.happens('process dies after a commit')) {
      await this.kill(owner, 'after commit')
    } else if (lost || (commits && session.state === 'answered' && this.happens('reply to a commit lost'))) {
      if (!lost) this.note(session, 'the reply to commit is lost')
      await this.conductor.cut(session)
      statement.reject(brokenConnection())
    }
  }

  #deliver(session: Session): void {
    const outcome = this.conductor.deliver(session)
    if (outcome === undefined) return
    const error = 'error' in outcome ? (outcome.error as Error & { code?: string }) : undefined
    const seen = 'result' in outcome ? outcome.result.rowCount ?? 0 : undefined
    this.note(session, error === undefined ? `  ← ${seen} rows` : `  ← ${error.code} ${error.message}`)
  }

  async kill(owner: Owner, when: string): Promise<void> {
    this.note(owner, `dies ${when}`)
    owner.alive = false
    const pools = this.conductor.pools.filter((pool) => pool.owner === owner)
    for (const pool of pools) for (const session of [...pool.sessions]) await this.conductor.cut(session)
    for (const pool of pools) this.conductor.pools.splice(this.conductor.pools.indexOf(pool), 1)
    for (const told of this.#deaths.get(owner) ?? []) told()
    await this.#order.restart(owner)
  }

  /** Whether the call was still open. */
  #end(call: GatewayCall): boolean {
    const open = this.#calls.includes(call)
    this.#calls = this.#calls.filter((one) => one !== call)
    return open
  }

  async #stepCall(call: GatewayCall): Promise<void> {
    const { owner, request, reply } = call
    const label = `${request.method} ${request.path}`
    if (reply !== undefined) {
      this.#end(call)
      const lost = owner.alive && this.happens('gateway reply lost after the work')
      this.note(owner, `  ← gateway ${lost ? 'reply lost' : reply.http_status} ${label}`)
      if (!owner.alive) return
      if (lost) call.reject(new NoReply(true, 'UND_ERR_SOCKET'))
      else call.resolve(reply)
      return
    }
    if (this.happens('gateway call lost before the work')) {
      this.note(owner, `gateway call lost ${label}`)
      this.#end(call)
      call.reject(new NoReply(true, 'UND_ERR_SOCKET'))
    } else if (this.happens('gateway answers 500 without the work')) {
      this.note(owner, `gateway fails ${label}`)
      call.reply = { http_status: 500, body: '{"status_code":"500"}', retry_after_s: null }
    } else {
      call.reply = await this.#order.callGateway(request)
      this.note(owner, `gateway ${label} ${digest(request.body ?? '')}`)
    }
  }

  #stepNotice(notice: Notice): void {
    const lost = notice.attempts < 4 && this.happens('notification lost')
    const { order_id, status } = notice
    if (lost) {
      notice.attempts += 1
      this.note({ name: 'gateway' }, `notification of ${order_id} ${status} lost`)
      return
    }
    if (this.happens('notification doubled')) notice.attempts += 1
    else this.#notices = this.#notices.filter((one) => one !== notice)
    this.note({ name: 'gateway' }, `notifies ${order_id} ${status}`)
    void this.#order.notify(notice).then((answer) => {
      const again = (answer === undefined || answer >= 300) && notice.attempts < 8
      if (!again || this.#notices.includes(notice)) return
      notice.attempts += 1
      this.#notices.push(notice)
    })
  }

  get waiting_notices(): number {
    return this.#notices.length
  }
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The beginning of a statement, and a digest of its values. */
function labelOf({ text, config }: Session['statements'][number]): string {
  const { values = [] } = config as { values?: unknown[] }
  const short = text.replaceAll(/\s+/g, ' ').trim().slice(0, LABEL_MAX)
  // The number of a transaction differs from run to run.
  return values.length === 0 || text.includes('xid') ? short : `${short} [${digest(JSON.stringify(values))}]`
}
