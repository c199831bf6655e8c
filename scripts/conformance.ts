// Checks the service, or a deployment given by --base-url, against the interface specification.
//   npm run conformance
//   npm run conformance -- --base-url https://… --owner 'Bearer …' --other 'Bearer …' --staff 'Bearer …'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { LINES } from '../test/conformance/lines.ts'
import { report } from '../test/conformance/report.ts'
import { specIsPresent } from '../test/conformance/spec.ts'
import { runTests } from './tests/run.ts'

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    'simulator-url': { type: 'string' },
    owner: { type: 'string' },
    other: { type: 'string' },
    staff: { type: 'string' },
  },
})

if (!specIsPresent) {
  console.log('skipped: the specification is not beside this checkout (../shared/spec)')
  process.exit(0)
}

writeFileSync(new URL('../docs/conformance.md', import.meta.url), report(LINES))
const environment = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [
    `CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`,
    value,
  ]),
)
const { results } = runTests('test/conformance', environment)
const outcomeOf = (id: string): string | undefined =>
  results.find(({ title }) => title.split(' ').includes(id))?.status

// Of a deployment elsewhere only HTTP is seen, and without a simulator no payer can pay: what was not
// run there is counted.
const missing = values['base-url'] === undefined ? 'failed' : 'skipped'

let passed = 0
let failed = results.filter(
  ({ status, title }) => status === 'failed' && title.includes(' '),
).length
let skipped = 0
for (const { id, says, how, by } of LINES) {
  const outcome = how === 'check' ? (outcomeOf(id) ?? missing) : how
  if (outcome === 'failed') failed += 1
  else if (outcome === 'skipped') skipped += 1
  else passed += 1
  const held = { gap: `gap ${by}`, skipped: 'needs its own deployment' }[outcome]
  console.log(`${id.padEnd(18)} ${(held ?? outcome).padEnd(28)} ${says}`)
}
console.log(`\n${LINES.length} rows and sentences`)
if (skipped > 0) console.log(`${skipped} need the simulator or the service in this process`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
