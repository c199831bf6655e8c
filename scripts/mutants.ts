// Mutation testing: Stryker changes one expression at a time, and the tests of that part must fail.
//   npm run suite mutants -- domain                      one part of the table below
//   npm run suite mutants -- domain money.ts refund      only files whose path contains one of these
import { Stryker } from '@stryker-mutator/core'
import { globSync } from 'node:fs'
import { setPriority } from 'node:os'
import { PARTS } from './mutants/parts.ts'
import { summaryOf } from './mutants/summary.ts'

const [name = '', ...chosen] = process.argv.slice(2)
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
process.env['GAPURA_MUTANT_TESTS'] = part.tests.join(',')
const results = await new Stryker({
  mutate: files,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: true },
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
    '!package.json',
    '!*.ts',
  ],
  reporters: ['dots'],
  disableTypeChecks: false,
  timeoutMS: 20_000,
}).runMutationTest()
const { lines, killed_share } = summaryOf(results, root)
console.log(lines.join('\n'))
process.exitCode = killed_share >= part.goal ? 0 : 1
