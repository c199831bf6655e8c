// An API process of its own, configured by one argument; it prints its address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGapura } from '../../src/main/create_gapura.ts'

interface ApiOrder {
  databaseUrl: string
  schema: string
  server_key: string
  base_url: string
}

const { databaseUrl, schema, server_key, base_url } = JSON.parse(
  process.argv[2] ?? '{}',
) as ApiOrder
const gapura = createGapura({
  database: { prepared: process.env['GAPURA_PREPARED_STATEMENTS'] !== 'false' },
  databaseUrl,
  schema,
  gateway: { server_key, base_url, timeout_ms_max: 2_000 },
})
await gapura.ready()
const server = createServer((request, response) => gapura.nodeHandler(request, response))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
  void gapura.close()
})
