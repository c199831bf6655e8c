import { connect } from 'node:net'
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/caller.ts'
import { signNotification } from '../../src/gateway/signature.ts'
import { CallerLimits, GuessLimits, sourceAddress } from '../../src/http/platform/limits.ts'
import { createGapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { DATABASE_URL, eventually } from '../store/test_database.ts'
import { authenticate, listen, send, useHttp } from './http_bench.ts'

const http = useHttp()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** The first request of a process opens its connections, which takes long on a busy machine. */
const PATIENT = { timeout: 10_000 }

/** A process of its own, as far as its counts go. */
async function startProcess(options: Partial<GapuraOptions>) {
  const { server_key, client_key, url: base_url } = http.parts.simulator
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    schema: http.database.db.schema,
    gateway: { server_key, client_key, base_url },
    ...options,
  })
  const server = createServer((request, response) => gapura.nodeHandler(request, response))
  closing.push(async () => {
    server.closeAllConnections()
    await gapura.close()
  })
  return { gapura, url: await listen(server) }
}

describe('requests in a minute', () => {
  test('429 with Retry-After once they are used up, of this owner alone; headers say what is left', async () => {
    const { url } = await startProcess({ authenticate, limits: { requests_per_minute: 3 } })
    const ask = async (as: string) => await send('GET', `${url}/payments/`, { as })
    const first = await ask('ani')
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"caller";q=3;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"caller";r=2;t=(?:60|59)$/)
    expect((await ask('ani')).headers.get('ratelimit')).toMatch(/;r=1;/)
    // The same owner by another name: it is the owner who is counted.
    expect((await ask('payer')).headers.get('ratelimit')).toMatch(/;r=0;/)
    const over = await ask('ani')
    expect(over).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', retryable: true },
    })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(over.headers.get('ratelimit')).toMatch(/;r=0;t=\d+$/)
    expect((await ask('budi')).status).toBe(200)
    // An unauthenticated request is not counted, and the webhook never is.
    expect((await ask('')).status).toBe(401)
    for (let n = 0; n < 10; n++) {
      expect((await send('POST', `${url}/notification/`, { body: {} })).status).toBe(400)
    }
  })

  test('without a limit in a minute, no reply has RateLimit headers', async () => {
    const { headers } = await http.get('/payments/')
    expect(headers.get('ratelimit')).toBeNull()
  })

  test('a window ends, and memory has a bound', () => {
    const limits = new CallerLimits({ requests_per_minute: 1 })
    expect(limits.admit('ani', 0).admitted).toBe(true)
    expect(limits.admit('ani', 59_999)).toMatchObject({ admitted: false, retry_after_s: 1 })
    expect(limits.admit('ani', 60_000).admitted).toBe(true)
    for (let n = 0; n < 20_000; n++) limits.admit(`owner-${n}`, 60_001)
    // Forgotten, as the one not seen for longest: the price of a bound.
    expect(limits.admit('ani', 60_002).admitted).toBe(true)
  })
})

