import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../service/test/store/test_database.ts'
import { ended, inProcess, lineOf, startCli, useCli, type Json } from './cli_bench.ts'

const cli = useCli({ migrated: false })

describe('migrate', () => {
  test('--plan prints the SQL in our schema and runs nothing; then it is applied, once', async () => {
    const planned = await cli.spawned(['migrate', '--plan'])
    expect(planned.code).toBe(0)
    expect(planned.stdout).toContain('-- 0001_clock_and_settings.sql')
    expect(planned.stdout).toContain(`create table ${cli.schema}.setting`)
    const there = async () =>
      await cli.sql('select to_regclass($1)::text as found', [`${cli.schema}.setting`])
    expect(await there()).toEqual([{ found: null }])

    const { json } = await cli.run(['migrate', '--json'])
    expect((json['applied'] as string[])[0]).toBe('0001_clock_and_settings.sql')
    expect(await there()).toEqual([{ found: `${cli.schema}.setting` }])

    const again = await cli.run(['migrate', '--plan', '--json'])
    expect(again.json).toEqual({ pending: [] })
  })

  test('6: a database that is away, and what to do', async () => {
    const away = { DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }
    const { code, stderr } = await cli.spawned(['migrate'], away)
    expect(code).toBe(6)
    expect(stderr).toContain('The database cannot be reached (ECONNREFUSED)')
    expect(stderr).toContain('Check that PostgreSQL runs')
  })
})

describe('keys', () => {
  test('are made, listed without themselves, and revoked once', async () => {
    const order = ['--owner', 'shop', '--name', 'till', '--scope', 'payments:write']
    const made = await cli.run(['keys', 'create', ...order])
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^gpk_[0-9A-Za-z]{32}\n$/)
    const listed = await cli.run(['keys', 'list', '--owner', 'shop', '--json'])
    const [key] = listed.json['results'] as Json[]
    expect(key).toMatchObject({ name: 'till', scopes: ['payments:write'], revoked_at: null })
    expect(listed.stdout).not.toContain(made.stdout.trim())
    const [first, second] = [
      await cli.run(['keys', 'revoke', String(key?.['id']), '--json']),
      await cli.run(['keys', 'revoke', String(key?.['id']), '--json']),
    ]
    expect(first.json).toEqual({ id: key?.['id'], revoked: true })
    expect([second.code, second.error['code']]).toEqual([3, 'not_found'])
  })
})

describe('config print', () => {
  test('shows where each setting comes from, and no secret', async () => {
    const file = path.join(cli.cwd, 'key')
    writeFileSync(file, 'SB-Mid-server-in-a-file\n')
    const secrets = {
      DATABASE_URL: 'postgres://me:hunter2@db.example/shop',
      GATEWAY_SERVER_KEY: '',
      GATEWAY_SERVER_KEY_FILE: file,
      GATEWAY_SERVER_KEY_PREVIOUS: 'SB-Mid-server-hidden',
      GAPURA_PREFIX: '/pay',
    }
    const { code, stdout, stderr, json } = await cli.run(
      ['config', 'print', '--redacted', '--json'],
      secrets,
    )
    expect(code).toBe(7)
    expect(json['faults']).toEqual([
      'GATEWAY_SERVER_KEY and GATEWAY_SERVER_KEY_FILE exclude each other',
    ])
    const shown = Object.fromEntries(
      (json['settings'] as Json[]).map(({ name, value, source }) => [name, [value, source]]),
    )
    expect(shown).toMatchObject({
      DATABASE_URL: ['postgres://me:***@db.example/shop', 'environment'],
      GATEWAY_SERVER_KEY: [`(in ${file})`, 'file'],
      GATEWAY_SERVER_KEY_PREVIOUS: ['(set, 20 characters, sandbox)', 'environment'],
      GAPURA_PREFIX: ['/pay', 'environment'],
      GAPURA_HOST: ['127.0.0.1', 'default'],
    })
    expect(stdout + stderr).not.toMatch(/hunter2|hidden|in-a-file/)
  })
})

describe('a command line that does not fit: 2, and what would', () => {
  test.each([
    [['paiments'], 'there is no command paiments; did you mean payments?'],
    [['conjure'], 'there is no command conjure; there is dev, doctor'],
    [['trigger'], 'gapura trigger --help says more.'],
    [['payments'], 'there is payments list, payments show'],
    [['adopt'], '<order_id> is missing'],
    [['keys', 'create', '--owner', 'a'], '--name is missing'],
    [['payments', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 100'],
    [['payments', 'list', '--colour'], '--colour'],
    [['trigger', 'payment_lost'], 'must be one of payment_received'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await cli.run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })

  test('--version says which release it is', async () => {
    const { code, stdout } = await cli.run(['--version'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })

  test('7 without settings, every fault at once; --env-file mends it', async () => {
    const bare = await inProcess(['payments', 'list', '--json'], {})
    expect(bare.code).toBe(7)
    expect(bare.error).toMatchObject({
      code: 'settings',
      exit_code: 7,
      advice: expect.arrayContaining([
        'DATABASE_URL is not set',
        'GATEWAY_SERVER_KEY is not set',
      ]) as string[],
    })
    const lines = Object.entries(cli.environment()).map(([name, value]) => `${name}=${value}`)
    writeFileSync(path.join(cli.cwd, 'shop.env'), lines.join('\n'))
    const args = ['payments', 'list', '--json', '--env-file', 'shop.env']
    const listed = await ended(startCli(args, { cwd: cli.cwd }))
    expect(listed.json).toEqual({ next: null, previous: null, results: [] })
  })
})

describe('serve and work', () => {
  test('serve --with-worker answers, works and ends on SIGTERM with 0', async () => {
    const child = cli.start(['serve', '--with-worker'], { GAPURA_PREFIX: '/pay' })
    const closed = once(child, 'close')
    const started = lineOf(child, /worker started/)
    const { url } = JSON.parse(await lineOf(child, /"listening"/)) as { url: string }
    expect((await fetch(`${url}/payments/`)).status).toBe(401)
    await started
    const workers = async () => await cli.sql('select 1 from gapura.worker')
    expect(await eventually(workers, ({ length }) => length > 0)).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(await workers()).toEqual([])
  })

  test('serve does not start on a database of the other environment: 6', async () => {
    const { code, error } = await cli.run(['serve', '--json'], {
      GATEWAY_IS_PRODUCTION: 'true',
      GATEWAY_SERVER_KEY: 'Mid-server-x',
      GATEWAY_CLIENT_KEY: 'Mid-client-x',
      GATEWAY_BASE_URL: 'https://127.0.0.1:1',
    })
    expect(code).toBe(6)
    expect(error['message']).toContain('does not belong to production')
  })

  test('simulate says where it is and takes a charge; SIGINT ends it with 0', async () => {
    const child = cli.start([
      'simulate',
      '--port',
      '0',
      '--server-key',
      'SB-Mid-server-mine',
      '--json',
    ])
    const closed = once(child, 'close')
    const ready = JSON.parse(await lineOf(child, /"ready"/)) as { url: string; server_key: string }
    expect(ready.server_key).toBe('SB-Mid-server-mine')
    expect((await fetch(`${ready.url}/_sim`)).status).toBe(200)
    child.kill('SIGINT')
    expect(await closed).toEqual([0, null])
  })
})
