// A receiver of webhooks as a shop would write one: it verifies, stores by the event's id, and thanks
// after that. It may die anywhere, and misbehaves as the campaign asks.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyEvent } from '@gapura/sdk'
import { Pool } from 'pg'
import { obey } from './process_order.ts'

interface ReceiverOrder {
  port: number
  database_url: string
  schema: string
}

const { port, database_url, schema } = JSON.parse(process.argv[2] ?? '{}') as ReceiverOrder
obey()
const db = new Pool({ connectionString: database_url, max: 4 })
db.on('error', () => undefined)

interface Path {
  secret: string
  mode: string
}

/** Kept in the database: a receiver that was killed behaves as before. */
async function pathOf(path: string): Promise<Path> {
  const { rows } = await db.query<Path>(
    `select secret, mode from ${schema}.webhook_path where path = $1`,
    [path],
  )
  return rows[0] ?? { secret: '', mode: 'ok' }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const REFUSALS: Readonly<Record<string, (reply: ServerResponse) => void>> = {
  refuse: (reply) => reply.writeHead(500).end('no'),
  busy: (reply) => reply.writeHead(503, { 'retry-after': '1' }).end(),
  redirect: (reply) => reply.writeHead(302, { location: '/thanks' }).end(),
  reset: (reply) => reply.socket?.destroy(),
  garbage: (reply) => reply.socket?.end('not HTTP at all\r\n\r\n\0\0'),
}

async function receive(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const body = await bodyOf(request)
  const { secret, mode } = await pathOf(path)
  const refuse = REFUSALS[mode]
  if (refuse !== undefined) return refuse(reply)
  const { id, data } = await verifyEvent({ body, headers: request.headers, secrets: secret })
  const { sequence, object } = data as unknown as { sequence: number; object: { id: string } }
  await db.query(
    `insert into ${schema}.webhook_effect (path, event_id, object_id, sequence)
     values ($1, $2, $3, $4)
     on conflict (path, event_id) do update set times = webhook_effect.times + 1`,
    [path, id, object.id, sequence],
  )
  if (mode === 'slow') await sleep(16_000)
  reply.writeHead(200).end(mode === 'long' ? 'x'.repeat(5_000_000) : '')
}

const server = createServer((request, reply) => {
  receive(request, reply).catch((error: unknown) => {
    process.stderr.write(`receiver: ${String(error)}\n`)
    reply.writeHead(400).end()
  })
})
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'))
