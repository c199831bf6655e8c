// Writes the table of metrics into docs/operating.md, from the definitions of the service.
import { readFileSync, writeFileSync } from 'node:fs'
import { METRICS } from '../packages/service/src/main/metrics/definitions.ts'
import type { MetricDefinition } from '../packages/service/src/main/metrics/text_format.ts'

const PAGE = new URL('../docs/operating.md', import.meta.url)
const TABLE = /(<!-- metrics -->\n)[\s\S]*(<!-- end of metrics -->)/

export function metricsTable(): string {
  const metrics: [string, MetricDefinition][] = Object.entries(METRICS)
  const rows = metrics.map(([name, { type, labels, help }]) => {
    const listed = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${listed} | ${help} |`
  })
  return ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

export const withTable = (page: string): string =>
  page.replace(TABLE, (_, begin: string, end: string) => `${begin}${metricsTable()}${end}`)

if (import.meta.main) writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8')))
