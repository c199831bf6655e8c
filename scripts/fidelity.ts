// Runs the fidelity tests and counts published samples, not tests: a sample counts once, and only
// if every test that names it passed.
import { REQUEST_DIFFERENCES } from '../test/fidelity/differences.ts'
import { FIELD_DIFFERENCES } from '../test/fidelity/simulator_differences.ts'
import { loadSamples, outOfScope, samplesArePresent } from '../test/fidelity/samples.ts'
import { runTests } from './tests/run.ts'

if (!samplesArePresent) {
  console.log('skipped: the samples are not beside this checkout (../shared/fixtures/gateway)')
  process.exit(0)
}

const { results, failed } = runTests('test/fidelity')
const samples = loadSamples()
const inScope = samples.filter((sample) => outOfScope(sample) === undefined)
const passed = inScope.filter(({ file }) => {
  const about = results.filter(({ title }) => title.includes(file))
  return about.length > 0 && about.every(({ status }) => status === 'passed')
})

const left = Map.groupBy(samples, outOfScope)
for (const [reason, files] of left) {
  if (reason === undefined) continue
  console.log(`out of scope, ${reason}: ${files.length}`)
  for (const { file } of files) console.log(`  ${file}`)
}
console.log(`\ndeliberate differences of the client: ${REQUEST_DIFFERENCES.length}`)
for (const { file, why } of REQUEST_DIFFERENCES) console.log(`  ${file}: ${why}`)
console.log(`\ndeliberate differences of the simulator: ${FIELD_DIFFERENCES.length}`)
for (const { samples: names, fields, why } of FIELD_DIFFERENCES) {
  console.log(`  ${fields.join(', ')}: ${why} (${names.join(', ')})`)
}
for (const { title } of failed) console.log(`FAILED ${title}`)
console.log(`\n${passed.length} of ${inScope.length} samples`)
process.exitCode = failed.length === 0 && passed.length === inScope.length ? 0 : 1
