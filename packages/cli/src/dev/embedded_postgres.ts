import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Output } from '../output.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { isAlive, keptSecret } from './dev_folder.ts'
import { findBinaries, type PostgresBinaries } from './postgres_binaries.ts'

export interface EmbeddedPostgres {
  url: string
  stop: () => Promise<void>
}

const STARTED_WITHIN_MS = 60_000
const LOG_KEPT = 4_000

/** The user of the server process: PostgreSQL refuses root, so root starts it as another user. */
interface User {
  uid?: number
  gid?: number
}

/** Starts the server on its data in this folder, making them the first time. */
export async function startEmbeddedPostgres(
  folder: string,
  output: Output,
): Promise<EmbeddedPostgres> {
  const data = path.join(folder, 'data')
  const password = keptSecret('postgres', () => randomBytes(18).toString('hex'))
  const urlAt = (port: number): string => `postgres://gapura:${password}@127.0.0.1:${port}/postgres`
  const running = runningAt(data)
  if (running !== undefined) {
    output.progress('an embedded PostgreSQL of an earlier run is still there: using it')
    return { url: urlAt(running.port), stop: async () => await stopProcess(running.pid) }
  }
  const user = await userOf(folder)
  const binaries = findBinaries(path.join(folder, 'lib'))
  if (!existsSync(path.join(data, 'PG_VERSION'))) {
    output.progress('making a database (once)')
    await initialise(binaries, { data, password, user })
  }
  const port = await freePort()
  const child = await launch(binaries, { data, port, user })
  return { url: urlAt(port), stop: async () => await stopProcess(child.pid) }
}

/** The server that holds these data, if one is alive: a dev that was killed leaves it behind. */
function runningAt(data: string): { pid: number; port: number } | undefined {
  const file = path.join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid = '', , , port = ''] = readFileSync(file, 'utf8').split('\n')
  return isAlive(Number(pid)) && port !== '' ? { pid: Number(pid), port: Number(port) } : undefined
}

async function userOf(folder: string): Promise<User> {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  if (process.getuid?.() !== 0) return {}
  // The owner of the folder, if it is not root; otherwise an unprivileged system user.
  const owner = statSync(process.cwd())
  const user =
    owner.uid === 0
      ? ((await idsOf('postgres')) ?? (await idsOf('nobody')))
      : { uid: owner.uid, gid: owner.gid }
  if (user === undefined) throw asRoot('there is neither a user postgres nor nobody')
  chownSync(folder, user.uid, user.gid)
  return user
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { stdout: uid } = await promisify(execFile)('id', ['-u', name])
    const { stdout: gid } = await promisify(execFile)('id', ['-g', name])
    return { uid: Number(uid), gid: Number(gid) }
  } catch {
    return undefined
  }
}

const asRoot = (why: string): CommandFailure =>
  new CommandFailure({
    exit_code: EXIT.database,
    code: 'embedded_postgres_as_root',
    message: `PostgreSQL does not run as root, and could not be run as another user: ${why}`,
    advice: [
      'Run gapura dev as an ordinary user, in a folder that user may enter,',
      'or give it a database: gapura dev --database-url postgres://…',
    ],
  })

interface Cluster {
  data: string
  user: User
}

async function initialise(
  { initdb, environment }: PostgresBinaries,
  { data, password, user }: Cluster & { password: string },
): Promise<void> {
  const file = path.join(path.dirname(data), 'password')
  writeFileSync(file, `${password}\n`, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid)
  const flags = ['--auth=scram-sha-256', '--username=gapura', '--encoding=UTF8', '--locale=C']
  try {
    const env = { ...environment, PATH: '/usr/bin:/bin', LC_ALL: 'C' }
    const options = { env, cwd: path.dirname(data), ...user }
    await promisify(execFile)(initdb, [`--pgdata=${data}`, `--pwfile=${file}`, ...flags], options)
  } catch (error) {
    throw user.uid === undefined ? error : asRoot(error instanceof Error ? error.message : 'initdb')
  } finally {
    rmSync(file, { force: true })
  }
}

async function launch(
  { postgres, environment }: PostgresBinaries,
  { data, port, user }: Cluster & { port: number },
): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const child = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
    env: { ...environment, PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: path.dirname(data),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C is for us; the server is stopped last, by us.
    detached: true,
    ...user,
  })
  const ready = Promise.withResolvers<void>()
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk.toString()}`.slice(-LOG_KEPT)
    if (log.includes('ready to accept connections')) ready.resolve()
  })
  child.once('error', ready.reject)
  child.once('exit', () =>
    ready.reject(new Error(`the embedded PostgreSQL ended at once:\n${log}`)),
  )
  const late = setTimeout(() => {
    ready.reject(new Error(`the embedded PostgreSQL did not start:\n${log}`))
  }, STARTED_WITHIN_MS)
  try {
    await ready.promise
  } finally {
    clearTimeout(late)
  }
  return child
}

const STOP_WITHIN_MS = 15_000

/** Fast shutdown: sessions end, everything is on disk. */
async function stopProcess(pid: number | undefined): Promise<void> {
  if (pid === undefined || !isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  const end = Date.now() + STOP_WITHIN_MS
  while (isAlive(pid) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => server.close(resolve))
  return port
}
