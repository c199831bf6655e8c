// The service with its own keys and tokens, in a Fastify that lists its routes.
import { request as sendRaw, Agent } from 'node:http'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { useHttp, WEBHOOK_KEY } from '../http/http_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { JWT } from './access_roles.ts'

export const PREFIX = '/pay'

/** A route as the router has it. */
export interface Route {
  method: string
  /** Below the prefix, in the router's spelling. */
  path: string
}

export interface Heard {
  status: number
  /** Everything that could differ between two answers: without the date and request counters. */
  headers: Record<string, string>
  text: string
}

export interface Asked {
  method: string
  path: string
  authorization?: string | undefined
  body?: object | undefined
  headers?: Record<string, string>
}

export type Ask = (asked: Asked) => Promise<Heard>

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const VARYING = /^(?:date|ratelimit.*|connection|keep-alive)$/

/** By `node:http`: fetch refuses some methods, and TRACE is one the router knows. */
const asking =
  (base: string): Ask =>
  async ({ method, path, authorization, body, headers: more = {} }) =>
    await new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        'x-request-id': 'matrix',
        ...(authorization !== undefined && { authorization }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...more,
      }
      const sent = sendRaw(`${base}${path}`, { method, headers, agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          const fixed = Object.entries(reply.headers).filter(([name]) => !VARYING.test(name))
          resolve({
            status: reply.statusCode ?? 0,
            headers: Object.fromEntries(fixed.map(([name, value]) => [name, String(value)])),
            text: Buffer.concat(chunks).toString(),
          })
        })
      })
      sent.on('error', reject)
      sent.end(text)
    })

export interface Served {
  ask: Ask
  routes: Route[]
}

/** Sets up the service around the tests of this file; `planted` goes into an app of its own. */
export function useAccess() {
  const http = useHttp()
  const closing: (() => Promise<unknown>)[] = []
  let gapura: Gapura | undefined
  let calls = 0
  const opened = (): Gapura => {
    if (gapura === undefined) throw new Error('open only inside tests')
    return gapura
  }
  beforeAll(async () => {
    const { server_key, client_key, url: base_url } = http.parts.simulator
    const observe = () => void calls++
    gapura = createGapura({
      webhooks: { keys: [WEBHOOK_KEY], endpoints_max: 10_000 },
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, client_key, base_url, observe },
      jwt: JWT,
      // The tests try more bad credentials than the limit on guesses allows.
      limits: { guesses_per_minute: 0 },
    })
    // No notification of the gateway may change what a test looks at.
    await http.control('faults', { effect: 'muted', match: {} })
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await gapura?.close()
  })
  return {
    http,
    get gapura() {
      return opened()
    },
    /** Calls of this service to the gateway so far. */
    calls: () => calls,
    served: async (planted?: FastifyPluginAsync): Promise<Served> => {
      const routes: Route[] = []
      const app = Fastify({ routerOptions: { maxParamLength: 200 } })
      app.addHook('onRoute', ({ method, url }) => {
        if (!url.startsWith(PREFIX)) return
        for (const one of [method].flat())
          routes.push({ method: one, path: url.slice(PREFIX.length) })
      })
      await app.register(opened().plugin, { prefix: PREFIX })
      if (planted) await app.register(planted, { prefix: PREFIX })
      closing.push(async () => await app.close())
      const base = await app.listen({ port: 0, host: '127.0.0.1' })
      return { ask: asking(`${base}${PREFIX}`), routes }
    },
  }
}
