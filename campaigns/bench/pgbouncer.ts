// pgbouncer in transaction mode in front of every database of a server.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identity } from './postgres_cluster.ts'
import { freePort } from './supervised.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const STARTS_WITHIN_MS = 10_000

export const isPgbouncerInstalled = (): boolean => existsSync(PROGRAM)

export interface Pgbouncer {
  port: number
  stop: () => void
}

/** Starts it; it ends when this process exits, unless a signal kills that. */
export async function startPgbouncer(server: {
  host: string
  port: string
  user: string
}): Promise<Pgbouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-pgbouncer-'))
  const port = await freePort()
  const [settings, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')]
  writeFileSync(users, `"${server.user}" ""\n`)
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${server.host} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      // Looks other roles up in the server.
      `auth_user = ${server.user}`,
      'pool_mode = transaction',
      'default_pool_size = 8',
      'max_client_conn = 1000',
      'server_idle_timeout = 1',
      // A server that was away for a moment is looked for again at once.
      'server_login_retry = 1',
      '',
    ].join('\n'),
  )
  const { uid, gid } = identity()
  if (uid !== undefined && gid !== undefined) {
    for (const one of [folder, settings, users]) chownSync(one, uid, gid)
  }
  process.stdout.write(execFileSync(PROGRAM, ['--version']))
  const child = spawn(PROGRAM, ['-q', settings], { ...identity(), stdio: 'inherit' })
  const stop = (): void => {
    child.kill('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  try {
    await answers(port)
  } catch (error) {
    stop()
    throw error
  }
  return { port, stop }
}

async function answers(port: number): Promise<void> {
  const end = performance.now() + STARTS_WITHIN_MS
  while (performance.now() < end) {
    const socket = createConnection({ host: '127.0.0.1', port })
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return
    await sleep(50)
  }
  throw new Error('pgbouncer does not start')
}
