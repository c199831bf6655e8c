// What a host that configured nothing sees of warnings and errors, and what the exported logger writes.
import { createServer } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
    // Lines are written together, before the next turn of the event loop.
    await nextTurn()
  } finally {
    spy.mockRestore()
  }
  return linesIn(texts.join(''))
}

const linesIn = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json)

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

describe('the JSON logger on standard output', () => {
  /** What is written to it, call by call. */
  async function calls(work: (count: () => number) => void): Promise<string[][]> {
    const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      work(() => spy.mock.calls.length)
      await nextTurn()
      return spy.mock.calls
        .map(([text]) => linesIn(String(text)).map(({ message }) => String(message)))
        .filter((messages) => messages.length > 0)
    } finally {
      spy.mockRestore()
    }
  }

  test('lines of one turn are written together, in their order, also of two loggers', async () => {
    const written_together = await calls(() => {
      jsonLogger().info({}, 'a')
      jsonLogger().warn({}, 'b')
    })
    expect(written_together).toEqual([['a', 'b']])
  })

  test('an error is written at once, behind what came before it', async () => {
    let at_once = 0
    const written_apart = await calls((count) => {
      const log = jsonLogger()
      log.info({}, 'a')
      log.error({}, 'b')
      at_once = count()
      log.info({}, 'c')
    })
    expect([at_once, written_apart]).toEqual([1, [['a', 'b'], ['c']]])
  })

  test('a loop that logs without end keeps no more than some lines back', async () => {
    const sizes = await calls(() => {
      const log = jsonLogger()
      for (let count = 0; count < 1_000; count += 1) log.info({}, 'x'.repeat(100))
    })
    expect(sizes.flat()).toHaveLength(1_000)
    expect(Math.max(...sizes.map((lines) => lines.length))).toBeLessThan(200)
  })

  test('a flat line is searched for secrets as a whole, with the same result as by its fields', () => {
    const fields = {
      request_id: `gpk_${'a1'.repeat(16)}`,
      card: 'paid by 4811 1111 1111 1114',
      token: 'short',
      note: `"quoted" Mid-server-abcDEF_123`,
      path: `/481111-1114-0c1bd4a6-3ef7-4f0e-9a55-6f2f0f6f7a10`,
      order_id: '2026111500000017',
      count: 3,
      nothing: null,
    }
    for (const [name, value] of Object.entries(fields)) {
      const lines: string[] = []
      const log = jsonLogger({ write: (line) => void lines.push(line) })
      log.info({ [name]: value }, 'm')
      // An object makes the logger look at each field by itself.
      log.info({ [name]: value, deep: {} }, 'm')
      const [flat, deep] = lines.map((line) => (JSON.parse(line) as Json)[name])
      expect(flat).toEqual(deep)
    }
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
