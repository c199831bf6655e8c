// Writes the rules and dashboards of deploy/observability, from the tables beside this file, and the
// rules once more into the Helm chart, which cannot read files outside of its folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dashboardText } from './observability/dashboards.ts'
import { DASHBOARDS } from './observability/panels.ts'
import { rulesText } from './observability/rules.ts'

const root = new URL('../', import.meta.url)
const folder = new URL('deploy/observability/', root)

/** The generated files of deploy/observability, by name. */
export function observabilityFiles(): Map<string, string> {
  const runbook = readFileSync(new URL('docs/runbook.md', root), 'utf8')
  return new Map([
    ['gapura.rules.yml', rulesText(runbook)],
    ...DASHBOARDS.map(
      (one) => [`grafana/${one.uid.replace('gapura-', '')}.json`, dashboardText(one)] as const,
    ),
  ])
}

if (import.meta.main) {
  mkdirSync(new URL('grafana/', folder), { recursive: true })
  for (const [name, text] of observabilityFiles()) writeFileSync(new URL(name, folder), text)
  const chart = new URL('deploy/helm/files/', root)
  cpSync(new URL('gapura.rules.yml', folder), new URL('gapura.rules.yml', chart))
}
