// A receiver of webhooks in its own process: it thanks at once, or after 14 s on its slow path, and
// remembers how late each delivery was.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 14_000
let lags: number[] = []
const server = createServer((request, reply) => {
  if (request.method === 'GET') {
    reply.end(JSON.stringify({ count: lags.length, lags }))
    if (request.url === '/reset') lags = []
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/slow') {
      setTimeout(() => reply.writeHead(204).end(), SLOW_MS)
      return
    }
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
    lags.push(Date.now() - Date.parse(timestamp))
    reply.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
