// Mutation testing: Stryker changes one expression at a time, and the tests of that part must fail.
//   npm run suite mutants -- domain                      one part of the table below
//   npm run suite mutants -- domain money.ts refund      only files whose path contains one of these
//   npm run suite mutants -- engine --every 5            a sample: mutants whose number divides by 5
//   npm run suite mutants -- --vitest domain money.ts    with Stryker's vitest runner: slow, as a check of ours
import { Stryker } from '@stryker-mutator/core'
import { globSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { PARTS } from './mutants/parts.ts'
import { isInSample } from './mutants/sample.ts'
import { summaryOf } from './mutants/summary.ts'

const { values, positionals } = parseArgs({
  options: {
    vitest: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
  },
  allowPositionals: true,
})
const [name = '', ...chosen] = positionals
const part = PARTS[name]
if (part === undefined) {
  console.error(`name one of: ${Object.keys(PARTS).join(', ')}`)
  process.exit(1)
}
const LOW_PRIORITY = 10
setPriority(LOW_PRIORITY)
const root = new URL('..', import.meta.url).pathname
const files = part.mutate
  .flatMap((glob) => globSync(glob, { cwd: root }))
  .filter((file) => !file.endsWith('.test.ts'))
  .filter((file) => chosen.length === 0 || chosen.some((words) => file.includes(words)))
if (files.length === 0) {
  console.error('no file of this part matches')
  process.exit(1)
}
const every = Number(values.every)
process.env['GAPURA_MUTANT_TESTS'] = part.tests.join(',')
process.env['GAPURA_MUTANT_KEEP'] = part.keeps === true ? 'yes' : 'no'
process.env['GAPURA_MUTANT_EVERY'] = String(every)
const results = await new Stryker({
  mutate: files,
  ...(values.vitest
    ? {
        testRunner: 'vitest',
        plugins: ['@stryker-mutator/vitest-runner'],
        vitest: { configFile: 'vitest.mutants.config.ts', related: true },
      }
    : {
        testRunner: 'in-process',
        plugins: [new URL('mutants/runner.ts', import.meta.url).pathname],
      }),
  coverageAnalysis: 'perTest',
  // The machine is shared, and one runner already keeps one core busy.
  concurrency: 1,
  // Of constants made while a module loads: each would need a new process.
  ignoreStatic: true,
  ignorePatterns: [
    '**',
    '!packages/*/src/**',
    '!packages/*/test/**',
    '!packages/*/package.json',
    '!test/support/**',
    '!campaigns/imports/**',
    '!package.json',
    '!*.ts',
  ],
  reporters: ['dots'],
  disableTypeChecks: false,
  timeoutMS: values.vitest ? 20_000 : 3000,
}).runMutationTest()
const { lines, killed_share } = summaryOf(
  results.filter(({ id }) => isInSample(id, every)),
  root,
)
console.log(lines.join('\n'))
process.exitCode = killed_share >= part.goal ? 0 : 1
