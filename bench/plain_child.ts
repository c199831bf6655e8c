// A plain webhook handler for comparison; without a schema, an echo server, which shows the cost of
// HTTP alone.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { plainHandler } from './plain_handler.ts'

const order = JSON.parse(process.argv[2] ?? '{}') as {
  echo?: true
  database_url: string
  schema: string
  server_key: string
}

const printUrl = (port: number): void => void process.stderr.write(`http://127.0.0.1:${port}\n`)
if (order.echo === true) {
  const app = Fastify()
  app.post('/notification/', (request, reply) => {
    reply.send(request.body)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  printUrl(Number(new URL(url).port))
} else {
  const server = plainHandler(order).listen(0, '127.0.0.1', () => {
    printUrl((server.address() as AddressInfo).port)
  })
}
process.on('SIGTERM', () => process.exit(0))