describe('requests at once', () => {
  test('without a setting, the 65th request of one owner under way is refused, and 0 is no limit', () => {
    const admittedOf = (limits: CallerLimits, owner_id: string): number =>
      Array.from({ length: 70 }, () => limits.admit(owner_id, 0)).filter(({ admitted }) => admitted)
        .length
    const limits = new CallerLimits({})
    expect(admittedOf(limits, 'ani')).toBe(64)
    expect(admittedOf(limits, 'budi')).toBe(64)
    expect(admittedOf(new CallerLimits({ requests_at_once: 0 }), 'ani')).toBe(70)
  })

  test('429 for one too many; answered and aborted requests free their place', async () => {
    const { url } = await startProcess({ authenticate, limits: { requests_at_once: 2 } })
    const { id } = await http.charged()
    await http.control('faults', {
      effect: 'delay',
      match: { operation: 'get_status' },
      options: { delay_ms: 700 },
    })
    const slow = async () => await send('GET', `${url}/payments/${id}/check_status/`)
    const under_way = [slow(), slow()]
    const look = async () => (await send('GET', `${url}/payments/${id}/`)).status
    expect(await eventually(look, (status) => status === 429)).toBe(429)
    expect((await send('GET', `${url}/payments/`, { as: 'budi' })).status).toBe(200)
    await Promise.all(under_way)
    expect(await eventually(look, (status) => status === 200)).toBe(200)
    // Clients that go away before they are answered do not stay inside.
    for (let n = 0; n < 4; n++) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
      socket.write(`GET /payments/${id}/check_status/ HTTP/1.1\r\nhost: x\r\nx-caller: ani\r\n\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 30))
      socket.destroy()
    }
    expect(await eventually(look, (status) => status === 200)).toBe(200)
    await http.calm()
  })

  test('answered requests of a fetch host free their place as well', async () => {
    const { gapura } = await startProcess({ authenticate, limits: { requests_at_once: 1 } })
    for (let n = 0; n < 3; n++) {
      const headers = { 'x-caller': 'ani' }
      const reply = await gapura.fetchHandler(new Request('http://host/payments/', { headers }))
      expect(reply.status).toBe(200)
      await reply.text()
    }
  })

  test('a client that goes away while its credential is looked up leaves no request behind', async () => {
    const gone = { seen: 0, closed: 0 }
    const { url } = await startProcess({
      limits: { requests_at_once: 2 },
      authenticate: async (request) => {
        if (request.headers['x-gone'] === undefined) return await authenticate(request)
        gone.seen++
        const { socket } = request.native as IncomingMessage
        await new Promise((resolve) => socket.once('close', resolve))
        // The response's own close event comes after that of its socket.
        await new Promise((resolve) => setImmediate(resolve))
        gone.closed++
        return await authenticate(request)
      },
    })
    for (let n = 1; n <= 4; n++) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
      socket.write('GET /payments/ HTTP/1.1\r\nhost: x\r\nx-caller: ani\r\nx-gone: 1\r\n\r\n')
      await expect.poll(() => gone.seen, PATIENT).toBe(n)
      socket.destroy()
      await expect.poll(() => gone.closed, PATIENT).toBe(n)
    }
    const look = async () => (await send('GET', `${url}/payments/`)).status
    expect(await eventually(look, (status) => status === 200)).toBe(200)
  })
})

describe('guessing', () => {
  const key = (n: number) => `Bearer gpk_${String(n).padStart(32, '0')}`

  test('429 after so many unknown keys, though the next were good; known ones pass', async () => {
    const { url, gapura } = await startProcess({ limits: { guesses_per_minute: 5 } })
    const order = { owner_id: 'ani', name: 'x', staff: false, scopes: SCOPES }
    const known = `Bearer ${(await gapura.createApiKey(order)).key}`
    const late = `Bearer ${(await gapura.createApiKey(order)).key}`
    const ask = async (authorization: string) =>
      await send('GET', `${url}/openapi.json`, { as: '', headers: { authorization } })
    expect((await ask(known)).status).toBe(200)
    for (let n = 0; n < 5; n++) expect((await ask(key(n))).status).toBe(401)
    const locked = await ask(key(6))
    expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(50)
    // A correct guess gets the same answer as a wrong one.
    const right = await ask(late)
    expect([right.status, right.body['detail']]).toEqual([429, locked.body['detail']])
    expect((await ask(known)).status).toBe(200)
    // Without a credential there is nothing to guess with.
    expect((await send('GET', `${url}/openapi.json`, { as: '' })).status).toBe(401)
  })

  test('an address is heard again after its minute, and others are heard all the while', () => {
    const limits = new GuessLimits({ guesses_per_minute: 2 })
    for (let n = 0; n < 2; n++) limits.failed('192.0.2.1', 0)
    expect(limits.refused('192.0.2.1', 'x', 1)).toBe(60)
    expect(limits.refused('192.0.2.2', 'x', 1)).toBeUndefined()
    expect(limits.refused('192.0.2.1', 'x', 60_000)).toBeUndefined()
    // A caller without a known address is not locked out.
    for (let n = 0; n < 9; n++) limits.failed(null, 0)
    expect(limits.refused(null, 'x', 1)).toBeUndefined()
  })

  test.each([
    ['192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.9', 1, '203.0.113.9'],
    ['192.0.2.1', 'evil, 203.0.113.9', 1, '203.0.113.9'],
    ['192.0.2.1', '198.51.100.7, 203.0.113.9', 2, '198.51.100.7'],
    ['192.0.2.1', 'evil', 1, '192.0.2.1'],
    ['192.0.2.1', undefined, 1, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:0db8::1', undefined, 0, '2001:db8:0:0::/64'],
    ['::1', undefined, 0, '0:0:0:0::/64'],
    ['unknown', undefined, 0, null],
    [undefined, undefined, 0, null],
  ])('from %s, forwarded for %s, behind %i: %s', (remote, forwarded, proxies, address) => {
    expect(sourceAddress(remote, forwarded, proxies)).toBe(address)
  })
})

describe('the webhook', () => {
  test('is not kept waiting by callers who have every connection they may have', async () => {
    const database = { connections_max: 6, statement_timeout_ms: 20_000, lock_timeout_ms: 8_000 }
    const { url } = await startProcess({ authenticate, database })
    const payments = await Promise.all(Array.from({ length: 12 }, async () => await http.charged()))
    await send('GET', `${url}/payments/`)
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = http.database.do(async (tx) => {
      await tx.query('lock table gapura.operation_reply in access exclusive mode')
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const callers = payments.map(
      async ({ id }, n) =>
        await send('POST', `${url}/payments/${id}/cancel/`, { key: `waiting-${n}` }),
    )
    const began = performance.now()
    const body = { order_id: 'none', status_code: '200', gross_amount: '1.00', signature_key: 'x' }
    const signature_key = signNotification(body, http.parts.simulator.server_key)
    const changed = { ...body, signature_key, transaction_status: 'settlement' }
    const answer = await send('POST', `${url}/notification/`, { body: changed, as: '' })
    expect(answer.status).toBe(200)
    expect(performance.now() - began).toBeLessThan(2_000)
    held.resolve()
    await holder
    const statuses = (await Promise.all(callers)).map(({ status }) => status)
    expect(statuses.every((status) => status === 200)).toBe(true)
  })
})

describe('connections of the database', () => {
  test('owners take turns: one request is not kept behind the hundred of another', async () => {
    const database = { connections_max: 5, lock_timeout_ms: 8_000 }
    const { url } = await startProcess({ authenticate, database, limits: { requests_at_once: 0 } })
    const payments = [await http.charged(), await http.charged(), await http.charged()]
    await send('GET', `${url}/payments/`)
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = http.database.do(async (tx) => {
      await tx.query('lock table gapura.operation_reply in access exclusive mode')
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const ended: string[] = []
    const ask = async (as: string) => {
      const { status } = await send('GET', `${url}/payments/`, { as })
      ended.push(as)
      return status
    }
    // Three have every connection there is, and a hundred more wait for one.
    const flood = payments.map(
      async ({ id }) =>
        await send('POST', `${url}/payments/${id}/cancel/`, { as: 'ani', key: `held-${id}` }),
    )
    const waiting = async () =>
      await http.database.sql(
        // Of this database: in copies of one template a table has the same number.
        `select 1 from pg_locks
         where not granted and relation = 'gapura.operation_reply'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      )
    await eventually(waiting, (rows) => rows.length === 3, 3_000)
    const hundred = Array.from({ length: 100 }, async () => await ask('ani'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const honest = ask('budi')
    await new Promise((resolve) => setTimeout(resolve, 300))
    held.resolve()
    await holder
    expect(await honest).toBe(200)
    await Promise.all([...flood, ...hundred])
    expect(ended.indexOf('budi')).toBeLessThan(30)
  })
})
