// The examples for Prometheus, Alertmanager and the collector fit the rules and themselves.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Rules } from '../../scripts/observability/rules.ts'
import { hasPromtool, promtool } from './promtool.ts'

const FOLDER = new URL('../../deploy/observability/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')
const AMTOOL = '/usr/bin/amtool'
const { groups } = parse(read('gapura.rules.yml')) as Rules
const alerts = new Set(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)))

test.skipIf(!hasPromtool)('promtool accepts the example for Prometheus', () => {
  const { code, said } = promtool(['check', 'config', 'prometheus.yml'], {
    'prometheus.yml': read('prometheus.yml'),
    'gapura.rules.yml': read('gapura.rules.yml'),
  })
  expect({ code, said }).toMatchObject({ code: 0 })
})

describe('the example for Alertmanager', () => {
  const file = fileURLToPath(new URL('alertmanager.yml', FOLDER))

  test('silences alerts that exist', () => {
    const named = read('alertmanager.yml').match(/Gapura\w+/g) ?? []
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !alerts.has(name))).toEqual([])
  })

  test.skipIf(!existsSync(AMTOOL)).each([
    ['page', 'on-call'],
    ['ticket', 'tickets'],
  ])('amtool sends a %s to %s', (severity, receiver) => {
    const given = ['config', 'routes', 'test', `--config.file=${file}`, `severity=${severity}`]
    const { status, stdout } = spawnSync(AMTOOL, given, { encoding: 'utf8' })
    expect([status, stdout.trim()]).toEqual([0, receiver])
  })
})

test('the pipelines of the collector name parts that are configured', () => {
  const { service, ...parts } = parse(read('otel_collector.yml')) as Record<
    'receivers' | 'processors' | 'exporters',
    Record<string, unknown>
  > & { service: { pipelines: Record<string, Record<keyof typeof parts, string[]>> } }
  for (const pipeline of Object.values(service.pipelines)) {
    for (const kind of ['receivers', 'processors', 'exporters'] as const)
      expect(pipeline[kind].filter((name) => !(name in parts[kind]))).toEqual([])
  }
})
