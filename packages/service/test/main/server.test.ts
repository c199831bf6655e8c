import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/main/config.ts'
import { startServer } from '../../src/main/server.ts'
import { send, useHttp } from '../http/http_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const http = useHttp()
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL,
  GAPURA_SCHEMA: http.database.db.schema,
  GAPURA_PORT: '0',
  GAPURA_PREFIX: '/v1/pay',
  GATEWAY_SERVER_KEY: http.parts.simulator.server_key,
  GATEWAY_BASE_URL: http.parts.simulator.url,
  GAPURA_PREPARED_STATEMENTS: process.env['GAPURA_PREPARED_STATEMENTS'] ?? 'true',
  ...more,
})

describe('the server on its own', () => {
  test('201 by an API key under its prefix', async () => {
    const order = { owner_id: 'ani', name: 'till', staff: false }
    const { key } = await http.parts.gapura.createApiKey({ ...order, scopes: ['payments:write'] })
    const server = await startServer(readConfig(environment()), silent)
    const sent = { as: '', headers: { authorization: `Bearer ${key}` } }
    const body = await http.chargeOf('qris')
    expect((await send('POST', `${server.url}/v1/pay/charge/`, { ...sent, body })).status).toBe(201)
    expect((await send('GET', `${server.url}/v1/pay/payments/`, { as: '' })).status).toBe(401)
    expect((await send('GET', `${server.url}/elsewhere`)).status).toBe(404)
    await server.stop()
    await expect(fetch(server.url)).rejects.toThrow(/fetch failed/)
  })

  test('does not start on a database of the other environment, or none', async () => {
    await http.get('/payments/')
    const config = readConfig(environment())
    const gateway = { ...config.gapura.gateway, is_production: true }
    const production = { ...config, gapura: { ...config.gapura, gateway } }
    await expect(startServer(production, silent)).rejects.toThrow(/does not belong to production/)
    const away = readConfig(environment({ DATABASE_URL: 'postgres://absent@127.0.0.1:1/none' }))
    await expect(startServer(away, silent)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('431 for headers past 16 KiB', async () => {
    const server = await startServer(readConfig(environment()), silent)
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    const [reply] = (await once(socket, 'data')) as [Buffer]
    expect(reply.toString()).toContain('431')
    socket.destroy()
    await server.stop()
  })

  test('408 within 13 s for a request that does not come to its end', async () => {
    const server = await startServer(readConfig(environment()), silent)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const began = performance.now()
    socket.write('POST /v1/pay/notification/ HTTP/1.1\r\nhost: a\r\n')
    const [reply] = (await once(socket, 'data')) as [Buffer]
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    expect(performance.now() - began).toBeLessThan(13_000)
    socket.destroy()
    await server.stop()
  })

  test('SIGTERM: the charge under way is answered, then the process ends with 0', async () => {
    const { key } = await http.parts.gapura.createApiKey({
      owner_id: 'ani',
      name: 'till',
      staff: false,
      scopes: ['payments:write'],
    })
    const main = new URL('../../src/main/', import.meta.url).href
    const code = `
      import { readConfig } from '${main}config.ts'
      import { startServer, stopOnSignal } from '${main}server.ts'
      stopOnSignal(await startServer(readConfig()))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, ...environment() },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { url } = JSON.parse(String((await lines.next()).value)) as { url: string }
    await http.strike('charge', 'delay', { options: { ms: 500 } })
    const order_id = http.fresh('term')
    const answering = send('POST', `${url}/charge/`, {
      as: '',
      headers: { authorization: `Bearer ${key}` },
      body: await http.chargeOf('qris', { order_id }),
    })
    // Once it is on disk the gateway is being asked.
    await expect
      .poll(async () => (await http.get(`/payments/?order_id=${order_id}`)).body['results'])
      .toHaveLength(1)
    child.kill('SIGTERM')
    expect((await answering).status).toBe(201)
    expect(await ended).toEqual([0, null])
  })
})
