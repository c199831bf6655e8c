// What a caller may do whose scopes a host did not narrow: all that the specification allows.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../src/domain/caller.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import { listen, send, useHttp } from '../http/http_bench.ts'
import { DATABASE_URL } from '../store/test_database.ts'

const http = useHttp()

/** The `authenticate` of the page about mounting, as a reader copies it. */
function documented(): NonNullable<GapuraOptions['authenticate']> {
  const page = readFileSync(new URL('../../../../docs/mounting.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('\n## Callers'))
  const example = /```ts\n(.*?)```/s.exec(section)?.[1] ?? ''
  const given: GapuraOptions[] = []
  const program = stripTypeScriptTypes(example).replace(/^import .*$/m, '')
  const context = { createGapura: (options: GapuraOptions) => given.push(options) }
  runInNewContext(program, { ...context, readConfig: () => ({ gapura: {} }) })
  const authenticate = given[0]?.authenticate
  if (authenticate === undefined) throw new Error('docs/mounting.md has no example of it')
  return authenticate
}

const idsOf = (body: object): unknown[] =>
  'results' in body && Array.isArray(body.results)
    ? (body.results as { id: unknown }[]).map(({ id }) => id)
    : []

describe('the example of docs/mounting.md', () => {
  let gapura: Gapura
  let url = ''
  const users: Record<string, object> = {
    ani: { id: 'ani', is_staff: false },
    dewi: { id: 'dewi', is_staff: true },
  }
  const server = createServer((request, response) => {
    const user = users[String(request.headers['x-caller'])]
    gapura.nodeHandler(Object.assign(request, { session: { user } }), response)
  })
  beforeAll(async () => {
    url = await listen(server)
    const { url: base_url, server_key } = http.parts.simulator
    gapura = createGapura({
      databaseUrl: DATABASE_URL,
      schema: http.database.db.schema,
      gateway: { server_key, base_url },
      authenticate: documented(),
    })
  })
  afterAll(async () => {
    server.close()
    await gapura.close()
  })

  test('is_staff: true sees the payments of every owner, in the list and one by one', async () => {
    const { id } = await http.charged()
    expect(idsOf((await send('GET', `${url}/payments/`, { as: 'dewi' })).body)).toContain(id)
    expect((await send('GET', `${url}/payments/${id}/`, { as: 'dewi' })).status).toBe(200)
    expect((await send('GET', `${url}/payments/${id}/`, { as: 'ani' })).status).toBe(200)
    expect((await send('GET', `${url}/payments/${id}/`, { as: '' })).status).toBe(401)
  })

  test('an owner charges, refunds and voids without any scope being named', async () => {
    const { id } = await http.settled()
    const refund = { body: { amount: 1_000, reason: 'broken' } }
    expect((await send('POST', `${url}/payments/${id}/refund/`, refund)).status).toBe(200)
    const charge = { body: { payment_type: 'qris', gross_amount: 2_000 } }
    expect((await send('POST', `${url}/charge/`, charge)).status).toBe(201)
  })
})

describe('scopes narrow where a host names them', () => {
  const asks = async (caller: { staff?: boolean; scopes?: readonly Scope[] }) => {
    const { api } = http.parts.gapura
    const { id } = await http.charged()
    const given = { owner_id: 'desk', ...caller }
    const code = (error: unknown) =>
      error instanceof Error && 'code' in error ? error.code : 'failed'
    return {
      reads: await api.getPayment(given, id).then(() => 'ok', code),
      cancels: await api.cancelPayment(given, id).then(() => 'ok', code),
    }
  }

  test.each([
    ['staff', { staff: true }, { reads: 'ok', cancels: 'ok' }],
    [
      'staff that may charge',
      { staff: true, scopes: ['payments:write'] },
      { reads: 'ok', cancels: 'forbidden' },
    ],
    [
      'staff that may act, and only refund',
      { staff: true, scopes: ['staff:act', 'payments:refund'] },
      { reads: 'ok', cancels: 'forbidden' },
    ],
    ['another owner', {}, { reads: 'not_found', cancels: 'not_found' }],
  ] as const)('%s', async (_name, caller, expected) => {
    expect(await asks(caller)).toEqual(expected)
  })
})

describe('an API key', () => {
  const keyOf = async (order: { staff?: boolean; scopes?: readonly Scope[] }) => {
    const { gapura } = http.parts
    const { id } = await gapura.createApiKey({ owner_id: 'keys', name: 'till', ...order })
    return (await gapura.listApiKeys('keys')).find((key) => key.id === id)
  }

  test('without scopes has every scope of an owner; with [] none; staff all', async () => {
    const owner = await keyOf({})
    expect(owner?.staff).toBe(false)
    expect(owner?.scopes).toContain('payments:refund')
    expect(owner?.scopes.some((scope) => scope.startsWith('staff:'))).toBe(false)
    expect((await keyOf({ scopes: [] }))?.scopes).toEqual([])
    expect((await keyOf({ staff: true }))?.scopes).toContain('staff:act')
  })
})
