// The whole service in its own process: routes, signature, rules, log lines to standard output;
// optionally with the worker in the same process and a subscriber that does nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGapura, jsonLogger, SIGNALS, type GapuraOptions, type RunningWorker } from 'gapura'

export interface ServiceOrder extends GapuraOptions {
  /** Reads per second that the worker may send to the gateway. */
  worker?: { reads_per_second: number }
}

const { worker: settings, ...options } = JSON.parse(process.argv[2] ?? '{}') as ServiceOrder
// The load of a benchmark comes from one owner, over more connections than one owner may use.
const limits = { requests_at_once: 0 }
const gapura = createGapura({ limits, ...options, logger: jsonLogger() })
await gapura.ready()
let worker: RunningWorker | undefined
if (settings !== undefined) {
  gapura.subscribe({ name: 'listener', signals: SIGNALS, handler: () => undefined })
  worker = await gapura.startWorker(settings)
}
const server = createServer((request, response) => gapura.nodeHandler(request, response))
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
const stop = async (): Promise<void> => {
  await worker?.stop()
  await gapura.close()
}
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => void stop())
})
