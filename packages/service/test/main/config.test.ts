import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/main/config.ts'
import { ConfigError } from '../../src/main/environment_reader.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'gapura-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const least = { GATEWAY_SERVER_KEY: 'SB-Mid-server-abc', DATABASE_URL: 'postgres://db/app' }

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('settings', () => {
  test('two are enough; the rest has defaults', () => {
    const { host, port, admin, drain_ms, gapura } = readConfig(least)
    expect([host, port, admin, drain_ms]).toEqual(['127.0.0.1', 3000, null, 0])
    expect(gapura).toMatchObject({ databaseUrl: 'postgres://db/app', prefix: '', docs: 'callers' })
    expect(gapura.gateway).toMatchObject({ is_production: false, notification_urls: [] })
    expect(gapura.jwt).toBeUndefined()
    expect(gapura.limits).toMatchObject({ requests_per_minute: 0, requests_at_once: 64 })
  })

  test('a cell needs a name, its own notification address, and well-formed peers', () => {
    const url = { GATEWAY_NOTIFICATION_URL: 'https://pay.example/cells/b/notification/' }
    const peers = { GAPURA_CELL_PEERS: 'a=http://10.0.0.1:3000, c=http://10.0.0.3:3000' }
    expect(readConfig({ ...least, ...url, ...peers, GAPURA_CELL: 'b' }).gapura.cell).toEqual({
      name: 'b',
      peers: { a: 'http://10.0.0.1:3000', c: 'http://10.0.0.3:3000' },
    })
    expect(readConfig(least).gapura.cell).toBeUndefined()
    expect(faultsOf({ ...least, GAPURA_CELL: 'b' })).toHaveLength(1)
    expect(faultsOf({ ...least, ...url, GAPURA_CELL: 'c1' })).toHaveLength(1)
    expect(faultsOf({ ...least, ...peers })).toHaveLength(1)
    const key = Buffer.alloc(32).toString('base64')
    const listed = { GAPURA_CELL_KEY: key, GAPURA_CELL_DASHBOARDS: 'a=https://a.pay.example' }
    const cell = readConfig({ ...least, ...url, ...peers, ...listed, GAPURA_CELL: 'b' }).gapura.cell
    expect(cell?.keys?.map((one) => one.reveal())).toEqual([key])
    expect(cell?.dashboards).toEqual({ a: 'https://a.pay.example' })
    expect(faultsOf({ ...least, ...listed })).toHaveLength(2)
    const short = { GAPURA_CELL_KEY: 'c2hvcnQ=' }
    expect(faultsOf({ ...least, ...url, ...short, GAPURA_CELL: 'b' })).toHaveLength(1)
    const wrong = { GAPURA_CELL_PEERS: 'a:http://10.0.0.1' }
    expect(faultsOf({ ...least, ...url, ...wrong, GAPURA_CELL: 'b' })).toHaveLength(1)
  })

  test('all of them', () => {
    const { port, admin, drain_ms, gapura } = readConfig({
      ...least,
      GAPURA_ADMIN_PORT: '9464',
      GAPURA_ADMIN_HOST: '10.0.0.1',
      GAPURA_DRAIN_SECONDS: '5',
      GATEWAY_SERVER_KEY: 'Mid-server-abc',
      GATEWAY_SERVER_KEY_PREVIOUS: 'Mid-server-old',
      GATEWAY_CLIENT_KEY: 'Mid-client-abc',
      GATEWAY_IS_PRODUCTION: 'true',
      GATEWAY_BASE_URL: 'https://proxy.example',
      GATEWAY_NOTIFICATION_URL: 'https://a.example/n/, https://b.example/n/',
      GATEWAY_CONFIRM_NOTIFICATIONS: 'value',
      GATEWAY_CARD_DATA: 'true',
      GAPURA_PREFIX: 'shop/pay/',
      GAPURA_SCHEMA: 'money',
      GAPURA_PORT: '8080',
      GAPURA_DOCS: 'public',
      GAPURA_PREPARED_STATEMENTS: 'false',
      GAPURA_JWT_ISSUER: 'https://issuer.example',
      GAPURA_JWT_AUDIENCE: 'gapura',
      GAPURA_JWT_JWKS_URL: 'https://issuer.example/jwks',
      GAPURA_OIDC_ISSUER: 'https://accounts.example',
      GAPURA_OIDC_CLIENT_ID: 'gapura',
      GAPURA_OIDC_CLIENT_SECRET: 'shared',
      GAPURA_PUBLIC_URL: 'https://shop.example/pay',
      GAPURA_KEEP_NOTIFICATIONS_MONTHS: '24',
      GAPURA_KEEP_EVENTS_MONTHS: '6',
    })
    expect(port).toBe(8080)
    expect(admin).toEqual({ host: '10.0.0.1', port: 9464 })
    expect(drain_ms).toBe(5_000)
    expect(gapura).toMatchObject({
      schema: 'money',
      prefix: '/shop/pay',
      confirmNotifications: true,
      docs: 'public',
      database: { prepared: false },
      gateway: {
        is_production: true,
        client_key: 'Mid-client-abc',
        base_url: 'https://proxy.example',
        notification_urls: ['https://a.example/n/', 'https://b.example/n/'],
        card_data: true,
      },
      jwt: { issuer: 'https://issuer.example', audience: 'gapura' },
      oidc: { issuer: 'https://accounts.example', client_id: 'gapura' },
      publicUrl: 'https://shop.example/pay',
      retention: { notifications_months: 24, events_months: 6 },
    })
  })

  test('each from a file, without its line break', () => {
    const file = path.join(folder, 'key')
    writeFileSync(file, 'SB-Mid-server-file\n')
    const { gapura } = readConfig({
      DATABASE_URL: 'postgres://db/app',
      GATEWAY_SERVER_KEY_FILE: file,
    })
    const { server_key } = gapura.gateway
    expect(typeof server_key === 'string' ? '' : server_key.reveal()).toBe('SB-Mid-server-file')
  })

  test('keys do not print', () => {
    const secret = 's'.repeat(40)
    const jwt = { GAPURA_JWT_ISSUER: 'i', GAPURA_JWT_AUDIENCE: 'a', GAPURA_JWT_SECRET: secret }
    const { gapura } = readConfig({ ...least, ...jwt, GATEWAY_SERVER_KEY_PREVIOUS: 'old-key' })
    const printed = inspect(gapura, { depth: 9 }) + JSON.stringify(gapura)
    for (const key of ['SB-Mid-server-abc', 'old-key', secret]) expect(printed).not.toContain(key)
  })
})

