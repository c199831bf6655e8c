// pgbouncer in transaction mode in front of every database of a test run: no statement may rely on
// the connection of the one before it.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identity } from '../../../../campaigns/bench/postgres_cluster.ts'
import { freePort } from '../../../../campaigns/bench/supervised.ts'

const { PGHOST = '127.0.0.1', PGPORT = '5432', PGUSER = 'root' } = process.env
const STARTS_WITHIN_MS = 10_000

/** Starts it for the run of vitest whose global setup this is; returns what ends it. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gapura-pooler-'))
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(path.join(folder, 'users.txt'), `"${PGUSER}" ""\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${PGHOST} port=${PGPORT}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${path.join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 8',
      'max_client_conn = 1000',
      'server_idle_timeout = 5',
      '',
    ].join('\n'),
  )
  const { uid, gid } = identity()
  if (uid !== undefined && gid !== undefined) {
    for (const one of [folder, file, path.join(folder, 'users.txt')]) chownSync(one, uid, gid)
  }
  process.stdout.write(execFileSync('pgbouncer', ['--version']))
  const server = spawn('pgbouncer', ['-q', file], { ...identity(), stdio: 'inherit' })
  await answers(port)
  process.env['GAPURA_TEST_POOLER'] = `127.0.0.1:${port}`
  // For the processes that tests start.
  process.env['GAPURA_PREPARED_STATEMENTS'] = 'false'
  return () => {
    server.kill('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
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
