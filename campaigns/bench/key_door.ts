// The gateway's door while keys are changed: it takes calls under any of its live keys. Behind it stands the simulator, which knows one key for ever.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyDoor {
  url: string
  /** The keys it takes. */
  keys: readonly string[]
  /** Calls under a key it does not take any more, or not yet. */
  refused: number
  close: () => Promise<void>
}

const basicOf = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`

export async function openKeyDoor(simulator_url: string, simulator_key: string): Promise<KeyDoor> {
  const server = createServer((request, response) => {
    const known = door.keys.some((key) => request.headers.authorization === basicOf(key))
    if (!known) {
      door.refused += 1
      response.writeHead(401).end('{"status_code":"401"}')
      return
    }
    forward(simulator_url, request, basicOf(simulator_key)).then(
      ({ status, body }) => response.writeHead(status).end(body),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const door: KeyDoor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: [],
    refused: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return door
}

/** A request as it came, with the answer as it came back. */
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
