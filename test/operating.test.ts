import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { METRICS } from '../packages/service/src/main/metrics/definitions.ts'
import { withTables } from '../scripts/operating.ts'

const page = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')

test('the tables of metrics and alerts are up to date (else: `npm run generate metrics`)', () => {
  expect(page).toContain('| `gapura_http_requests_total` | counter | `method`, `route`, `status` |')
  expect(withTables(page)).toBe(page)
})

test('the page names no metric that does not exist', () => {
  const named = new Set(page.match(/\bgapura_[a-z_]+/g))
  const known = Object.keys(METRICS).flatMap((name) => [name, `${name}_bucket`])
  expect([...named].filter((name) => !known.includes(name))).toEqual([])
})
