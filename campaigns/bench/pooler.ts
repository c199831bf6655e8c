// PgBouncer in transaction mode in front of the campaign's database: each transaction may run on
// another connection, so nothing of a session survives.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identity } from './postgres_cluster.ts'
import { freePort } from './supervised.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file))
const ANSWERS_WITHIN_MS = 10_000
/** Fewer than the processes open, so that transactions change their connection all the time. */
const SERVER_CONNECTIONS = 6

export class Pooler {
  readonly port: number
  readonly version: string
  readonly #folder: string
  readonly #program: string
  #process: ChildProcess | undefined

  private constructor(program: string, folder: string, port: number) {
    this.#program = program
    this.#folder = folder
    this.port = port
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    this.version = stdout.split('\n')[0] ?? ''
  }

  static async create(database_url: string): Promise<Pooler> {
    if (PROGRAM === undefined) throw new Error('this campaign needs pgbouncer')
    const { hostname, port, username, pathname } = new URL(database_url)
    const folder = mkdtempSync(path.join(tmpdir(), 'gapura-pooler-'))
    const pooler = new Pooler(PROGRAM, folder, await freePort())
    const { uid, gid } = identity()
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const file = path.join(folder, 'pgbouncer.ini')
    const settings = [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port} user=${username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${pooler.port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${SERVER_CONNECTIONS}`,
      'max_client_conn = 200',
      'verbose = 0',
    ]
    writeFileSync(file, `${settings.join('\n')}\n`)
    process.on('exit', () => pooler.#destroy())
    await pooler.start()
    return pooler
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const options = { ...identity(), cwd: this.#folder, stdio: 'ignore' } as const
    this.#process = spawn(this.#program, ['-q', path.join(this.#folder, 'pgbouncer.ini')], options)
    const end = performance.now() + ANSWERS_WITHIN_MS
    while (!(await this.#answers())) {
      if (performance.now() > end) throw new Error('the pooler does not start')
      await sleep(20)
    }
  }

  kill(): void {
    this.#process?.kill('SIGKILL')
  }

  async #answers(): Promise<boolean> {
    return await new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  }

  #destroy(): void {
    this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
