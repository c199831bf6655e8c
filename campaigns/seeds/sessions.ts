// Connections of the logical processes to the real database. One statement runs at a time: it ends
// or waits for a lock, and a backend that waits is stopped by a signal until its lock is granted.
// Without that, several waiters would race inside PostgreSQL after a commit.
import { Client, type QueryConfig, type QueryResult } from 'pg'
import type { Random } from '../bench/random.ts'
import { current, realTimeout, type Owner } from './virtual.ts'

type Outcome = { result: QueryResult } | { error: Error }

export interface Statement {
  text: string
  config: object
  resolve: (result: QueryResult) => void
  reject: (error: Error) => void
  outcome?: Outcome
}

type State = 'connecting' | 'connected' | 'idle' | 'ready' | 'running' | 'blocked' | 'answered'

/** Settings that use the real clock: they become timers of the virtual one. */
const TIMEOUTS = /set local (\w+_timeout) = (\d+)/g
const ENDS = /^(?:commit|rollback)$/
/** Most statements end sooner; only then are its locks looked at. */
const REPLY_WITHIN_MS = 5

export const brokenConnection = (): Error => new Error('Connection terminated unexpectedly')

/** What the service sees as a connection of its host's pool. */
export class Session {
  readonly pipeline = false
  readonly name: string
  readonly pool: SimulatedPool
  readonly statements: Statement[] = []
  state: State = 'connecting'
  broken = false
  lock_timeout_ms = 0
  idle_timeout_ms = 0
  in_transaction = false
  pid = 0
  client: Client | undefined
  connected: (() => void) | undefined
  replied: Promise<void> = Promise.resolve()

  constructor(pool: SimulatedPool, name: string) {
    this.pool = pool
    this.name = name
  }

  on(): this {
    return this
  }

  off(): this {
    return this
  }

  async query(given: string | { text: string }, values?: unknown[]): Promise<QueryResult> {
    if (this.broken) throw brokenConnection()
    const config = typeof given === 'string' ? { text: given, ...(values && { values }) } : given
    const text = config.text.replaceAll(TIMEOUTS, (_, name: string, ms: string) => {
      if (name === 'lock_timeout') this.lock_timeout_ms = Number(ms)
      if (name === 'idle_in_transaction_session_timeout') this.idle_timeout_ms = Number(ms)
      return `set local ${name} = 0`
    })
    return await new Promise((resolve, reject) => {
      this.statements.push({ text, config: { ...config, text }, resolve, reject })
      if (this.state === 'idle') this.state = 'ready'
    })
  }

  release(destroyed?: unknown): void {
    if (destroyed === true || destroyed instanceof Error) this.broken = true
    this.pool.take(this)
  }
}

/** The pool of a logical process: connections are opened when they are needed. */
export class SimulatedPool {
  readonly options: { max: number }
  readonly owner: Owner
  readonly sessions: Session[] = []
  readonly #free: Session[] = []
  readonly #waiting: ((session: Session) => void)[] = []
  #count = 0

  constructor(owner: Owner, max: number) {
    this.owner = owner
    this.options = { max }
  }

  on(): this {
    return this
  }

  async connect(): Promise<Session> {
    const free = this.#free.shift()
    if (free !== undefined) return free
    return await new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#open()
    })
  }

  take(session: Session): void {
    if (session.broken) {
      this.#open()
      return
    }
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(session)
    else next(session)
  }

  #open(): void {
    const living = this.sessions.filter(({ broken }) => !broken)
    const opening = living.filter(({ state }) => state === 'connecting' || state === 'connected')
    if (living.length >= this.options.max || opening.length >= this.#waiting.length) return
    this.#count += 1
    const session = new Session(this, `${this.owner.name}.${this.#count}`)
    session.connected = () => this.take(session)
    this.sessions.push(session)
  }

  async end(): Promise<void> {}
}

export interface Backends {
  /** Another connection of the cluster's superuser, for looking at locks. */
  admin: Client
  database_url: string
  random: Random
  watched: boolean
}

/** Sends the statements of all sessions, one at a time. */
export class Conductor {
  readonly pools: SimulatedPool[] = []
  readonly #backends: Backends
  readonly #timedOut: (session: Session) => void
  lock_waits = 0

  constructor(backends: Backends, timedOut: (session: Session) => void) {
    this.#backends = backends
    this.#timedOut = timedOut
  }

  sessions(): Session[] {
    return this.pools.flatMap(({ sessions }) => sessions)
  }

