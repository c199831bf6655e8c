// A proxy in front of the simulator that accepts calls under any of its current keys, for key
// rotation; the simulator itself knows one key.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyGateway {
  url: string
  /** The keys it accepts. */
  keys: readonly string[]
  /** Calls under a key it no longer accepts, or not yet. */
  refused: number
  close: () => Promise<void>
}

const basicOf = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`

export async function openKeyGateway(
  simulator_url: string,
  simulator_key: string,
): Promise<KeyGateway> {
  const server = createServer((request, response) => {
    const known = gateway.keys.some((key) => request.headers.authorization === basicOf(key))
    if (!known) {
      gateway.refused += 1
      response.writeHead(401).end('{"status_code":"401"}')
      return
    }
    forward(simulator_url, request, basicOf(simulator_key)).then(
      ({ status, body }) => response.writeHead(status).end(body),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gateway: KeyGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: [],
    refused: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return gateway
}

/** Forwards a request, and returns the answer unchanged. */
export async function forward(to: string, request: IncomingMessage, authorization: string) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { 'idempotency-key': key } = request.headers
  const reply = await fetch(`${to}${request.url}`, {
    method: request.method ?? 'GET',
    headers: {
      authorization,
      'content-type': 'application/json',
      ...(typeof key === 'string' && { 'idempotency-key': key }),
    },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  return { status: reply.status, body: await reply.text() }
}
