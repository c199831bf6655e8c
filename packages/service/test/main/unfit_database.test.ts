// A database that cannot be used is named with its remedy: at startWorker, at the first request, and
// where an administrator calls.
import { inspect } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { isPgbouncerInstalled, startPgbouncer } from '../../../../campaigns/bench/pgbouncer.ts'
import { GatewayError, StoreError } from '../../src/index.ts'
import { createGapura, type Gapura, type GapuraOptions } from '../../src/main/create_gapura.ts'
import type { Json } from '../http/http_bench.ts'
import { directUrl } from '../store/own_database.ts'
import { DATABASE_URL, freshSchemaName, useDatabase } from '../store/test_database.ts'

const database = useDatabase()
const opened: Gapura[] = []
afterAll(async () => {
  for (const gapura of opened) await gapura.close()
})

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function gapuraOn(options: Partial<GapuraOptions>): Gapura {
  const gapura = createGapura({
    databaseUrl: DATABASE_URL,
    gateway: { server_key: 'SB-Mid-server-unfit', base_url: 'http://127.0.0.1:1' },
    authenticate: () => ({ owner_id: 'ani' }),
    logger: silent,
    ...options,
  })
  opened.push(gapura)
  return gapura
}

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  await work().then(
    () => 'no failure',
    (error: unknown) => error,
  )

const away = DATABASE_URL.replace(/@([^/]*)\//, '@127.0.0.1:1/')
const missing = directUrl(DATABASE_URL).replace(/\/[^/]*$/, '/no_such_database')

describe.each([
  ['not migrated', { schema: freshSchemaName() }, 'not_migrated', 'Run gapura migrate'],
  ['away', { databaseUrl: away }, 'unreachable', 'Check that PostgreSQL runs'],
  ['without this database', { databaseUrl: missing }, 'database_missing', 'Create it'],
] as const)('a database %s', (_name, options, code, remedy) => {
  test('startWorker, ready and createApiKey reject with a StoreError that says what to do', async () => {
    const gapura = gapuraOn(options)
    const order = { owner_id: 'ani', name: 'till' }
    const calls = [
      async () => await gapura.startWorker(),
      async () => await gapura.ready(),
      async () => await gapura.createApiKey(order),
    ]
    for (const call of calls) {
      const failure = await failureOf(call)
      expect(failure).toBeInstanceOf(StoreError)
      expect(failure).toMatchObject({ code, message: expect.stringContaining(remedy) as string })
    }
  })

  test('an in-process call rejects with store_unavailable and the same words', async () => {
    const gapura = gapuraOn(options)
    const failure = await failureOf(async () => await gapura.api.listPayments({ owner_id: 'ani' }))
    expect(failure).toBeInstanceOf(GatewayError)
    expect(failure).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(remedy) as string,
    })
  })
})

describe('the first request', () => {
  const ask = async (gapura: Gapura): Promise<Json> => {
    const reply = await gapura.fetchHandler(new Request('http://shop.example/payments/'))
    return (await reply.json()) as Json
  }

  test('without our tables: 503 with the remedy, and after the migration 200', async () => {
    const gapura = gapuraOn({ schema: freshSchemaName() })
    expect(await ask(gapura)).toMatchObject({
      status: 503,
      code: 'store_unavailable',
      detail: expect.stringContaining('Run gapura migrate') as string,
    })
    await gapura.migrate()
    expect(await ask(gapura)).toMatchObject({ results: [] })
  })

  test('with the database away: 503, to be sent again, and no address of it', async () => {
    const body = await ask(gapuraOn({ databaseUrl: away }))
    expect(body).toMatchObject({ status: 503, code: 'store_unavailable', retryable: true })
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/)
  })
})

describe('createApiKey', () => {
  const wrong: readonly [field: string, order: object][] = [
    ['owner_id', { owner_id: '' }],
    ['owner_id', { owner_id: 5 }],
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['staff', { staff: 'yes' }],
    ['scopes', { scopes: ['payments:everything'] }],
    ['scopes', { scopes: 'payments:write' }],
    ['expires_at', { expires_at: new Date('tomorrow') }],
    ['expires_at', { expires_at: '2030-01-01' }],
    ['reason', { reason: 5 }],
  ]
  test.each(wrong)('refuses a wrong %s (%j) and names it', async (field, order) => {
    const gapura = gapuraOn({ schema: database.db.schema })
    const given = { owner_id: 'ani', name: 'till', ...order }
    const failure = await failureOf(async () => await gapura.createApiKey(given))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ field }] })
  })

  test('an error of the database does not quote the row with the hash of the key', async () => {
    const gapura = gapuraOn({ schema: database.db.schema })
    await database.sql(
      `alter table gapura.api_key add constraint no_till check (name <> 'refused')`,
    )
    const order = { owner_id: 'ani', name: 'refused' }
    const failure = await failureOf(async () => await gapura.createApiKey(order))
    expect(inspect(failure, { depth: 10, showHidden: true })).toContain('no_till')
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toMatch(/[0-9a-f]{64}/)
  })
})

test.skipIf(!isPgbouncerInstalled())(
  'prepared statements behind a pooler that does not know them are named with their setting',
  async () => {
    const address = new URL(directUrl(DATABASE_URL))
    const { hostname: host, port, username: user } = address
    const pooler = await startPgbouncer({ host, port, user })
    onTestFinished(pooler.stop)
    address.port = String(pooler.port)
    const pooled = { databaseUrl: address.href, schema: database.db.schema }
    await gapuraOn({ ...pooled, database: { prepared: false } }).ready()
    await gapuraOn({ ...pooled, database: { prepared: true } }).ready()
    const second = gapuraOn({ ...pooled, database: { prepared: true } })
    expect(await failureOf(async () => await second.ready())).toMatchObject({
      code: 'statements_shared',
      message: expect.stringContaining('GAPURA_PREPARED_STATEMENTS=false') as string,
    })
    for (const gapura of opened.splice(-3)) await gapura.close()
  },
)