describe('faults', () => {
  test('all at once, by name, and never with the value', () => {
    const bad = {
      GATEWAY_SERVER_KEY: 'two words',
      GATEWAY_IS_PRODUCTION: 'perhaps',
      GATEWAY_BASE_URL: 'ftp://hunter2.example',
      GATEWAY_CONFIRM_NOTIFICATIONS: 'hunter2',
      GATEWAY_NOTIFICATION_URL: 'hunter2',
      GATEWAY_CLIENT_KEY_FILE: path.join(folder, 'hunter2'),
      GAPURA_PREFIX: '/a b/hunter2',
      GAPURA_SCHEMA: 'Hunter2',
      GAPURA_PORT: '70000',
      GAPURA_DOCS: 'hunter2',
      GAPURA_JWT_SECRET: 'hunter2',
    }
    const faults = faultsOf(bad)
    for (const name of ['DATABASE_URL', 'GAPURA_JWT_ISSUER', ...Object.keys(bad)]) {
      expect(faults.join('\n')).toContain(name)
    }
    expect(faults.join('\n')).not.toMatch(/hunter2|two words|perhaps|70000/i)
  })

  test.each([
    ['a sandbox server key', least],
    [
      'a sandbox client key',
      { GATEWAY_SERVER_KEY: 'Mid-server-a', GATEWAY_CLIENT_KEY: 'SB-Mid-c' },
    ],
    ['no TLS', { GATEWAY_SERVER_KEY: 'Mid-server-a', GATEWAY_BASE_URL: 'http://a.example' }],
  ])('production with %s', (_what, more) => {
    expect(faultsOf({ ...least, ...more, GATEWAY_IS_PRODUCTION: '1' })).toHaveLength(1)
  })

  test('an identity provider without client, secret and public address; plain HTTP in production', () => {
    expect(faultsOf({ ...least, GAPURA_OIDC_ISSUER: 'https://a.example' })).toHaveLength(3)
    const oidc = {
      GATEWAY_SERVER_KEY: 'Mid-server-a',
      GATEWAY_IS_PRODUCTION: '1',
      GAPURA_OIDC_ISSUER: 'https://a.example',
      GAPURA_OIDC_CLIENT_ID: 'gapura',
      GAPURA_OIDC_CLIENT_SECRET: 'shared',
    }
    const plain = { ...least, ...oidc, GAPURA_PUBLIC_URL: 'http://shop.example' }
    expect(faultsOf(plain)).toHaveLength(1)
    expect(faultsOf({ ...plain, GAPURA_PUBLIC_URL: 'https://shop.example' })).toEqual([])
  })

  test('a value and its file, a secret and published keys', () => {
    const file = path.join(folder, 'both')
    writeFileSync(file, 'x')
    expect(faultsOf({ ...least, DATABASE_URL_FILE: file })).toHaveLength(1)
    const both = {
      GAPURA_JWT_ISSUER: 'i',
      GAPURA_JWT_AUDIENCE: 'a',
      GAPURA_JWT_SECRET: 's'.repeat(32),
      GAPURA_JWT_JWKS_URL: 'https://a.example',
    }
    expect(faultsOf({ ...least, ...both })).toHaveLength(1)
  })
})
