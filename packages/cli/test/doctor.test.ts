// Eight set-ups that are broken as set-ups really break, each found and each with its remedy.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshSchemaName } from '../../service/test/store/test_database.ts'
import { ended, inProcess, lineOf, useCli, type Done, type startCli } from './cli_bench.ts'

const cli = useCli()

interface Check {
  name: string
  status: string
  detail: string
  remedy?: string
}

const checksOf = ({ json }: Done): Check[] => json['checks'] as Check[]
const failed = (done: Done): Check[] => checksOf(done).filter(({ status }) => status === 'fail')
const examine = async (env: Record<string, string> = {}, ...flags: string[]) =>
  await cli.run(['doctor', '--json', ...flags], env)

const redirecting = createServer((request, response) => {
  response.writeHead(301, { location: `${request.url ?? ''}/` }).end()
})
let worker: ReturnType<typeof startCli> | undefined

beforeAll(async () => {
  redirecting.listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  worker = cli.start(['work'])
  await lineOf(worker, /worker started/)
})
afterAll(() => {
  redirecting.close()
})

describe('one that is well', () => {
  test('0: nothing is broken', async () => {
    const done = await examine()
    expect(failed(done)).toEqual([])
    expect(done.code).toBe(0)
    expect(checksOf(done).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'node',
        'settings',
        'key',
        'database',
        'schema',
        'environment',
        'worker',
        'partitions',
        'notifications',
        'gateway',
        'webhook',
        'clock',
      ]),
    )
  })

  test('said to people: a word beside each mark, and no colour into a pipe', async () => {
    const { stdout, code } = await cli.spawned(['doctor'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ ok +worker +1 alive/)
    expect(stdout).not.toContain('\u001B[')
  })
})

