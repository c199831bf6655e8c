// From nothing to a paid charge: a folder, the embedded PostgreSQL, and what dev prints.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import {
  dropService,
  DATABASE_URL,
  freshSchemaName,
} from '../../service/test/store/test_database.ts'
import { directUrl } from '../../service/test/store/own_database.ts'
import { ended, lineOf, startCli, type Json } from './cli_bench.ts'

const cwd = mkdtempSync(path.join(tmpdir(), 'gapura-dev-'))
// The embedded server may run as another user, who has to get in.
chmodSync(cwd, 0o755)
const schema = freshSchemaName()
const children: ReturnType<typeof startCli>[] = []
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  rmSync(cwd, { recursive: true, force: true })
  await dropService(schema)
})

// Any ports: the ones people know may be taken on the machine that runs the tests.
const PORTS = ['--port', '0', '--simulator-port', '0']

async function dev(...flags: string[]) {
  const child = startCli(['dev', ...PORTS, '--json', ...flags], {
    cwd,
    env: { GAPURA_SCHEMA: schema },
  })
  children.push(child)
  const signal = lineOf(child, /"type":"payment_refunded"/)
  signal.catch(() => undefined)
  const request = lineOf(child, /"event":"request".*"\/charge\/"/)
  request.catch(() => undefined)
  const ready = JSON.parse(await lineOf(child, /"ready"/)) as Record<string, string> & {
    samples: number
  }
  return { child, ready, signal, request }
}

/** What a worker stores when a handler has failed for the last time. */
async function failFor(subscriber: string): Promise<void> {
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(`insert into ${schema}.event_subscriber (name) values ($1)`, [subscriber])
  await client.query(
    `insert into ${schema}.dead_event
       (subscriber, object_id, event_id, occurred_at, sequence, attempts, owner_id, object_kind,
        error)
     values ($1, $2, $2, now(), 1, 16, 'dev', 'payment', 'TypeError: boom')`,
    [subscriber, '01890000-0000-7000-8000-000000000000'],
  )
  await client.end()
}

const gapura = async (...args: string[]) => await ended(startCli([...args, '--json'], { cwd }))

async function stop(child: ReturnType<typeof startCli>) {
  const closed = once(child, 'close')
  child.kill('SIGINT')
  return (await closed) as [number | null, string | null]
}

describe('gapura dev', () => {
  test('with an embedded PostgreSQL: data, keys and addresses that work, and a second start that knows them', async () => {
    const { child, ready, signal, request } = await dev()
    expect(ready.samples).toBe(11)
    expect(ready['databaseUrl']).toMatch(/^postgres:\/\/gapura:\w+@127\.0\.0\.1:\d+\/postgres$/)

    const headers = { authorization: `Bearer ${ready['key']}`, 'content-type': 'application/json' }
    const body = JSON.stringify({
      payment_type: 'bank_transfer',
      bank: 'bca',
      gross_amount: 44_000,
    })
    const charged = await fetch(`${ready['api']}/charge/`, { method: 'POST', headers, body })
    expect(charged.status).toBe(201)
    expect(JSON.parse(await request)).toMatchObject({ method: 'POST', status: 201 })
    expect(ready).toMatchObject({ lost: 0 })
    expect(await signal).toContain('sample-02')

    // A second terminal of the same folder needs no settings.
    const [listed, triggered, second] = await Promise.all([
      gapura('payments', 'list', '--status', 'settlement'),
      gapura('trigger', 'payment_settled'),
      gapura('dev', ...PORTS),
    ])
    expect((listed.json['results'] as Json[]).length).toBeGreaterThanOrEqual(2)
    expect(triggered.json['event']).toMatchObject({ type: 'payment_settled', waiting: [] })
    expect([second.code, second.error['code']]).toEqual([4, 'already_running'])
    // An endpoint on this machine, over http, with no setting of the developer's.
    const endpoint = await gapura('webhooks', 'create', 'http://127.0.0.1:1/', '--owner', 'dev')
    expect(endpoint.json['secret']).toMatch(/^whsec_/)
    const health = await gapura('doctor')
    expect((health.json['checks'] as Json[]).filter(({ status }) => status === 'fail')).toEqual([])

    expect(await stop(child)).toEqual([0, null])
    expect(existsSync(path.join(cwd, '.gapura/dev.env'))).toBe(false)

    const again = await dev()
    expect(again.ready.samples).toBe(0)
    // The charge above and the samples that are still open: the new simulator knows none of them.
    expect(Number(again.ready['lost'])).toBeGreaterThan(1)
    expect(again.ready['key']).toBe(ready['key'])
    // The kept key opens the secret of the first run: otherwise no worker would send the event.
    const tested = await gapura('webhooks', 'test', String(endpoint.json['id']))
    expect(tested.json).toMatchObject({ outcome: 'failed', error_class: 'connection' })
    expect(await stop(again.child)).toEqual([0, null])
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
    expect(stdout).not.toContain(path.join(cwd, '.gapura'))
  }, 120_000)

  test('with a database that is given, killed on the way, leaves nothing that stops the next', async () => {
    const { child, ready } = await dev(
      '--database-url',
      directUrl(DATABASE_URL),
      '--prefix',
      '/pay',
      '--no-samples',
    )
    expect(ready.samples).toBe(0)
    expect(ready['api']).toMatch(/\/pay$/)
    // A handler of the developer's own worker, which is another process, has failed.
    const failing = lineOf(child, /"event":"handlers"/)
    await failFor('fulfilment')
    expect(JSON.parse(await failing)).toMatchObject({
      status: 'failing: fulfilment: 1 dead, 0 retried',
    })
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    // The dev.env that it left behind must not be used.
    expect((await gapura('payments', 'list')).code).toBe(7)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const next = await dev(
      '--database-url',
      directUrl(DATABASE_URL),
      '--no-samples',
      '--port',
      String(port),
    )
    expect(next.ready['key']).toBe(ready['key'])
    const chosen = Number(new URL(String(next.ready['api'])).port)
    expect(chosen).toBeGreaterThan(port)
    expect(chosen).toBeLessThanOrEqual(port + 20)
    const served = await fetch(`${next.ready['api']}/dashboard/`)
    expect(next.ready['dashboard']).toBe(served.ok)
    expect(await stop(next.child)).toEqual([0, null])
    taken.close()
  }, 120_000)
})
