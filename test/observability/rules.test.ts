// The shipped rules at real durations, by promtool; and that they name only what exists.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { COMMANDS } from '../../packages/cli/src/commands.ts'
import { ALARM_KINDS } from '../../packages/service/src/domain/alarm.ts'
import { ERRORS } from '../../packages/service/src/domain/error_catalogue.ts'
import {
  rulesText,
  withSecondsForMinutes,
  type Rule,
  type Rules,
} from '../../scripts/observability/rules.ts'
import { sectionOf } from '../../scripts/docs/sections.ts'
import { unknownIn } from './metric_names.ts'
import { hasPromtool, promtool } from './promtool.ts'
import { RULE_CASES } from './rule_cases.ts'
import type { RuleCase } from './service_cases.ts'

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const runbook = read('docs/runbook.md')
const shipped = read('deploy/observability/gapura.rules.yml')
const rules = (parse(shipped) as Rules).groups.flatMap((group) => group.rules)
const alerts = rules.filter((rule) => rule.alert !== undefined)

test('the shipped rules are those of the tables (else: `npm run generate observability`)', () => {
  expect(parse(shipped)).toEqual(parse(rulesText(runbook)))
})

describe('every alert', () => {
  test.each(alerts)('$alert: a section of the runbook, and a command that exists', (rule) => {
    const { runbook_url = '', command = '', summary = '' } = rule.annotations ?? {}
    const section = sectionOf(new Map([['docs/runbook.md', runbook]]), runbook_url)
    // An alarm of the service is listed by its kind; its section says what to do about one.
    expect(section).toContain(rule.alert === 'GapuraAlarmOpen' ? 'gapura ' : command)
    const words = command.split(' ').slice(1)
    const known = COMMANDS.some(({ name }) =>
      [2, 1].some((count) => words.slice(0, count).join(' ') === name),
    )
    expect([command, known]).toEqual([command, true])
    expect(summary).toMatch(/\.$/)
  })

  test('has a case below', () => {
    const tried = new Set(RULE_CASES.filter(({ fires_at }) => fires_at).map(({ alert }) => alert))
    const named = new Set(alerts.map(({ alert = '' }) => alert))
    expect([...named].filter((name) => !tried.has(name))).toEqual([])
  })

  test('of the service’s own alarms: each kind has one', () => {
    const kinds = alerts.flatMap(
      ({ expr }) => /gapura_alarms_open\{kind="(\w+)"/.exec(expr)?.[1] ?? [],
    )
    expect(kinds.toSorted()).toEqual([...ALARM_KINDS].toSorted())
  })
})

describe('every expression', () => {
  test('names metrics and labels that exist', () => {
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  })

  test('names outcomes that exist', () => {
    const outcomes = rules.flatMap(({ expr }) => [...expr.matchAll(/outcome=~"([\w|]+)"/g)])
    const names = outcomes.flatMap(([, list = '']) => list.split('|'))
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !(name in ERRORS))).toEqual([])
  })

  test('in seconds for minutes differs in nothing but time', () => {
    const scaled = withSecondsForMinutes(shipped)
    expect(scaled).not.toMatch(/\[\d+[mhd]\]|for: \d+[mhd]|\* 60\b/)
    const plain = (text: string): string =>
      text
        .replaceAll(/\[\d+[smhd]\]/g, '[]')
        .replaceAll(/for: \d+[smhd]/g, 'for')
        .replaceAll(/\* (?:60|1)\b/g, '*')
    expect(plain(scaled)).toBe(plain(shipped))
  })
})

const templated = (text: string, labels: Record<string, string>): string =>
  text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '')

function expectedOf({ alert, severity, labels = {} }: RuleCase): object {
  const rule = alerts.find(
    (one) =>
      one.alert === alert &&
      one.labels?.['severity'] === severity &&
      (labels['kind'] === undefined || one.expr.includes(`"${labels['kind']}"`)),
  )
  const annotations = Object.entries(rule?.annotations ?? {})
  return {
    exp_labels: { severity, ...labels },
    exp_annotations: Object.fromEntries(
      annotations.map(([name, text]) => [name, templated(text, labels)]),
    ),
  }
}

/** promtool compares all alerts of a name; the other severity of a burn rate has its own case. */
function testOf(one: RuleCase, name: string, all: readonly Rule[]): object {
  const { alert, series, quiet_at, fires_at } = one
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([metric, values]) => ({ series: metric, values })),
    alert_rule_test: [
      ...quiet_at.map((eval_time) => ({ eval_time, alertname: alert, exp_alerts: [] })),
      ...(fires_at === undefined
        ? []
        : [
            {
              eval_time: fires_at,
              alertname: alert,
              exp_alerts: all.map((rule) =>
                expectedOf({ ...one, severity: rule.labels?.['severity'] as RuleCase['severity'] }),
              ),
            },
          ]),
    ],
  }
}

/** The rules of one name that fire together: both severities of a burn rate. */
const together = ({ alert, labels }: RuleCase): Rule[] =>
  alerts.filter(
    (rule) =>
      rule.alert === alert &&
      (labels?.['kind'] === undefined || rule.expr.includes(`"${labels['kind']}"`)),
  )

describe.skipIf(!hasPromtool)('promtool', () => {
  test('accepts the shipped rules, and the same in seconds for minutes', () => {
    for (const text of [shipped, withSecondsForMinutes(shipped)]) {
      const { code, said } = promtool(['check', 'rules', 'rules.yml'], { 'rules.yml': text })
      expect({ code, said }).toMatchObject({ code: 0 })
    }
  })

  test('every alert fires at its time and not before, at real durations', () => {
    const files: Record<string, string> = {}
    for (const [alert, cases] of Map.groupBy(RULE_CASES, (one) => one.alert)) {
      const tests = cases.map((one, index) =>
        testOf(one, `${alert} ${index} ${one.severity}`, together(one)),
      )
      const rule_files = [`${alert}.rules.yml`]
      files[`${alert}.test.yml`] = stringify({ rule_files, evaluation_interval: '1m', tests })
      files[`${alert}.rules.yml`] = stringify(rulesFor(alert), { lineWidth: 0 })
    }
    const tests = Object.keys(files).filter((name) => name.endsWith('.test.yml'))
    const { code, said } = promtool(['test', 'rules', ...tests], files)
    expect({ code, said }).toMatchObject({ code: 0 })
  }, 120_000)
})

/** Of the shipped rules those of one alert and those it reads: promtool evaluates all it is given. */
function rulesFor(alert: string): Rules {
  const { groups } = parse(shipped) as Rules
  const own = groups.map(({ name, rules: all }) => ({
    name,
    rules: all.filter((rule) => rule.alert === alert),
  }))
  const text = JSON.stringify(own)
  const read_by = groups.filter(({ rules: all }) =>
    all.some(({ record }) => record !== undefined && text.includes(record)),
  )
  return { groups: [...read_by, ...own.filter((group) => group.rules.length > 0)] }
}
