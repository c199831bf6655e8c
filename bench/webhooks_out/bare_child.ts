// The reference: undici posts the same body as often, over as many connections, and does nothing else.
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'undici'

interface BareOrder {
  url: string
  count: number
  connections: number
  input: string
  output: string
}

const order = JSON.parse(process.argv[2] ?? '{}') as BareOrder
const body = await readFile(order.input, 'utf8')
const dispatcher = new Agent({ connections: order.connections })
const headers = { 'content-type': 'application/json' }
let left = order.count
const began = performance.now()
await Promise.all(
  Array.from({ length: order.connections }, async () => {
    while (left-- > 0) {
      const reply = await request(order.url, { method: 'POST', headers, body, dispatcher })
      await reply.body.dump()
    }
  }),
)
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage()
const cpu_ms = (user + system) / 1_000 / order.count
await writeFile(order.output, JSON.stringify({ per_second: order.count / seconds, cpu_ms }))
await dispatcher.close()
