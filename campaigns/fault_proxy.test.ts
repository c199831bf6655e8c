import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openFaultProxy, type FaultProxy } from './bench/fault_proxy.ts'
import { seeded } from './bench/random.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Echoes every chunk, and records what it received. */
async function echo(): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk.toString())
      socket.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

async function lineTo(...ports: number[]): Promise<FaultProxy> {
  const targets = ports.map((port) => ({ host: '127.0.0.1', port }))
  const proxy = await openFaultProxy({ targets, random: seeded(1) })
  closing.push(proxy.close)
  return proxy
}

/** The reply to what was sent, or how the connection ended. */
async function say(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('error', (error: Error & { code?: string }) => resolve(error.code ?? 'error'))
  socket.once('close', () => resolve('closed'))
  socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))
  socket.write(text)
  const outcome = await promise
  socket.destroy()
  return outcome
}

test('without faults the proxy passes everything, delayed by its latency', async () => {
  const { port } = await echo()
  const proxy = await lineTo(port)
  expect(await say(proxy.port, 'hello')).toBe('hello')
  proxy.weather = { latency_ms: 40, jitter_ms: 20 }
  const began = performance.now()
  expect(await say(proxy.port, 'hello')).toBe('hello')
  expect(performance.now() - began).toBeGreaterThanOrEqual(78)
})

test('the proxy tries the next target when one is down, and refuses the caller when all are', async () => {
  const { port } = await echo()
  const dead = await lineTo()
  const dead_port = dead.port
  await closing.pop()?.()
  const proxy = await lineTo(dead_port, port)
  expect(await say(proxy.port, 'a')).toBe('a')
  expect(await say(proxy.port, 'b')).toBe('b')
  const none = await lineTo(dead_port)
  expect(await say(none.port, 'a')).toBe('ECONNRESET')
})

test('the proxy resets a connection, or cuts it after so many bytes', async () => {
  const { port, heard } = await echo()
  const proxy = await lineTo(port)
  proxy.weather = { reset_share: 1 }
  expect(await say(proxy.port, 'never')).toBe('ECONNRESET')
  expect(heard).toEqual([])
  proxy.weather = { cut_after_bytes: 3 }
  expect(await say(proxy.port, 'abc')).toBe('abc')
  expect(await say(proxy.port, 'abcd')).toBe('ECONNRESET')
  expect(proxy.counts).toMatchObject({ reset: 1, cut: 1 })
})

test('a black hole accepts everything and answers nothing', async () => {
  const { port, heard } = await echo()
  const proxy = await lineTo(port)
  proxy.weather = { black_hole: true }
  const answer = say(proxy.port, 'lost')
  while (proxy.counts.swallowed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  proxy.resetAll()
  expect(await answer).toBe('ECONNRESET')
  expect(heard).toEqual([])
})

test('a lost commit reaches the server, and its answer does not reach the client', async () => {
  const { port, heard } = await echo()
  const proxy = await lineTo(port)
  proxy.weather = { lost_commit_share: 1 }
  expect(await say(proxy.port, 'Q\0\0\0\x0bselect\0')).toContain('select')
  expect(await say(proxy.port, 'Q\0\0\0\x0bcommit\0')).toBe('ECONNRESET')
  expect(heard.at(-1)).toContain('commit')
  expect(proxy.counts.lost_commits).toBe(1)
})