  async connect(session: Session): Promise<void> {
    const client = new Client({ connectionString: this.#backends.database_url })
    client.on('error', () => undefined)
    await client.connect()
    session.client = client
    session.pid = (client as unknown as { processID: number }).processID
    session.state = 'connected'
  }

  /** Runs the session's first statement until it ends or waits for a lock. */
  async send(session: Session): Promise<void> {
    const [statement] = session.statements
    const { client } = session
    if (statement === undefined || client === undefined) return
    session.state = 'running'
    session.in_transaction = !ENDS.test(statement.text)
    session.replied = client.query(statement.config as QueryConfig).then(
      (result) => void (statement.outcome = { result }),
      async (error: unknown) => {
        if (isStatementError(error)) await readyAgain(client)
        statement.outcome = { error: error as Error }
      },
    )
    await this.#settle(session)
    await this.wakeGranted()
  }

  /**
   * Whether its transaction has written something: one that only reads has no id. False if the run is
   * not watched.
   */
  async hasWritten({ pid }: Session): Promise<boolean> {
    if (!this.#backends.watched) return false
    const { rows } = await this.#backends.admin.query<{ wrote: boolean }>({
      name: 'wrote',
      text: 'select backend_xid is not null as wrote from pg_stat_get_activity($1)',
      values: [pid],
    })
    return rows[0]?.wrote === true
  }

  deliver(session: Session): Outcome | undefined {
    const statement = session.statements.shift()
    session.state = session.statements.length > 0 ? 'ready' : 'idle'
    const outcome = statement?.outcome
    if (statement === undefined || outcome === undefined) return undefined
    if ('result' in outcome) statement.resolve(outcome.result)
    else statement.reject(outcome.error)
    return outcome
  }

  /** The statement gives up its wait for a lock, as after `lock_timeout`. */
  async timeOut(session: Session): Promise<void> {
    const [statement] = session.statements
    if (session.broken || session.state !== 'blocked' || statement === undefined) return
    await this.#backends.admin.query('select pg_cancel_backend($1)', [session.pid])
    process.kill(session.pid, 'SIGCONT')
    await session.replied
    const error = new Error('canceling statement due to lock timeout')
    statement.outcome = { error: Object.assign(error, { code: '55P03', severity: 'ERROR' }) }
    session.state = 'answered'
    await this.wakeGranted()
  }

  /** Breaks the connection; resolves once the backend and its locks are gone. */
  async cut(session: Session): Promise<void> {
    session.broken = true
    session.pool.sessions.splice(session.pool.sessions.indexOf(session), 1)
    const { client, pid, state } = session
    if (client === undefined) return
    if (state === 'blocked') process.kill(pid, 'SIGCONT')
    const { admin } = this.#backends
    await admin.query('select pg_terminate_backend($1)', [pid])
    for (;;) {
      const { rows } = await admin.query('select from pg_stat_activity where pid = $1', [pid])
      if (rows.length === 0) break
    }
    await client.end().catch(() => undefined)
    await this.wakeGranted()
  }

  async #settle(session: Session): Promise<void> {
    const hasReply = (): boolean => session.statements[0]?.outcome !== undefined
    while (!hasReply()) {
      await Promise.race([session.replied, pause(REPLY_WITHIN_MS)])
      if (hasReply()) break
      const waiting = await this.#waiting([session])
      if (waiting.length === 0 || hasReply()) continue
      process.kill(session.pid, 'SIGSTOP')
      session.state = 'blocked'
      this.lock_waits += 1
      this.#timedOut(session)
      return
    }
    session.state = 'answered'
  }

  /** Those whose lock was granted go on, one after the other, in an order chosen by the seed. */
  async wakeGranted(): Promise<void> {
    for (;;) {
      const blocked = this.sessions().filter(({ state }) => state === 'blocked')
      if (blocked.length === 0) return
      const waiting = await this.#waiting(blocked)
      const granted = blocked.filter((one) => !waiting.includes(one))
      if (granted.length === 0) return
      const next = this.#backends.random.pick(granted)
      next.state = 'running'
      process.kill(next.pid, 'SIGCONT')
      await this.#settle(next)
    }
  }

  async #waiting(sessions: readonly Session[]): Promise<Session[]> {
    const { rows } = await this.#backends.admin.query<{ pid: number }>({
      name: 'waiting',
      text: 'select pid from unnest($1::integer[]) as pid where cardinality(pg_blocking_pids(pid)) > 0',
      values: [sessions.map(({ pid }) => pid)],
    })
    const pids = new Set(rows.map(({ pid }) => pid))
    return sessions.filter(({ pid }) => pids.has(pid))
  }
}

/** Of a statement, and not of a connection that has ended. */
const isStatementError = (error: unknown): boolean =>
  (error as { severity?: string }).severity === 'ERROR'

/** The error is sent before the transaction is aborted, and only then are its locks free. */
async function readyAgain(client: Client): Promise<void> {
  const state = client as unknown as { readyForQuery: boolean }
  while (!state.readyForQuery) await pause(1)
}

const pause = async (ms: number): Promise<void> =>
  await current.exit(async () => await new Promise((resolve) => realTimeout(resolve, ms)))