describe('one that is broken: 1, the fault by name, and what to do', () => {
  const OLD_NODE = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => existsSync(file))
  const old = async (...args: string[]) => {
    const bin = new URL('../bin/gapura.js', import.meta.url).pathname
    const child = spawn(OLD_NODE ?? '', [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    return await ended(child)
  }
  const isOld = async (): Promise<boolean> => {
    if (OLD_NODE === undefined) return false
    const { stdout } = await promisify(execFile)(OLD_NODE, ['--version'])
    return Number(/\d+/.exec(stdout)?.[0]) < 24
  }

  test('Node 20', async ({ skip }) => {
    if (!(await isOld())) skip('there is no older Node on this machine')
    const spoken = await old('doctor')
    expect(spoken.code).toBe(1)
    expect(spoken.stderr).toMatch(/this is Node \d+\.\d+\.\d+, and Gapura needs 24 or newer/)
    expect(spoken.stderr).toContain('nvm install 24')
    const done = await old('doctor', '--json')
    expect(failed(done)).toMatchObject([{ name: 'node', remedy: expect.stringContaining('24') }])
  })

  test('no schema', async () => {
    const done = await examine({ GAPURA_SCHEMA: freshSchemaName() })
    expect(done.code).toBe(1)
    expect(failed(done)).toMatchObject([
      { name: 'schema', remedy: expect.stringContaining('gapura migrate') },
    ])
  })

  test('a sandbox key in production', async () => {
    const done = await examine({
      GATEWAY_IS_PRODUCTION: 'true',
      GATEWAY_BASE_URL: 'https://127.0.0.1:1',
    })
    expect(done.code).toBe(1)
    expect(failed(done)).toContainEqual({
      name: 'key',
      status: 'fail',
      detail: 'GATEWAY_SERVER_KEY is a sandbox key, and production is on',
      remedy: expect.stringContaining('begins with Mid-') as string,
    })
  })

  test('a wrong key', async () => {
    const done = await examine({ GATEWAY_SERVER_KEY: 'SB-Mid-server-of-somebody-else' })
    expect(failed(done)).toMatchObject([
      {
        name: 'gateway',
        detail: 'reachable, and it refuses our server key',
        remedy: expect.stringContaining('GATEWAY_SERVER_KEY'),
      },
    ])
    expect(done.stdout + done.stderr).not.toContain('somebody-else')
  })

  test('a webhook URL that redirects', async () => {
    const { port } = redirecting.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/pay/notification`
    const done = await examine({ GATEWAY_NOTIFICATION_URL: url })
    expect(failed(done)).toMatchObject([
      {
        name: 'webhook',
        detail: `${url} redirects (301)`,
        remedy: expect.stringContaining('/pay/notification/'),
      },
    ])
  })

  test('a clock off by five minutes', async () => {
    const preload = new URL('clock_ahead_child.ts', import.meta.url).href
    const ahead = { NODE_OPTIONS: `--import ${preload}` }
    const done = await cli.spawned(['doctor', '--json'], ahead)
    expect(failed(done)).toMatchObject([
      {
        name: 'clock',
        detail: expect.stringContaining('this machine is 5 min ahead of'),
        remedy: expect.stringContaining('NTP'),
      },
    ])
  })

  test('a partition missing', async () => {
    const [row] = await cli.sql(
      `select name from gapura.month_partitions('gateway_event') order by month desc limit 1`,
    )
    const name = String(row?.['name'])
    // By hand: the service's own function refuses a month that has not ended.
    await cli.sql(`drop table gapura.${name}`)
    const done = await examine()
    expect(failed(done)).toMatchObject([
      { name: 'partitions', detail: `missing: ${name}`, remedy: expect.stringContaining('worker') },
    ])
    await cli.sql(
      `select gapura.ensure_month_partition('gateway_event', (gapura.now() + make_interval(months => n))::date)
       from generate_series(0, 3) as n`,
    )
  })

  // Last, because from here on the worker is dead.
  test('the worker dead', async () => {
    worker?.kill('SIGKILL')
    await cli.sql(`update gapura.setting set clock_offset = '45 seconds'`)
    const done = await examine()
    expect(failed(done)).toMatchObject([
      {
        name: 'worker',
        detail: expect.stringMatching(/none is alive: .* has been silent for \d+ (?:s|min)/),
        remedy: expect.stringContaining('gapura work'),
      },
    ])
  })

  test('a subscriber whose events have died: its name, its error, and how to retry', async () => {
    const id = '01890000-0000-7000-8000-000000000000'
    await cli.sql(`insert into gapura.event_subscriber (name) values ('fulfilment')`)
    await cli.sql(
      `insert into gapura.dead_event
         (subscriber, object_id, event_id, occurred_at, sequence, attempts, owner_id, object_kind,
          error)
       values ('fulfilment', $1, $1, now(), 1, 16, 'shop', 'payment', 'TypeError: boom')`,
      [id],
    )
    const events = async () => checksOf(await examine()).find(({ name }) => name === 'events')
    expect(await events()).toMatchObject({
      status: 'fail',
      detail: 'fulfilment fails at 1 events, 1 of them dead: TypeError: boom',
      remedy: expect.stringContaining('gapura events retry') as string,
    })
    await cli.sql(`update gapura.dead_event set retry_at = now() + interval '1 hour'`)
    expect(await events()).toMatchObject({ status: 'warn' })
    await cli.sql('delete from gapura.dead_event')
    expect(await events()).toMatchObject({ status: 'ok' })
  })

  test('no database, and nothing set at all: all of it at once', async () => {
    const gone = await examine({ DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' })
    expect(failed(gone)).toMatchObject([
      { name: 'database', remedy: expect.stringContaining('DATABASE_URL') },
    ])
    const nothing = await inProcess(['doctor', '--json'], {})
    expect(failed(nothing).map(({ detail }) => detail)).toEqual([
      'DATABASE_URL is not set',
      'GATEWAY_SERVER_KEY is not set',
    ])
  })
})

test('an address the gateway cannot reach is reported differently from one that does not answer', async () => {
  const far = { GATEWAY_BASE_URL: 'http://gateway.invalid' }
  const done = await examine(far, '--webhook-url', 'http://127.0.0.1:1/notification/')
  const details = failed(done)
    .filter(({ name }) => name === 'webhook')
    .map(({ detail }) => detail)
  expect(details).toEqual([
    '127.0.0.1:1 is not a public address',
    '127.0.0.1:1 is not on a standard port',
    expect.stringContaining('does not answer'),
  ])
})
