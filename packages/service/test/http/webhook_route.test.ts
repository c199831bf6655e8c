// The webhook has a route of its own in front of the app. Both must answer every request alike, to
// the byte, and log and count it alike.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetricEvent } from '../../src/domain/telemetry.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { notification } from '../../src/http/payments.ts'
import { requestLog } from '../../src/http/platform/refusals.ts'
import { nodeHandlerOf, webhookRoute, type NodeHandler } from '../../src/main/node_handler.ts'
import { createOwnApp } from '../../src/main/routes.ts'
import { refuseExpectation, refuseUnreadable } from '../../src/main/wire_refusals.ts'
import { useService } from '../services/service_bench.ts'
import { listen } from './http_bench.ts'
import {
  bytesOf,
  CASES,
  exchange,
  one,
  steady,
  steadyOf,
  type Json,
  type Sent,
} from './webhook_requests.ts'

const service = useService()
const SLOW_MS = 1_000

/** One of the two ways to the webhook, with what it logged and counted. */
interface Way {
  lines: object[]
  metrics: MetricEvent[]
  /** How many requests the short route has served. */
  served: () => number
  port: number
  close: () => Promise<void>
}

async function open(name: 'short' | 'general', prefix = ''): Promise<Way> {
  const lines: object[] = []
  const metrics: MetricEvent[] = []
  let served = 0
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields })
  const ctx = {
    ...service.ctx,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    telemetry: {
      record: (event: MetricEvent) => void metrics.push(event),
      trace: async <R>(_step: object, work: (learn: () => void) => Promise<R>) =>
        await work(() => undefined),
    },
  }
  const ready = async () => await Promise.resolve()
  const log = requestLog(ctx, () => 0)
  const app = createOwnApp({ ctx, authenticate: () => null, ready, log })
  const short = webhookRoute(notification.receiveNotification, { ctx, ready, log })
  const webhook: typeof short = (request, response) => {
    const taken = short(request, response)
    if (taken) served += 1
    return taken
  }
  const handler: NodeHandler = nodeHandlerOf(app, {
    prefix,
    log: ctx.log,
    ...(name === 'short' && { webhook }),
  })
  const server = createServer(
    { requestTimeout: SLOW_MS, headersTimeout: SLOW_MS, connectionsCheckingInterval: 50 },
    (request, response) => handler(request, response),
  )
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', refuseExpectation)
  const url = await listen(server)
  return {
    lines,
    metrics,
    served: () => served,
    port: Number(new URL(url).port),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await app.close()
    },
  }
}

const textOf =
  (order_id: string) =>
  (more: Json = {}): string => {
    const fields = { order_id, status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, service.simulator.server_key)
    return JSON.stringify({
      ...fields,
      transaction_status: 'settlement',
      signature_key,
      ...more,
    })
  }

describe('a webhook by its own route and by the app', () => {
  let short: Way
  let general: Way
  beforeAll(async () => {
    short = await open('short')
    general = await open('general')
  })
  afterAll(async () => {
    await short.close()
    await general.close()
  })

  /** What came of it: the answer, and what was logged and counted. */
  async function outcome(way: Way, sent: Sent) {
    const lines = way.lines.length
    const metrics = way.metrics.length
    const answer = await exchange(way.port, sent)
    // Lines follow their answer, and a webhook whose client is gone is stored all the same.
    await service.ctx.inbox.drain()
    await exchange(way.port, one(bytesOf('', { method: 'GET', path: '/after', length: null })))
    return {
      answer: steady(answer),
      lines: steadyOf(way.lines.slice(lines)),
      metrics: steadyOf(way.metrics.slice(metrics)),
    }
  }

  test.each(CASES)('%s: answered, logged and counted alike', async (name, by, of) => {
    const served = short.served()
    // Ids of one length, each new to the inbox.
    const number = String(CASES.findIndex(([known]) => known === name)).padStart(3, '0')
    const taken = await outcome(short, of(textOf(`a-order-${number}`)))
    const wanted = await outcome(general, of(textOf(`b-order-${number}`)))
    expect(JSON.stringify(taken).replaceAll('a-order', 'b-order')).toBe(JSON.stringify(wanted))
    expect(taken.answer === '').toBe(name === 'cut off by its client')
    expect(short.served() > served ? 'short' : 'general').toBe(by)
    expect(general.served()).toBe(0)
  })
})

describe('a webhook by its own route', () => {
  let way: Way
  beforeAll(async () => {
    way = await open('short', '/pay')
  })
  afterAll(async () => await way.close())

  test('under a prefix it is served there, and nowhere else', async () => {
    const at = async (path: string) =>
      await exchange(way.port, one(bytesOf(textOf('below')(), { path })))
    expect(await at('/pay/notification/')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await at('/notification/')).toMatch(/^HTTP\/1\.1 404 /)
    expect(way.served()).toBe(1)
  })

  test('a client that is gone when the answer is ready does no harm', async () => {
    const before = way.lines.length
    const path = '/pay/notification/'
    await exchange(way.port, { parts: [bytesOf(textOf('gone')(), { path })], leaves: true })
    expect(await exchange(way.port, one(bytesOf(textOf('next')(), { path })))).toMatch(/ 200 /)
    expect(way.lines.length).toBeGreaterThan(before)
  })
})
