import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { GatewayClient } from '../../src/gateway/client.ts'
import type { GatewaySettings } from '../../src/gateway/settings.ts'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer = (response: ServerResponse, request: Received) => void

/** A real HTTP server that sends any answer a failing gateway might send. */
export async function replyServer(answer: Answer): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() }
      received.push(seen)
      answer(response, seen)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** Answers every request the same way. */
export const always =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export const SERVER_KEY = 'SB-Mid-server-canary-0123456789'

/** A client of that server with time-outs short enough for a test. */
export function clientOf(base_url: string, settings: Partial<GatewaySettings> = {}): GatewayClient {
  const client = new GatewayClient({
    server_key: SERVER_KEY,
    base_url,
    retry_delay_ms: 1,
    connect_timeout_ms: 500,
    ...settings,
  })
  onTestFinished(() => client.close())
  return client
}

export const CHARGE = {
  payment_type: 'bank_transfer',
  transaction_details: { order_id: 'order-1', gross_amount: 150_000 },
  bank_transfer: { bank: 'bca' },
} as const
