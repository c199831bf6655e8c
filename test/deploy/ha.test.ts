// Checks that the files of deploy/ha agree. `npm run campaign failover` starts them.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { haFiles } from '../../campaigns/bench/ha_files.ts'

const read = (name: string): string =>
  readFileSync(new URL(`../../deploy/ha/${name}`, import.meta.url), 'utf8')

interface Patroni {
  etcd3: { hosts: string }
  bootstrap: {
    dcs: Record<string, unknown> & {
      ttl: number
      loop_wait: number
      retry_timeout: number
      postgresql: { parameters: Record<string, unknown> }
    }
  }
}

const NODES = ['node1', 'node2', 'node3']
const { etcd3, bootstrap } = parse(read('patroni.yml')) as Patroni
const environments = NODES.map((name) => parseEnv(read(`${name}.env`)))
const haproxy = read('haproxy.cfg')

test('a commit is acknowledged only when two nodes have it', () => {
  expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
  const { fsync, full_page_writes, synchronous_commit } = bootstrap.dcs.postgresql.parameters
  expect([fsync, full_page_writes, synchronous_commit]).toEqual(['on', 'on', 'on'])
})

test('the time-outs satisfy the rule of Patroni', () => {
  const { ttl, loop_wait, retry_timeout } = bootstrap.dcs
  expect(ttl).toBeGreaterThanOrEqual(20)
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
})

describe('the nodes', () => {
  test('differ only in name and address', () => {
    const neutral = environments.map((one, index) =>
      JSON.stringify({ ...one, ETCD_INITIAL_CLUSTER: '' })
        .replaceAll(`node${index + 1}`, 'node')
        .replaceAll(`10.0.0.${index + 1}`, '10.0.0.x'),
    )
    expect(new Set(neutral).size).toBe(1)
    expect(new Set(environments.map((one) => one['ETCD_INITIAL_CLUSTER'])).size).toBe(1)
  })

  test('are known to etcd, to Patroni and to HAProxy', () => {
    for (const [index, name] of NODES.entries()) {
      const { PATRONI_RESTAPI_LISTEN, PATRONI_POSTGRESQL_LISTEN, ETCD_INITIAL_CLUSTER } =
        environments[index] ?? {}
      const address = `10.0.0.${index + 1}`
      expect(etcd3.hosts.split(',')).toContain(`${address}:2379`)
      expect(ETCD_INITIAL_CLUSTER?.split(',')).toContain(`${name}=http://${address}:2380`)
      const [rest = '', port = ''] = PATRONI_RESTAPI_LISTEN?.split(':') ?? []
      expect(haproxy).toContain(
        `server ${name} ${PATRONI_POSTGRESQL_LISTEN} check addr ${rest} port ${port}\n`,
      )
    }
  })
})

test('the campaign changes only the addresses of these files', async () => {
  const moved = await haFiles()
  const texts = [moved.patroni, moved.haproxy, JSON.stringify(moved.nodes)]
  expect(texts.filter((text) => text.includes('10.0.0.'))).toEqual([])
  const addresses = /(?:10\.0\.0\.\d|127\.0\.0\.1)(?:\/\d+|(?:(:| port )\d+)?)/g
  expect(moved.patroni.replaceAll(addresses, '@')).toBe(
    read('patroni.yml').replaceAll(addresses, '@'),
  )
  expect(moved.haproxy.replaceAll(addresses, '@')).toBe(haproxy.replaceAll(addresses, '@'))
})
