// Every query of every dashboard parses and names a metric and labels that exist.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { METRICS } from '../../packages/service/src/main/metrics/definitions.ts'
import { DASHBOARDS } from '../../scripts/observability/panels.ts'
import { observabilityFiles } from '../../scripts/observability.ts'
import { unknownIn } from './metric_names.ts'
import { hasPromtool, promtool } from './promtool.ts'

interface Panel {
  targets?: { expr: string }[]
  panels?: Panel[]
}

const files = observabilityFiles()
const queriesIn = (panels: readonly Panel[]): string[] =>
  panels.flatMap(({ targets = [], panels: inner = [] }) => [
    ...targets.map(({ expr }) => expr),
    ...queriesIn(inner),
  ])
const shown = [...files].filter(([name]) => name.endsWith('.json'))
const queries = shown.flatMap(([name, text]) =>
  queriesIn((JSON.parse(text) as { panels: Panel[] }).panels).map((expr) => ({ name, expr })),
)

test('the shipped files are those of the tables (else: `npm run generate observability`)', () => {
  for (const [name, text] of files) {
    const file = new URL(`../../deploy/observability/${name}`, import.meta.url)
    // As values: the formatter breaks lines differently.
    expect(parse(readFileSync(file, 'utf8'))).toEqual(parse(text))
  }
})

describe('every query of a dashboard', () => {
  test('is in its file', () => {
    const wanted = DASHBOARDS.flatMap(({ rows }) =>
      Object.values(rows).flatMap((panels) => panels.flatMap((one) => Object.values(one.queries))),
    )
    expect(queries.map(({ expr }) => expr)).toEqual(wanted)
    expect(queries.length).toBeGreaterThan(60)
  })

  test('names metrics and labels that exist', () => {
    expect(queries.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  })

  test.skipIf(!hasPromtool)('parses', () => {
    const rules = queries.map(({ expr }, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll(/\$__(?:range|rate_interval)/g, '5m'),
    }))
    const text = stringify({ groups: [{ name: 'queries', rules }] }, { lineWidth: 0 })
    const { code, said } = promtool(['check', 'rules', 'rules.yml'], { 'rules.yml': text })
    expect({ code, said }).toMatchObject({ code: 0 })
  })
})

test('each metric of the service is on a dashboard, but for those without a question', () => {
  const all = queries.map(({ expr }) => expr).join('\n')
  const absent = Object.keys(METRICS).filter((name) => !all.includes(name))
  expect(absent).toEqual([
    // Read by alerts and health.
    'gapura_operation_oldest_open_seconds',
    'gapura_check_oldest_due_seconds',
    'gapura_reconciliation_overdue',
    'gapura_balance_unexplained_days',
    'gapura_events_leading',
    'gapura_queue_up',
    'gapura_timers_total',
    'gapura_partition_default_rows',
    'process_start_time_seconds',
  ])
})

test('a metric or a label that does not exist is found', () => {
  expect(unknownIn('sum(rate(gapura_charges_total[5m]))')).toEqual(['gapura_charges_total'])
  expect(unknownIn('gapura_alarms_open{owner="x"}')).toEqual(['gapura_alarms_open{owner}'])
  expect(unknownIn('gapura:charges_bad:ratio9m')).toEqual(['gapura:charges_bad:ratio9m'])
  expect(unknownIn('gapura_http_request_duration_seconds')).toEqual([
    'gapura_http_request_duration_seconds',
  ])
})
