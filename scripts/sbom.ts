// Prints the bill of materials; `-o file` writes it.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readLock } from './supply/lock.ts'
import { sbomOf } from './supply/sbom.ts'

const { values } = parseArgs({ options: { output: { type: 'string', short: 'o' } } })
const text = `${JSON.stringify(sbomOf(readLock(new URL('..', import.meta.url))), null, 2)}\n`
if (values.output === undefined) process.stdout.write(text)
else writeFileSync(values.output, text)
