// Prints the bill of materials of the published packages, or with `--image` of the container image;
// `-o file` writes it.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { IMAGE_WORKSPACES, readLock, WORKSPACES } from './supply/lock.ts'
import { sbomOf } from './supply/sbom.ts'

const { values } = parseArgs({
  options: {
    output: { type: 'string', short: 'o' },
    image: { type: 'boolean', default: false },
  },
})
const lock = readLock(new URL('..', import.meta.url))
const bill = sbomOf(lock, values.image ? IMAGE_WORKSPACES : WORKSPACES)
const text = `${JSON.stringify(bill, null, 2)}\n`
if (values.output === undefined) process.stdout.write(text)
else writeFileSync(values.output, text)
