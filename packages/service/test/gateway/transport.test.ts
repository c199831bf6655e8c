import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NoReply, REPLY_BYTES_MAX, Transport } from '../../src/gateway/transport.ts'
import { always, CHARGE, clientOf, replyServer } from './reply_server.ts'
import { CERTIFICATE, PRIVATE_KEY } from './tls_identity.ts'

function transportTo(base_url: string): Transport {
  const transport = new Transport({ base_url, connections_max: 4, connect_timeout_ms: 300 })
  onTestFinished(() => transport.close())
  return transport
}

const GET = { method: 'GET', path: '/', headers: {}, body: null, timeout_ms: 300 } as const

describe('no reply', () => {
  test('a refused connection: nothing was sent', async () => {
    const { url } = await replyServer(always(200, {}))
    const transport = transportTo(url.replace(/:\d+$/, ':9'))
    await expect(transport.send(GET)).rejects.toMatchObject({
      sent: false,
      cause_code: 'ECONNREFUSED',
    })
  })

  test('an unknown host: nothing was sent', async () => {
    await expect(transportTo('http://gateway.invalid').send(GET)).rejects.toMatchObject({
      sent: false,
    })
  })

  test('a closed client: nothing was sent', async () => {
    const { url, received } = await replyServer(always(200, {}))
    const transport = new Transport({ base_url: url, connections_max: 1, connect_timeout_ms: 300 })
    await transport.close()
    await expect(transport.send(GET)).rejects.toMatchObject({ sent: false })
    expect(received).toHaveLength(0)
  })

  test('silence after the request: it may have been carried out', async () => {
    const { url, received } = await replyServer(() => undefined)
    await expect(transportTo(url).send(GET)).rejects.toMatchObject({ sent: true })
    expect(received).toHaveLength(1)
  })

  test('a reply that arrives too slowly is ended as well', async () => {
    const { url } = await replyServer((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
    })
    const begun = performance.now()
    await expect(transportTo(url).send(GET)).rejects.toBeInstanceOf(NoReply)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })

  test('a connection cut in the middle of the reply: it may have been carried out', async () => {
    const { url } = await replyServer((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"status_code":')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(transportTo(url).send(GET)).rejects.toMatchObject({ sent: true })
  })

  test('bytes that are not HTTP: it may have been carried out', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(transportTo(`http://127.0.0.1:${port}`).send(GET)).rejects.toMatchObject({
      sent: true,
    })
  })
})

describe('over TLS', () => {
  async function listen(
    onRequest?: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  ) {
    const identity = { key: PRIVATE_KEY, cert: CERTIFICATE, allowHTTP1: true }
    const server = createSecureServer(identity, onRequest)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `https://localhost:${(server.address() as AddressInfo).port}`
  }

  test('one connection each and no HTTP/2: the library would resend a refused stream', async () => {
    const versions: string[] = []
    const sockets = new Set<unknown>()
    const url = await listen((request, response) => {
      versions.push(request.httpVersion)
      sockets.add(request.socket)
      setTimeout(() => response.end('{}'), 50)
    })
    const trusted = getCACertificates('default')
    setDefaultCACertificates([CERTIFICATE])
    onTestFinished(() => setDefaultCACertificates(trusted))
    const transport = transportTo(url)
    const patient = { ...GET, timeout_ms: 5_000 }
    await Promise.all(Array.from({ length: 3 }, () => transport.send(patient)))
    expect(versions).toEqual(['1.1', '1.1', '1.1'])
    expect(sockets.size).toBe(3)
  })

  test('an untrusted certificate: nothing was sent', async () => {
    const attempt = transportTo(await listen()).send({ ...GET, timeout_ms: 5_000 })
    await expect(attempt).rejects.toMatchObject({ sent: false })
  })
})

describe('bounds', () => {
  test('a reply of 256 KiB is read, one byte more is refused', async () => {
    const size = { bytes: REPLY_BYTES_MAX }
    const { url } = await replyServer((response) => response.end('x'.repeat(size.bytes)))
    const transport = transportTo(url)
    const reply = await transport.send({ ...GET, timeout_ms: 5_000 })
    expect(reply.body).toHaveLength(REPLY_BYTES_MAX)
    size.bytes += 1
    await expect(transport.send({ ...GET, timeout_ms: 5_000 })).rejects.toMatchObject({
      cause_code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    })
  })

  test('a redirect is not followed: the server key would go with it', async () => {
    const thief = await replyServer(always(200, { status_code: '200' }))
    const { url, received } = await replyServer(always(307, '', { location: thief.url }))
    await expect(clientOf(url).charge(CHARGE)).rejects.toMatchObject({
      code: 'gateway_refused',
      definite: true,
    })
    expect(received).toHaveLength(1)
    expect(thief.received).toHaveLength(0)
  })

  test('a base URL with a path keeps it', async () => {
    const { url, received } = await replyServer(always(200, { status_code: '200' }))
    await transportTo(`${url}/proxy/`).send({ ...GET, path: '/v2/x/status' })
    expect(received[0]?.url).toBe('/proxy/v2/x/status')
  })

  test.each([
    ['7', 7],
    ['86400', 3_600],
    ['0', null],
    ['soon', null],
  ])('Retry-After %s is %s', async (value, seconds) => {
    const { url } = await replyServer(always(429, {}, { 'retry-after': value }))
    const { retry_after_s } = await transportTo(url).send(GET)
    expect(retry_after_s).toBe(seconds)
  })
})
