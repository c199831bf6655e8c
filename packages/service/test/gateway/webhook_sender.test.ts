import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HostBusy, openSender, type SenderOptions } from '../../src/gateway/webhooks/sender.ts'
import { always, replyServer } from './reply_server.ts'
import { CERTIFICATE, PRIVATE_KEY } from './tls_identity.ts'
import { listen, nameServer, PRIVATE, senderOf } from './webhook_listener.ts'

/** Far below the limit of production, and far above what an answer takes. */
const SHORT_MS = 400
const impatient = () => senderOf({ ...PRIVATE, answer_within_ms: SHORT_MS })

describe('the answer of a receiver', () => {
  test.each([200, 201, 202, 204, 299])('%i is a delivery', async (status) => {
    const { url, received } = await replyServer(always(status, status === 204 ? '' : 'thanks'))
    const answer = await senderOf(PRIVATE)(`${url}/webhooks?a=1`)
    const response = status === 204 ? '' : 'thanks'
    expect(answer).toMatchObject({ status, response, retry_after_ms: 0 })
    expect(answer.error).toBeUndefined()
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ method: 'POST', url: '/webhooks?a=1', body: '{}' })
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'gapura-webhooks',
    })
  })

  test.each([400, 401, 404, 410, 418, 429, 499, 500, 502, 503, 504, 599])(
    '%i is a failure that keeps the status and the response',
    async (status) => {
      const { url, received } = await replyServer(always(status, 'no'))
      const answer = await senderOf(PRIVATE)(url)
      expect(answer).toMatchObject({ error: 'status', status, response: 'no' })
      expect(received).toHaveLength(1)
    },
  )

  test('headers and body are sent byte for byte', async () => {
    const { url, received } = await replyServer(always(200, ''))
    const sender = openSender(PRIVATE)
    onTestFinished(async () => await sender.close())
    const body = '{"name":"Café – ☕ \\u0000","amount":"10000.00"}'
    const headers = { 'webhook-id': 'a', 'webhook-signature': 'v1,b v1,c' }
    await sender.post({ url, headers, body }, new AbortController().signal)
    expect(received[0]).toMatchObject({ body, headers })
  })

  test.each([
    ['0', 0],
    ['120', 120_000],
    ['999999999', 999_999_999_000],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('Retry-After: %j is %i ms', async (text, retry_after_ms) => {
    const { url } = await replyServer(always(503, '', { 'retry-after': text }))
    expect(await senderOf(PRIVATE)(url)).toMatchObject({ status: 503, retry_after_ms })
  })

  test('Retry-After as a date is the time until then', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const { url } = await replyServer(always(429, '', { 'retry-after': date }))
    const { retry_after_ms } = await senderOf(PRIVATE)(url)
    expect(retry_after_ms).toBeGreaterThan(3_500_000)
    expect(retry_after_ms).toBeLessThanOrEqual(3_600_000)
  })
})

describe('the response', () => {
  test('keeps its first 2,048 characters', async () => {
    const { url } = await replyServer(always(200, 'é'.repeat(5_000)))
    expect((await senderOf(PRIVATE)(url)).response).toBe('é'.repeat(2_048))
  })

  test('without an end is cut off: the receiver sees the connection close', async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const { url } = await replyServer((response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536
      }
      response.on('drain', more).on('close', () => closed.resolve())
      more()
    })
    const before = process.memoryUsage().rss
    const answer = await senderOf(PRIVATE)(url)
    expect(answer).toMatchObject({ status: 200, response: 'x'.repeat(2_048) })
    await closed.promise
    expect(sent).toBeLessThan(64_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(128_000_000)
  })

  test('with NUL bytes and broken UTF-8 becomes text that a database stores', async () => {
    const bytes = Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x62])
    const { url } = await replyServer((response) => void response.writeHead(500).end(bytes))
    const { response } = await senderOf(PRIVATE)(url)
    expect(response).not.toContain('\0')
    expect(response.isWellFormed()).toBe(true)
    expect(response).toMatch(/^a\uFFFD+b$/)
  })

  test('whose last kept character is half of a pair is still well-formed', async () => {
    const { url } = await replyServer(always(200, `a${'😀'.repeat(2_000)}`))
    const { response } = await senderOf(PRIVATE)(url)
    expect(response.isWellFormed()).toBe(true)
    expect(response.length).toBeLessThanOrEqual(2_048)
  })

  test('that stalls after the status is an answer, with what came of it', async () => {
    const { url } = await replyServer((response) => {
      response.writeHead(200)
      response.write('begun')
    })
    const answer = await impatient()(url)
    expect(answer).toMatchObject({ status: 200, response: 'begun' })
    expect(answer.error).toBeUndefined()
    expect(answer.duration_ms).toBeLessThan(10 * SHORT_MS)
  })

  test('that drips is ended in time', async () => {
    const { url } = await replyServer((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const { duration_ms, status } = await impatient()(url)
    expect(status).toBe(200)
    expect(duration_ms).toBeLessThan(10 * SHORT_MS)
  })
})

