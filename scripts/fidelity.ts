// Runs the fidelity tests and counts published samples, not tests: a sample counts once, and only
// if every test that names it passed.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { REQUEST_DIFFERENCES } from '../test/fidelity/differences.ts'
import { loadSamples, outOfScope, samplesArePresent } from '../test/fidelity/samples.ts'

interface Report {
  success: boolean
  testResults: { assertionResults: { title: string; status: string }[] }[]
}

if (!samplesArePresent) {
  console.log('skipped: the samples are not beside this checkout (../shared/fixtures/gateway)')
  process.exit(0)
}

const output = path.join(tmpdir(), `gapura-fidelity-${process.pid}.json`)
const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${output}`]
spawnSync('vitest', ['run', 'test/fidelity', ...reporters], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const report = JSON.parse(readFileSync(output, 'utf8')) as Report
rmSync(output)

const results = report.testResults.flatMap((file) => file.assertionResults)
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
console.log(`\ndeliberate differences: ${REQUEST_DIFFERENCES.length}`)
for (const { file, why } of REQUEST_DIFFERENCES) console.log(`  ${file}: ${why}`)
for (const { title } of results.filter(({ status }) => status === 'failed'))
  console.log(`FAILED ${title}`)
console.log(`\n${passed.length} of ${inScope.length} samples`)
process.exitCode = report.success && passed.length === inScope.length ? 0 : 1
