// Writes docs/openapi.json and prints what it breaks for callers of the baseline. With --accept it
// becomes the new baseline; CONTRIBUTING.md says when.
import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../packages/service/src/main/routes.ts'
import { additions, breaks, type ApiDocument } from './openapi/compatibility.ts'
import { unannounced } from './openapi/changelog.ts'

const at = (path: string): URL => new URL(`../${path}`, import.meta.url)
const read = (path: string): string => readFileSync(at(path), 'utf8')
const documentAt = (path: string): ApiDocument => JSON.parse(read(path)) as ApiDocument

const { version } = JSON.parse(read('packages/service/package.json')) as { version: string }
const text = `${JSON.stringify(openApiDocument(version), null, 2)}\n`
writeFileSync(at('docs/openapi.json'), text)

const before = documentAt('docs/openapi.baseline.json')
const after = documentAt('docs/openapi.json')
const found = breaks(before, after)
for (const where of additions(before, after)) console.log(`new     ${where}`)
for (const { where, what } of found) console.log(`breaks  ${where} ${what}`)

if (process.argv.includes('--accept')) {
  const missing = unannounced(found, read('CHANGELOG.md'))
  if (missing.length > 0) {
    console.error(`Not accepted. First add these lines to CHANGELOG.md, above the last release:`)
    for (const where of missing) console.error(`- Breaking: \`${where}\` …`)
    process.exitCode = 1
  } else {
    writeFileSync(at('docs/openapi.baseline.json'), text)
    console.log('docs/openapi.baseline.json is the new baseline')
  }
}
