// The feed as server-sent events, through each kind of handler.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useHosts } from './hosts.ts'
import { listen, useHttp } from './http_bench.ts'

const http = useHttp()
const hosts = useHosts(http)

interface Block {
  id: string
  data: { type: string; data: { id: string; object: { id: string } } } | undefined
}

/** Reads the events of a stream; ends it with the test. */
async function follow(url: string, headers: Record<string, string> = {}) {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const reply = await fetch(url, {
    headers: { accept: 'text/event-stream', 'x-caller': 'ani', ...headers },
    signal: gone.signal,
  })
  return { reply, gone, blocks: blocksOf(reply) }
}

async function* blocksOf({ body }: Response): AsyncGenerator<Block, void> {
  let heard = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    heard += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = heard.indexOf('\n\n'); end >= 0; end = heard.indexOf('\n\n')) {
      const lines = heard.slice(0, end).split('\n')
      heard = heard.slice(end + 2)
      const of = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = of('data')
      const id = of('id')
      if (id !== undefined)
        yield { id, data: data === undefined ? undefined : (JSON.parse(data) as Block['data']) }
    }
  }
}

/** The block of the first event about an object. */
async function about(blocks: AsyncGenerator<Block, void>, id: string): Promise<Block> {
  for (;;) {
    const { value, done } = await blocks.next()
    if (done === true) throw new Error('the stream ended')
    if (value.data?.data.object.id === id) return value
  }
}

describe('Accept: text/event-stream', () => {
  test.each(['bare node:http', 'Fastify', 'Express, no parser', 'Nest, app.use'])(
    '%s passes each event on when it happens, and continues behind Last-Event-ID',
    async (name) => {
      const base = String(await hosts.all[name]?.())
      const { reply, blocks, gone } = await follow(`${base}/events/?after=now`)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('text/event-stream')
      expect(reply.headers.get('x-accel-buffering')).toBe('no')
      const first = await http.charged()
      const heard = await about(blocks, first.id)
      expect(heard.data?.type).toBe('payment_received')
      gone.abort()
      const second = await http.charged()
      const resumed = await follow(`${base}/events/?after=now`, { 'last-event-id': heard.id })
      for await (const { data } of resumed.blocks) {
        if (data === undefined) continue
        expect(data.data.object.id).not.toBe(first.id)
        if (data.data.object.id === second.id) break
      }
    },
  )

  test('fetchHandler passes each event on when it happens, and notices a client that has gone', async () => {
    const gapura = hosts.another({ prefix: '/pay' })
    const headers = { accept: 'text/event-stream', 'x-caller': 'budi' }
    const open = async () =>
      await gapura.fetchHandler(new Request('http://host/pay/events/?after=now', { headers }))
    const reply = await open()
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    const body = await http.chargeOf('qris', { order_id: http.fresh('stream') })
    const { id } = (await http.post('/charge/', { body, as: 'budi' })).body
    const blocks = blocksOf(reply)
    expect((await about(blocks, id)).data?.data.object.id).toBe(id)
    await blocks.return()
    // Each that has gone frees its place: more come than one owner may hold open.
    for (let n = 0; n < 12; n++) {
      const next = await open()
      expect(next.status).toBe(200)
      await next.body?.cancel()
    }
  })

  test('429 beyond eight connections of one owner; another owner is served', async () => {
    const url = `${http.parts.url}/events/?after=now`
    for (let n = 0; n < 8; n++) {
      const { reply, blocks } = await follow(url)
      expect(reply.status).toBe(200)
      void blocks.next().catch(() => undefined)
    }
    const { reply } = await follow(url)
    expect(reply.status).toBe(429)
    expect(reply.headers.get('retry-after')).toBe('30')
    expect((await follow(url, { 'x-caller': 'budi' })).reply.status).toBe(200)
  })

  test('refusals are replies: 401, 400 and 410 before the first event', async () => {
    const url = `${http.parts.url}/events/`
    expect((await follow(url, { 'x-caller': 'unknown' })).reply.status).toBe(401)
    expect((await follow(`${url}?types=nothing`)).reply.status).toBe(400)
    expect((await follow(url, { 'last-event-id': 'x' })).reply.status).toBe(400)
    const head = await fetch(url, {
      method: 'HEAD',
      headers: { accept: 'text/event-stream', 'x-caller': 'ani' },
    })
    expect(head.headers.get('content-type')).toContain('application/json')
  })

  test('a stop ends the streams, so that the server can close', async () => {
    const gapura = hosts.another({ prefix: '/pay' })
    const server = createServer((request, response) => gapura.nodeHandler(request, response))
    const base = await listen(server)
    const { blocks } = await follow(`${base}/pay/events/?after=now`)
    const rest = (async () => {
      for await (const block of blocks) expect(block.id).toBeDefined()
      return 'ended'
    })()
    gapura.stopping()
    expect(await rest).toBe('ended')
    await new Promise((resolve) => server.close(resolve))
  })

  test('closing a Fastify host ends the streams that it serves', async () => {
    const base = String(await hosts.all['Fastify']?.())
    const { blocks } = await follow(`${base}/events/?after=now`)
    const rest = (async () => {
      for await (const block of blocks) expect(block.id).toBeDefined()
      return 'ended'
    })()
    await hosts.closing.pop()?.()
    expect(await rest).toBe('ended')
  })
})
