import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ProxyFailed } from '../../src/gateway/webhooks/sender.ts'
import { always, replyServer } from './reply_server.ts'
import { listen, PRIVATE, PUBLIC, senderOf } from './webhook_listener.ts'

/** A forward proxy that opens tunnels, or answers every request for one with a status. */
async function proxyServer(refuse_with?: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer((_request, response) => void response.writeHead(405).end())
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push([url, headers['proxy-authorization'] ?? ''].join(' ').trim())
    socket.on('error', () => undefined)
    if (refuse_with !== undefined) {
      socket.end(`HTTP/1.1 ${refuse_with} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const { hostname, port } = new URL(`http://${url}`)
    const behind = connect(Number(port || 80), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      behind.pipe(socket).pipe(behind)
    })
    behind.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    onTestFinished(() => void behind.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const by = (proxy_url: string, options = PRIVATE) =>
  senderOf({ ...options, proxy_url, answer_within_ms: 5_000 })

describe('a forward proxy', () => {
  test('carries the request to the receiver, with its credentials and no others', async () => {
    const { url, received } = await replyServer(always(201, 'thanks'))
    const proxy = await proxyServer()
    const with_user = proxy.url.replace('//', '//gapura:secret@')
    const answer = await by(with_user)(`${url}/webhooks`)
    expect(answer).toMatchObject({ status: 201, response: 'thanks' })
    const credentials = `Basic ${Buffer.from('gapura:secret').toString('base64')}`
    expect(proxy.asked).toEqual([`${new URL(url).host} ${credentials}`])
    expect(received[0]).toMatchObject({ method: 'POST', url: '/webhooks', body: '{}' })
    expect(received[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  test('resolves the name: this process asks no name server', async () => {
    const proxy = await proxyServer(502)
    const answer = await by(proxy.url)('https://receiver.invalid/')
    expect(proxy.asked).toEqual(['receiver.invalid:443'])
    expect(answer).toMatchObject({ error: 'connection', status: null })
  })

  test('is not asked for a private address', async () => {
    const proxy = await proxyServer()
    const answer = await by(proxy.url, PUBLIC)('https://127.0.0.1/')
    expect(answer).toMatchObject({ error: 'address_refused' })
    expect(proxy.asked).toEqual([])
  })

  test('follows no redirect', async () => {
    const target = await listen('127.0.0.1')
    const location = `http://127.0.0.1:${target?.port}/`
    const { url } = await replyServer(always(302, '', { location }))
    expect(await by((await proxyServer()).url)(url)).toMatchObject({ error: 'redirect' })
    expect(target?.connections()).toBe(0)
  })

  test.each([
    [403, 'address_refused'],
    [500, 'connection'],
    [502, 'connection'],
    [503, 'connection'],
    [504, 'timeout'],
  ])(
    'that answers %i cannot reach the receiver: the endpoint failed with %s',
    async (status, error) => {
      const proxy = await proxyServer(status)
      expect(await by(proxy.url)('http://receiver.example/')).toMatchObject({ error, status: null })
    },
  )

  test('a receiver that is away behind a working proxy is the failure of the endpoint', async () => {
    const proxy = await proxyServer()
    const answer = await by(proxy.url)('http://127.0.0.1:9/')
    expect(answer).toMatchObject({ error: 'connection', status: null })
  })

  test('a receiver that closes the tunnel is the failure of the endpoint', async () => {
    const listener = await listen(
      '127.0.0.1',
      0,
      (socket) => void socket.once('data', () => socket.end()),
    )
    const proxy = await proxyServer()
    const answer = await by(proxy.url)(`http://127.0.0.1:${listener?.port}/`)
    expect(answer).toMatchObject({ error: 'connection', status: null })
  })
})

describe('a proxy that fails is no failure of the endpoint', () => {
  const url = 'https://receiver.example/'

  test('it refuses the connection', async () => {
    await expect(by('http://127.0.0.1:9')(url)).rejects.toBeInstanceOf(ProxyFailed)
  })

  test('its name is unknown', async () => {
    await expect(by('http://proxy.invalid:3128')(url)).rejects.toBeInstanceOf(ProxyFailed)
  })

  test('it closes the connection without an answer', async () => {
    const dead = await listen('127.0.0.1')
    const post = by(`http://127.0.0.1:${dead?.port}`)
    await expect(post(url)).rejects.toBeInstanceOf(ProxyFailed)
  })

  test('it has no TLS although its URL says so', async () => {
    const plain = await listen(
      '127.0.0.1',
      0,
      (socket) => void socket.end('HTTP/1.1 400 No\r\n\r\n'),
    )
    const post = by(`https://localhost:${plain?.port}`)
    await expect(post(url)).rejects.toBeInstanceOf(ProxyFailed)
  })

  test('it wants other credentials', async () => {
    const proxy = await proxyServer(407)
    await expect(by(proxy.url)(url)).rejects.toBeInstanceOf(ProxyFailed)
  })
})
