// Prints how large and how well structured the code is; `--words` lists the words to replace.
import { readFileSync } from 'node:fs'
import { goalsOf } from './tidy/goals.ts'
import { measure } from './tidy/measure.ts'
import { readTree } from './tidy/tree.ts'
import { findFaults, LINES_PER_FILE_MAX } from './tidy/rules.ts'
import { wordsLeft } from './tidy/words.ts'

const tree = readTree(new URL('..', import.meta.url).pathname)
const faults = findFaults(tree)
const seen = measure(tree)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

console.table({
  'source files': { measured: seen.files, target: '' },
  'median file, lines': { measured: seen.median, target: '≤ 80' },
  'longest file, lines': { measured: seen.longest.lines, target: `≤ ${LINES_PER_FILE_MAX}` },
  'files over the limit': { measured: seen.over_limit, target: 0 },
  'comment share': { measured: percent(seen.comment_share), target: '8–15 %' },
  'test : source': { measured: seen.test_to_source.toFixed(2), target: '1.0–1.5' },
  'rules broken': { measured: faults.length, target: 0 },
})
console.log(`longest: ${seen.longest.file}`)

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const { scripts } = read('package.json') as { scripts: object }
console.table(goalsOf(tree, read('docs/openapi.json'), scripts))
if (process.argv.includes('--words')) {
  for (const { file, line, word, use } of wordsLeft(tree)) {
    console.log(`${file}:${line} ${word}: ${use}`)
  }
}
for (const { rule, file, line, why } of faults) console.log(`${file}:${line} ${rule}: ${why}`)
process.exitCode = faults.length === 0 ? 0 : 1
