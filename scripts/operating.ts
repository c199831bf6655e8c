// Writes the tables of metrics and alerts into docs/operating.md, from the definitions of the service
// and the rules of Prometheus.
import { readFileSync, writeFileSync } from 'node:fs'
import { METRICS } from '../packages/service/src/main/metrics/definitions.ts'
import type { MetricDefinition } from '../packages/service/src/main/metrics/text_format.ts'
import { rulesOf } from './observability/rules.ts'

const PAGE = new URL('../docs/operating.md', import.meta.url)
const RUNBOOK = new URL('../docs/runbook.md', import.meta.url)
const METRICS_TABLE = /(<!-- metrics -->\n)[\s\S]*(<!-- end of metrics -->)/
const ALERTS_TABLE = /(<!-- alerts -->\n)[\s\S]*(<!-- end of alerts -->)/

function metricsTable(): string {
  const metrics: [string, MetricDefinition][] = Object.entries(METRICS)
  const rows = metrics.map(([name, { type, labels, help }]) => {
    const listed = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${listed} | ${help} |`
  })
  return ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function alertsTable(): string {
  const { groups } = rulesOf(readFileSync(RUNBOOK, 'utf8'))
  const rows = groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, labels, annotations = {} }) => {
      if (alert === undefined) return []
      const { summary = '', runbook_url = '' } = annotations
      const says = summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')
      const link = runbook_url.replace('docs/', '')
      return [`| \`${alert}\` | ${labels?.['severity']} | ${says} | [what to do](${link}) |`]
    })
  const heading = ['| Alert | Severity | It means | Runbook |', '|---|---|---|---|']
  return [...heading, ...rows, ''].join('\n')
}

export const withTables = (page: string): string =>
  page
    .replace(METRICS_TABLE, (_, begin: string, end: string) => `${begin}${metricsTable()}${end}`)
    .replace(ALERTS_TABLE, (_, begin: string, end: string) => `${begin}${alertsTable()}${end}`)

if (import.meta.main) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')))
