// Three database nodes with etcd and Patroni, and HAProxy in front, from the files of deploy/ha.
// Each process is killed by its own pid; the machine's own PostgreSQL is not touched.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { haFiles, type HaFiles } from './ha_files.ts'
import { binary, childrenOf, endProcess, identity } from './postgres_cluster.ts'

/** The programs it starts and the Debian packages that bring them. */
const PROGRAMS = { etcd: 'etcd-server', patroni: 'patroni python3-etcd', haproxy: 'haproxy' }
const READY_WITHIN_MS = 180_000
const ANSWER_WITHIN_MS = 3_000
const PROBE_MS_MAX = 1_000
const PROBE_EVERY_MS = 50
const OWNER = { name: 'gapura', password: 'change-me-gapura' }

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
}

export class HaCluster {
  readonly url: string
  readonly #folder: string
  readonly #files: HaFiles
  readonly #identity = identity()
  readonly #running = new Map<string, ChildProcess>()

  private constructor(folder: string, files: HaFiles) {
    this.#folder = folder
    this.#files = files
    this.url = `postgres://${OWNER.name}:${OWNER.password}@${files.at('127.0.0.1:5000')}/gapura`
  }

  static async create(): Promise<HaCluster> {
    requirePrograms()
    const folder = mkdtempSync(path.join(tmpdir(), 'gapura-ha-'))
    const cluster = new HaCluster(folder, await haFiles())
    cluster.#own(folder)
    process.on('exit', () => cluster.#destroy())
    // Their sockets are beside the data: the usual folder belongs to the packages' own server.
    const sockets = cluster.#files.patroni.replace('/var/run/postgresql', folder)
    cluster.#write('patroni.yml', sockets)
    cluster.#write('haproxy.cfg', cluster.#files.haproxy)
    for (const { name } of cluster.#files.nodes) {
      const home = path.join(folder, name)
      mkdirSync(home, { mode: 0o700 })
      cluster.#own(home)
      cluster.#start(`etcd ${name}`, 'etcd', [], cluster.#environment(name))
    }
    for (const { name } of cluster.#files.nodes) cluster.revive(name)
    cluster.#start('haproxy', 'haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')])
    await cluster.untilWhole()
    await cluster.#prepare()
    return cluster
  }

  /** Every member as Patroni sees it. */
  async members(): Promise<Member[]> {
    for (const { environment } of this.#files.nodes) {
      const found = await this.#ask(environment, 'cluster')
      if (found !== undefined) return (found as { members: Member[] }).members
    }
    return []
  }

  async leader(): Promise<string> {
    const found = (await this.members()).find(({ role }) => role === 'leader')
    if (found === undefined) throw new Error('the cluster has no leader')
    return found.name
  }

  /** Waits for three healthy nodes, one of them in sync with the leader. */
  async untilWhole(): Promise<void> {
    const end = performance.now() + READY_WITHIN_MS
    let seen: Member[] = []
    while (performance.now() < end) {
      seen = await this.members()
      const good = seen.filter(({ state }) => state === 'running' || state === 'streaming')
      const timelines = new Set(good.map(({ timeline }) => timeline))
      const roles = new Set(good.map(({ role }) => role))
      const whole = good.length === this.#files.nodes.length && timelines.size === 1
      if (whole && roles.has('leader') && roles.has('sync_standby')) return
      await sleep(250)
    }
    throw new Error(`the cluster did not become healthy: ${JSON.stringify(seen)}`)
  }

  /** Kills the postmaster alone, as a crash of PostgreSQL: Patroni survives and notices it. */
  killPostgres(name: string): void {
    endProcess(this.#postmaster(name))
  }

  /** Kills all database processes on this node. Its etcd survives: a quorum needs two of three. */
  killNode(name: string): void {
    const patroni = this.#running.get(`patroni ${name}`)
    if (patroni?.pid !== undefined) endProcess(patroni.pid)
    const postmaster = this.#postmaster(name)
    for (const pid of [postmaster, ...childrenOf(postmaster)]) endProcess(pid)
  }

  /** Starts Patroni there, the first time or after the node's death. */
  revive(name: string): void {
    const file = path.join(this.#folder, 'patroni.yml')
    this.#start(`patroni ${name}`, 'patroni', [file], this.#environment(name))
  }

  /** Asks the leader for a planned switchover. Resolves when it was done or refused. */
  async switchover(leader: string): Promise<void> {
    const node = this.#files.nodes.find(({ name }) => name === leader)
    const address = node?.environment['PATRONI_RESTAPI_LISTEN'] ?? ''
    const reply = await fetch(`http://${address}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader }),
    })
    const words = await reply.text()
    if (!reply.ok) throw new Error(`the switchover was refused: ${words}`)
  }

  /** When the database takes a write again, tried over new connections. */
  async untilWritable(within_ms: number): Promise<boolean> {
    const end = performance.now() + within_ms
    while (performance.now() < end) {
      const client = new Client({
        connectionString: this.#admin_url,
        connectionTimeoutMillis: PROBE_MS_MAX,
        query_timeout: PROBE_MS_MAX,
      })
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.query('insert into written (at) values (clock_timestamp())')
        return true
      } catch {
        await sleep(PROBE_EVERY_MS)
      } finally {
        await client.end().catch(() => undefined)
      }
    }
    return false
  }

  /** The last output of one of its processes, to find a cause. */
  log(name: string): string {
    return readFileSync(path.join(this.#folder, `${name}.log`), 'utf8')
  }

  get #admin_url(): string {
    const { PATRONI_SUPERUSER_PASSWORD = '' } = this.#files.nodes[0]?.environment ?? {}
    const url = new URL(this.url)
    url.username = 'postgres'
    url.password = PATRONI_SUPERUSER_PASSWORD
    url.pathname = '/postgres'
    return url.href
  }

  /** The environment of the files, with folders of this campaign. */
  #environment(name: string): Record<string, string> {
    const home = path.join(this.#folder, name)
    const node = this.#files.nodes.find((one) => one.name === name)
    return {
      ...node?.environment,
      ETCD_DATA_DIR: path.join(home, 'etcd'),
      PATRONI_POSTGRESQL_DATA_DIR: path.join(home, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: path.dirname(binary('postgres')),
      PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
    }
  }

  #start(name: string, program: string, given: string[], environment: object = {}): void {
    const file = path.join(this.#folder, `${name}.log`)
    const log = openSync(file, 'a')
    const child = spawn(program, given, {
      ...this.#identity,
      cwd: this.#folder,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    })
    closeSync(log)
    this.#running.set(name, child)
  }

  #write(name: string, text: string): void {
    const file = path.join(this.#folder, name)
    writeFileSync(file, text)
    this.#own(file)
  }

  #own(file: string): void {
    const { uid, gid } = this.#identity
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid)
  }

  #postmaster(name: string): number {
    const file = path.join(this.#folder, name, 'data', 'postmaster.pid')
    return Number(readFileSync(file, 'utf8').split('\n')[0])
  }

  async #ask(environment: Readonly<Record<string, string>>, what: string): Promise<unknown> {
    const address = environment['PATRONI_RESTAPI_LISTEN'] ?? ''
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      return await (await fetch(`http://${address}/${what}`, { signal })).json()
    } catch {
      return undefined
    }
  }

  /** The role and the database of the README, made through HAProxy, as Gapura will connect. */
  async #prepare(): Promise<void> {
    const end = performance.now() + READY_WITHIN_MS
    for (;;) {
      const db = openDatabase(this.#admin_url, { connections_max: 1 })
      try {
        await db.pool.query(`create role ${OWNER.name} login password '${OWNER.password}'`)
        await db.pool.query(`create database gapura owner ${OWNER.name}`)
        await db.pool.query('create table written (at timestamptz not null)')
        return
      } catch (error) {
        // HAProxy may not have seen the leader yet.
        if (performance.now() > end) throw error
        await sleep(250)
      } finally {
        await db.close()
      }
    }
  }

  #destroy(): void {
    for (const { name } of this.#files.nodes) {
      try {
        this.killNode(name)
      } catch {
        // It never ran.
      }
    }
    for (const child of this.#running.values()) child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function requirePrograms(): void {
  const missing = Object.entries(PROGRAMS).filter(
    ([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length === 0) return
  const packages = missing.map(([, names]) => names).join(' ')
  throw new Error(
    `${missing.map(([name]) => name).join(', ')} is not installed. On Debian: apt-get install ${packages}`,
  )
}