describe('no answer', () => {
  const NONE = { status: null, response: '', retry_after_ms: 0 }

  test('no headers in time is a timeout', async () => {
    const { url, received } = await replyServer(() => undefined)
    const answer = await impatient()(url)
    expect(answer).toMatchObject({ error: 'timeout', ...NONE })
    expect(answer.duration_ms).toBeGreaterThanOrEqual(SHORT_MS - 50)
    expect(received).toHaveLength(1)
  })

  test('headers that drip are a timeout', async () => {
    const listener = await listen('127.0.0.1', 0, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('a: b\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const answer = await impatient()(`http://127.0.0.1:${listener?.port}/`)
    expect(answer).toMatchObject({ error: 'timeout', ...NONE })
  })

  test('a refused connection', async () => {
    expect(await senderOf(PRIVATE)('http://127.0.0.1:9/')).toMatchObject({
      error: 'connection',
      ...NONE,
    })
  })

  test.each([
    ['reset', (socket: { resetAndDestroy: () => unknown }) => void socket.resetAndDestroy()],
    ['closed', (socket: { end: () => unknown }) => void socket.end()],
  ])('a connection that is %s after the request', async (_name, end) => {
    const listener = await listen(
      '127.0.0.1',
      0,
      (socket) => void socket.once('data', () => end(socket)),
    )
    const answer = await senderOf(PRIVATE)(`http://127.0.0.1:${listener?.port}/`)
    expect(answer).toMatchObject({ error: 'connection', ...NONE })
    // A repeat is the plan's decision, not the transport's.
    expect(listener?.connections()).toBe(1)
  })

  test.each([
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    '\0\0\0\0',
    'HTTP/1.1 200 OK\r\na\0b: c\r\n\r\n',
  ])('%j instead of HTTP', async (text) => {
    const listener = await listen(
      '127.0.0.1',
      0,
      (socket) => void socket.once('data', () => socket.end(text)),
    )
    const answer = await senderOf(PRIVATE)(`http://127.0.0.1:${listener?.port}/`)
    expect(answer).toMatchObject({ error: 'connection', ...NONE })
  })

  test('headers of a megabyte are refused', async () => {
    const head = `HTTP/1.1 200 OK\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`
    const listener = await listen(
      '127.0.0.1',
      0,
      (socket) => void socket.once('data', () => socket.end(head)),
    )
    const answer = await senderOf(PRIVATE)(`http://127.0.0.1:${listener?.port}/`)
    expect(answer).toMatchObject({ error: 'connection', ...NONE })
  })

  test('an unknown name', async () => {
    const answer = await senderOf(PRIVATE)('http://receiver.invalid/')
    expect(answer).toMatchObject({ error: 'dns', ...NONE })
  })

  test('an attempt that is ended by the worker returns at once', async () => {
    const { url } = await replyServer(() => undefined)
    const sender = openSender(PRIVATE)
    onTestFinished(async () => await sender.close())
    const ended = new AbortController()
    const posted = sender.post({ url, headers: {}, body: '{}' }, ended.signal)
    ended.abort()
    const answer = await posted
    expect(answer.error).toBe('connection')
    expect(answer.duration_ms).toBeLessThan(5_000)
  })
})

describe('TLS', () => {
  async function tlsReceiver(): Promise<{ port: number; requests: () => number }> {
    let requests = 0
    const server = createTlsServer(
      { cert: CERTIFICATE, key: PRIVATE_KEY },
      (_request, response) => {
        requests += 1
        response.end('thanks')
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { port: (server.address() as AddressInfo).port, requests: () => requests }
  }

  function trustTestCertificate(): void {
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, CERTIFICATE])
    onTestFinished(() => setDefaultCACertificates(trusted))
  }

  const post = async (host: string, port: number, options: Partial<SenderOptions> = {}) =>
    await senderOf({ ...PRIVATE, ...nameServer(['127.0.0.1']), ...options })(
      `https://${host}:${port}/`,
    )

  test('a self-signed certificate is refused, and nothing is sent', async () => {
    const { port, requests } = await tlsReceiver()
    expect(await post('localhost', port)).toMatchObject({ error: 'tls', status: null })
    expect(requests()).toBe(0)
  })

  test('a trusted certificate is accepted, and refused for another name', async () => {
    trustTestCertificate()
    const { port, requests } = await tlsReceiver()
    expect(await post('localhost', port)).toMatchObject({ status: 200, response: 'thanks' })
    expect(await post('other.example', port)).toMatchObject({ error: 'tls', status: null })
    expect(requests()).toBe(1)
  })

  test('a receiver without TLS is a failure of TLS', async () => {
    const { url } = await replyServer(always(200, ''))
    const answer = await post('localhost', Number(new URL(url).port))
    expect(answer).toMatchObject({ error: 'tls', status: null })
  })
})

test('a host gets 32 requests at once; one more waits, and not for long; other hosts are not concerned', async () => {
  const waiting: (() => void)[] = []
  const { url, received } = await replyServer((response) => waiting.push(() => response.end()))
  const other = await replyServer(always(200, ''))
  const post = senderOf({ ...PRIVATE, answer_within_ms: 30_000, turn_within_ms: 300 })
  const posted = Array.from({ length: 32 }, async (_, index) => await post(`${url}/${index}`))
  await expect.poll(() => received.length).toBe(32)
  await expect(post(`${url}/33`)).rejects.toBeInstanceOf(HostBusy)
  expect(await post(other.url)).toMatchObject({ status: 200 })
  for (const end of waiting.splice(0)) end()
  for (const answer of await Promise.all(posted)) expect(answer.status).toBe(200)
  expect(received).toHaveLength(32)
  const more = Array.from({ length: 33 }, async (_, index) => await post(`${url}/more-${index}`))
  await expect.poll(() => waiting.length).toBe(32)
  waiting.shift()?.()
  await expect.poll(() => received.length).toBe(65)
  for (const end of waiting.splice(0)) end()
  for (const answer of await Promise.all(more)) expect(answer.status).toBe(200)
  const again = post(`${url}/34`)
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.()
  expect((await again).status).toBe(200)
})
