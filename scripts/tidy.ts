import { readFileSync } from 'node:fs'
import { descriptionsOf } from './tidy/descriptions.ts'
import { measure } from './tidy/measure.ts'
import { readTree } from './tidy/tree.ts'
import { findFaults, LINES_PER_FILE_MAX } from './tidy/walls.ts'

const tree = readTree(new URL('..', import.meta.url).pathname)
const faults = findFaults(tree)
const seen = measure(tree)
const openapi: unknown = JSON.parse(
  readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'),
)
const { properties, described } = descriptionsOf(openapi)
const in_http = [...tree.keys()].filter((file) =>
  /^packages\/service\/src\/http\/(?!docs_page\/).*\.ts$/.test(file),
)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

console.table({
  'source files': { measured: seen.files, target: '' },
  'median file, lines': { measured: seen.median, target: '≤ 80' },
  'longest file, lines': { measured: seen.longest.lines, target: `≤ ${LINES_PER_FILE_MAX}` },
  'files over the limit': { measured: seen.over_limit, target: 0 },
  'comment share': { measured: percent(seen.comment_share), target: '8–15 %' },
  'test : source': { measured: seen.test_to_source.toFixed(2), target: '1.0–1.5' },
  'files in http': { measured: in_http.length, target: '≤ 30' },
  'OpenAPI properties described': { measured: `${described} of ${properties}`, target: 'all' },
  'walls broken': { measured: faults.length, target: 0 },
})
console.log(`longest: ${seen.longest.file}`)
for (const { rule, file, line, why } of faults) console.log(`${file}:${line} ${rule}: ${why}`)
process.exitCode = faults.length === 0 ? 0 : 1
