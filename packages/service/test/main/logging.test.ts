// What a host that configured nothing sees of warnings and errors, and what the exported logger writes.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { jsonLogger } from '../../src/index.ts'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { startServer } from '../../src/main/server.ts'
import { listen, send, type Json } from '../http/http_bench.ts'
import { DATABASE_URL, useDatabase } from '../store/test_database.ts'

const database = useDatabase()
const KEY = 'SB-Mid-server-of-a-log'
const gateway = { server_key: KEY, base_url: 'http://127.0.0.1:1' }

/** Runs the work and returns the lines of ours that it wrote to the stream. */
async function written(name: 'stdout' | 'stderr', work: () => Promise<void>): Promise<Json[]> {
  const texts: string[] = []
  const spy = vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
    texts.push(String(chunk))
    return true
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Json)
}

describe('mounted without a logger', () => {
  let failing: Gapura
  const server = createServer((request, response) => failing.nodeHandler(request, response))
  beforeAll(() => {
    failing = createGapura({
      databaseUrl: DATABASE_URL,
      schema: database.db.schema,
      gateway,
      authenticate: () => {
        throw new Error(`the session store broke, near ${KEY}`)
      },
    })
  })
  afterAll(async () => {
    server.close()
    await failing.close()
  })

  test('a 500 is one redacted JSON line on the console, with the request_id of the reply', async () => {
    const url = await listen(server)
    let reply: Awaited<ReturnType<typeof send>> | undefined
    const lines = await written('stderr', async () => {
      reply = await send('GET', `${url}/payments/`)
    })
    expect(reply?.status).toBe(500)
    expect(lines).toEqual([
      {
        time: expect.any(String) as string,
        level: 'error',
        message: 'request failed',
        request_id: reply?.body['request_id'],
        status: 500,
        code: 'internal_error',
        error: [expect.stringContaining('the session store broke') as string],
      },
    ])
    expect(JSON.stringify(lines)).not.toContain(KEY)
  })

  test('so is a body that another middleware has read, through fetchHandler', async () => {
    const request = new Request('http://shop.example/charge/', { method: 'POST', body: '{}' })
    await request.text()
    let status = 0
    const lines = await written('stderr', async () => {
      status = (await failing.fetchHandler(request)).status
    })
    expect(status).toBe(500)
    expect(lines).toMatchObject([{ level: 'error', code: 'body_already_read', status: 500 }])
  })
})

describe('the JSON logger', () => {
  const linesOf = (level: 'info' | 'warn' | 'error'): string[] => {
    const lines: string[] = []
    const log = jsonLogger({ level, write: (line) => void lines.push(line) })
    log.info({}, 'a')
    log.warn({}, 'b')
    log.error({}, 'c')
    return lines.map((line) => String((JSON.parse(line) as Json)['message']))
  }

  test('writes its level and above', () => {
    expect([linesOf('info'), linesOf('warn'), linesOf('error')]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
      ['c'],
    ])
  })

  test('hides secrets, writes errors and large numbers, and never throws', () => {
    const lines: string[] = []
    const log = jsonLogger({ write: (line) => void lines.push(line) })
    const circle: Json = {}
    circle['itself'] = circle
    log.error({ error: new Error(`near ${KEY}`), token: 'x', amount: 5n }, `of ${KEY}`)
    log.error(circle, 'a circle')
    expect(lines.join('')).not.toContain(KEY)
    expect(lines.map((line) => JSON.parse(line) as Json)).toMatchObject([
      { message: 'of [secret]', token: '[secret]', amount: '5' },
      { message: 'a circle', unreadable_fields: true },
    ])
  })
})

describe('serve', () => {
  const config = () => ({
    host: '127.0.0.1',
    port: 0,
    admin: null,
    drain_ms: 0,
    gapura: {
      databaseUrl: DATABASE_URL,
      schema: database.db.schema,
      gateway,
      prefix: '/pay',
      docs: 'public' as const,
    },
  })

  test('its line has the whole address; a 404 has the path without its query', async () => {
    const lines = await written('stdout', async () => {
      const running = await startServer(config())
      await fetch(`${running.url}/pay/paymnts/?email=ani@example.com`)
      await running.stop()
    })
    const listening = lines.find(({ message }) => message === 'listening')
    expect(listening?.['url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay$/)
    const request = lines.find(({ message }) => message === 'request')
    expect(request).toMatchObject({ status: 404, path: '/pay/paymnts/' })
    expect(JSON.stringify(lines)).not.toContain('ani@')
  })

  test('log_level warn leaves out the requests', async () => {
    const lines = await written('stdout', async () => {
      const running = await startServer({ ...config(), log_level: 'warn' })
      await fetch(`${running.url}/pay/openapi.json`)
      await running.stop()
    })
    expect(lines).toEqual([])
  })
})
