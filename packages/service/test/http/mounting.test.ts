// One service, mounted in every way we promise. Each host must answer alike, whatever it does to
// paths and bodies on the way.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signNotification } from '../../src/gateway/signature.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { DATABASE_URL } from '../store/test_database.ts'
import { authenticate, listen, send, useHttp } from './http_bench.ts'

const http = useHttp()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** Another instance on the same tables. */
function another(prefix?: string): Gapura {
  const { simulator } = http.parts
  const { server_key, url: base_url } = simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, base_url },
    authenticate,
    ...(prefix !== undefined && { prefix }),
  })
  closing.push(gapura.close)
  return gapura
}

async function serving(server: Server): Promise<string> {
  const base = await listen(server)
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return base
}

async function bareHttp(): Promise<string> {
  const gapura = another('shop/pay/')
  return `${await serving(createServer((request, response) => gapura.nodeHandler(request, response)))}/shop/pay`
}

async function fastify(options: object = {}): Promise<string> {
  const app = Fastify(options)
  await app.register(another().plugin, { prefix: '/shop/pay' })
  closing.push(async () => await app.close())
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/shop/pay`
}

async function inExpress(...before: express.RequestHandler[]): Promise<string> {
  const app = express()
  for (const middleware of before) app.use(middleware)
  app.use('/shop/pay', another().nodeHandler)
  return `${await serving(createServer(app))}/shop/pay`
}

async function expressRoot(): Promise<string> {
  const app = express()
  app.use(another('/shop/pay').nodeHandler)
  app.get('/elsewhere', (_request, response) => void response.send('"the host"'))
  return `${await serving(createServer(app))}/shop/pay`
}

/** What a server for standard requests does. */
async function handOn(app: Hono, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = 'GET', headers, url } = request
  const reply = await app.fetch(
    new Request(`http://host${url ?? ''}`, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    }),
  )
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  response.end(await reply.text())
}

/** Hono without a server of its own: requests go in as it would hand them on. */
async function hono(): Promise<string> {
  const gapura = another('/shop/pay')
  const app = new Hono()
  app.all('/shop/pay/*', async (context) => await gapura.fetchHandler(context.req.raw))
  const server = createServer((request, response) => void handOn(app, request, response))
  return `${await serving(server)}/shop/pay`
}

const HOSTS: Record<string, () => Promise<string>> = {
  'bare node:http, a prefix of two segments': bareHttp,
  'Fastify, a prefix of two segments': fastify,
  'Fastify that folds slashes': async () =>
    await fastify({ routerOptions: { ignoreTrailingSlash: true } }),
  'Express, no parser': inExpress,
  'Express behind express.json()': async () => await inExpress(express.json()),
  'Express behind express.text()': async () => await inExpress(express.text({ type: '*/*' })),
  'Express behind express.raw()': async () => await inExpress(express.raw({ type: '*/*' })),
  'Express at its root, with a prefix': expressRoot,
  'Hono by fetch': hono,
}

describe.each(Object.entries(HOSTS))('%s', (_name, mount) => {
  let base = ''
  beforeAll(async () => {
    base = await mount()
  })
  const charged = async () =>
    (await send('POST', `${base}/charge/`, { body: await http.chargeOf('qris') })).body

  test('201 charge, 200 check_status and cancel without a body', async () => {
    const { id } = await charged()
    const checked = await send('GET', `${base}/payments/${id}/check_status`)
    expect(checked).toMatchObject({ status: 200, body: { payment: { id } } })
    const cancelled = await send('POST', `${base}/payments/${id}/cancel/`)
    expect(cancelled).toMatchObject({ status: 200, body: { transaction_status: 'cancel' } })
  })

  test('200 list, whose next page is a path that works here', async () => {
    await charged()
    await charged()
    const { status, body } = await send('GET', `${base}/payments/?page_size=1&payment_type=qris`)
    expect(status).toBe(200)
    expect(body['next']).toMatch(/^\/shop\/pay\/payments\/\?page_size=1&payment_type=qris&cursor=/)
    const next = await send('GET', new URL(String(body['next']), base).href)
    expect(next.body['results']).toHaveLength(1)
    expect(next.body['results']).not.toEqual(body['results'])
  })

  test('200 notification, open to everyone', async () => {
    const { id, order_id, transaction_id } = await charged()
    const fields = { order_id: String(order_id), status_code: '200', gross_amount: '150000.00' }
    const signature_key = signNotification(fields, http.parts.simulator.server_key)
    const transaction_status = 'settlement'
    const body = { ...fields, transaction_id, transaction_status, signature_key }
    for (const path of ['notification/', 'notification']) {
      const answer = await send('POST', `${base}/${path}`, { body, as: '' })
      expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
    }
    const read = await send('GET', `${base}/payments/${id}/`)
    expect(read.body['transaction_status']).toBe('settlement')
  })

  test('404 for an unknown path, 405 for another method, 401 for nobody, 400 for no JSON', async () => {
    const nowhere = await send('GET', `${base}/nowhere/`)
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(nowhere.headers.get('content-type')).toContain('application/problem+json')
    const removed = await send('DELETE', `${base}/payments/`)
    expect(removed).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(removed.headers.get('allow')).toBe('GET, HEAD')
    expect((await send('GET', `${base}/payments/`, { as: '' })).status).toBe(401)
  })
})

