// The ordinary server with measurements from within: how many gateway calls each request caused (in
// a header of its answer), how long the event loop was blocked, memory use, and every log line.
import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { openSync, writeSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Secret } from '../../packages/service/src/gateway/secret.ts'
import { jsonLogger } from '../../packages/service/src/main/json_logger.ts'
import { startServer } from '../../packages/service/src/main/server.ts'
import { endWhenUncaught } from '../../packages/service/src/main/uncaught.ts'
import { GATEWAY_DOWN } from '../hostile/judge.ts'
import type { HostileOrder, HostileStats } from '../hostile/target.ts'
import { obey, optionsOf, orderOf } from './process_order.ts'

const order = orderOf() as HostileOrder
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
// The interval itself is part of what it measures.
const LOOK_EVERY_MS = 10
const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
delay.enable()

// On a busy machine a timer is late because other processes run. Processor time of our own thread
// counts only our work: more than the interval means that the thread blocked other requests.
const worked: number[] = []
let worked_before = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(worked_before)
  worked.push((user + system) / 1_000)
  worked_before = process.threadCpuUsage()
}, LOOK_EVERY_MS).unref()

const visits = new AsyncLocalStorage<{ calls: number }>()
interface Started {
  request: IncomingMessage
  response: ServerResponse
}
diagnostics.subscribe('http.server.request.start', (message) => {
  const { response } = message as Started
  const visit = { calls: 0 }
  visits.enterWith(visit)
  const writeHead = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse
  response.writeHead = (...all: unknown[]) => {
    response.setHeader('x-gateway-calls', String(visit.calls))
    return writeHead(...all)
  }
})

// Unbuffered: the last line before an end must be there.
const file = openSync(order.log_file, 'a')
const errors = { count: 0, last: '' }
const lines = jsonLogger({ write: (line) => void writeSync(file, line) })
const log = {
  ...lines,
  error: (fields: object, message: string) => {
    lines.error(fields, message)
    // With a garbled gateway these are the right answers, although they are logged as errors.
    const expected = 'code' in fields && GATEWAY_DOWN.has(String(fields.code))
    if (order.gateway_down === true && expected) return
    errors.count += 1
    errors.last = `${message} ${JSON.stringify(fields).slice(0, 1_500)}`
  },
}

const options = optionsOf(order)
const place = { host: '127.0.0.1', port: order.port, drain_ms: 0 }
await startServer(
  {
    ...place,
    admin: { host: '127.0.0.1', port: order.admin_port },
    gapura: {
      ...options,
      gateway: {
        ...options.gateway,
        retry_delay_ms: 1,
        observe: () => {
          const visit = visits.getStore()
          if (visit !== undefined) visit.calls += 1
        },
      },
      jwt: { ...order.jwt, secret: new Secret(order.jwt.secret) },
      ...(order.confirm === true && { confirmNotifications: true }),
    },
  },
  log,
)

endWhenUncaught(lines)

/** Like a driver that quotes its input and attaches the request to its error. */
function throwSecrets(): never {
  const basic = `Basic ${Buffer.from(`${order.server_key}:`).toString('base64')}`
  const cause = Object.assign(new Error(`sent ${basic}`), { headers: { authorization: basic } })
  throw new Error(`401 for ${order.server_key}`, { cause })
}

obey()
process.stdin.on('data', (chunk: Buffer) => {
  const asked = chunk.toString()
  if (asked.includes('throw')) setImmediate(throwSecrets)
  if (!/stats|heap/.test(asked)) return
  // Before the garbage collection, which the campaign asks for and not the service.
  const loop_p99_ms = Math.max(0, delay.percentile(99) / 1e6 - LOOK_EVERY_MS)
  if (asked.includes('heap')) collect()
  const { user, system } = process.cpuUsage()
  const stats: HostileStats = {
    heap_bytes: process.memoryUsage().heapUsed,
    cpu_ms: (user + system) / 1_000,
    loop_p99_ms,
    worked_p99_ms: worked.toSorted((a, b) => a - b)[Math.floor(worked.length * 0.99)] ?? 0,
    errors: errors.count,
    last_error: errors.last,
  }
  delay.reset()
  worked.length = 0
  process.stdout.write(`${JSON.stringify(stats)}\n`)
})
process.stdout.write('ready\n')
