// The application `npm run suite next` has built, started as Next starts it.
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { EXPECTED, transcriptOf } from './host_transcript.ts'
import { useHosts } from './hosts.ts'
import { listen, useHttp } from './http_bench.ts'

const http = useHttp()
const { bareHttp } = useHosts(http)
const folder = process.env['GAPURA_NEXT_APP'] ?? ''
let next: ChildProcess | undefined
let base = ''

async function freePort(): Promise<string> {
  const server = createServer()
  const { port } = new URL(await listen(server))
  await new Promise((resolve) => server.close(resolve))
  return port
}

beforeAll(async () => {
  const port = await freePort()
  const { server_key, url } = http.parts.simulator
  next = spawn(
    process.execPath,
    [path.join(folder, 'node_modules/next/dist/bin/next'), 'start', '-H', '127.0.0.1', '-p', port],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        NEXT_TELEMETRY_DISABLED: '1',
        DATABASE_URL,
        GAPURA_SCHEMA: http.database.db.schema,
        GATEWAY_SERVER_KEY: server_key,
        GATEWAY_BASE_URL: url,
      },
    },
  )
  base = `http://127.0.0.1:${port}/shop/pay`
  const answers = async () =>
    await fetch(`${base}/payments/`)
      .then(({ status }) => status)
      .catch(() => 0)
  const status = await eventually(answers, (answer) => answer === 401, 60_000)
  if (status !== 401) throw new Error(`Next answers ${status} instead of asking who is there`)
}, 90_000)

afterAll(async () => {
  if (next === undefined) return
  const ended = new Promise((resolve) => next?.once('exit', resolve))
  next.kill('SIGTERM')
  await ended
})

test('the real Next answers as the others do', async () => {
  await http.control('faults', { effect: 'muted', match: { operation: 'notification' } })
  await http.charged('qris')
  const bench = {
    fresh: http.fresh,
    chargeOf: http.chargeOf,
    server_key: http.parts.simulator.server_key,
  }
  const reference = await transcriptOf(await bareHttp(), bench)
  const lines = await transcriptOf(base, bench)
  expect(lines.map(({ request, status }) => [request, status])).toEqual(EXPECTED)
  expect(lines).toEqual(reference)
})