describe('the order of middleware', () => {
  test('500 body_already_read at once, when the stream is drained and nothing was left', async () => {
    const base = await inExpress((request, _response, next) => {
      request.resume().on('end', () => next())
    })
    const answer = await send('POST', `${base}/charge/`, { body: { payment_type: 'qris' } })
    expect(answer).toMatchObject({ status: 500, body: { code: 'body_already_read' } })
    expect(answer.body['title']).toContain('mount gapura before the JSON parser')
  })

  test('500 body_already_read, when a standard request was read before', async () => {
    const request = new Request('http://host/charge/', { method: 'POST', body: '{}' })
    await request.text()
    const reply = await another().fetchHandler(request)
    expect(reply.status).toBe(500)
    expect(await reply.json()).toMatchObject({ code: 'body_already_read' })
  })

  test('413 payload_too_large, 415 and 405 by fetch too, and the caller sees the standard request', async () => {
    const natives: unknown[] = []
    const { server_key, url: base_url } = http.parts.simulator
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, base_url },
      authenticate: ({ native, headers }) => {
        natives.push(native)
        return authenticate({ native, headers, method: '', url: '' })
      },
    })
    closing.push(gapura.close)
    const asking = async (method: string, more: RequestInit = {}) => {
      const headers = { 'x-caller': 'ani', 'content-type': 'application/json' }
      const request = new Request('http://host/charge/', { method, headers, ...more })
      const reply = await gapura.fetchHandler(request)
      expect(reply.headers.get('connection')).toBeNull()
      return { status: reply.status, request }
    }
    const large = await asking('POST', { body: `"${'x'.repeat(200_000)}"` })
    expect(large.status).toBe(413)
    expect(natives.at(-1)).toBe(large.request)
    const headers = { 'x-caller': 'ani', 'content-type': 'text/plain' }
    expect((await asking('POST', { body: 'hello', headers })).status).toBe(415)
    expect((await asking('PUT', { body: '{}' })).status).toBe(405)
    expect((await asking('PURGE')).status).toBe(405)
  })

  test("the host's own paths stay the host's", async () => {
    const base = await expressRoot()
    const answer = await send('GET', new URL('/elsewhere', base).href)
    expect([answer.status, answer.text]).toEqual([200, '"the host"'])
  })

  test('twice in one Fastify and once at its root, beside its own routes, errors and 404', async () => {
    const app = Fastify()
    app.get('/own', () => {
      throw new Error('of the host')
    })
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: true }))
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ host: true }))
    await app.register(another().plugin, { prefix: '/a' })
    await app.register(another().plugin, { prefix: '/b' })
    await app.register(another().plugin)
    closing.push(async () => await app.close())
    const base = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const prefix of ['', '/a', '/b']) {
      expect((await send('GET', `${base}${prefix}/payments`)).status).toBe(200)
      expect((await send('GET', `${base}${prefix}/payments`, { as: '' })).status).toBe(401)
    }
    expect((await send('GET', `${base}/a/nowhere`)).body['code']).toBe('not_found')
    for (const path of ['/nowhere', '/own']) {
      const answer = await send('GET', `${base}${path}`)
      expect(answer.body['host']).toBe(true)
      // Our hooks stay inside.
      expect(answer.headers.get('x-request-id')).toBeNull()
    }
  })

  test('a Fastify does not start on a database of the other environment', async () => {
    const { server_key, url: base_url } = http.parts.simulator
    expect((await http.get('/payments/')).status).toBe(200)
    const gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, base_url, is_production: true },
      authenticate,
    })
    closing.push(gapura.close)
    const app = Fastify()
    await app.register(gapura.plugin, { prefix: '/pay' })
    await expect(app.ready()).rejects.toThrow(/does not belong to production/)
  })

  test('404 outside the prefix of a bare server', async () => {
    const base = await bareHttp()
    for (const path of ['/charge/', '/shop/pay/../charge/', '/shop/payments/', '/shop/pay']) {
      expect((await send('GET', new URL(path, base).href)).status).toBe(404)
    }
  })
})
