// Clients that hold a connection and send nothing or little: slowhttptest of Debian, and a thousand
// idle connections of our own. Honest callers beside them must be served.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { progress, type Figure } from '../bench/report.ts'
import type { GoodTraffic, Waited } from './good_traffic.ts'

const CONNECTIONS = 500
const SECONDS = 20
const IDLE = 1_000
const SLOWER_MAX = 2

/** Slow headers (-H), slow bodies (-B), answers that are read a byte at a time (-X). */
const ATTACKS: readonly [name: string, ...options: string[]][] = [
  ['slow headers', '-H', '-i', '3'],
  ['slow bodies', '-B', '-i', '3', '-s', '8192', '-t', 'POST'],
  ['slow reading', '-X', '-w', '1', '-y', '10', '-n', '5', '-z', '8'],
]

interface SlowOrder {
  port: number
  good: GoodTraffic
  quiet: Waited
}

export async function runSlow({ port, good, quiet }: SlowOrder) {
  const figures: Figure[] = []
  const faults: string[] = []
  const note = (name: string, waited: Waited): void => {
    const slower = quiet.p99_ms === 0 ? 0 : waited.p99_ms / quiet.p99_ms
    figures.push({
      what: `honest callers beside ${name}, p50 and p99`,
      measured: `${waited.p50_ms.toFixed(0)} and ${waited.p99_ms.toFixed(0)} ms of ${waited.count} (quiet ${quiet.p50_ms.toFixed(0)} and ${quiet.p99_ms.toFixed(0)})`,
      goal: `p99 ≤ ${SLOWER_MAX} times`,
      timed: true,
      missed: slower > SLOWER_MAX,
    })
    if (waited.count === 0) faults.push(`no honest caller was served beside ${name}`)
    for (const words of waited.failed.slice(0, 3)) faults.push(`beside ${name}: ${words}`)
  }
  for (const [name, ...options] of ATTACKS) {
    progress(name)
    good.take()
    const code = await attack(port, options)
    if (code !== 0) faults.push(`slowhttptest ended with ${code}; is it installed?`)
    note(name, good.take())
  }
  progress('idle connections')
  good.take()
  const closed_after_ms = await idle(port)
  note(`${IDLE} idle connections`, good.take())
  figures.push({
    what: 'half a request: closed by the service after',
    measured: `${(closed_after_ms / 1_000).toFixed(1)} s`,
    goal: '≤ 20 s',
    missed: closed_after_ms > 20_000,
  })
  return { figures, faults }
}

async function attack(port: number, options: readonly string[]): Promise<number | null> {
  const url = `http://127.0.0.1:${port}/notification/`
  const all = ['-c', String(CONNECTIONS), '-r', '200', '-l', String(SECONDS), '-p', '5', '-u', url]
  const child = spawn('slowhttptest', [...options, ...all], { stdio: 'ignore' })
  const failed = once(child, 'error').then(() => -1)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return await Promise.race([ended, failed])
}

/** Opens them, half of them with half a request, and returns how long the first of those lived. */
async function idle(port: number): Promise<number> {
  const sockets: Socket[] = []
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<number>()
  for (let at = 0; at < IDLE; at++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    if (at % 2 === 0) {
      socket.write('POST /notification/ HTTP/1.1\r\nhost: a\r\n')
      socket.on('close', () => resolve(performance.now() - began))
      socket.resume()
    }
    sockets.push(socket)
    if (at % 100 === 0) await sleep(10)
  }
  const late = sleep(25_000).then(() => 25_000)
  const lived = await Promise.race([promise, late])
  for (const socket of sockets) socket.destroy()
  return lived
}
