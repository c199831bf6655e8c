// One service, mounted in every way we promise. Each host must answer alike, whatever it does to
// paths and bodies on the way.
import Fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { EXPECTED, transcriptOf } from './host_transcript.ts'
import { useHosts } from './hosts.ts'
import { authenticate, send, useHttp } from './http_bench.ts'

const http = useHttp()
const hosts = useHosts(http)
const { another, closing, bareHttp, inExpress, expressRoot } = hosts

describe('every host', () => {
  const transcript = async (base: string) =>
    await transcriptOf(base, {
      fresh: http.fresh,
      chargeOf: http.chargeOf,
      server_key: http.parts.simulator.server_key,
    })
  let reference: Awaited<ReturnType<typeof transcript>>
  beforeAll(async () => {
    // No notification of the simulator's own comes between two answers.
    await http.control('faults', { effect: 'muted', match: { operation: 'notification' } })
    // And there is always a page behind the second.
    await http.charged('qris')
    reference = await transcript(await bareHttp())
  })

  test('the reference is as it should be, and links lead back to where it is mounted', () => {
    expect(reference.map(({ request, status }) => [request, status])).toEqual(EXPECTED)
    const list = reference.find(({ request }) => request === 'list')
    expect(list?.body).toMatchObject({
      next: '/shop/pay/payments/?page_size=1&payment_type=qris&cursor=<cursor>',
    })
    const settled = reference.find(({ request }) => request === 'settled')
    expect(settled?.body).toMatchObject({ transaction_status: 'settlement' })
    const removed = reference.find(({ request }) => request === 'other method')
    expect(removed?.headers['allow']).toBe('GET, HEAD')
  })

  test.each(Object.entries(hosts.all))('%s answers as the others do', async (_name, mount) => {
    expect(await transcript(await mount())).toEqual(reference)
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
    const gapura = another({
      authenticate: ({ native, headers }) => {
        natives.push(native)
        return authenticate({ native, headers, method: '', url: '' })
      },
    })
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
    const gapura = another({ gateway: { server_key, base_url, is_production: true } })
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
