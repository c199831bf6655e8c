// A PostgreSQL server of the campaign's own, to be killed: the one on the machine is shared.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../packages/service/src/store/connection/database.ts'
import { freePort } from './supervised.ts'

const VERSIONS = '/usr/lib/postgresql'
const ANSWERS_WITHIN_MS = 60_000
const USER = 'postgres'
const MEMORY = '/dev/shm'

interface Made {
  settings?: readonly string[]
  in_memory?: boolean
  disk_mb?: number
}

export class PostgresCluster {
  readonly url: string
  readonly #folder: string
  readonly #port: number
  readonly #identity = identity()
  readonly #settings: readonly string[]
  #server: ChildProcess | undefined
  #mounted = false

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder
    this.#port = port
    this.#settings = settings
    this.url = `postgres://${USER}@127.0.0.1:${port}/postgres`
  }

  /** Cheaper than TCP, where the network is not what is tested. */
  socketUrl(database: string): string {
    return `postgres://${USER}@localhost/${database}?host=${this.#folder}&port=${this.#port}`
  }

  /**
   * With further settings, as `name=value`; in memory where files need not survive the machine. With
   * `disk_mb` its tables are on a file system of that size, which root must be allowed to mount; its
   * write-ahead log is elsewhere, so that a full disk ends no server.
   */
  static async create(made: Made = {}): Promise<PostgresCluster> {
    const { settings = [], in_memory = false, disk_mb } = made
    const place = in_memory && existsSync(MEMORY) ? MEMORY : tmpdir()
    const folder = mkdtempSync(path.join(place, 'gapura-postgres-'))
    const cluster = new PostgresCluster(folder, await freePort(), settings)
    process.on('exit', () => cluster.#destroy())
    const { uid, gid } = cluster.#identity
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const options = ['-D', cluster.data, '-U', USER, '-A', 'trust', '--no-locale', '-E', 'UTF8']
    if (disk_mb !== undefined) {
      mkdirSync(cluster.data)
      const size = `size=${disk_mb}m,uid=${uid ?? 0},gid=${gid ?? 0},mode=700`
      execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', cluster.data])
      cluster.#mounted = true
      options.push('--waldir', path.join(folder, 'wal'))
    }
    execFileSync(binary('initdb'), options, { ...cluster.#identity, cwd: folder, stdio: 'ignore' })
    await cluster.start()
    return cluster
  }

  /** Another server that follows this one, under the name by which it can be waited for. */
  async createStandby(name: string): Promise<PostgresCluster> {
    const folder = mkdtempSync(path.join(path.dirname(this.#folder), 'gapura-postgres-'))
    const standby = new PostgresCluster(folder, await freePort(), this.#settings)
    process.on('exit', () => standby.#destroy())
    const { uid, gid } = this.#identity
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const from = `host=127.0.0.1 port=${this.#port} user=${USER} application_name=${name}`
    const options = ['-D', standby.data, '-d', from, '-R', '-X', 'stream', '-c', 'fast']
    execFileSync(binary('pg_basebackup'), options, { ...this.#identity, cwd: folder })
    await standby.start()
    return standby
  }

  get data(): string {
    return path.join(this.#folder, 'data')
  }

  /** The first process of the server: all others are its children. */
  get postmaster(): number {
    const [pid = ''] = readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid)
  }

  /** Starts it, with retries while the killed one still seems to run; resolves when it answers. */
  async start(): Promise<void> {
    const end = performance.now() + ANSWERS_WITHIN_MS
    while (performance.now() < end) {
      if (this.#server?.exitCode !== null || this.#server.signalCode !== null) this.#spawn()
      if (await this.#answers()) return
      await sleep(50)
    }
    throw new Error('the cluster does not start')
  }

  /** Kills the postmaster and all its processes at once. */
  kill(): void {
    const { postmaster } = this
    const all = [postmaster, ...childrenOf(postmaster)]
    for (const pid of all) endProcess(pid)
  }

  /** The same rows as a standby: it answers reads and refuses writes. */
  async demote(): Promise<void> {
    this.kill()
    writeFileSync(path.join(this.data, 'standby.signal'), '')
    await this.start()
  }

  /** Ends the recovery of `demote`. */
  async promote(): Promise<void> {
    this.kill()
    rmSync(path.join(this.data, 'standby.signal'), { force: true })
    await this.start()
  }

  /** Takes what is left of its file system; the returned function gives it back. */
  fillDisk(): () => void {
    const file = path.join(this.data, 'filler')
    const filler = openSync(file, 'w')
    for (const size of [1_048_576, 4_096]) {
      const block = Buffer.alloc(size)
      try {
        while (writeSync(filler, block) > 0);
      } catch {
        // Full for blocks of this size.
      }
    }
    closeSync(filler)
    return () => rmSync(file)
  }

  async remove(): Promise<void> {
    this.kill()
    await sleep(200)
    this.#destroy()
  }

  #spawn(): void {
    const where = ['-D', this.data, '-p', String(this.#port), '-k', this.#folder]
    // Default settings, but for the address and the number of connections.
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=100']
    const own = this.#settings.flatMap((setting) => ['-c', setting])
    const options = { ...this.#identity, cwd: this.#folder, stdio: 'ignore' } as const
    this.#server = spawn(binary('postgres'), [...where, ...settings, ...own], options)
  }

  async #answers(): Promise<boolean> {
    const db = openDatabase(this.url, { connections_max: 1, standby: true })
    try {
      await db.pool.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await db.close()
    }
  }

  #destroy(): void {
    this.#server?.kill('SIGKILL')
    if (this.#mounted) {
      this.#mounted = false
      // Lazily: the server that was killed a moment ago may still hold files.
      execFileSync('umount', ['--lazy', this.data])
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The server refuses to run as root; then it runs as the user that the packages created. */
export function identity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${USER}:`))
  const [, , uid = '', gid = ''] = line?.split(':') ?? []
  if (uid === '') throw new Error(`as root the cluster needs a user ${USER} to run as`)
  return { uid: Number(uid), gid: Number(gid) }
}

/** The newest one installed, or the one on the path. */
export function binary(name: string): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0]
  return newest === undefined ? name : path.join(VERSIONS, newest, 'bin', name)
}

export function childrenOf(parent: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.map(Number).filter((pid) => {
    try {
      return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(
        readFileSync(`/proc/${pid}/status`, 'utf8'),
      )
    } catch {
      return false
    }
  })
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}
