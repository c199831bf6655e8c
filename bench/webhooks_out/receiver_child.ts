// A receiver of webhooks in its own process: it thanks at once, or after 14 s on its slow path, and
// remembers how late each delivery was.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 14_000
const ADDRESSES = 20
let lags: number[] = []
const receive = (request: IncomingMessage, reply: ServerResponse): void => {
  if (request.method === 'GET') {
    reply.end(JSON.stringify({ count: lags.length, ...(request.url === '/lags' && { lags }) }))
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
}

// On so many addresses of this machine: each endpoint is a host of its own.
const first = createServer(receive)
first.listen(0, '127.0.0.1', () => {
  const { port } = first.address() as AddressInfo
  const others = Array.from({ length: ADDRESSES }, (_, n) =>
    createServer(receive).listen(port, `127.0.0.${n + 2}`),
  )
  process.on('SIGTERM', () => {
    for (const server of [first, ...others]) {
      server.closeAllConnections()
      server.close()
    }
  })
  process.stderr.write(`http://127.0.0.1:${port}\n`)
})
