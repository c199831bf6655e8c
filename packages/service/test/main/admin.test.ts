import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGapura, type Gapura } from '../../src/main/create_gapura.ts'
import { healthOf } from '../../src/main/health.ts'
import { compose } from '../../src/main/compose.ts'
import type { RunningWorker } from '../../src/main/worker.ts'
import { listen, send, useHttp } from '../http/http_bench.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../store/database_proxy.ts'
import { eventually, freshSchemaName } from '../store/test_database.ts'
import { readMetrics } from './metrics_page.ts'

const http = useHttp()
let proxy: DatabaseProxy | undefined
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  proxy = await startDatabaseProxy()
})
afterAll(async () => {
  for (const close of closing) await close()
  await proxy?.close()
})

async function served(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return await listen(server)
}
/** A service of its own over the proxy, with its admin page. */
async function operated(options: { schema?: string; is_production?: boolean } = {}) {
  const { is_production = false, schema = http.database.db.schema } = options
  const { server_key, url: base_url } = http.parts.simulator
  const gateway = { server_key, base_url, is_production }
  const gapura: Gapura = createGapura({ databaseUrl: proxy?.url ?? '', schema, gateway })
  closing.push(async () => await gapura.close())
  return { gapura, url: await served(gapura.adminHandler) }
}
const probe = async (url: string) => {
  const { status, body } = await send('GET', url)
  return [status, body['checks']]
}

describe('the admin page', () => {
  test('health, metrics, and nothing else', async () => {
    const { url } = await operated()
    expect(await probe(`${url}/livez`)).toEqual([200, {}])
    expect(await probe(`${url}/readyz?verbose`)).toEqual([200, { database: 'ok', events: 'ok' }])
    const metrics = await fetch(`${url}/metrics`)
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(readMetrics(await metrics.text()).value('gapura_database_up')).toBe(1)
    expect((await fetch(`${url}/payments/`)).status).toBe(404)
    expect((await fetch(`${url}/readyz`, { method: 'POST' })).status).toBe(405)
    const head = await fetch(`${url}/readyz`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('the gateway away: still ready, and the breaker is seen to be open', async () => {
    const url = await served(http.parts.gapura.adminHandler)
    await http.control('faults', { effect: 'drop_before' })
    const breaker = async () => {
      await http.post('/charge/', { body: await http.chargeOf('qris') })
      const page = readMetrics(await http.parts.gapura.metrics())
      return page.value('gapura_gateway_breaker_open')
    }
    expect(await eventually(breaker, (open) => open === 1)).toBe(1)
    expect(await probe(`${url}/readyz`)).toEqual([200, { database: 'ok', events: 'ok' }])
    const page = readMetrics(await http.parts.gapura.metrics())
    expect(page.value('gapura_gateway_breaker_openings_total')).toBe(1)
    await http.calm()
  })

  test('the database away: alive, not ready; back: ready again', async () => {
    const { url } = await operated()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    proxy?.cut(true)
    const away = await eventually(
      () => probe(`${url}/readyz`),
      ([status]) => status === 503,
    )
    expect(away).toEqual([
      503,
      {
        database: expect.stringMatching(
          /^The database cannot be reached .*Check that PostgreSQL runs/,
        ) as string,
      },
    ])
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    proxy?.open()
    const back = await eventually(
      () => probe(`${url}/readyz`),
      ([status]) => status === 200,
    )
    expect(back).toEqual([200, { database: 'ok', events: 'ok' }])
  })

  test('not ready without our tables, behind this release, or of the other environment', async () => {
    const bare = await operated({ schema: freshSchemaName() })
    expect(await probe(`${bare.url}/readyz`)).toEqual([
      503,
      {
        database: expect.stringMatching(
          /^The schema \w+ has no tables .*Run gapura migrate/,
        ) as string,
      },
    ])
    const production = await operated({ is_production: true })
    expect(await probe(`${production.url}/readyz`)).toEqual([
      503,
      {
        database: expect.stringMatching(
          /^This database does not belong to production.*GATEWAY_IS_PRODUCTION/,
        ) as string,
      },
    ])
    const [newest] = await http.database.sql(
      `delete from gapura.migration where version = (select max(version) from gapura.migration)
       returning version, name, checksum`,
    )
    const latest = Number(newest?.['version'])
    const behind = await operated()
    expect(await probe(`${behind.url}/readyz`)).toEqual([
      503,
      {
        database: expect.stringMatching(
          new RegExp(`is at migration ${latest - 1} of ${latest}. Run gapura migrate`),
        ) as string,
      },
    ])
    // A newer release has migrated already and we are about to be replaced: still ready.
    for (const version of [latest, 9_999]) {
      await http.database.sql(
        'insert into gapura.migration (version, name, checksum) values ($1, $2, $3)',
        [version, newest?.['name'], newest?.['checksum']],
      )
    }
    const ahead = await operated()
    expect(await probe(`${ahead.url}/readyz`)).toEqual([200, { database: 'ok', events: 'ok' }])
    await http.database.sql('delete from gapura.migration where version = 9999')
  })

  test('stopping: alive, not ready', async () => {
    const { gapura, url } = await operated()
    gapura.stopping()
    expect(await probe(`${url}/readyz`)).toEqual([503, { process: 'stopping' }])
    expect((await fetch(`${url}/livez`)).status).toBe(200)
  })
})

describe('a process with a worker', () => {
  const queue = { running: true, down_ms: 0, database_away: false }
  const relay = { name: 'shop', leading: true, turn_ms: 0, delivered: 0, failed: 0, dead: 0 }
  const reported = async (worker: Partial<RunningWorker>) => {
    const { schema } = http.database.db
    const { server_key } = http.parts.simulator
    const parts = compose({ databaseUrl: proxy?.url ?? '', schema, gateway: { server_key } })
    const running = {
      stop: async () => undefined,
      state: () => ({ queue, stuck: [] }),
      stats: () => [{ ...relay, lag_ms: 0 }],
      ...worker,
    }
    const health = await healthOf(parts, () => running).health()
    await parts.close()
    return [health.live, health.ready, health.checks]
  }
  const down = (down_ms: number, database_away: boolean): Partial<RunningWorker> => ({
    state: () => ({ queue: { running: false, down_ms, database_away }, stuck: [] }),
  })
  const fine = { database: 'ok', events: 'ok', queue: 'ok', timers: 'ok', relays: 'ok' }

  test('is ready and alive while its loops turn', async () => {
    expect(await reported({})).toEqual([true, true, fine])
  })

  test('is not ready without a queue, and to be restarted if that lasts', async () => {
    const checks = (seconds: number) => ({ ...fine, queue: `down for ${seconds} s` })
    expect(await reported(down(5_000, false))).toEqual([true, false, checks(5)])
    expect(await reported(down(61_000, false))).toEqual([false, false, checks(61)])
    // A new process would not find the database either.
    expect(await reported(down(61_000, true))).toEqual([true, false, checks(61)])
  })

  test('is to be restarted if a loop stands still', async () => {
    const timers = { state: () => ({ queue, stuck: ['beat'] }) }
    expect(await reported(timers)).toEqual([false, false, { ...fine, timers: 'stuck: beat' }])
    const relays = { stats: () => [{ ...relay, lag_ms: 0, turn_ms: 16 * 60_000 }] }
    expect(await reported(relays)).toEqual([false, false, { ...fine, relays: 'stuck: shop' }])
  })
})
